"""Find code that may change lists or objects which it did not make, so that its failure ends a derivation."""

from __future__ import annotations

import ast
from collections.abc import Callable

from axiomcheck.derivation.aliases import YIELDED, changed_by, set_by
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function, LocalObject, UserClass, UserObject
from axiomcheck.derivation.source import definition_of, is_user_function
from axiomcheck.derivation.values import Value


def may_change(tree: ast.AST, find: Callable[[str], Value], seen: frozenset[str] = frozenset()) -> bool:
    """Return True if code calls functions of the user that may change containers or objects that it has."""
    for name in {x.id for x in ast.walk(tree) if isinstance(x, ast.Name)} - seen:
        try:
            value = find(name)
        except Underivable:
            continue
        owner = value.bound if isinstance(value, Function) else value
        if isinstance(owner, UserObject):
            owner = UserClass(type(owner.value), type(owner.exact))
        kind = owner.kind if isinstance(owner, LocalObject) else owner
        if isinstance(kind, UserClass) and _has_changing_methods(kind.value):
            return True
        if isinstance(value, Function):
            node = value.definition
            if _changes_given(node) or may_change(node, value.lookup, seen | {name}):
                return True
    return False


def _has_changing_methods(kind: type) -> bool:
    """Return True if a class has functions that may change what they are given."""
    for base in kind.__mro__[:-1]:
        for member in vars(base).values():
            parts = (member, *(getattr(member, key, None) for key in ("fget", "__func__", "__wrapped__")))
            if any(is_user_function(x) and _changes_given(definition_of(x)) for x in parts):
                return True
    return False


def _changes_given(node: ast.AST) -> bool:
    """Return True if a function may change a value in place that it did not make."""
    given = {x.arg for x in ast.walk(node) if isinstance(x, ast.arg)}
    made = {name for x in ast.walk(node) for name in set_by(x)} - given
    return any({*changed_by(x)} - {*set_by(x)} - made - {YIELDED} for x in ast.walk(node))

"""Find values and expressions that may run the user's code, which may change lists, arrays or objects."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import fields
from types import BuiltinFunctionType, ModuleType

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function, LocalObject, Super, UserClass, UserObject
from axiomcheck.derivation.values import Value

_READ = (
    *(abs, all, any, bool, dict, enumerate, float, frozenset, int, isinstance, len, list, max, min, range, reversed),
    *(round, set, sorted, str, sum, tuple, zip),
)
"""Python builtins that change nothing, unless an argument is a function."""


def runs_code(value: Value) -> bool:
    """Return True if using a value may run the user's code: it is or contains a user's function, class or object."""
    if isinstance(value, Function | UserClass | LocalObject | UserObject | Super):
        return True
    if isinstance(value, tuple | dict):
        return any(map(runs_code, v.entries(value)))
    kinds = v.First | v.Mapping | v.Loop | v.Once | v.Method | v.Builder
    if isinstance(value, kinds):
        return any(runs_code(getattr(value, part.name)) for part in fields(value))
    is_known = isinstance(value, np.ufunc | BuiltinFunctionType) or any(value is known for known in _READ)
    return callable(value) and not is_known and not str(getattr(value, "__module__", "")).startswith("numpy")


_HARMLESS = (
    *(len, str, repr, type, list, sorted),
    *(value for value in vars(builtins).values() if isinstance(value, type) and issubclass(value, BaseException)),
)
"""Builtins that the creation of an exception may call with values that run none of the user's code."""


def refuse_effects(raised: ast.AST, find: Callable[[str], Value]) -> None:
    """Check that creating an exception does not run the user's code.

    Raises:
        Underivable: Creating the exception may run such code.

    """
    nodes = list(ast.walk(raised))
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        value = find(node.id) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else None
        if any(value is known for known in _HARMLESS):
            continue
        sets_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        if sets_name or node in called or isinstance(value, ModuleType) or runs_code(value):
            raise Underivable(
                "raises an exception whose message may run other code: use an f-string of numbers and names"
            )

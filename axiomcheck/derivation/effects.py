"""Find code that may change lists or objects which it did not make, so that its failure ends a derivation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import ModuleType

from axiomcheck.derivation.aliases import YIELDED, changed_by, set_by
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function, LocalObject, UserClass, UserObject
from axiomcheck.derivation.handlers import FUNCTIONS, METHODS
from axiomcheck.derivation.source import definition_of, is_user_function
from axiomcheck.derivation.values import Value

_READING = (
    *("get", "keys", "values", "items", "index", "count", "copy", "format", "join", "lower", "upper", "strip", "split"),
    *("union", "intersection", "difference", "isdisjoint", "issubset", "issuperset", "startswith", "endswith"),
)
"""Methods of containers and texts that change nothing. Methods of arrays are in `METHODS`."""

_IN_PLACE = ("sort", "partition", "fill", "put", "resize")
"""Methods that change an array or a list. `METHODS` has some, as functions of NumPy with these names change nothing."""

_PLAIN = (abs, round, divmod, str, isinstance, type, hasattr)
"""Functions of Python without a handler that change nothing."""

_OTHERS = {"np", "numpy", "math", "self", "cls"}
"""Names whose methods are functions of a module, or methods that are looked at with their class."""

_NEW = (
    ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp | ast.BinOp | ast.Constant | ast.Compare
)
_MAKING = ("list", "dict", "set", "sorted", "defaultdict", "Counter", "deque", "OrderedDict")


def may_change(tree: ast.AST, find: Callable[[str], Value], seen: frozenset[str] = frozenset()) -> bool:
    """Return True if code may change containers or objects that it did not make.

    Statements may change local variables of the function that they end. An expression may not: what follows reads them.

    Args:
        tree: Expression, or statements at the end of a function.
        find: Function that returns the value of a name.
        seen: Names of functions that were looked at.

    """
    if isinstance(tree, ast.expr) and any(_changes(call, find) for call in ast.walk(tree)):
        return True
    for name in {x.id for x in ast.walk(tree) if isinstance(x, ast.Name)} - seen:
        value = _value(name, find)
        owner = value.bound if isinstance(value, Function) else value
        if isinstance(owner, UserObject):
            owner = owner.kind
        kind = owner.kind if isinstance(owner, LocalObject) else owner
        if isinstance(kind, UserClass) and _has_changing_methods(kind.value):
            return True
        if isinstance(value, Function):
            node = value.definition
            if _changes_given(node) or may_change(node, value.lookup, seen | {name}):
                return True
    return False


def _value(name: str, find: Callable[[str], Value]) -> Value:
    try:
        return find(name)
    except Underivable:
        return None


def _changes(node: ast.AST, find: Callable[[str], Value]) -> bool:
    """Return True for a call that is not known to change nothing; calls of the user's functions are looked at apart."""
    match node:
        case ast.Call(ast.Name("next" | "setattr" | "delattr" | "exec" | "eval")):
            return True
        case ast.Call(ast.Name(name)):
            callee = _value(name, find)
            return not isinstance(callee, Function | UserClass) and id(callee) not in FUNCTIONS and callee not in _PLAIN
        case ast.Call(ast.Attribute(ast.Name(name), method), _, keywords):
            owner = _value(name, find)
            if isinstance(owner, ModuleType):
                known = id(getattr(owner, method, None)) in FUNCTIONS
                return not known or any(keyword.arg == "out" for keyword in keywords)
            return not _reads(method)
        case ast.Call(ast.Attribute(_, method)):
            return not _reads(method)
    return isinstance(node, ast.Call)


def _reads(method: str) -> bool:
    return (method in METHODS or method in _READING) and method not in _IN_PLACE


def _has_changing_methods(kind: type) -> bool:
    """Return True if a class has functions that may change the object, or what they are given."""
    for base in kind.__mro__[:-1]:
        for member in vars(base).values():
            parts = (member, *(getattr(member, key, None) for key in ("fget", "__func__", "__wrapped__")))
            if any(is_user_function(x) and _changes_given(definition_of(x)) for x in parts):
                return True
    return False


def _changes_given(node: ast.AST) -> bool:
    """Return True if a function may change a value in place that it did not make."""
    made = {name for name, value in _assigned(node) if _is_new(value)} - {
        name for name, value in _assigned(node) if not _is_new(value)
    }
    creates = isinstance(node, ast.FunctionDef) and node.name == "__init__"
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(_, _, ast.Store() | ast.Del()) if not creates:
                return True
            case ast.Subscript(target, _, ast.Store() | ast.Del()) if not _is_one_of(target, made):
                return True
            case ast.Call(ast.Attribute(owner, method)) if not _reads(method) and not _is_one_of(owner, made | _OTHERS):
                return True
        if {*changed_by(inner)} - {*set_by(inner)} - made - {YIELDED}:
            return True
    return False


def _is_one_of(target: ast.expr, names: set[str]) -> bool:
    return isinstance(target, ast.Name) and target.id in names


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """Yield each name that a function sets, with the expression; None where it is set otherwise."""
    values: dict[ast.AST, ast.AST] = {}
    for inner in ast.walk(node):
        match inner:
            case ast.Assign([ast.Name() as target], value) | ast.AnnAssign(
                ast.Name() as target, _, ast.expr() as value
            ):
                values[target] = value
    for inner in ast.walk(node):
        for name in set_by(inner):
            yield name, values.get(inner)
        if isinstance(inner, ast.arg):
            yield inner.arg, None


def _is_new(value: ast.AST | None) -> bool:
    """Return True for an expression that makes a number or a new container."""
    match value:
        case ast.Call(ast.Name(name)):
            return name in _MAKING
        case ast.Call(ast.Attribute(ast.Name("np" | "numpy"), name)):
            return name.startswith(("zeros", "ones", "full", "array", "arange"))
    return isinstance(value, _NEW)

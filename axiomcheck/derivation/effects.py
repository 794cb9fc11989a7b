"""Find code that may change lists, arrays or objects, since a derivation cannot go on after such code has failed."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from fractions import Fraction
from types import BuiltinFunctionType, ModuleType, NoneType

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import READING, set_by
from axiomcheck.derivation.forms import Form, Underivable
from axiomcheck.derivation.functions import Function, LocalObject, Super, UserClass, UserObject
from axiomcheck.derivation.values import Value

_READ = (
    *(abs, all, any, bool, dict, enumerate, float, frozenset, int, isinstance, len, list, max, min, range, reversed),
    *(round, set, sorted, str, sum, tuple, zip),
)
"""Python builtins that change nothing, unless an argument is a function."""

_OF_NUMPY = {
    **dict.fromkeys(("array", "asarray", "zeros", "ones", "cumsum", "sort", "argsort", "nan_to_num"), 1),
    **dict.fromkeys(("zeros_like", "ones_like"), 1),
    **dict.fromkeys(("sum", "mean", "max", "min", "dot", "round"), 2),
    **dict.fromkeys(("where", "clip", "arange"), 3),
}
"""NumPy functions that change nothing, each with the largest number of positional arguments before ``out``."""

_OPTIONS = ("axis", "dtype", "keepdims", "reverse", "start", "default", "initial")


def may_change(tree: ast.AST, find: Callable[[str], Value], own: Collection[str] = (), depth: int = 0) -> bool:
    """Return True unless code provably changes nothing that other code reads.

    Args:
        tree: Expression, statement or function.
        find: Function that returns the value of a name.
        own: Names of local containers that may change, because the function ends with the code.
        depth: Number of calls of the user's functions around the code.

    """
    made = {name for node in ast.walk(tree) for name in set_by(node)}
    made |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    looked_at = (find, made, own, called, depth)
    return depth > _DEEPEST or any(_may_change(node, *looked_at) for node in ast.walk(tree))


_DEEPEST = 8


def runs_code(value: Value) -> bool:
    """Return True if using a value may run the user's code: it is or contains a user's function, class or object."""
    if isinstance(value, Function | UserClass | LocalObject | UserObject | Super):
        return True
    if isinstance(value, tuple | dict):
        return any(map(runs_code, v.entries(value)))
    kinds = v.First | v.Mapping | v.Loop | v.Once | v.Method | v.Partial | v.Builder
    if isinstance(value, kinds):
        return any(runs_code(getattr(value, part.name)) for part in fields(value))
    is_known = isinstance(value, np.ufunc | BuiltinFunctionType) or any(value is known for known in _READ)
    return callable(value) and not is_known and not str(getattr(value, "__module__", "")).startswith("numpy")


def _may_change(
    node: ast.AST, find: Callable[[str], Value], made: set[str], own: Collection[str], called: set[ast.expr], depth: int
) -> bool:
    match node:
        case ast.Name(name, ast.Load()):
            value = _value(name, find)
            if name in made and isinstance(value, v.Failed):
                return False
            if isinstance(value, Function) and value.bound is None:
                body = value.definition
                locally = {n for x in ast.walk(body) for n in set_by(x)} - {
                    x.arg for x in ast.walk(body.args) if isinstance(x, ast.arg)
                }
                return may_change(body, value.lookup, locally & _containers_of(body), depth + 1)
            return not _is_plain(value) and not any(value is known for known in _READ)
        case ast.Call(ast.Attribute(ast.Name(name), method), arguments, keywords):
            owner = _value(name, find)
            if isinstance(owner, ModuleType) and name not in made:
                return _changes_by_module(owner, method, arguments, keywords)
            return name not in own and _changes_by_method(method, arguments, keywords)
        case ast.Call(ast.Attribute(_, method), arguments, keywords):
            return _changes_by_method(method, arguments, keywords)
        case ast.Call(ast.Name(name), _, keywords):
            return name in made or any(keyword.arg not in _OPTIONS for keyword in keywords)
        case ast.Call():
            return True
        case ast.Attribute(ast.Name(name), attribute, ast.Load()) if node not in called:
            owner = _value(name, find)
            if name not in made and isinstance(owner, ModuleType):
                value = getattr(owner, attribute, owner)
                return type(value) not in (bool, int, float, str, NoneType) and not isinstance(value, np.ufunc)
            return attribute not in _ATTRIBUTES
        case ast.Attribute(_, attribute, ast.Load()) if node not in called:
            return attribute not in _ATTRIBUTES
        case ast.Subscript(ast.Name(name), _, ast.Store() | ast.Del()):
            return name not in own
        case ast.Attribute() | ast.Subscript():
            return not isinstance(node.ctx, ast.Load)
        case ast.AugAssign(ast.Name(name)):
            return name not in own
    return isinstance(node, _OTHERS)


_OTHERS = ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.Delete | ast.Global | ast.Nonlocal
_ATTRIBUTES = ("shape", "size", "ndim", "T", "pool", "weights")


def _changes_by_module(
    module: ModuleType, name: str, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> bool:
    function = getattr(module, name, None)
    if module is math:
        return False
    most = function.nin if isinstance(function, np.ufunc) else _OF_NUMPY.get(name) if module is np else None
    return most is None or len(arguments) > most or any(keyword.arg not in _OPTIONS for keyword in keywords)


def _changes_by_method(method: str, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> bool:
    few = len(arguments) <= (2 if method == "get" else 1)
    return method not in READING or not few or any(keyword.arg not in _OPTIONS for keyword in keywords)


def _containers_of(body: ast.AST) -> set[str]:
    """Return the names that a function assigns only new containers and constants to."""
    values: dict[str, list[ast.AST | None]] = {}
    assigned: dict[ast.AST, ast.AST] = {}
    for node in ast.walk(body):
        match node:
            case ast.Assign([target], value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                assigned[target] = value
    augmented = {node.target for node in ast.walk(body) if isinstance(node, ast.AugAssign)}
    for node in ast.walk(body):
        for name in set_by(node) if node not in augmented else ():
            values.setdefault(name, []).append(assigned.get(node))
    new = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp | ast.Constant
    return {name for name, made in values.items() if all(isinstance(value, new) for value in made)}


def _value(name: str, find: Callable[[str], Value]) -> Value:
    try:
        return find(name)
    except Underivable as error:
        return v.Failed(error)


def _is_plain(value: Value) -> bool:
    """Return True for numbers, strings, documents and modules, and for arrays and containers of these."""
    match value:
        case tuple():
            return all(map(_is_plain, value))
        case dict():
            return all(map(_is_plain, value.values()))
        case v.Mapping(value=part) | v.Once(value=part) | v.Loop(element=part):
            return _is_plain(part)
        case v.Builder(entry=one, last=other) | v.First(value=one, default=other):
            return _is_plain(one) and _is_plain(other)
    return value is None or isinstance(value, _PLAIN)


_PLAIN = (
    *(bool, int, float, str, Fraction, Form, ModuleType, v.Array, v.AspectSet, v.Document, v.Documents, v.Index),
    *(v.Places, v.SeenDocuments, v.Tuples, v.UnknownTopic),
)


def refuse_effects(raised: ast.AST, find: Callable[[str], Value]) -> None:
    """Check that creating an exception calls no code of the user.

    Raises:
        Underivable: Creating the exception may call such code.

    """
    for node in ast.walk(raised):
        callee = find(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        error = isinstance(callee, type) and issubclass(callee, BaseException) and callee.__module__ == "builtins"
        if isinstance(node, ast.Call) and not error and callee not in (len, str, repr, type, list, sorted):
            raise Underivable("raises an exception whose message is computed by a call: use an f-string")

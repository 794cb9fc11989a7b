"""Find calls of a user's functions and methods that change a container or an object of the caller."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from axiomcheck.derivation.aliases import (
    LENT,
    assigned_names,
    changed_in_place,
    entries_named,
    has,
    loads_of,
    local_names,
    only_read,
    set_by,
    values_of,
)
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function, LocalObject, UserClass, first_parameter
from axiomcheck.derivation.iterators import own_nodes
from axiomcheck.derivation.source import Definition
from axiomcheck.derivation.values import Value

_BUILT = ast.ListComp | ast.DictComp
_OTHER_SCOPES = ast.Lambda | ast.ClassDef | ast.GeneratorExp | ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal


@contextmanager
def noted(function: Function, within: tuple[Definition, ...] = ()) -> Iterator[None]:
    """Record, until the block ends, which local names each call in a function lets a user's function change.

    The same code may call different functions next time, such as closures or functions passed as arguments.

    Args:
        function: Function that contains the calls.
        within: Functions around it whose calls are being recorded.

    """
    calls = [x for x in own_nodes(function.definition) if isinstance(x, ast.Call)]
    notes = [_lent(call, function, (*within, function.definition)) for call in calls]
    before = [getattr(call, LENT, {}) for call in calls]
    try:
        for call, note in zip(calls, notes, strict=True):
            setattr(call, LENT, note)
        yield
    finally:
        for call, note in zip(calls, before, strict=True):
            setattr(call, LENT, note)


def _lent(call: ast.Call, function: Function, within: tuple[Definition, ...]) -> dict[str, str]:
    """Map each parameter whose value a call changes to its argument's name; empty if the call keeps a reference."""
    node = function.definition
    if isinstance(node, ast.Lambda):
        return {}
    find = partial(_found, function)
    match call:
        case ast.Call(ast.Name(name), arguments, []) if name not in local_names(node):
            callee = find(name)
            return _lent_to(callee, arguments, within) if isinstance(callee, Function) else {}
        case ast.Call(ast.Attribute(ast.Name(name), method)):
            if name == first_parameter(node) and isinstance(function.bound, LocalObject):
                return {"": name} if method in function.bound.kind.changing() else {}
            if _may_change(list(values_of(node, name)), method, node, find):
                return {"": name}
            lists = {held.id for entry, held, _ in entries_named(node) if entry == name}
            made = [value for each in lists for value in values_of(node, each)]
            zips = not loads_of(node, "zip") or ("zip" not in local_names(node) and find("zip") is zip)
            one = len(lists) == 1 and zips and _may_change(made, method, node, find, True)
            return {"": name, ENTRIES: lists.pop()} if one else {}
        case ast.Call(ast.Attribute(ast.Subscript(ast.Name(name)), method)):
            return {ENTRIES: name} if _may_change(list(values_of(node, name)), method, node, find, True) else {}
        case ast.Call(ast.Attribute(ast.Call(ast.Name("super")), method)) if isinstance(function.bound, LocalObject):
            return {"": first_parameter(node)} if method in function.bound.kind.changing() else {}
    return {}


ENTRIES = "entries"
"""Key, among the parameters of a method, of the list or dictionary in which the method's object is an entry."""


def _found(function: Function, name: str) -> Value:
    try:
        return function.lookup(name)
    except Underivable:
        return None


def _may_change(
    made: Sequence[ast.expr | None], method: str, node: Definition, find: Callable[[str], Value], entries: bool = False
) -> bool:
    """Return True if all expressions create objects, or lists of objects, with a method that may change its object."""
    if entries:
        made = [getattr(x, "elt", getattr(x, "value", None)) if isinstance(x, _BUILT) else None for x in made]
    names = [x.func.id if isinstance(x, ast.Call) and isinstance(x.func, ast.Name) else "" for x in made]
    kinds = [None if name in local_names(node) else find(name) for name in names]
    return bool(kinds) and all(isinstance(kind, UserClass) and method in kind.changing() for kind in kinds)


def _lent_to(callee: Function, arguments: Sequence[ast.expr], within: tuple[Definition, ...]) -> dict[str, str]:
    node = callee.definition
    if callee.bound is not None or callee.defined_in is not None or callee.cached or node in within:
        return {}
    if not isinstance(node, ast.FunctionDef) or has(node, _OTHER_SCOPES):
        return {}
    if any(isinstance(x, ast.FunctionDef) and x is not node for x in ast.walk(node)):
        return {}
    with noted(callee, within):
        changed = changed_in_place(node.body)
        read = only_read(node, callee.lookup) if changed else set()
    stored = {name for x in ast.walk(node) for name in set_by(x)}
    lent: dict[str, str] = {}
    for parameter, argument in zip([*node.args.posonlyargs, *node.args.args], arguments, strict=False):
        if parameter.arg in changed:
            given = argument.id if isinstance(argument, ast.Name) else ""
            used = sum(len(loads_of(x, given)) for x in arguments)
            if used != 1 or parameter.arg in stored or not loads_of(node, parameter.arg) <= read:
                return {}
            lent[parameter.arg] = given
    return lent


def lending_call(statement: ast.stmt) -> tuple[ast.Call, ast.Call] | None:
    """Find the only call in a statement that changes values of names, if the statement certainly evaluates it once.

    Returns:
        The call, and the sum over a generator that contains it, or the call again; None if there is no such call.

    """
    whole = statement.test if isinstance(statement, ast.If) else statement
    calls = [x for x in ast.walk(whole) if isinstance(x, ast.Call) and getattr(x, LENT, {})]
    if len(calls) != 1 or not isinstance(statement, ast.If | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return):
        return None
    if has(whole, ast.NamedExpr):  # may set an argument of the call before it is called
        return None
    lent: dict[str, str] = getattr(calls[0], LENT)
    for outer in _certain(whole):
        match outer:
            case ast.Call(ast.Name("sum"), [ast.GeneratorExp(entry) | ast.ListComp(entry) as made], []) if len(
                made.generators
            ) == 1 and calls[0] in ast.walk(entry):
                if not assigned_names([made.generators[0].target]).isdisjoint(lent.values()):
                    return None
            case ast.Call() if outer is calls[0]:
                entry = outer
            case _:
                continue
        names = (*lent.values(), "super")  # super() reads the object, too
        return None if any(loads_of(whole, x) > loads_of(entry, x) for x in names) else (calls[0], outer)
    return None


def _certain(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that a statement or an expression evaluates exactly once, regardless of their values."""
    yield node
    parts = ast.iter_child_nodes(node)
    match node:
        case ast.IfExp(first) | ast.BoolOp(_, [first, *_]):
            parts = iter([first])
        case ast.Compare(first, _, [second, *_]):
            parts = iter([first, second])
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
    for part in parts:
        yield from _certain(part)

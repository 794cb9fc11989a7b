"""Find statements that call a user's function or method to change a container or an object of the caller."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from axiomcheck.derivation.aliases import (
    LENT,
    changed_in_place,
    has,
    loads_of,
    local_names,
    only_read,
    set_by,
)
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function, LocalObject
from axiomcheck.derivation.iterators import own_nodes
from axiomcheck.derivation.methods import first_parameter
from axiomcheck.derivation.source import Definition

_OTHER_SCOPES = ast.Lambda | ast.ClassDef | ast.GeneratorExp | ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal


@contextmanager
def noted(function: Function, within: tuple[Definition, ...] = ()) -> Iterator[None]:
    """Record, until the block ends, which local names each statement in a function lets a user's function change.

    The same code may call different functions next time, such as closures or functions passed as arguments.

    Args:
        function: Function that contains the calls.
        within: Functions around it whose calls are being recorded.

    """
    statements = [x.value for x in own_nodes(function.definition) if isinstance(x, ast.Expr)]
    calls = [x for x in statements if isinstance(x, ast.Call)]
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
    """Map each parameter whose value a call changes to its argument's name; empty if the call may keep a reference."""
    node = function.definition
    if isinstance(node, ast.Lambda):
        return {}
    match call:
        case ast.Call(ast.Name(name), arguments, []) if name not in local_names(node):
            try:
                callee = function.lookup(name)
            except Underivable:
                return {}
            return _lent_to(callee, arguments, within) if isinstance(callee, Function) else {}
        case ast.Call(ast.Attribute(ast.Call(ast.Name("super")))) if isinstance(function.bound, LocalObject):
            return {"": first_parameter(node)}
    return {}


def _lent_to(callee: Function, arguments: Sequence[ast.expr], within: tuple[Definition, ...]) -> dict[str, str]:
    node = callee.definition
    if callee.bound is not None or callee.defined_in is not None or callee.cached or node in within:
        return {}
    if not isinstance(node, ast.FunctionDef) or has(node, _OTHER_SCOPES):
        return {}
    if any(isinstance(argument, ast.Starred) for argument in arguments):  # their number is not known
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

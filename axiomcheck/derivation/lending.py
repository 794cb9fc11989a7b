"""Find statements that call a user's function in order to change a list, a set, a dictionary or an array."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from axiomcheck.derivation.aliases import LENT, changed_in_place, has, loads_of, local_names, only_read, set_by
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function
from axiomcheck.derivation.iterators import own_nodes
from axiomcheck.derivation.source import Definition
from axiomcheck.derivation.values import Value

_OTHER_SCOPES = ast.Lambda | ast.ClassDef | ast.GeneratorExp | ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal


@contextmanager
def noted(node: Definition, find: Callable[[str], Value], within: tuple[Definition, ...] = ()) -> Iterator[None]:
    """Note at each call that is a statement which local names it lets a user's function change, until the block ends.

    The same code may call other functions the next time: closures, for example, or functions that are arguments.

    Args:
        node: Function that contains the calls.
        find: Function that returns the value of a name that is not local.
        within: Functions around it whose calls are being noted.

    """
    calls = _statements(node)
    notes = [_lent(name, call.args, find, (*within, node)) if name else {} for name, call in calls]
    before = [getattr(call, LENT, {}) for _, call in calls]
    try:
        for (_, call), note in zip(calls, notes, strict=True):
            setattr(call, LENT, note)
        yield
    finally:
        for (_, call), note in zip(calls, before, strict=True):
            setattr(call, LENT, note)


def _statements(node: Definition) -> list[tuple[str, ast.Call]]:
    """Return the calls in a function that are statements, with the names of the called functions; "" for local names.

    Functions defined in it are left out: their calls are noted when they run.
    """
    if isinstance(node, ast.Lambda):
        return []
    own = local_names(node)
    found = []
    for statement in own_nodes(node):
        match statement:
            case ast.Expr(ast.Call(ast.Name(name), _, []) as call):
                found.append(("" if name in own else name, call))
    return found


def _lent(
    name: str, arguments: list[ast.expr], find: Callable[[str], Value], within: tuple[Definition, ...]
) -> dict[str, str]:
    """Map each parameter whose value a function changes to the name of its argument; empty if it keeps a reference."""
    try:
        callee = find(name)
    except Underivable:
        return {}
    if not isinstance(callee, Function) or callee.bound is not None or callee.defined_in is not None:
        return {}
    node = callee.definition
    if callee.cached or node in within or not isinstance(node, ast.FunctionDef) or has(node, _OTHER_SCOPES):
        return {}
    returns = [x.value for x in ast.walk(node) if isinstance(x, ast.Return)]
    several = any(isinstance(x, ast.FunctionDef) and x is not node for x in ast.walk(node))
    if several or not all(x is None or (isinstance(x, ast.Constant) and x.value is None) for x in returns):
        return {}
    with noted(node, callee.lookup, within):
        read, changed = only_read(node, callee.lookup), changed_in_place(node.body)
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

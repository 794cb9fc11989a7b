"""Find statements that call a user's function in order to change a list, a set, a dictionary or an array."""

from __future__ import annotations

import ast
from collections.abc import Callable

from axiomcheck.derivation.aliases import LENT, changed_in_place, has, loads_of, local_names, only_read, set_by
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function
from axiomcheck.derivation.source import Definition
from axiomcheck.derivation.values import Value

_OTHER_SCOPES = ast.Lambda | ast.ClassDef | ast.GeneratorExp | ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal


def note_lent(node: Definition, find: Callable[[str], Value]) -> None:
    """Note at each call that is a statement which local names it lets a user's function change.

    Args:
        node: Function that contains the calls.
        find: Function that returns the value of a name that is not local.

    """
    if isinstance(node, ast.Lambda) or hasattr(node, LENT):
        return
    setattr(node, LENT, {})  # a recursive function lends nothing
    for statement in ast.walk(node):
        match statement:
            case ast.Expr(ast.Call(ast.Name(name), arguments, []) as call) if name not in local_names(node):
                try:
                    callee = find(name)
                except Underivable:
                    continue
                if isinstance(callee, Function) and callee.bound is None and callee.defined_in is None:
                    setattr(call, LENT, _lent(callee, arguments))


def _lent(callee: Function, arguments: list[ast.expr]) -> dict[str, str]:
    """Map each parameter whose value a function changes to the name of its argument; empty if it keeps a reference."""
    node = callee.definition
    if callee.cached or not isinstance(node, ast.FunctionDef) or has(node, _OTHER_SCOPES):
        return {}
    returns = [x.value for x in ast.walk(node) if isinstance(x, ast.Return)]
    several = any(isinstance(x, ast.FunctionDef) and x is not node for x in ast.walk(node))
    if several or not all(x is None or (isinstance(x, ast.Constant) and x.value is None) for x in returns):
        return {}
    note_lent(node, callee.lookup)
    read, changed = only_read(node, callee.lookup), changed_in_place(node.body)
    stored = {name for x in ast.walk(node) for name in set_by(x)}
    lent: dict[str, str] = {}
    for parameter, argument in zip([*node.args.posonlyargs, *node.args.args], arguments, strict=False):
        if parameter.arg in changed:
            name = argument.id if isinstance(argument, ast.Name) else ""
            used = sum(len(loads_of(x, name)) for x in arguments)
            if used != 1 or parameter.arg in stored or not loads_of(node, parameter.arg) <= read:
                return {}
            lent[parameter.arg] = name
    return lent

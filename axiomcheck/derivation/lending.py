"""Find statements that call a user's function or method in order to change a container or an object."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType

from axiomcheck.derivation.aliases import (
    LENT,
    STEPS,
    changed_in_place,
    has,
    loads_of,
    local_names,
    only_read,
    set_by,
    values_of,
)
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function, UserClass
from axiomcheck.derivation.source import Definition, is_user_class
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


FIRST = "first"
"""Attribute of a statement: the call that it evaluates first, if the call may change its object; see `STEPS`."""

_PLAIN = (
    *(ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript),
    *(ast.operator, ast.unaryop, ast.expr_context),
)
"""Syntax whose value does not depend on an object that it does not name."""


def note_steps(node: Definition, function: FunctionType | None) -> None:
    """Note the method that each statement calls before it does anything else, if the method may change its object.

    Args:
        node: Definition that contains the statements.
        function: Its function; None if it was defined in a call.

    """
    if function is None or isinstance(node, ast.Lambda) or hasattr(node, STEPS):
        return
    kinds = [x for x in function.__globals__.values() if isinstance(x, type) and is_user_class(x)]
    methods = set[str]().union(*map(_changing_methods, kinds))
    setattr(node, STEPS, "")
    for statement in _statements(node.body) if methods else ():
        own = [statement.test] if isinstance(statement, ast.If) else [statement]
        calls = [x for part in own for x in ast.walk(part) if isinstance(x, ast.Call) and method_of(x) in methods]
        calls = [x for x in calls if not isinstance(x.func, ast.Name) or _owner_of(x, node)]
        name = _owner_of(calls[0], node) if len(calls) == 1 else ""
        if name and any(part is calls[0] and name not in before for part, before in _begins_with(statement)):
            setattr(statement, FIRST, calls[0])
            setattr(calls[0], STEPS, name)


def _changing_methods(kind: type) -> set[str]:
    """Return the names of the methods of a class that may change an object; none if their source cannot be read."""
    try:
        return UserClass(kind, kind).changing()
    except Underivable:
        return set()


def method_of(call: ast.Call) -> str:
    """Return the name of the method that a call may call; "" for another call."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return "__call__" if isinstance(call.func, ast.Name) else ""


def parent_of(call: ast.Call) -> ast.Call | None:
    """Return the call of ``super`` in a call of a method such as ``super().add(x)``; None for any other call."""
    match call.func:
        case ast.Attribute(ast.Call(ast.Name("super"), [] | [_, ast.Name()], []) as parent):
            return parent
    return None


def _owner_of(call: ast.Call, node: ast.FunctionDef) -> str:
    """Return the local name of the object whose method a call calls; "" if there is none."""
    parent, first = parent_of(call), next((x.arg for x in (*node.args.posonlyargs, *node.args.args)), "")
    match parent or call.func:
        case ast.Call(_, given):
            name = first if all(isinstance(x, ast.Name) and x.id == first for x in given[1:]) else ""
        case ast.Name(name):
            if not any(isinstance(x, ast.Call) for x in values_of(node, name)):  # it is made elsewhere, or a function
                return ""
        case ast.Attribute(ast.Name(name)):
            pass
        case _:
            return ""
    inner = any(isinstance(x, ast.FunctionDef) and x.name == name for x in ast.walk(node))
    return name if name in local_names(node) and not inner else ""


def _statements(body: Sequence[ast.AST]) -> Iterator[ast.stmt]:
    """Yield the statements of a function, without those of inner functions, try statements and with statements."""
    for statement in body:
        if isinstance(statement, ast.stmt):
            yield statement
        if isinstance(statement, ast.If | ast.For | ast.While):
            yield from _statements([*statement.body, *statement.orelse])


def _begins_with(statement: ast.stmt) -> Iterator[tuple[ast.expr, frozenset[str]]]:
    """Yield the expressions that a statement evaluates before any call, with the names that it reads before them."""
    match statement:
        case ast.AugAssign(ast.Name(name), _, value) | ast.AugAssign(
            ast.Subscript(ast.Name(name), ast.Constant()), _, value
        ):
            yield from _evaluated_first(value, frozenset([name]))
        case ast.AugAssign(ast.Subscript(ast.Name(name), ast.Name(index)), _, value):
            yield from _evaluated_first(value, frozenset([name, index]))
        case ast.AugAssign():
            pass
        case ast.Expr(value) | ast.Assign(_, value) | ast.If(value):
            yield from _evaluated_first(value, frozenset())
        case ast.Return(ast.expr() as value) | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value):
            yield from _evaluated_first(value, frozenset())


def _evaluated_first(node: ast.expr, before: frozenset[str]) -> Iterator[tuple[ast.expr, frozenset[str]]]:
    """Yield the parts of an expression that are always evaluated, and before any call, as `_begins_with` does."""
    yield node, before
    parts: Sequence[ast.expr] = ()
    match node:
        case ast.BinOp(left, _, right) | ast.Compare(left, _, [right, *_]):
            parts = [left, right]
        case ast.UnaryOp(_, only) | ast.NamedExpr(_, only) | ast.IfExp(only) | ast.BoolOp(_, [only, *_]):
            parts = [only]
        case ast.Tuple(entries) | ast.List(entries):
            parts = entries
        case ast.Call(ast.Name(name) | ast.Attribute(ast.Name(name)), arguments):
            parts, before = arguments, before | {name}
    for part in parts:
        yield from _evaluated_first(part, before)
        if not all(isinstance(x, _PLAIN) for x in ast.walk(part)):
            return
        before |= {x.id for x in ast.walk(part) if isinstance(x, ast.Name)}

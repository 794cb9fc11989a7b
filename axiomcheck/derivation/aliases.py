"""Find lists, sets and values of a function that have several names, as a change by one name shows in the others."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.source import Definition
from axiomcheck.derivation.values import Array, Dimension, First, Value

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


YIELDED = "values that are yielded"
"""Name under which a generator function keeps the list of what it yields."""


def changes(statement: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the names that a statement sets or changes in place, with the lines."""
    for node in ast.walk(statement):
        match node:
            case (
                ast.Name(name, ast.Store())
                | ast.Subscript(ast.Name(name), _, ast.Store())
                | ast.Expr(ast.Call(ast.Attribute(ast.Name(name))))
            ):
                yield name, node.lineno
            case ast.Expr(ast.Yield()):
                yield YIELDED, node.lineno


def assigned_names(body: Sequence[ast.AST]) -> set[str]:
    """Return the names that statements may change, by assignment or by a method such as append."""
    return {name for statement in body for name, _ in changes(statement)}


def filled_only(body: Sequence[ast.AST]) -> set[str]:
    """Return the names whose values statements change by methods or entries only, never by assigning the name."""
    stored = {
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return assigned_names(body) - stored


def has(statement: ast.AST, kind: type[ast.AST]) -> bool:
    """Return True if a statement contains one of a kind."""
    return any(isinstance(node, kind) for node in ast.walk(statement))


def refuse_aliases(node: Definition, name: str) -> None:
    """Check that a list or set that a function fills is its own and has no other name while it is filled.

    Raises:
        Underivable: It is an argument, or another name, container or function may hold it.

    """
    if name in _parameters(node):
        raise Underivable(f"fills {name}, which is the caller's")
    last = max((line for changed, line in changes(node) if changed == name), default=0)
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.For(iter=value):
                held = _held(value)
            case ast.Call(ast.Name(function), arguments, keywords) if hasattr(builtins, function):
                held = []
            case ast.Call(_, arguments, keywords) if inner.lineno <= last:
                held = [x for value in (*arguments, *(k.value for k in keywords)) for x in _held(value)]
            case _:
                continue
        if name in held and not (isinstance(inner, ast.For) and inner.lineno > last):
            raise Underivable(f"fills {name}, which may have another name, too")


def start_of_entries(node: Definition, name: str) -> Fraction | None:
    """Return the value of missing entries of a dictionary that a function uses by ``get`` and by setting entries only.

    Returns:
        The default of every ``get``; None if they differ, or if the dictionary is used otherwise.

    """
    understood: set[ast.expr] = set()
    starts: set[Fraction] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets):
                understood |= {t.value for t in targets if isinstance(t, ast.Subscript)}
            case ast.Call(ast.Attribute(owner, "get"), [_, ast.Constant(int() | float() as start)], []):
                understood.add(owner)
                starts.add(Fraction(repr(start)))
    uses = {x for x in ast.walk(node) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load)}
    return starts.pop() if uses <= understood and len(starts) == 1 else None


def reads_entries_only(node: Definition, name: str) -> bool:
    """Return True if a function reads and changes nothing but entries of a name, such as ``seen[t] += 1``."""
    entries = {inner.value for inner in ast.walk(node) if isinstance(inner, ast.Subscript)}
    return all(
        inner in entries
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and inner.id == name and isinstance(inner.ctx, ast.Load)
    )


def _held(value: ast.expr) -> list[str]:
    """Return the names whose objects an expression may be or hold."""
    match value:
        case ast.Name(name):
            return [name]
        case ast.Tuple(parts) | ast.List(parts) | ast.BoolOp(values=parts):
            return [name for part in parts for name in _held(part)]
        case ast.Dict(values=parts):
            return [name for part in parts for name in _held(part)]
        case ast.IfExp(_, yes, no):
            return [*_held(yes), *_held(no)]
        case ast.ListComp(elt) | ast.SetComp(elt) | ast.GeneratorExp(elt):
            return _held(elt)
    return []


def refuse_later_changes(function: ast.AST, node: ast.expr | ast.FunctionDef) -> None:
    """Check that the names which an inner function or an iterator reads are not changed after its definition.

    Raises:
        Underivable: A name is changed later, so that the inner function would read another value.

    """
    own = {name for name, _ in changes(node)} | (_parameters(node) if isinstance(node, Definition) else set())
    read = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} - own
    within = set(ast.walk(node))
    for statement in ast.walk(function):
        if statement in within or not isinstance(statement, ast.stmt | ast.comprehension):
            continue
        for name, line in changes(statement):
            if name in read and line >= node.lineno:
                raise Underivable(f"changes {name} after defining a function or an iterator that reads it")


def _parameters(node: Definition) -> set[str]:
    args = node.args
    return {argument.arg for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg) if argument}


_FILLING = "being filled: "


def filling(array: Array, kind: str) -> Array:
    """Return an array whose entries along an axis a loop changes, so that only the current entry can be read."""
    axes = (replace(axis, over=_FILLING + axis.over) if axis.kind == kind else axis for axis in array.axes)
    return replace(array, axes=tuple(axes), origin=array.memory)


def filled(value: Value, kind: str) -> Value:
    """Return the value of an array after the loop that fills it."""
    if isinstance(value, First):
        return replace(value, value=filled(value.value, kind), default=filled(value.default, kind))
    if not isinstance(value, Array):
        return value
    axes = (replace(axis, over=filled_over(axis)) if axis.kind == kind else axis for axis in value.axes)
    return replace(value, axes=tuple(axes))


def filled_over(axis: Dimension) -> str:
    """Return the sequence of an axis, also if its entries are being filled."""
    return axis.over.removeprefix(_FILLING)

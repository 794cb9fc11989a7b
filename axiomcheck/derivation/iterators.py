"""Check that iterators are read once, and that generators end where their last loop does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from axiomcheck.derivation.aliases import LENT, READING, Comprehension, assigned_names
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.source import Definition
from axiomcheck.derivation.values import (
    Array,
    AspectSet,
    Builder,
    Documents,
    Failed,
    Mapping,
    Once,
    SeenDocuments,
    Value,
)

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


def read(value: Value) -> Value:
    """Return the value whose elements an iterator yields; return any other value unchanged."""
    return value.value if isinstance(value, Once) else value


def refuse_held(*values: Value) -> None:
    """Check that no iterator is stored in a container or an object.

    Raises:
        Underivable: A value is an iterator.

    """
    if any(isinstance(value, Once) for value in values):
        raise Underivable("stores an iterator, which can be read only once: store a list")


def _with_scopes(node: ast.AST, scope: tuple[ast.AST, ...] = ()) -> Iterator[tuple[ast.Name, tuple[ast.AST, ...]]]:
    """Yield the names in a tree, each with the surrounding loops and functions that may read it several times."""
    if isinstance(node, ast.Name):
        yield node, scope
    once = node.iter if isinstance(node, ast.For) else None
    if isinstance(node, Comprehension):
        once = node.generators[0].iter
    again = (*scope, node) if isinstance(node, ast.For | ast.While | Comprehension | _FUNCTIONS) else scope
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension):
            for part in ast.iter_child_nodes(child):
                yield from _with_scopes(part, scope if part is once else again)
        else:
            yield from _with_scopes(child, scope if child is once else again)


def refuse_second_reading(node: Definition, name: str, parameter: bool) -> None:
    """Check that a function reads each iterator that it stores under a name at most once.

    Args:
        node: Function.
        name: Name.
        parameter: True if the name is a parameter, which the function must not set again.

    Raises:
        Underivable: The function may read the name several times.

    """
    body: Sequence[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
    uses = [use for statement in body for use in _with_scopes(statement) if use[0].id == name]
    stores = {use: scope for use, scope in uses if not isinstance(use.ctx, ast.Load)}
    loads = {_place(use): scope for use, scope in uses if isinstance(use.ctx, ast.Load)}
    scope: tuple[ast.AST, ...] = ()
    if len(stores) == 1 and not parameter:
        ((store, scope),) = stores.items()
        loop = scope[-1] if scope else None
        if isinstance(loop, ast.For | ast.While) and not any(store in ast.walk(part) for part in _certain(loop.body)):
            raise Underivable(f"sets the iterator {name} only in some steps of a loop: store a list")
        ends: list[tuple[int, int] | None] = [(None if scope else _after(body, store)) or _place(store)]
    else:  # a name has another value after each of the statements that certainly set it
        ends = [_after(body, use) for use in stores] + [(0, 0)] * parameter
    if None not in ends and all(where == scope for where in loads.values()):
        read = [sum(end is not None and place < end for end in ends) for place in loads]
        if not scope and not parameter:  # before the first of these statements, the name has another value
            read = [number for number in read if number < len(ends)]
        if len(set(read)) == len(read) and len(ends) not in read:
            return
    raise Underivable(f"reads the iterator {name} several times: store a list")


def _certain(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the assignments in a loop's body that are outside of branches and inner loops."""
    yield from (part for part in body if isinstance(part, ast.Assign | ast.AnnAssign))


def _after(body: Sequence[ast.AST], use: ast.Name) -> tuple[int, int] | None:
    """Return the end (line, column) of the top-level assignment to a name; None if the name is set elsewhere."""
    for statement in body:
        if isinstance(statement, ast.Assign) and use in statement.targets:
            return statement.end_lineno or 0, statement.end_col_offset or 0
    return None


def _place(node: ast.Name) -> tuple[int, int]:
    return node.lineno, node.col_offset


def refuse_changes_while_read(statement: ast.For, iterable: Value, find: Callable[[str], Value]) -> None:
    """Check that a loop over an iterator or a list changes nothing that its later iterations read.

    Args:
        statement: The loop.
        iterable: Value that is looped over.
        find: Function that returns the value of a name.

    Raises:
        Underivable: The loop changes a value that its iterable reads again in later iterations.

    """
    if isinstance(iterable, Once) and iterable.lazy:
        names = {node.id for node in ast.walk(statement.iter) if isinstance(node, ast.Name)}
        names -= assigned_names([statement.iter])  # names of the iterator's own variables
        changed = sorted(names & (assigned_names(statement.body) | assigned_names([statement.target])))
        if changed:
            raise Underivable(f"changes {changed[0]} during a loop over a generator that reads it")
    lengthened = {name for part in statement.body for node in ast.walk(part) for name in _lengthened_by(node)}
    for name in sorted(lengthened & set(_read_later(statement.iter, find))):
        if isinstance(find(name), CONTAINERS):
            raise Underivable(f"changes {name} in a loop over it: loop over a copy")


CONTAINERS = (tuple, dict, Array, AspectSet, Builder, Documents, Failed, Mapping, SeenDocuments)
"""Values whose methods change nothing else. Methods of other values may change anything."""


_READ_AT_ONCE = (len, range, sorted, list, tuple, set, frozenset, dict, sum, min, max)
"""Functions that have read their arguments when they return."""


def _read_later(node: ast.AST, find: Callable[[str], Value]) -> Iterator[str]:
    """Yield the names in a loop's iterable whose values the loop reads again in each iteration."""
    if isinstance(node, ast.Name):
        yield node.id
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        callee = find(node.func.id)
        if any(callee is known for known in _READ_AT_ONCE):
            return
    for child in ast.iter_child_nodes(node):
        yield from _read_later(child, find)


def _lengthened_by(node: ast.AST) -> list[str]:
    """Return the names of lists or dictionaries whose number of entries a syntax node may change."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), method)) if method not in READING:
            return [name]
        case ast.AugAssign(ast.Name(name)):
            return [name]
        case ast.Call():
            return [*getattr(node, LENT, {}).values()]
        case ast.Delete(targets):
            return [x.value.id for x in targets if isinstance(x, ast.Subscript) and isinstance(x.value, ast.Name)]
    return []


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, excluding those of inner functions."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _FUNCTIONS):
            yield from own_nodes(child)


def is_generator(node: Definition) -> bool:
    """Return True for the definition of a generator function."""
    return any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in own_nodes(node))


def refuse_early_return(node: Definition) -> None:
    """Check that a generator function returns only at its end or from its last loop, where a return acts as a break.

    Raises:
        Underivable: The function may return elsewhere.

    """
    last = None if isinstance(node, ast.Lambda) else node.body[-1]
    within = list(own_nodes(last)) if isinstance(last, ast.For) and not last.orelse else []
    if any(isinstance(inner, ast.For | ast.While) for inner in within):
        within = []
    if any(isinstance(inner, ast.Return) and inner not in within for inner in own_nodes(node)):
        raise Underivable("returns from a generator before its last loop", node.lineno)

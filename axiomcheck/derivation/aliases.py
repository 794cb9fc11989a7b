"""Find lists, sets and arrays with several names in a function: a change through one name affects the others."""

from __future__ import annotations

import ast
import math
import statistics
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from symtable import SymbolTable, symtable
from types import ModuleType, UnionType
from typing import Any, TypeGuard

import numpy as np

from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.source import Definition
from axiomcheck.derivation.values import Array, AspectSet, Dimension, First, Mapping, Value

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


YIELDED = "values that are yielded"
"""Name under which the values that a generator function yields are kept as a list."""

LENT = "lent"
"""Attribute of the syntax node of a call: local names whose values it changes, by the callee's parameters."""


def set_by(node: ast.AST) -> list[str]:
    """Return the names that a syntax node itself binds, by assignment, import or definition."""
    match node:
        case ast.Name(name, ast.Store()) | ast.FunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.Import(names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name.partition(".")[0] for alias in names]
    return []


def _changed_by(node: ast.AST) -> list[str]:
    """Return the names that a syntax node itself binds, or whose values it changes in place."""
    match node:
        case (
            ast.Subscript(ast.Name(name), _, ast.Store())
            | ast.Attribute(ast.Name(name), _, ast.Store())
            | ast.Expr(ast.Call(ast.Attribute(ast.Name(name) | ast.Attribute(ast.Name(name)))))
            | ast.Expr(ast.Call(ast.Attribute(ast.Subscript(ast.Name(name)))))
            | ast.Subscript(ast.Attribute(ast.Name(name)) | ast.Subscript(ast.Name(name)), _, ast.Store())
            | ast.AugAssign(ast.Name(name))
        ):
            return [name]
        case ast.Expr(ast.Yield()):
            return [YIELDED]
        case ast.Call():
            return [*getattr(node, LENT, {}).values()]
    return set_by(node)


def changes(statement: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield (name, line) for each name that a statement binds, or whose value it changes in place."""
    for node in ast.walk(statement):
        for name in _changed_by(node):
            yield name, getattr(node, "lineno", 0)


def assigned_names(body: Sequence[ast.AST]) -> set[str]:
    """Return the names that statements may change, by assignment or by a method such as append."""
    return {name for statement in body for name, _ in changes(statement)}


def filled_only(body: Sequence[ast.AST]) -> set[str]:
    """Return the names that statements never assign, but whose values they change by methods or by setting entries."""
    stored = {name for statement in body for node in ast.walk(statement) for name in set_by(node)}
    return assigned_names(body) - stored


def changed_in_place(body: Sequence[ast.AST]) -> set[str]:
    """Return the names whose values statements change in place."""
    return {name for part in body for node in ast.walk(part) if not set_by(node) for name in _changed_by(node)}


def has(statement: ast.AST, kind: type[ast.AST] | UnionType) -> bool:
    """Return True if a statement contains a node of the given kind."""
    return any(isinstance(node, kind) for node in ast.walk(statement))


def refuse_aliases(
    node: Definition,
    name: str,
    find: Callable[[str], Value],
    attributes: Collection[str] = (),
    lent: Collection[str] = (),
) -> None:
    """Check that a function created the list, set or array that it changes, and that nothing else refers to the object.

    Args:
        node: Function.
        name: Name of the list, set or array.
        find: Function that looks up the value of a name, since a user's function may shadow a builtin.
        attributes: Attributes of a user's object whose values do not refer to the object.
        lent: Parameters whose values the function may change.

    Raises:
        Underivable: The value is an argument, or another name, container or function may refer to it.

    """
    instead = "give each object a name of its own" if attributes else "change a copy instead"
    if name in _parameters(node) - {*lent}:
        raise Underivable(f"changes {name}, which belongs to the caller: {instead}")
    parts = {x.value for x in ast.walk(node) if isinstance(x, ast.Attribute) and x.attr in attributes}
    if any(use.lineno <= _last_change(node, name) for use in loads_of(node, name) - _harmless(node, find) - parts):
        raise Underivable(f"changes {name}, which another variable may refer to: {instead}")
    made = list(values_of(node, name))
    if not (made or name in lent) or not all(value is not None and _makes_anew(value, node, find) for value in made):
        raise Underivable(f"changes {name}, which may refer to another object: {instead}")


def refuse_shared_entries(node: Definition, name: str) -> None:
    """Check that nothing else refers to the lists and dictionaries in a list or dictionary before their last change.

    Raises:
        Underivable: The entries may be the same object, or code reads them before or between the changes.

    """
    for made in values_of(node, name):
        match made:
            case ast.ListComp(entry, [_]) | ast.DictComp(_, entry, [_]):
                entries = [entry]
            case ast.List(entries) | ast.Dict(_, entries):
                pass
            case ast.Call(ast.Name() | ast.Attribute(), [ast.Name("dict" | "list")], []):  # of a defaultdict
                entries = []
            case _:
                entries = [ast.Constant(None)]
        if not all(isinstance(entry, ast.List | ast.Dict) and not [*ast.walk(entry)][2:] for entry in entries):
            raise Underivable(f"changes entries of {name} that may all be the same object: create one for each")
    loops = [x for x in ast.walk(node) if isinstance(x, ast.For | ast.While | Comprehension)]
    changed = [x for x in ast.walk(node) if _changes_in_place(x, name)]
    last = max(x.lineno for x in changed)
    last = max([last, *(x.end_lineno or 0 for x in loops if not set(ast.walk(x)).isdisjoint(changed))])
    for x in changed:
        # an item of an entry is set, or a method of an entry is called, and the container occurs nowhere else
        call = x.value if isinstance(x, ast.Expr) else None
        method = call.func if isinstance(call, ast.Call) else x if isinstance(x, ast.Subscript) else None
        of_entry = isinstance(method, ast.Attribute | ast.Subscript) and isinstance(method.value, ast.Subscript)
        if not of_entry or len(loads_of(x, name)) != 1:
            raise Underivable(
                f"changes entries of {name} in an unsupported way: write {name}[key].append(x) or {name}[key][i] = x"
            )
    filled = {use for x in changed for use in loads_of(x, name)}
    if any(use.lineno <= last for use in loads_of(node, name) - filled):
        raise Underivable(f"reads {name} before its last change: read it after the loop")


def loads_of(node: ast.AST, name: str) -> set[ast.Name]:
    """Return the nodes of a tree that read a name."""
    names = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == name)
    return {inner for inner in names if isinstance(inner.ctx, ast.Load)}


def values_of(node: ast.AST, name: str) -> Iterator[ast.expr | None]:
    """Yield each expression that is assigned to a name, and None wherever the name is set by other means."""
    own_scope = {x for inner in ast.walk(node) if isinstance(inner, ast.comprehension) for x in ast.walk(inner.target)}
    augmented = {inner.target for inner in ast.walk(node) if isinstance(inner, ast.AugAssign)}
    values: dict[ast.AST, ast.expr] = {}
    for inner in ast.walk(node):
        match inner:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(made)) if len(targets) == len(made):
                values |= dict(zip(targets, made, strict=True))
            case ast.Assign([target], value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                values[target] = value
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and name in set_by(inner) and inner not in own_scope | augmented:
            yield values.get(inner)


_NEW = (list, set, dict, frozenset, sorted, Counter, defaultdict, OrderedDict, deque)
"""Functions that return a new object."""

NEW_BY = (
    *("copy", "astype", "tolist", "union", "difference", "intersection", "symmetric_difference", "fromkeys"),
    *("sum", "mean", "cumsum", "cumprod", "prod", "max", "min", "dot", "clip", "round", "repeat"),
)
"""Methods that return a new object."""


READING = (
    *("get", "keys", "values", "items", "index", "count", "copy", "union", "intersection", "difference", "isdisjoint"),
    *("sum", "mean", "max", "min", "any", "all", "cumsum", "astype", "argsort", "tolist", "item"),
)
"""Methods of containers and arrays that change nothing if they get one argument, and no ``out``."""


def _makes_anew(value: ast.expr, node: ast.AST, find: Callable[[str], Value]) -> bool:
    """Return True if an expression evaluates to a number, or to a new object that nothing else refers to."""
    match value:
        case ast.IfExp(_, one, two):
            return _makes_anew(one, node, find) and _makes_anew(two, node, find)
        case ast.BoolOp(_, parts):
            return all(_makes_anew(part, node, find) for part in parts)
        case ast.Call(called):
            own = {name for name, _ in changes(node)}
            owner = _value_of(called.value, own, find) if isinstance(called, ast.Attribute) else None
            if owner is np or owner is math:
                return True  # a view of an array has the memory of that array
            callee = _value_of(called, own, find)
            if hasattr(callee, "made_of_fields"):  # a class of the user
                return True
            definition = getattr(callee, "definition", None)
            if isinstance(definition, ast.FunctionDef) and not getattr(callee, "cached", True):
                returned = [x.value for x in ast.walk(definition) if isinstance(x, ast.Return)]
                lookup = callee.lookup  # type: ignore[attr-defined]
                return all(x is not None and _returns_anew(x, definition, lookup) for x in returned)
            if callee is None and isinstance(called, ast.Attribute):
                return called.attr in NEW_BY
            of_numpy = isinstance(callee, np.ufunc) or str(getattr(callee, "__module__", "")).startswith("numpy")
            return of_numpy or any(callee is other for other in _NEW)
    return not isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.NamedExpr | ast.Starred | ast.Await)


def _returns_anew(value: ast.expr, node: ast.FunctionDef, find: Callable[[str], Value]) -> bool:
    """Return True if a returned expression is a new object, or a local one that nothing else refers to."""
    if not isinstance(value, ast.Name) or value.id in _parameters(node):
        return _makes_anew(value, node, find)
    made, uses = list(values_of(node, value.id)), loads_of(node, value.id)
    new = bool(made) and all(x is not None and _makes_anew(x, node, find) for x in made)
    later = (x for x in ast.walk(node) if isinstance(x, ast.Lambda | ast.FunctionDef) and x is not node)
    return new and uses <= _harmless(node, find) and not any(uses & set(ast.walk(inner)) for inner in later)


def _last_change(node: ast.AST, name: str) -> int:
    """Return the last line at which the value of a name may be changed in place.

    This is the line of the change, or the end of a loop around it unless that loop assigns a new object to the name
    before the change.
    """
    lines = {inner: inner.lineno for inner in ast.walk(node) if _changes_in_place(inner, name)}
    last = max(lines.values(), default=0)
    for loop in ast.walk(node):
        if isinstance(loop, ast.For | ast.While | Comprehension):
            first, body = min((lines[x] for x in ast.walk(loop) if x in lines), default=None), getattr(loop, "body", ())
            if first is not None and not any(_is_new(part, name) and part.lineno < first for part in body):
                last = max(last, loop.end_lineno or loop.lineno)
    return last


def _is_new(statement: ast.stmt, name: str) -> bool:
    """Return True if a statement assigns a value to a name with ``=``."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return isinstance(statement, ast.Assign | ast.AnnAssign) and any(
        isinstance(target, ast.Name) and target.id == name for target in targets
    )


def _changes_in_place(node: ast.AST, name: str) -> TypeGuard[ast.expr | ast.stmt]:
    return name in _changed_by(node) and not set_by(node)


_COPYING = (
    *(len, sum, min, max, any, all, sorted, set, frozenset, list, tuple, math.fsum, dict),
    *(statistics.mean, statistics.fmean, np.mean, np.sum),
)
"""Functions whose results do not refer to the list that is their only argument."""


def _value_of(called: ast.expr, own: set[str], find: Callable[[str], Value]) -> object:
    """Return the value of a name that is not local, or of its attribute, such as ``np.sum``; None if it is unknown."""
    try:
        if isinstance(called, ast.Attribute):
            owner: Any = _value_of(called.value, own, find)
            return getattr(owner, called.attr) if isinstance(owner, ModuleType) else owner.attribute(called.attr)
        return find(called.id) if isinstance(called, ast.Name) and called.id not in own else None
    except (AttributeError, Underivable):
        return None


_VIEWS = ("keys", "values", "items")
"""Methods of a dictionary whose results change with it."""


def _harmless(node: ast.AST, find: Callable[[str], Value], held: Sequence[ast.expr | None] = ()) -> set[ast.expr]:
    """Return the expressions whose values are only read, so that no reference to the values is kept.

    Args:
        node: Function.
        find: Function that returns the value of a name.
        held: Expressions to leave out, because something keeps their values.

    """
    own = {name for name, _ in changes(node)}

    def is_one_of(called: ast.expr, known: Sequence[object]) -> bool:
        value = _value_of(called, own, find)
        return any(value is other for other in known)

    found: set[ast.expr] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and not any(isinstance(x, ast.Starred) for x in inner.args):
            callee = _value_of(inner.func, own, find)
            parameters = _only_read(callee)
            bound = getattr(callee, "bound", None) is not None
            found |= {x for x, name in zip(inner.args, parameters[bound:], strict=False) if name}
        match inner:
            case ast.Call(called, [only], keywords) if is_one_of(called, _COPYING) and all(
                keyword.arg in ("key", "reverse", "default") for keyword in keywords
            ):
                found.add(only)
            case ast.While(ast.BoolOp(_, operands)) | ast.If(ast.BoolOp(_, operands)):
                found |= {*operands}
            case ast.Call(ast.Attribute(owner, method), arguments, keywords):
                if method not in _VIEWS:
                    found.add(owner)
                if is_one_of(owner, (np, math)):
                    found |= {*arguments, *(k.value for k in keywords if k.arg != "out")}
            case (
                ast.For(iter=ast.Call(ast.Name() as called, arguments, []))
                | ast.comprehension(iter=ast.Call(ast.Name() as called, arguments, []))
            ) if is_one_of(called, (enumerate, zip)):
                found |= {*arguments}
            case ast.Compare(left, _, others):
                found |= {left, *others}
            case ast.Call(ast.Name(), arguments) if hasattr(inner, LENT):
                found |= {x for x in arguments if isinstance(x, ast.Name) and x.id in getattr(inner, LENT).values()}
            case ast.BinOp(left, _, right):
                found |= {left, right}
            case (
                ast.Subscript(value)
                | ast.AugAssign(value=value)
                | ast.comprehension(iter=value)
                | ast.For(iter=value)
                | ast.UnaryOp(_, value)
                | ast.If(value)
                | ast.IfExp(value)
                | ast.While(value)
                | ast.Return(ast.expr() as value)
            ):
                found.add(value)
    found -= {*held}
    views = [x for x in found if isinstance(x, ast.Call) and isinstance(x.func, ast.Attribute)]
    return found | {x.func.value for x in views if isinstance(x.func, ast.Attribute) and x.func.attr in _VIEWS}


def only_read(node: Definition, find: Callable[[str], Value]) -> set[ast.expr]:
    """Return the expressions in a function whose values are read immediately, so no reference outlives the call."""
    if has(node, ast.Yield) or has(node, ast.YieldFrom):
        return set()
    read = _harmless(node, find, [x.value for x in ast.walk(node) if isinstance(x, ast.Return)])
    # once a copying function has read a generator to its end, the generator refers to nothing
    later = ast.Lambda | ast.GeneratorExp | ast.FunctionDef | ast.ClassDef
    held = [x for x in ast.walk(node) if isinstance(x, later) and x is not node and x not in read]
    return read - {use for inner in held for use in ast.walk(inner)}


def _only_read(callee: object) -> list[str]:
    """Return a function's parameters in order, with "" for each that may still be referenced after a call."""
    definition = getattr(callee, "definition", None)
    if not isinstance(definition, ast.FunctionDef):
        return []
    lookup = getattr(callee, "lookup", None)
    assert lookup is not None
    read, changed = only_read(definition, lookup), {name for name, _ in changes(definition)}
    parameters = [argument.arg for argument in (*definition.args.posonlyargs, *definition.args.args)]
    return ["" if name in changed or not loads_of(definition, name) <= read else name for name in parameters]


def refuse_later_changes(function: ast.AST, node: ast.expr | ast.FunctionDef, outlives: bool = True) -> None:
    """Check that the names that an inner function or an iterator reads are not changed after its definition.

    Args:
        function: Function that contains the definition.
        node: Definition.
        outlives: True if its value may be used after a surrounding loop has begun its next iteration. That iteration
            also changes names above the definition.

    Raises:
        Underivable: A name is changed later, so that the inner function would read a different value.

    """
    if any(isinstance(inner, ast.Nonlocal) for inner in ast.walk(node)):
        raise Underivable("assigns a variable of the enclosing function (nonlocal): return the value instead")
    table = symtable(ast.unparse(node), "function", "exec")
    read, late = _free_names(table, outermost=True), set[str]().union(*map(_free_names, table.get_children()))
    within = set(ast.walk(node))
    loops = [x for x in ast.walk(function) if isinstance(x, ast.For | ast.While | Comprehension)]
    again = {x for loop in loops if outlives and node in (inside := set(ast.walk(loop))) for x in inside}
    only = {inner for inner in getattr(function, "body", ()) if _is_only_definition(function, inner)}
    for inner in ast.walk(function):
        is_before = getattr(inner, "lineno", 0) < node.lineno and inner not in again
        if inner is function or inner in within | only or is_before:
            continue
        for name in _changed_by(inner):
            # a name whose value is read immediately may be assigned again, but its value must not change in place
            if name in late or (name in read and not set_by(inner)):
                raise Underivable(f"changes {name} after defining a function or generator reading it: use a new name")


def _is_only_definition(function: ast.AST, statement: ast.AST) -> bool:
    """Return True for the definition of an inner function whose name nothing else sets."""
    if not isinstance(statement, ast.FunctionDef):
        return False
    setters = [inner for inner in ast.walk(function) if statement.name in _changed_by(inner)]
    return setters == [statement]


def _free_names(table: SymbolTable, outermost: bool = False) -> set[str]:
    """Return the names that code reads from outer scopes; ``outermost`` is True for the scope of a module."""
    own = {s.get_name() for s in table.get_symbols() if (s.is_referenced() if outermost else s.is_global())}
    return own.union(*map(_free_names, table.get_children()))


@lru_cache(maxsize=256)
def local_names(node: Definition) -> frozenset[str]:
    """Return the names that are local to a function: its parameters, and the names that it sets."""
    if isinstance(node, ast.Lambda):
        return frozenset(_parameters(node))
    *_, table = (t for t in symtable(ast.unparse(node), "function", "exec").get_children() if t.get_name() == node.name)
    return frozenset(symbol.get_name() for symbol in table.get_symbols() if symbol.is_local())


def _parameters(node: Definition) -> set[str]:
    args = node.args
    return {argument.arg for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg) if argument}


_FILLING = "being filled: "


def filling(array: Array, kind: str) -> Array:
    """Mark an axis of an array that a loop is filling, so that only the loop's current entry can be read."""
    axes = (replace(x, over=_FILLING + filled_over(x)) if x.kind == kind else x for x in array.axes)
    return replace(array, axes=tuple(axes), origin=array.memory)


def filled(value: Value, kind: str) -> Value:
    """Remove the mark of `filling` from an array, a set or a dictionary after the loop that fills it."""
    if isinstance(value, First):
        return replace(value, value=filled(value.value, kind), default=filled(value.default, kind))
    if isinstance(value, AspectSet | Mapping) and kind == "aspect":
        return replace(value, filling=False)
    if not isinstance(value, Array):
        return value
    axes = (replace(axis, over=filled_over(axis)) if axis.kind == kind else axis for axis in value.axes)
    return replace(value, axes=tuple(axes))


def filled_over(axis: Dimension) -> str:
    """Return the sequence of an axis without the mark of `filling`."""
    return axis.over.removeprefix(_FILLING)


def is_all(axis: Dimension) -> bool:
    """Return True if all entries along an axis can be read, because no loop is filling them."""
    return filled_over(axis) == axis.over

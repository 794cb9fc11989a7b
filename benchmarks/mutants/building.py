"""Finds where each operator applies in the source of a row's metric, and makes the mutated metrics."""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any

from axiomcheck.arithmetic import Arithmetic
from axiomcheck.metrics import ROWS, Metric, SingleAspectMetric, adhoc, base, coverage, intent_aware, novelty, parse
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.metrics.own import OwnMetric
from mutants.operators import OPERATORS
from mutants.runtime import Runtime
from mutants.wrappers import WRAPPERS, Wrapper

__all__ = ["Mutant", "Slip", "build", "mutants_of", "original", "reached"]

Array = Any

MODULES: dict[str, ModuleType] = {m.__name__: m for m in (adhoc, coverage, intent_aware, novelty)}
"""The modules that are made anew with a mutation in one of them, each after those that it imports."""

METHODS = ("score", "kernel", "gain", "discount")
"""The methods that make up a metric's definition."""

IN_SCORE = {"comparison-relaxed", "constant-off-by-one", "cutoff-off-by-one", "cutoff-lost", "parameter-ignored"}
"""The operators that are tried on `Metric.score`, which cuts rankings at the cutoff and hands them on: the others would
repeat there what they do to the definition itself."""

CUTTING = IN_SCORE - {"constant-off-by-one"}
"""Those of them that need a cutoff."""


@dataclass(frozen=True)
class Mutant:
    """A mutation of one row.

    Args:
        row: of `axiomcheck.metrics.ROWS`.
        operator: of `OPERATORS` or `WRAPPERS`.
        number: which of the operator's sites in that row, from 0.
        where: the function that is mutated; empty for a wrapper.
        before, after: the expression and its replacement, as source; empty for a wrapper.

    """

    row: str
    operator: str
    number: int
    where: str = ""
    before: str = ""
    after: str = ""

    @property
    def name(self) -> str:
        """Unique."""
        return f"{self.row} {self.operator} {self.number + 1}"

    @property
    def change(self) -> str:
        """What was changed, on one line."""
        if not self.where:
            return WRAPPERS[self.operator].__doc__ or ""
        return f"{self.where}: {self.before} -> {self.after}"


@dataclass(frozen=True)
class Slip:
    """One possible replacement in a tree.

    Args:
        parent: of the expression.
        node: the expression.
        replacement: what an operator makes of it.

    """

    parent: ast.AST
    node: ast.expr
    replacement: ast.expr

    def apply(self) -> None:
        """Puts the replacement in the tree."""
        _exchange(self.parent, self.node, self.replacement)

    def undo(self) -> None:
        """Takes it out again."""
        _exchange(self.parent, self.replacement, self.node)


def _exchange(parent: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for name, value in ast.iter_fields(parent):
        if value is old:
            setattr(parent, name, new)
        elif isinstance(value, list):
            value[:] = [new if item is old else item for item in value]


def _defining(cls: type, method: str) -> FunctionType | None:
    for owner in cls.__mro__:
        found = vars(owner).get(method)
        if isinstance(found, FunctionType) and not getattr(found, "__isabstractmethod__", False):
            return found
    return None


def reached(metric: Metric) -> list[FunctionType]:
    """The functions of `axiomcheck.metrics` that a metric's scores come from, each once, callers first."""
    cls = type(metric)
    found = [f for name in METHODS if (f := _defining(cls, name)) is not None]
    found = [f for f in found if f is not SingleAspectMetric.kernel]  # hands on the only aspect
    if isinstance(metric, IntentAware):
        inner = _defining(metric.base_class, "gain")
        assert inner is not None
        found.append(inner)
    for function in found:  # grows on the way
        for name in function.__code__.co_names:
            helper = function.__globals__.get(name)
            if isinstance(helper, FunctionType) and helper.__module__ in MODULES and helper not in found:
                found.append(helper)
    return found


def _walk(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST]]:
    """Every expression of a function's body with its parent; not what only speaks or checks."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assert | ast.Raise | ast.arguments | ast.AnnAssign):
            continue
        if isinstance(node, ast.FunctionDef) and (child is node.returns or child in node.decorator_list):
            continue
        if isinstance(child, ast.expr):
            yield child, node
        yield from _walk(child)


def _located(tree: ast.Module, qualname: str) -> ast.FunctionDef:
    body: list[ast.stmt] = tree.body
    for part in qualname.split("."):
        [node] = [n for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == part]
        body = node.body
    assert isinstance(node, ast.FunctionDef)
    return node


def _slips(operator: str, function: ast.FunctionDef) -> Iterator[Slip]:
    """The replacements that change the source, each changed source once."""
    seen = {ast.unparse(function)}
    for node, parent in list(_walk(function)):
        for replacement in OPERATORS[operator].rewrites(node, parent):
            slip = Slip(parent, node, replacement)
            slip.apply()
            text = ast.unparse(function)
            slip.undo()
            if text not in seen:
                seen.add(text)
                yield slip


def _places(row: str, operator: str) -> Iterator[tuple[FunctionType, ast.FunctionDef, Slip]]:
    """The operator's replacements in the functions that a row's scores come from; the trees are shared: undo."""
    metric = parse(ROWS[row])
    for function in reached(metric):
        if function is Metric.score and (operator not in IN_SCORE or (metric.cutoff is None and operator in CUTTING)):
            continue
        node = _located(_tree(function.__module__), function.__qualname__)
        for slip in _slips(operator, node):
            yield function, node, slip


@lru_cache(maxsize=16)
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[module]))


@lru_cache(maxsize=1)
def mutants_of() -> tuple[Mutant, ...]:
    """Every operator on every row where it applies; per row, each changed source once."""
    found = []
    for row in ROWS:
        seen: set[tuple[str, str]] = set()
        for operator in OPERATORS:
            for number, (function, node, slip) in enumerate(_places(row, operator)):
                slip.apply()
                key = (function.__qualname__, ast.unparse(node))
                slip.undo()
                if key not in seen:
                    seen.add(key)
                    texts = ast.unparse(slip.node), ast.unparse(slip.replacement)
                    found.append(Mutant(row, operator, number, function.__qualname__, *texts))
        weighted = any(m.row == row and m.operator == "weights-uniform" for m in found)
        found += [Mutant(row, name, 0) for name in WRAPPERS if weighted or name != "hash-order"]
    return tuple(found)


_serial = itertools.count()


def build(mutant: Mutant) -> Metric:
    """The mutated metric, with the row's cutoff and parameters and without an argument about long rankings.

    Raises:
        Exception: whatever the mutated modules raise when they are loaded.

    """
    if mutant.operator in WRAPPERS:
        return original(mutant.row, WRAPPERS[mutant.operator])
    found = itertools.islice(_places(mutant.row, mutant.operator), mutant.number, None)
    function, _, slip = next(found)
    slip.apply()
    tree = copy.deepcopy(_tree(function.__module__))
    slip.undo()
    ast.fix_missing_locations(tree)
    runtime = Runtime()
    if function.__module__ == base.__name__:
        only = ast.Module([_located(tree, function.__qualname__)], [])
        namespace = vars(base) | {"_m": runtime}
        exec(compile(only, f"<{mutant.name}>", "exec", dont_inherit=True), namespace)
        return _made(mutant.row, type(parse(ROWS[mutant.row])), **{function.__name__: namespace[function.__name__]})
    modules = _made_anew(function.__module__, tree, runtime)
    plain = type(parse(ROWS[mutant.row]))
    return _made(mutant.row, getattr(modules[plain.__module__], plain.__name__))


def original(row: str, wrapper: type[Wrapper] | None = None) -> Metric:
    """The row's metric, without an argument about long rankings; wrapped if so asked."""
    plain = type(parse(ROWS[row]))
    if wrapper is None:
        return _made(row, plain)
    made = _made(row, _subclass(plain.__name__, (wrapper, plain), {}))
    return Loadable(made, row) if wrapper.loadable else made


def _made(row: str, cls: type[Metric], **methods: Any) -> Metric:
    """A metric brought by a user has no `tail`, so that the constraints on long rankings are judged without."""
    seed = parse(ROWS[row])
    final = _subclass(cls.__name__, (cls,), methods | {"tail": lambda self: None, "__module__": cls.__module__})
    return final(seed.cutoff, **seed.values)


def _subclass(name: str, bases: tuple[type[Metric], ...], contents: dict[str, Any]) -> type[Metric]:
    made: type[Metric] = types.new_class(name, bases, exec_body=lambda namespace: namespace.update(contents))
    return made


def _made_anew(changed: str, tree: ast.Module, runtime: Runtime) -> dict[str, ModuleType]:
    """Copies of the modules, one of them from a changed tree, that import one another and not the originals."""
    prefix = f"_mutant{next(_serial)}"
    names = {name: f"{prefix}_{name.rpartition('.')[2]}" for name in MODULES}
    made = {}
    try:
        for name, alias in names.items():
            body = tree if name == changed else copy.deepcopy(_tree(name))
            for node in ast.walk(body):
                if isinstance(node, ast.ImportFrom) and node.module in names:
                    node.module = names[node.module]
            module = ModuleType(alias)
            vars(module)["_m"] = runtime
            sys.modules[alias] = module
            exec(compile(body, f"<{alias}>", "exec", dont_inherit=True), vars(module))
            made[name] = module
    finally:
        for alias in names.values():
            sys.modules.pop(alias, None)
    return made


class Loadable(OwnMetric):
    """A metric under a name that other processes can load it by: ``mutants.served:NAME``.

    Args:
        inner: scores.
        row: of the paper's table.

    """

    def __init__(self, inner: Metric, row: str) -> None:
        assert isinstance(inner, Wrapper)
        super().__init__(
            f"mutants.served:{inner.operator}_{list(ROWS).index(row)}",
            cutoff=inner.cutoff,
            binary_only=inner.binary_only,
            single_aspect=inner.single_aspect,
            claims=inner.claims,
        )
        self.inner = inner

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The inner metric's."""
        return self.inner.score(a, grades, weights, pool)

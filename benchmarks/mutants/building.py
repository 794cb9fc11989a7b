"""Finds where each operator applies in the source of a row's metric, and makes the mutated metrics."""

from __future__ import annotations

import ast
import copy
import itertools
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

from axiomcheck.metrics import ROWS, FoldMetric, Metric, base, parse
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Constant
from axiomcheck.sources.external_metrics import OwnMetric
from mutants.operators import OPERATORS
from mutants.reaching import MODULES, expressions, located, reached, tree_of
from mutants.runtime import Runtime
from mutants.wrappers import WRAPPERS, Wrapper

__all__ = ["Mutant", "Slip", "build", "mutants_of", "original"]

Array = Any

IN_SCORE = {"comparison-relaxed", "constant-off-by-one", "cutoff-off-by-one", "cutoff-lost", "parameter-ignored"}
"""The operators that are tried on `Metric.score`, which cuts rankings at the cutoff and hands them on: the others would
repeat there what they do to the definition itself."""

OF_DISCOUNTS = {"rank-off-by-one", "first-rank-twice", "discount-lost"}
"""The operators that change nothing where every rank counts the same."""

OF_ASPECTS = {"sum-to-first", "last-missed", "maximum-for-sum", "wrong-axis", "weights-added"}
"""The operators that are not tried on the sum over aspects of a metric that has one."""

OF_GRADES = {"grade-for-hit"}
"""The operators that change nothing where grades are 0 and 1."""


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


def _slips(row: str, operator: str, function: tuple[str, str]) -> Iterator[Slip]:
    """The replacements that change the source, each changed source once."""
    definition = located(tree_of(function[0]), function[1])
    seen = {ast.unparse(definition)}
    for node, parent in expressions(row, function):
        for replacement in OPERATORS[operator](node, parent):
            slip = Slip(parent, node, replacement)
            slip.apply()
            text = ast.unparse(definition)
            slip.undo()
            if text not in seen:
                seen.add(text)
                yield slip


def _is_pointless(metric: Metric, operator: str, function: str, slip: Slip) -> bool:
    """Whether a replacement in code that many metrics share cannot make a difference to this one."""
    if function == "Metric.score":
        return operator not in IN_SCORE
    if operator in OF_DISCOUNTS and isinstance(metric, FoldMetric) and isinstance(metric.fold().discount, Constant):
        return True
    if operator in OF_GRADES and metric.binary_only:
        return True
    if metric.applies_to_aspects():
        return False
    along_ranks_only = isinstance(slip.parent, ast.keyword) and function == "Fold.total"
    return (operator in OF_ASPECTS and function == "FoldMetric.kernel") or along_ranks_only


def _places(row: str, operator: str) -> Iterator[tuple[tuple[str, str], Slip]]:
    """The operator's replacements in the functions that a row's scores come from; the trees are shared: undo."""
    metric = parse(ROWS[row])
    for function in reached(row):
        for slip in _slips(row, operator, function):
            if not _is_pointless(metric, operator, function[1], slip):
                yield function, slip


@lru_cache
def mutants_of(rows: tuple[str, ...] = tuple(ROWS)) -> tuple[Mutant, ...]:
    """Every operator on every row where it applies; per row, each changed source once."""
    found = []
    for row in rows:
        seen: set[tuple[str, str]] = set()
        for operator in OPERATORS:
            for number, ((module, function), slip) in enumerate(_places(row, operator)):
                slip.apply()
                key = (function, ast.unparse(located(tree_of(module), function)))
                slip.undo()
                if key not in seen:
                    seen.add(key)
                    texts = ast.unparse(slip.node), ast.unparse(slip.replacement)
                    found.append(Mutant(row, operator, number, function, *texts))
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
    (module, function), slip = next(found)
    slip.apply()
    tree = copy.deepcopy(tree_of(module))
    slip.undo()
    ast.fix_missing_locations(tree)
    runtime = Runtime()
    plain = type(parse(ROWS[mutant.row]))
    if function == "Metric.score":  # its class is what axiomcheck knows metrics by, and stays
        only = ast.Module([located(tree, function)], [])
        namespace = vars(base) | {"_m": runtime}
        exec(compile(only, f"<{mutant.name}>", "exec", dont_inherit=True), namespace)
        return _made(mutant.row, plain, score=namespace["score"])
    modules = _made_anew(module, tree, runtime)
    return _made(mutant.row, getattr(modules[plain.__module__], plain.__name__))


def original(row: str, wrapper: type[Wrapper] | None = None) -> Metric:
    """The row's metric, without an argument about long rankings; wrapped if so asked."""
    plain = type(parse(ROWS[row]))
    if wrapper is None:
        return _made(row, plain)
    made = _made(row, _subclass(plain.__name__, (wrapper, plain), {}))
    return Loadable(made, row) if wrapper.loadable else made


def _made(row: str, cls: type[Metric], **methods: Any) -> Metric:
    """A metric brought by a user has no `tail`, so that the axioms on long rankings are judged without."""
    seed = parse(ROWS[row])
    own = {"name": f"own {cls.name}", "tail": lambda self: None, "__module__": cls.__module__}
    final = _subclass(cls.__name__, (cls,), methods | own)
    return final(seed.cutoff, **seed.values)


def _subclass(name: str, bases: tuple[type[Metric], ...], contents: dict[str, Any]) -> type[Metric]:
    made: type[Metric] = types.new_class(name, bases, exec_body=lambda namespace: namespace.update(contents))
    return made


_ANEW = ("FoldMetric", "SingleAspectMetric")
"""The classes of `metrics.base` that are made anew; the others are what axiomcheck knows metrics by."""


def _made_anew(changed: str, tree: ast.Module, runtime: Runtime) -> dict[str, ModuleType]:
    """Copies of the modules, one of them from a changed tree, that import one another and not the originals."""
    prefix = f"_mutant{next(_serial)}"
    names = {name: f"{prefix}_{name.rpartition('.')[2]}" for name in MODULES}
    made = {}
    try:
        for name, alias in names.items():
            body = tree if name == changed else copy.deepcopy(tree_of(name))
            for node in ast.walk(body):
                if isinstance(node, ast.ImportFrom) and node.module in names:
                    node.module = names[node.module]
                elif isinstance(node, ast.ClassDef):  # the catalogue has the original under its name
                    node.decorator_list = [d for d in node.decorator_list if ast.unparse(d) != "catalogued"]
            module = ModuleType(alias)
            vars(module)["_m"] = runtime
            if name == base.__name__:
                kept = [n for n in body.body if isinstance(n, ast.ClassDef) and n.name not in _ANEW]
                body.body = [n for n in body.body if n not in kept]
                vars(module).update({n.name: getattr(base, n.name) for n in kept})
            sys.modules[alias] = module
            exec(compile(body, f"<{alias}>", "exec", dont_inherit=True), vars(module))
            vars(module).get("_AT_ONCE", {}).clear()  # what stands for the steps is not what was mutated
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

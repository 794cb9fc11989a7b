"""Which functions a row's scores come from, and which of their branches the row takes: found by scoring and watching.

Folds and their base class serve many metrics; what a row never runs of them is no place for a slip in that row.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FrameType, ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

from axiomcheck.metrics import ROWS, Metric, adhoc, base, coverage, fold, intent_aware, novelty, parse
from mutants.rewriting import called

__all__ = ["MODULES", "Reached", "expressions", "located", "reached", "tree_of"]

MODULES: dict[str, ModuleType] = {m.__name__: m for m in (fold, base, adhoc, intent_aware, coverage, novelty)}
"""The modules that define metrics, each after those that it imports."""

Place = tuple[int, int, int, int]

Reached = dict[tuple[str, str], set[Place]]
"""Module and qualified name of a function -> first and last line and column of what was run of it."""

SHARED = ("Metric.", "SingleAspectMetric.", "FoldMetric.scale", "FoldMetric.cost", "IntentAware.scale")
"""What says nothing of a metric: construction, the only aspect, and methods that hand on or mean `as it is`."""

GUARDS = {"n == 0", "not state", "not (type(scale) is int and scale == 1)", "type(cost) is int and cost == 0"}
"""Tests that only save work; `Metric.score` has the guard against empty rankings."""


@lru_cache(maxsize=32)
def reached(row: str) -> Reached:
    """What scoring runs of a row's metric, callers first."""
    metric = parse(ROWS[row])
    found: Reached = {}
    positions: dict[CodeType, list[Place | None]] = {}

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        module, code = str(frame.f_globals.get("__name__")), frame.f_code
        function = code.co_qualname.partition(".<locals>")[0]
        written = module in MODULES and code.co_filename == MODULES[module].__file__  # not by a dataclass
        if not written or (function.startswith(SHARED) and function != "Metric.score"):
            return None
        frame.f_trace_opcodes = True
        if code not in positions:
            positions[code] = [_place(*span) for span in code.co_positions()]
        places = found.setdefault((module, function), set())
        if event == "opcode" and (place := positions[code][frame.f_lasti // 2]) is not None:
            places.add(place)
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        with patch.dict(fold._AT_ONCE, clear=True):  # what stands for all ranks at once is not what is mutated
            _scored(metric)
    finally:
        sys.settrace(before)
    return found


def _place(line: int | None, end_line: int | None, column: int | None, end_column: int | None) -> Place | None:
    if line is None or end_line is None or column is None or end_column is None:
        return None
    return line, column, end_line, end_column


def _scored(metric: Metric) -> None:
    """A ranking that is longer than the row's cutoff, of grades 0, 1/2 (where there are such) and 1."""
    aspects = 2 if metric.applies_to_aspects() else 1
    levels = np.array([1.0, 0.0] if metric.binary_only else [0.5, 0.0, 1.0])
    pool = levels[np.arange(30 * aspects) % len(levels)].reshape(1, 30, aspects)
    metric.evaluate(pool, np.full((1, aspects), 1 / aspects), np.arange(25)[None])


@lru_cache(maxsize=16)
def tree_of(module: str) -> ast.Module:
    """The syntax of a module; shared, so that whoever changes it puts it back."""
    return ast.parse(inspect.getsource(sys.modules[module]))


def located(tree: ast.Module, qualname: str) -> ast.FunctionDef:
    """The definition of a function or method."""
    body: list[ast.stmt] = tree.body
    for part in qualname.split("."):
        [node] = [n for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == part]
        body = node.body
    assert isinstance(node, ast.FunctionDef)
    return node


def expressions(row: str, function: tuple[str, str]) -> list[tuple[ast.expr, ast.AST]]:
    """Every expression of a function that the row runs, with its parent; not what only speaks, checks or guards."""
    places = reached(row)[function]
    return list(_walk(located(tree_of(function[0]), function[1]), places, _counts_aspects(row)))


def _counts_aspects(row: str) -> bool:
    """Whether the row's metric has a scale that depends on how many aspects there are."""
    scales = [located(tree_of(module), name) for module, name in reached(row) if name.endswith(".scale")]
    return any(isinstance(n, ast.Name) and n.id == "aspects" for scale in scales for n in ast.walk(scale))


def _walk(node: ast.AST, places: set[Place], counts_aspects: bool) -> Iterator[tuple[ast.expr, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assert | ast.Raise | ast.arguments | ast.AnnAssign):
            continue
        if isinstance(node, ast.FunctionDef) and (child is node.returns or child in node.decorator_list):
            continue
        if isinstance(node, ast.If) and child is node.test and ast.unparse(child) in GUARDS:
            continue
        if isinstance(child, ast.Call) and called(child) == "scale" and not counts_aspects:
            continue  # its argument does not matter
        branches = isinstance(node, ast.IfExp | ast.BoolOp) or isinstance(child, ast.stmt)
        if branches and not _is_run(child, places):
            continue
        if isinstance(child, ast.expr):
            yield child, node
        yield from _walk(child, places, counts_aspects)


def _is_run(node: ast.AST, places: set[Place]) -> bool:
    if not isinstance(node, ast.expr | ast.stmt):
        return True
    first, last = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    return any(first <= place[:2] and place[2:] <= last for place in places)

"""Find the catalogue metrics with the same row of verdicts as a given one, or the nearest.

The catalogue's rows are kept in `catalogue_rows.json`. `python -m tests.support.catalogue_rows --update` derives them
from runs of the matrix, and a test derives them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from axiomcheck.axioms import find_axiom
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell

Row = dict[tuple[str, str], bool]
"""(regime, axiom) -> whether the axiom is satisfied; cells without such an answer are left out."""


@dataclass(frozen=True)
class CellDifference:
    """One cell in which two metrics differ.

    Args:
        regime, axiom: the cell.
        here: whether the metric that was asked about satisfies the axiom; the other one does the opposite.

    """

    regime: str
    axiom: str
    here: bool


@dataclass(frozen=True)
class Neighbour:
    """A catalogue metric beside the one asked about.

    Args:
        metric: its canonical name.
        compared: in how many cells both have an answer.
        differences: the cells in which the answers differ.

    """

    metric: str
    compared: int
    differences: tuple[CellDifference, ...]


def row_of_cells(regime: str, cells: Iterable[Cell]) -> Row:
    """The answers among some cells of one metric; what held for want of time is none."""
    return {
        (regime, cell.axiom): cell.verdict.satisfied
        for cell in cells
        if (cell.verdict.satisfied or cell.verdict is Verdict.REFUTED)
        and not (cell.verdict is Verdict.HELD and cell.pairs is not None and cell.pairs.few)
    }


@cache
def catalogue_rows() -> dict[str, Row]:
    """The rows of the paper's twenty metrics, with the catalogue's defaults, in graded readings."""
    text = (resources.files("axiomcheck.checks") / "catalogue_rows.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return {
        metric: {(regime, axiom): held for regime, row in regimes.items() for axiom, held in row.items()}
        for metric, regimes in document["rows"].items()
    }


@dataclass(frozen=True)
class Violated:
    """A violation, beside what a metric of the catalogue does.

    Args:
        regime, axiom: the cell.
        shared: whether that metric violates the axiom there, too; None where it has no answer.

    """

    regime: str
    axiom: str
    shared: bool | None


_USUAL = "nDCG@20"
_USUAL_FOR_ASPECTS = "nDCG-IA@20"


def yardstick(row: Row, besides: str, reference: str | None = None) -> str:
    """The metric of the catalogue whose violations nobody wonders at, in one like it.

    The nearest neighbour will not do: that of a metric with a mistake is one with the same violations.

    Args:
        row: of the metric asked about.
        besides: its own canonical name.
        reference: a metric that it is to agree with, which is the one if it has a row.

    Returns:
        A name in `catalogue_rows`; empty if that is the metric itself.

    """
    aspects = any(find_axiom(axiom).group == "diversity" for _, axiom in row)
    usual = _USUAL_FOR_ASPECTS if aspects else _USUAL
    name = reference if reference in catalogue_rows() else usual
    return "" if name == besides else name


def violations_beside(row: Row, name: str) -> list[Violated]:
    """The violations of a row, set apart by whether a metric of the catalogue has them, too."""
    other = catalogue_rows()[name]
    return [Violated(*key, None if key not in other else not other[key]) for key, held in row.items() if not held]


def neighbours(row: Row, besides: str, most: int = 3) -> list[Neighbour]:
    """The catalogue metrics with the fewest differences, those that share most answers first.

    Args:
        row: of the metric asked about.
        besides: its own canonical name, which is left out.
        most: how many, and all that are the same besides.

    """
    found = []
    for metric, other in catalogue_rows().items():
        shared = [key for key in row if key in other]
        if metric != besides and shared:
            differing = [CellDifference(*key, row[key]) for key in shared if row[key] != other[key]]
            found.append(Neighbour(metric, len(shared), tuple(differing)))
    found.sort(key=lambda n: (len(n.differences), -n.compared))
    same = sum(not n.differences for n in found)
    return found[: max(most, same)]

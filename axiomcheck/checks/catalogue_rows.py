"""Compare a metric's violations with those of a catalogue metric.

The catalogue's rows are stored in `catalogue_rows.json`. `python -m tests.support.catalogue_rows --update` derives them
from runs of the matrix, and a test checks that they are up to date.
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
"""Maps (regime, axiom) to whether the axiom is satisfied. Cells without such an answer are omitted."""


def row_of_cells(regime: str, cells: Iterable[Cell]) -> Row:
    """Return the answers of some cells of one metric.

    A cell that held only because a time limit ended its search has no answer.
    """
    return {
        (regime, cell.axiom): cell.verdict.satisfied
        for cell in cells
        if (cell.verdict.satisfied or cell.verdict is Verdict.REFUTED)
        and not (cell.verdict is Verdict.HELD and cell.pairs is not None and cell.pairs.few)
    }


@cache
def catalogue_rows() -> dict[str, Row]:
    """Return the rows of the paper's twenty metrics, with the catalogue's defaults, in graded readings."""
    text = (resources.files("axiomcheck.checks") / "catalogue_rows.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return {
        metric: {(regime, axiom): held for regime, row in regimes.items() for axiom, held in row.items()}
        for metric, regimes in document["rows"].items()
    }


@dataclass(frozen=True)
class Violated:
    """A violation, compared with the verdict of a catalogue metric.

    Args:
        regime, axiom: Regime and axiom of the cell.
        shared: Whether the catalogue metric violates the axiom in this cell as well; None if it has no answer.

    """

    regime: str
    axiom: str
    shared: bool | None


_USUAL = "nDCG@20"
_USUAL_FOR_ASPECTS = "nDCG-IA@20"


def yardstick(row: Row, besides: str, reference: str | None = None) -> str:
    """Return the catalogue metric whose violations should be expected of the given metric as well.

    The metric with the most similar row is unsuitable, since a bug may make it similar.

    Args:
        row: Row of the given metric.
        besides: Canonical name of the given metric.
        reference: Metric that the given metric should agree with. It is returned if it has a row.

    Returns:
        A name in `catalogue_rows`; empty if it is the given metric itself.

    """
    aspects = any(find_axiom(axiom).group == "diversity" for _, axiom in row)
    usual = _USUAL_FOR_ASPECTS if aspects else _USUAL
    name = reference if reference in catalogue_rows() else usual
    return "" if name == besides else name


def violations_beside(row: Row, name: str) -> list[Violated]:
    """Return the violations of a row, and for each whether a catalogue metric shares it."""
    other = catalogue_rows()[name]
    return [Violated(*key, None if key not in other else not other[key]) for key, held in row.items() if not held]

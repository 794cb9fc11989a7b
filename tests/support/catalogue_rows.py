"""The verdicts of the paper's twenty metrics, which tests of proofs compare with.

They are stored in `catalogue_rows.json`, and `tests/checks/test_catalogue_rows.py` holds them to the matrix.
"""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from axiomcheck import Cell, Verdict

Row = dict[tuple[str, str], bool]
"""Maps (regime, axiom) to whether the axiom is satisfied. Cells without such an answer are omitted."""

FILE = Path(__file__).with_name("catalogue_rows.json")


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
    document: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        metric: {(regime, axiom): held for regime, row in regimes.items() for axiom, held in row.items()}
        for metric, regimes in document["rows"].items()
    }

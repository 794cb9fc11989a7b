"""The catalogue's rows of verdicts, which tests of proofs compare with, are those that the matrix gives.

python -m tests.checks.test_catalogue_rows --update    writes them anew
"""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from axiomcheck import AXIOMS, Cell, Metric, paper_rows
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from tests.support.catalogue_rows import FILE, row_of_cells
from tests.support.suites import exhaustive

ROWS = paper_rows()


def derived(settings: Settings, jobs: int, metrics: Sequence[Metric]) -> dict[str, Any]:
    """Return the rows of some metrics as they come out of the matrix in all three regimes.

    A regime says of which axioms r << 1, and nothing else: an axiom is decided once with it and once without.
    """
    rows: dict[str, dict[str, dict[str, bool]]] = {metric.canonical: {} for metric in metrics}
    decided: dict[tuple[str, bool], list[Cell]] = {}
    for regime in Regime:
        small = {name: assumes_small(axiom, Reading(regime)) for name, axiom in AXIOMS.items()}
        new = [AXIOMS[name] for name in small if (name, small[name]) not in decided]
        if new:
            for cell in run_matrix(metrics, new, Reading(regime), settings, machine=Machine(jobs)).cells:
                decided.setdefault((cell.axiom, small[cell.axiom]), []).append(cell)
        cells = [cell for one in small.items() for cell in decided[one]]
        for metric in rows:
            held = row_of_cells(regime.value, [cell for cell in cells if cell.metric == metric])
            rows[metric][regime.value] = {axiom: satisfied for (_, axiom), satisfied in held.items()}
    return rows


@pytest.mark.parametrize(
    "metrics",
    [ROWS[1:2], pytest.param(ROWS, marks=exhaustive)],
    ids=["few", "all"],
)
def test_the_catalogue_rows_are_what_the_matrix_finds(metrics: list[Metric]) -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))["rows"]
    assert set(kept) == {metric.canonical for metric in ROWS}
    found = derived(Settings(proofs=False, seed=1, examples=60), 1, metrics)
    assert found == {metric.canonical: kept[metric.canonical] for metric in metrics}


if __name__ == "__main__":
    if "--update" not in sys.argv:
        sys.exit(__doc__)
    settings = Settings(proofs=False)
    document = {
        "settings": {"seed": settings.seed, "examples": settings.examples},
        "rows": derived(settings, os.cpu_count() or 1, paper_rows()),
    }
    FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

"""The catalogue's rows of verdicts, which `axiomcheck check` compares a metric with, are those that the matrix gives.

python -m tests.checks.test_catalogue_rows --update    writes them anew
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks.catalogue_rows import (
    Violated,
    catalogue_rows,
    row_of_cells,
    violations_beside,
    yardstick,
)
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Metric, paper_rows
from axiomcheck.records.cells import Cell
from tests.support.suites import each

ROWS = paper_rows()
FILE = Path(__file__).parents[2] / "axiomcheck" / "checks" / "catalogue_rows.json"


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


@each("metrics", [ROWS[::20], ROWS], 2)
def test_the_catalogue_rows_are_what_the_matrix_finds(metrics: list[Metric]) -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))["rows"]
    assert set(kept) == {metric.canonical for metric in ROWS}
    found = derived(Settings(proofs=False, seed=1, examples=60), 1, metrics)
    assert found == {metric.canonical: kept[metric.canonical] for metric in metrics}


def test_violations_that_ndcg_shares_are_set_apart_from_a_mistake() -> None:
    row = dict(catalogue_rows()["nDCG@20"])
    assert yardstick(row, "mine") == "nDCG@20"
    row["stated", "Pri"] = False
    beside = violations_beside(row, "nDCG@20")
    assert [v for v in beside if not v.shared] == [Violated("stated", "Pri", False)]
    assert {v.axiom for v in beside if v.shared} == {"Conf"}


def test_the_yardstick_is_of_the_same_kind_and_not_the_metric_itself() -> None:
    rows = catalogue_rows()
    assert yardstick(rows["AP-IA"], "AP-IA") == "nDCG-IA@20"
    assert yardstick(rows["AP-IA"], "AP-IA", reference="ERR-IA@20") == "ERR-IA@20"
    assert yardstick(rows["AP-IA"], "AP-IA", reference="own.py:it") == "nDCG-IA@20"
    assert yardstick(rows["nDCG@20"], "nDCG@20") == ""
    unknown = violations_beside({("stated", "Red"): False}, "nDCG@20")
    assert unknown == [Violated("stated", "Red", None)]


if __name__ == "__main__":
    if "--update" not in sys.argv:
        sys.exit(__doc__)
    settings = Settings(proofs=False)
    document = {
        "settings": {"seed": settings.seed, "examples": settings.examples},
        "rows": derived(settings, os.cpu_count() or 1, paper_rows()),
    }
    FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

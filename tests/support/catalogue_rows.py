"""The catalogue's rows of verdicts, which `axiomcheck check` compares a metric with: derives them from the matrix.

python -m tests.support.catalogue_rows --update
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks.neighbours import row_of_cells
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import Metric, paper_rows

FILE = Path(__file__).parents[2] / "axiomcheck" / "checks" / "catalogue_rows.json"


def derived(settings: Settings, jobs: int, metrics: Sequence[Metric]) -> dict[str, Any]:
    """The rows of some metrics as they come out of the matrix in all three regimes."""
    rows: dict[str, dict[str, dict[str, bool]]] = {metric.canonical: {} for metric in metrics}
    for regime in Regime:
        ledger = run_matrix(metrics, list(AXIOMS.values()), Reading(regime), settings, jobs)
        for metric in rows:
            cells = [cell for cell in ledger.cells if cell.metric == metric]
            rows[metric][regime.value] = {a: held for (_, a), held in row_of_cells(regime.value, cells).items()}
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", required=True)
    parser.parse_args()
    settings = Settings(proofs=False)
    document = {
        "settings": {"seed": settings.seed, "examples": settings.examples},
        "rows": derived(settings, os.cpu_count() or 1, paper_rows()),
    }
    FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

"""The catalogue's rows of verdicts, which `axiomcheck check` compares a metric with: derives them from the matrix.

python -m tests.support.catalogue_rows --update
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks.neighbours import row_of_cells
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Metric, paper_rows
from axiomcheck.records.cells import Cell

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


if __name__ == "__main__":
    if "--update" not in sys.argv:
        sys.exit(__doc__)
    settings = Settings(proofs=False)
    document = {
        "settings": {"seed": settings.seed, "examples": settings.examples},
        "rows": derived(settings, os.cpu_count() or 1, paper_rows()),
    }
    FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

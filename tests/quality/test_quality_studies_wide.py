"""Verdicts of wide grids against the matrix, setting by setting, of more metrics; shared scores of every fold."""

from __future__ import annotations

from typing import Any

import pytest

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.studies.wide.study import GridStudy, study_grids
from tests.studies.test_wide_study import differences

FEW = Settings(examples=300)
GRIDS = ["RBU(p=0.5..0.9/2, e=0..0.2/2)@5", "RBP(p=0.7..0.8/2)"]
CHOSEN = [AXIOMS[name] for name in ("Pri", "Conf", "AspRel")]


@pytest.mark.parametrize("text", ["NRBP(p=0.5..0.99/2, alpha=../2)", "RBP(p=0.7..0.8/2)@2..3", "P@1..3"])
def test_verdicts_are_those_of_the_matrix(text: str) -> None:
    axioms = list(AXIOMS.values())
    ((grid, columns),) = study_grids([text], axioms, Reading(), FEW).grids
    cells = iter(run_matrix(grid.metrics, axioms, Reading(), FEW).cells)
    for number in range(grid.size):
        for each in columns:
            cell = next(cells)
            assert each.verdict(number) is cell.verdict, (cell.metric, cell.axiom)


def test_two_workers_find_the_same() -> None:
    def told(found: GridStudy) -> list[Any]:
        return [(c.axiom, c.findings, c.by.tolist(), c.regions) for c in found.columns]

    assert told(study_grids(GRIDS, CHOSEN, Reading(), FEW, jobs=2)) == told(study_grids(GRIDS, CHOSEN, Reading(), FEW))


@pytest.mark.parametrize(
    "text",
    [
        "RBU-program(p=0.5..0.9/2, e=0..0.3/2)",
        "NRBP(p=0.5..0.9/2, alpha=../2)",
        "EU(alpha=0.2..0.7/2, e=0..0.1/2)",
        "alpha-nDCG(alpha=0.2..0.7/2)",
        "RBP-IA(p=0.5..0.9/2)",
    ],
)
def test_shared_scores_are_the_metrics_own(text: str) -> None:
    assert differences(text, ["AspDiv", "Sat", "Conf"]) == 0

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import Metric, parse
from axiomcheck.numbers.arithmetic import Arithmetic


class Moody(Metric):
    """Sums grades, times a factor that is drawn anew at every call."""

    name = "moody"
    summary = source = ""
    draws = np.random.default_rng(0)

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        return grades[..., 0].sum(axis=-1) * self.draws.random()


def test_a_metric_that_changes_its_mind_is_an_error() -> None:
    settings = Settings(proofs=False, examples=500)
    reading = Reading(Regime.FINITE)
    ledger = run_matrix([Moody(), parse("RBP")], [AXIOMS["Pri"]], reading, settings)
    assert [cell.verdict for cell in ledger.cells] == [Verdict.ERROR, Verdict.HELD]
    assert "asked again" in ledger.cells[0].reason

"""A function whose scores turn with the number of rankings in a call gets no verdict."""

from __future__ import annotations

import numpy as np
import pytest

from axiomcheck import Reading, find_axiom, metric
from axiomcheck.core.domain import Regime
from axiomcheck.core.typing import Array
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix


@pytest.mark.parametrize("most", [1, 5, 60, 500, 700, 3_000, 15_000])
@pytest.mark.parametrize("regime", [Regime.STATED, Regime.FINITE])
def test_a_function_that_turns_in_large_calls_is_in_error(most: int, regime: Regime) -> None:
    @metric(name=f"turns-above-{most}")
    def turns(grades: Array, weights: Array) -> Array:
        scores = grades[..., 0] @ (1.0 / np.arange(1, grades.shape[1] + 1))
        return -scores if len(scores) > most else scores

    settings = Settings(examples=100, exhaustive=False)
    (cell,) = run_matrix([turns], [find_axiom("Pri")], Reading(regime), settings).cells
    assert cell.verdict is Verdict.ERROR
    assert "call" in cell.reason

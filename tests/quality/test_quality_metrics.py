"""Claims, tails and readings of the metrics that the everyday tests leave out."""

from __future__ import annotations

import pytest

from axiomcheck.metrics import CATALOGUE
from tests.metrics.test_inst import matrix_says_so
from tests.metrics.test_metrics_claims import claims_hold
from tests.metrics.test_metrics_tails import WITH_A_TAIL, tail_holds_on_blocks
from tests.support.suites import others


@pytest.mark.parametrize("regime", ["stated", "limit", "finite"])
def test_what_the_matrix_says_of_inst(regime: str) -> None:
    matrix_says_so(regime)


@pytest.mark.parametrize("name", others(list(CATALOGUE), 12))
def test_claims_hold_whatever_the_parameters_and_the_cutoff(name: str) -> None:
    claims_hold(name)


@pytest.mark.parametrize("name", others(WITH_A_TAIL, 4))
def test_tails_hold_on_blocks(name: str) -> None:
    tail_holds_on_blocks(name)

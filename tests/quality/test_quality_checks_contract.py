"""Contract checks of the metrics that raise which the everyday tests leave out."""

from __future__ import annotations

import pytest
from rows import others
from test_contract_planted import RAISING, a_metric_that_raises_gets_an_outcome_of_every_check


@pytest.mark.parametrize(("kind", "which"), others(RAISING, 4))
def test_a_metric_that_raises_gets_an_outcome_of_every_check(kind: str, which: str) -> None:
    a_metric_that_raises_gets_an_outcome_of_every_check(kind, which)

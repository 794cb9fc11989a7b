"""Two workers say what one says in the other regimes; the everyday tests compare the bytes of a command in one."""

from __future__ import annotations

import pytest

from axiomcheck.core.domain import Regime
from tests.engine.test_engine_run import FAILING_CELLS, Failing, failing_metric_fails_alone, same_with_two_jobs
from tests.support.suites import others


@pytest.mark.parametrize("regime", [Regime.LIMIT, Regime.FINITE])
def test_jobs_do_not_matter(regime: Regime) -> None:
    same_with_two_jobs(regime)


@pytest.mark.parametrize(("failing", "axiom"), others(FAILING_CELLS, 3))
def test_a_failing_metric_fails_alone(failing: type[Failing], axiom: str) -> None:
    failing_metric_fails_alone(failing, axiom)

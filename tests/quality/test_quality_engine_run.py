"""Two workers say what one says in the other regimes as well; the everyday tests have the stated one."""

from __future__ import annotations

import pytest
from test_engine_run import same_with_two_jobs

from axiomcheck.core.domain import Regime


@pytest.mark.parametrize("regime", [regime for regime in Regime if regime is not Regime.STATED])
def test_jobs_do_not_matter(regime: Regime) -> None:
    same_with_two_jobs(regime)

"""Two workers say what one says in the other regimes; the everyday tests compare the bytes of a command in one."""

from __future__ import annotations

import pytest
from test_engine_run import same_with_two_jobs

from axiomcheck.core.domain import Regime


@pytest.mark.parametrize("regime", [Regime.LIMIT, Regime.FINITE])
def test_jobs_do_not_matter(regime: Regime) -> None:
    same_with_two_jobs(regime)

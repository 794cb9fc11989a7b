"""Witnesses of the other readings."""

from __future__ import annotations

import pytest
from rows import others
from test_decide_witness import READINGS, every_witness_goes_through_json_and_back

from axiomcheck.core.domain import Domain, Regime


@pytest.mark.parametrize(("regime", "domain"), others(READINGS, 6))
def test_every_witness_goes_through_json_and_back(regime: Regime, domain: Domain) -> None:
    every_witness_goes_through_json_and_back(regime, domain)

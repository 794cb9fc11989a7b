"""Witnesses of the other regimes, and of the other domain; the everyday tests have the first of each."""

from __future__ import annotations

import pytest

from axiomcheck.core.domain import Domain, Regime
from tests.decide.test_decide_witness import every_witness_goes_through_json_and_back


@pytest.mark.parametrize(("regime", "domain"), [(Regime.LIMIT, Domain.GRADED), (Regime.FINITE, Domain.BINARY)])
def test_every_witness_goes_through_json_and_back(regime: Regime, domain: Domain) -> None:
    every_witness_goes_through_json_and_back(regime, domain)

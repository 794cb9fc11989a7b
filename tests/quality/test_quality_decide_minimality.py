"""Witnesses than which nothing is smaller, of the cells that the everyday tests leave out."""

from __future__ import annotations

import pytest

from axiomcheck.core.domain import Domain, Regime
from tests.decide.test_decide_minimality import MINIMAL, nothing_smaller_violates
from tests.support.suites import others


@pytest.mark.parametrize(("name", "axiom_name", "regime", "domain"), others(MINIMAL, 4))
def test_nothing_smaller_violates(name: str, axiom_name: str, regime: Regime, domain: Domain) -> None:
    nothing_smaller_violates(name, axiom_name, regime, domain)

"""Counterexamples beside the smallest are the same for any number of workers."""

from __future__ import annotations

import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.reports import to_json


@pytest.mark.parametrize("regime", [Regime.FINITE, Regime.LIMIT])
def test_they_are_the_same_for_any_number_of_workers(regime: Regime) -> None:
    metrics = [parse(name) for name in ("NRBP", "nDCG-IA", "EU")]
    axioms = [find_axiom(name) for name in ("AspRel", "AspDiv", "MRed")]
    settings = Settings(examples=400, proofs=False, further=True)
    one, two = (to_json(run_matrix(metrics, axioms, Reading(regime), settings, jobs)) for jobs in (1, 2))
    assert one == two
    assert one.count('"further"') > 2

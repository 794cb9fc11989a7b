"""Counterexamples beside the smallest are the same for any number of workers."""

from __future__ import annotations

from axiomcheck.axioms import find_axiom
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.reports import to_json


def test_they_are_the_same_for_any_number_of_workers() -> None:
    metrics, axioms = [parse("NRBP"), parse("EU")], [find_axiom("AspRel"), find_axiom("AspDiv")]
    settings = Settings(examples=400, proofs=False, further=True)
    one, two = (to_json(run_matrix(metrics, axioms, Reading(Regime.FINITE), settings, jobs)) for jobs in (1, 2))
    assert one == two
    assert one.count('"further"') > 2

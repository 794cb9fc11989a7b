"""A study in which every axiom is separated, with another seed, and in other regimes."""

from __future__ import annotations

from functools import cache

import pytest

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.studies.independence.candidates import candidates
from axiomcheck.studies.independence.study import Study, study
from tests.studies.test_independence_study import (
    BY_NAME,
    FEW,
    SEPARATING,
    TINY,
    assert_separate,
    assert_witnesses_confirmed,
    chosen,
    printed,
)


@cache
def finite() -> Study:
    (only,) = study([Regime.FINITE], FEW, tried=candidates()[3:14], families=TINY)
    return only


def test_every_axiom_has_a_separating_metric() -> None:
    assert [each.axiom for each in finite().separations] == list(AXIOMS)
    assert all(each.metric is not None for each in finite().separations)
    assert_witnesses_confirmed(finite())
    assert "Independent: 10 of 10 axioms" in printed(finite())


def test_every_separating_row_is_decided_the_same_with_another_seed() -> None:
    metrics = [BY_NAME[each.metric or ""] for each in finite().separations]
    settings = Settings(proofs=False, seed=17, examples=60, exhaustive=False)
    ledger = run_matrix(metrics, list(AXIOMS.values()), Reading(Regime.FINITE), settings)
    for each in finite().separations:
        verdicts = {cell.axiom: cell.verdict for cell in ledger.cells if cell.metric == each.metric}
        assert verdicts.pop(each.axiom) is Verdict.REFUTED
        assert all(verdict.satisfied for verdict in verdicts.values()), each.metric


@pytest.mark.parametrize("regime", [Regime.STATED, Regime.LIMIT])
def test_the_same_metrics_separate_in_the_other_regimes(regime: Regime) -> None:
    (only,) = study([regime], FEW, tried=chosen(*SEPARATING), families=TINY[:1])
    assert_separate(only)

"""Metrics from outside that lie: no verdict is false; honest ones of the same shapes keep their proofs."""

from __future__ import annotations

import pytest

from axiomcheck.core.verdict import Verdict
from tests.adversarial.adversarial_table import STRENGTH, Honest, Lie, assert_violated, complaint, decide
from tests.adversarial.table_folds import LIES as FOLDS
from tests.adversarial.table_functions import LIES as FUNCTIONS
from tests.adversarial.table_honest import HONEST
from tests.adversarial.table_inherited import LIES as INHERITED
from tests.adversarial.table_tails import LIES as TAILS
from tests.support.suites import few

LIES = (*INHERITED, *FOLDS, *TAILS, *FUNCTIONS)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.id)
def test_the_violation_is_real(lie: Lie) -> None:
    assert_violated(lie)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.id)
def test_no_verdict_about_a_lying_metric_is_false(lie: Lie) -> None:
    outcome = decide(lie.make, lie.axiom, lie.regime)
    assert complaint(lie, outcome) == "", (outcome.verdict, outcome.said)


def an_honest_metric_keeps_its_verdict(honest: Honest) -> None:
    outcome = decide(honest.make, honest.axiom, honest.regime)
    assert outcome.cell is not None, outcome.refused
    found, least = outcome.cell.verdict, Verdict(honest.weaker or honest.least)
    stronger = found in STRENGTH and least in STRENGTH and STRENGTH[found] >= STRENGTH[least]
    assert found is least or stronger, outcome.said


@pytest.mark.parametrize("honest", few(HONEST, 4), ids=lambda honest: honest.id)
def test_an_honest_metric_of_the_same_shape_keeps_its_verdict(honest: Honest) -> None:
    an_honest_metric_keeps_its_verdict(honest)

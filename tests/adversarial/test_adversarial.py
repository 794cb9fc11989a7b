"""Metrics from outside that lie: no verdict is false; honest ones of the same shapes keep their proofs."""

from __future__ import annotations

from collections.abc import Callable

from axiomcheck.core.verdict import Verdict
from tests.adversarial.adversarial_table import STRENGTH, Honest, Lie, assert_violated, complaint, decide
from tests.adversarial.table_folds import LIES as FOLDS
from tests.adversarial.table_functions import LIES as FUNCTIONS
from tests.adversarial.table_honest import HONEST
from tests.adversarial.table_inherited import LIES as INHERITED
from tests.adversarial.table_tails import LIES as TAILS
from tests.support.suites import each

LIES = (*INHERITED, *FOLDS, *TAILS, *FUNCTIONS)


def id_of(row: Lie | Honest) -> str:
    return row.id


def one_of_each_metric() -> list[Lie]:
    """Return the first lie of each metric, with one choice of its numbers, and then the others."""
    first: dict[Callable[[], object], Lie] = {}
    for lie in LIES:
        if not lie.like:
            first.setdefault(lie.make, lie)
    return [*first.values(), *(lie for lie in LIES if first.get(lie.make) is not lie)]


@each("lie", LIES, 10, ids=id_of)
def test_the_metric_violates_the_axiom_by_plain_arithmetic(lie: Lie) -> None:
    assert_violated(lie)


@each("lie", one_of_each_metric(), 4, ids=id_of)
def test_a_lying_metric_gets_no_false_verdict(lie: Lie) -> None:
    outcome = decide(lie.make, lie.axiom, lie.regime)
    assert complaint(lie, outcome) == "", (outcome.verdict, outcome.said)


@each("honest", HONEST, 14, ids=id_of)
def test_an_honest_metric_of_the_same_shape_keeps_its_verdict(honest: Honest) -> None:
    outcome = decide(honest.make, honest.axiom, honest.regime)
    assert outcome.cell is not None, outcome.refused
    found, least = outcome.cell.verdict, Verdict(honest.weaker or honest.least)
    stronger = found in STRENGTH and least in STRENGTH and STRENGTH[found] >= STRENGTH[least]
    assert found is least or stronger, outcome.said

"""Metrics from outside that lie: no verdict is false."""

import numpy as np

from axiomcheck import Verdict, as_metric, find_axiom, metric
from axiomcheck.core.typing import Array
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from tests.adversarial.adversarial_table import Lie, complaint, decide
from tests.adversarial.table_of_lies import FUNCTIONS, INHERITED, TAILS
from tests.support.suites import each


@each("lie", (*INHERITED, *TAILS, *FUNCTIONS), 8, ids=lambda lie: lie.id, whole=True)
def test_a_lying_metric_gets_no_false_verdict(lie: Lie) -> None:
    outcome = decide(lie.make, lie.axiom, lie.regime)
    assert complaint(lie, outcome) == "", (outcome.verdict, outcome.said)


def test_a_metric_that_needs_two_aspects_is_tried_on_two() -> None:
    def spread(grades: Array, weights: Array) -> Array:
        return grades.sum(axis=(1, 2)) / (grades.shape[2] - 1)

    settings, axioms = Settings(examples=50, exhaustive=False, proofs=False), [find_axiom("Pri"), find_axiom("Red")]
    one, several = run_matrix([as_metric(spread, "x:spread")], axioms, settings=settings).cells
    assert (one.verdict is Verdict.ERROR, several.verdict is Verdict.ERROR) == (True, False)


def test_a_function_that_turns_in_large_calls_is_in_error() -> None:
    @metric(name="turns")
    def turns(grades: Array, weights: Array) -> Array:
        scores = grades[..., 0] @ (1.0 / np.arange(1, grades.shape[1] + 1))
        return -scores if len(scores) > 700 else scores

    settings = Settings(examples=100, exhaustive=False)
    (cell,) = run_matrix([turns], [find_axiom("Pri")], settings=settings).cells
    assert cell.verdict is Verdict.ERROR
    assert "call" in cell.reason

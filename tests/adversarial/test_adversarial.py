"""Metrics from outside that lie: no verdict is false; honest ones of the same shapes keep their proofs."""

from collections.abc import Callable

import numpy as np

from axiomcheck import Metric, Reading, Regime, Verdict, as_metric, find_axiom, metric
from axiomcheck.core.typing import Array
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from tests.adversarial import honest_metrics as own
from tests.adversarial.adversarial_table import STRENGTH, Honest, Lie, assert_violated, complaint, decide
from tests.adversarial.table_of_lies import FOLDS, FUNCTIONS, INHERITED, TAILS
from tests.support.suites import each


def keeps(name: str, make: Callable[[], Metric], **verdicts: str) -> list[Honest]:
    """Return a metric's cells, by axiom."""
    return [Honest(f"{name}-{axiom}", make, axiom, least) for axiom, least in verdicts.items()]


HONEST = (
    *keeps("summary-rbp", own.RbpInOtherWords, Pri="proved", DeepTh="proved"),
    *keeps("rbp-own-fold", own.RbpWithOwnFold, Pri="proved", DeepTh="proved"),
    *keeps("own-step", own.OwnStep, Deep="proved", DeepTh="held", MRed="refuted"),
    *keeps("with-cost", own.WithCost, Conf="proved"),
    *keeps("pooled", own.Pooled, AspDiv="proved"),
    *keeps("own-normaliser", own.OwnNormaliser, Pri="held"),
    *keeps("own-discount", own.OwnDiscount, Pri="bounded"),
    *keeps("own-tail", own.OwnTail, DeepTh="held"),
    *keeps("function", lambda: as_metric(own.patient, "patient"), Pri="bounded"),
)


LIES = (*INHERITED, *FOLDS, *TAILS, *FUNCTIONS)


def id_of(row: Lie | Honest) -> str:
    return row.id


@each("lie", LIES, 1, ids=id_of)
def test_the_metric_violates_the_axiom(lie: Lie) -> None:
    assert_violated(lie)


@each("lie", LIES, 8, ids=id_of, whole=True)
def test_a_lying_metric_gets_no_false_verdict(lie: Lie) -> None:
    outcome = decide(lie.make, lie.axiom, lie.regime)
    assert complaint(lie, outcome) == "", (outcome.verdict, outcome.said)


@each("honest", HONEST, 20, ids=id_of)
def test_an_honest_metric_of_the_same_shape_keeps_its_verdict(honest: Honest) -> None:
    outcome = decide(honest.make, honest.axiom, "stated")
    assert outcome.cell is not None, outcome.refused
    found, least = outcome.cell.verdict, Verdict(honest.least)
    stronger = found in STRENGTH and least in STRENGTH and STRENGTH[found] >= STRENGTH[least]
    assert found is least or stronger, outcome.said


@each(("most", "regime"), [(700, Regime.STATED), (15_000, Regime.FINITE)], 2)
def test_a_function_that_turns_in_large_calls_is_in_error(most: int, regime: Regime) -> None:
    @metric(name=f"turns-above-{most}")
    def turns(grades: Array, weights: Array) -> Array:
        scores = grades[..., 0] @ (1.0 / np.arange(1, grades.shape[1] + 1))
        return -scores if len(scores) > most else scores

    settings = Settings(examples=100, exhaustive=False)
    (cell,) = run_matrix([turns], [find_axiom("Pri")], Reading(regime), settings).cells
    assert cell.verdict is Verdict.ERROR
    assert "call" in cell.reason

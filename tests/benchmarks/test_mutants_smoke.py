import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from axiomcheck.domain import Reading
from axiomcheck.metrics import ROWS, Metric, parse
from axiomcheck.search import Settings

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from mutants.building import Mutant, build, mutants_of, original
from mutants.judging import LAYERS, Judgement, judge_mutant, record_row
from mutants.operators import OPERATORS
from mutants.report import report
from mutants.wrappers import WRAPPERS

SETTINGS = Settings(examples=0)


def mutant(row: str, operator: str, after: str = "") -> Mutant:
    return next(m for m in mutants_of() if (m.row, m.operator) == (row, operator) and after in m.after)


def scores(metric: Metric) -> np.ndarray:
    pool = np.array([[[1.0, 0.0], [0.5, 0.5], [0.0, 0.25], [0.0, 0.0]]])
    pool = pool if metric.applies_to_aspects() else pool[..., :1]
    weights = np.array([[0.75, 0.25]]) if metric.applies_to_aspects() else np.ones((1, 1))
    return metric.evaluate(pool, weights, np.array([[2, 0, 1]]))


def judged(chosen: Mutant) -> Judgement:
    contract = record_row(chosen.row, chosen.operator, Reading(), SETTINGS)
    return judge_mutant(chosen, contract, Reading(), SETTINGS)


def test_every_operator_applies_somewhere_and_every_row_has_mutants() -> None:
    found = mutants_of()
    assert {m.operator for m in found} == {*OPERATORS, *WRAPPERS}
    assert set(Counter(m.row for m in found)) == set(ROWS)
    assert len({m.name for m in found}) == len(found) >= 60


def test_the_original_of_a_mutant_scores_as_the_row() -> None:
    for row, name in ROWS.items():
        assert scores(original(row)) == scores(parse(name))


@pytest.mark.parametrize(
    ("row", "operator", "factor"),
    [
        ("RBP", "rank-off-by-one", 0.8),
        ("P@k", "normaliser-lost", 20),
        ("P@k", "constant-off-by-one", 1),  # of the guard against empty rankings: three documents are none
        ("S-Recall@k", "normaliser-lost", 2),
    ],
)
def test_a_mutant_scores_as_its_slip_says(row: str, operator: str, factor: float) -> None:
    assert scores(build(mutant(row, operator))) == pytest.approx(factor * scores(original(row)))


def test_a_helper_that_two_families_share_is_mutated_in_both() -> None:
    slip = mutant("nDCG-IA@k", "discount-lost")
    assert slip.where == "DiscountedGain.gain"
    assert scores(build(slip)) != pytest.approx(scores(original("nDCG-IA@k")))
    assert scores(original("nDCG-IA@k")) == scores(parse("nDCG-IA@20"))  # the catalogue is as it was


def test_a_cascade_without_memory_is_killed_by_axioms_and_reference() -> None:
    kills = judged(mutant("RR", "earlier-forgotten")).kills
    assert any(message.startswith("Pri better") for message in kills["axioms"])
    assert kills["reference"]


def test_a_scale_that_no_axiom_sees_is_killed_by_the_reference_alone() -> None:
    kills = judged(mutant("RBP", "rank-off-by-one")).kills
    assert [layer for layer in LAYERS if kills[layer]] == ["reference"]


def test_inputs_that_are_written_to_are_killed_by_a_contract_check_alone() -> None:
    kills = judged(mutant("RBP", "pool-written-to")).kills
    assert any(message.startswith("inputs-unmodified") for message in kills["checks"])


def test_an_equivalent_mutant_survives_and_is_listed() -> None:
    same = judged(mutant("P@k", "comparison-relaxed", "grades.shape[-2] >= self.cutoff"))
    assert not same.killed
    assert "survivors: 1\n  P@k comparison-relaxed 1" in report([same])

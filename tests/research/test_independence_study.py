from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from axiomcheck import AXIOMS, InternalDisagreement, InvalidInput, Metric, Regime, parse
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_any_witness
from axiomcheck.metrics.constructed import ConstructedUtility
from axiomcheck.numbers.arithmetic import Rationals, to_fmpq
from research.independence.candidates import Contender, candidates
from research.independence.cycles import Contradiction
from research.independence.graph import Family, GradeMeaning
from research.independence.study import Study, _cross_examine, study
from tests.support.metrics_topics import exact
from tests.support.suites import quality

FEW = Settings(proofs=False, seed=0, examples=40, exhaustive=False)
TINY = (Family(3, 1, True), Family(4, 2, False))
BY_NAME = {each.metric.canonical: each.metric for each in candidates()}


SEPARATING = ("CU(p=0.8, alpha=0.5, e=1, cost=saturable)@20", "CU(p=0.8, alpha=0.5, e=1, novelty=focused)@20")
"""Of Conf and of MRed, in every regime."""


@lru_cache
def finite() -> Study:
    tried = chosen(SEPARATING[0], ConstructedUtility().canonical)
    (only,) = study([Regime.FINITE], FEW, tried=tried, families=TINY)
    return only


def assert_witnesses_confirmed(one: Study) -> None:
    for each in one.separations:
        if each.metric is not None:
            assert each.witness is not None
            read_any_witness(each.witness, BY_NAME[each.metric])


def chosen(*names: str) -> list[Contender]:
    return [each for each in candidates() if each.metric.canonical in names]


@quality
def test_metrics_separate_in_the_limit_and_their_witnesses_are_confirmed_again() -> None:
    (only,) = study([Regime.LIMIT], FEW, tried=chosen(*SEPARATING), families=TINY[:1])
    assert [each.axiom for each in only.separations] == list(AXIOMS)
    found = {each.axiom: each.metric for each in only.separations if each.metric}
    assert found == dict(zip(("Conf", "MRed"), SEPARATING, strict=True))
    assert_witnesses_confirmed(only)


@quality
def test_a_metric_that_satisfies_a_contradiction_is_a_disagreement() -> None:
    impossible = Contradiction(frozenset({"Pri", "Deep"}), GradeMeaning.AS_GIVEN, (), (), ())
    with pytest.raises(InternalDisagreement, match="is said to satisfy Deep, Pri"):
        _cross_examine(finite().rows, [impossible])
    _cross_examine(finite().rows, [replace(impossible, names=frozenset({"Pri", "no-such-condition"}))])


def random_grades(rng: np.random.Generator, documents: int, aspects: int) -> np.ndarray:
    return exact([Fraction(int(g), 8) for g in rng.integers(0, 9, documents * aspects)], documents, aspects)


def weights_are_affine(metric: Metric) -> bool:
    """Tell whether halfway between two weights the score is halfway, exactly, on random rankings."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        grades = random_grades(rng, 4, 2)
        sides = [Fraction(1, 2), Fraction(int(rng.integers(1, 9)), 10)]
        scores = [metric.score(Rationals(), grades, exact([w, 1 - w], 2), grades) for w in (*sides, sum(sides) / 2)]
        if scores[0] + scores[1] != 2 * scores[2]:
            return False
    return True


@pytest.mark.parametrize("candidate", candidates(), ids=lambda c: c.metric.canonical)
def test_candidates_called_continuous_are_affine_in_the_weights(candidate: Contender) -> None:
    metric = candidate.metric
    assert weights_are_affine(metric) or not candidate.continuous
    if not candidate.continuous and metric.values["weighted"]:
        assert not weights_are_affine(metric)


def test_rank_biased_utility_is_a_special_case() -> None:
    grades = random_grades(np.random.default_rng(1), 5, 3)
    weights = exact([Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)], 3)
    same = ConstructedUtility(alpha=1, scope="always", e="0.05")
    scores = [m.score(Rationals(), grades, weights, grades) for m in (parse("RBU@20"), same)]
    assert scores[0] == scores[1] * to_fmpq(Fraction(4, 5))


@pytest.mark.parametrize("shape", ["concave", "lifted"])
def test_discounts_that_end_need_a_cutoff(shape: str) -> None:
    with pytest.raises(InvalidInput, match="needs a cutoff k >= 3"):
        ConstructedUtility(cutoff=None, discount=shape)


@pytest.mark.parametrize(
    "metric", [ConstructedUtility(cutoff=None), ConstructedUtility(cutoff=None, discount="hyperbolic")]
)
def test_tails_bound_the_blocks(metric: ConstructedUtility) -> None:
    tail = metric.tail()
    for n in range(tail.start, tail.start + 10):
        ratio = sum(metric.discount().real(i) for i in range(n + 1, 2 * n + 1)) / metric.discount().real(1)
        bound = tail.bound(n)
        assert ratio <= bound + 1e-12 < 1 if tail.side == "below" else ratio >= bound - 1e-12 > 1

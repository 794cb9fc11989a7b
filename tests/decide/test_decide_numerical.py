"""Metrics of which floats, of either precision, are all there is: verdicts by more than rounding, and r << 1."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from axiomcheck import InvalidInput, MetricError, Reading, Regime, Verdict, read_witness
from axiomcheck.axioms import find_axiom
from axiomcheck.checks.contract import run_contract
from axiomcheck.decide.batch import Comparison, Pairs
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.numerical import LADDER, coarse, numbers
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Settings
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.tally import check_same_comparison
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Abilities, Metric, parse
from axiomcheck.records.cells import Cell, violation_sentence
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.external_metrics import FloatTopic, is_single
from axiomcheck.sources.function_metrics import CallableMetric, metric
from tests.support.suites import each
from tests.support.unread import unread

Array = Any
SMALL = Settings(proofs=False, examples=150, exhaustive=False)


def box(function: Callable[..., float], **declared: Any) -> CallableMetric:
    return CallableMetric(function, "box", single_aspect=True, **declared)


def decided(metric: Metric, axiom: str = "Pri", regime: Regime = Regime.FINITE, settings: Settings = SMALL) -> Cell:
    return run_matrix([metric], [find_axiom(axiom)], Reading(regime), settings).cells[0]


def dcg(topic: FloatTopic, ranking: list[str]) -> float:
    """Return DCG of the first aspect, uncut."""
    return sum(topic.pool[name][0] / math.log2(rank + 1) for rank, name in enumerate(ranking, start=1))


def err(topic: FloatTopic, ranking: list[str]) -> float:
    """Return ERR of the first aspect: its differences at small grades are of second and higher order."""
    going, score = 1.0, 0.0
    for rank, name in enumerate(ranking, start=1):
        grade = topic.pool[name][0]
        score += going * grade / rank
        going *= 1 - grade
    return score


@each(("function", "name"), [(dcg, "nDCG"), (err, "ERR@inf")], 2)
def test_a_black_box_comes_out_as_its_catalogue_twin(function: Callable[..., float], name: str) -> None:
    made = box(unread(function))
    settings = Settings(proofs=False, examples=300) if name == "ERR@inf" else SMALL
    cell, twin = decided(made, settings=settings), decided(parse(name))
    if cell.verdict is Verdict.UNDECIDED:  # ERR ties once a grade is 1; floats cannot know that nothing is left
        assert (twin.verdict, "only when grades are 1" in cell.reason) == (Verdict.REFUTED, True)
        return
    assert cell.verdict is twin.verdict, (cell.reason, twin.reason)
    if cell.witness is not None:
        assert cell.witness.scores.arithmetic == "numerical"
        assert read_witness(cell.witness, made).kind == cell.witness.kind
    assert "floats" in cell.evidence.numerical


def err_ia(topic: FloatTopic, ranking: list[str]) -> float:
    """Return ERR averaged over aspects: close weights differ by less than terms of second order at small grades."""
    aspects = [{d: (grades[t],) for d, grades in topic.pool.items()} for t in range(len(topic.weights))]
    return sum(w * err(replace(topic, pool=pool), ranking) for w, pool in zip(topic.weights, aspects, strict=True))


@pytest.mark.parametrize(
    ("function", "twin", "name", "small"),
    [
        (err, "ERR@inf", "Pri", False),
        (err, "ERR@inf", "Pri", True),
        (err_ia, "ERR-IA@inf", "AspRel", True),
    ],
)
def test_signs_are_those_of_exact_arithmetic_or_left_open(
    function: Callable[..., float], twin: str, name: str, small: bool
) -> None:
    axiom = find_axiom(name)
    seen = {True: 0, False: 0}
    for batch in sample_batches(InstanceSpace(axiom, small=small, max_rank=8), 400, generator(3, "numeric")):
        if batch.size:
            found = numbers(CallableMetric(function, "box"), Pairs.floats_of(batch))
            exact = np.array(signs(parse(twin), batch))
            ahead = found.sign != 0
            assert (found.sign[ahead] == exact[ahead]).all()
            ties = ~ahead & ~found.open & coarse(batch.draft)
            assert (exact[ties] == 0).all()
            for open_ in (True, False):
                seen[open_] += int((found.open == open_).sum())
    assert seen[False] > 10 * seen[True]


def _pair(small: bool) -> Pairs:
    """Return (0, 1) against (1, 0) on one aspect."""
    return Pairs(np.array([[[0.0], [1.0]]]), np.ones((1, 1)), np.array([[0, 1]]), np.array([[1, 0]]), small)


def fickle(topic: FloatTopic, ranking: list[str]) -> float:
    first = topic.pool[ranking[0]][0]
    return first if first > float(LADDER[-1]) else -first


def of_high_order(topic: FloatTopic, ranking: list[str]) -> float:
    return 1.0 + topic.pool[ranking[0]][0] ** 7


def falling(gap: float) -> Callable[[FloatTopic, list[str]], float]:
    return lambda topic, ranking: 0.3 - gap * topic.pool[ranking[0]][0]


def outweighed(topic: FloatTopic, ranking: list[str]) -> float:
    first = topic.pool[ranking[0]][0]
    return sum(grades[0] for grades in topic.pool.values()) + 1e-5 * first - first**2


@pytest.mark.parametrize(
    ("function", "small", "sign", "is_open"),
    [
        (outweighed, True, 1, False),
        (fickle, True, 0, True),
        (of_high_order, True, 0, True),
        (of_high_order, False, 1, False),
        (falling(1e-15), False, 0, False),  # a tie, but for rounding
        (falling(1e-12), False, 0, True),
        (falling(1e-9), False, -1, False),
    ],
)
def test_a_sign_is_told_where_it_persists_and_is_more_than_rounding(
    function: Callable[..., float], small: bool, sign: int, is_open: bool
) -> None:
    found = numbers(box(function), _pair(small))
    assert (found.sign.tolist(), found.open.tolist()) == ([sign], [is_open])


def test_a_tie_of_rounded_scores_says_nothing() -> None:
    class Rounded(CallableMetric):
        rounding = 0.5

        def score_rankings(self, cases: Any) -> list[float]:
            return [float(round(score)) for score in super().score_rankings(cases)]

    cell = decided(Rounded(dcg, "rounded", single_aspect=True), settings=replace(SMALL, examples=200))
    assert (cell.verdict, "could not distinguish" in cell.reason) == (Verdict.UNDECIDED, True)


def constant(value: float) -> Callable[[FloatTopic, list[str]], float]:
    return lambda topic, ranking: value


def pairs_tie(topic: FloatTopic, ranking: list[str]) -> float:
    score = dcg(topic, ranking)
    return float(len(topic.pool)) if (len(topic.pool), len(ranking)) == (3, 2) else score


@pytest.mark.parametrize(
    ("function", "verdict", "reason"),
    [
        (unread(pairs_tie), Verdict.UNDECIDED, "on only 1 shape"),
        (constant(math.nan), Verdict.ERROR, "finite"),
    ],
)
def test_ties_of_few_shapes_refute_nothing_and_no_number_is_an_error(
    function: Callable[..., float], verdict: Verdict, reason: str
) -> None:
    cell = decided(box(function))
    assert cell.verdict is verdict, cell.reason
    assert reason in cell.reason


def test_lost_digits_are_left_open() -> None:
    """0.1 + 0.2 - 0.3 is not 0 in floats: what is left of a cancelled score is not taken for a difference."""
    lost = box(lambda topic, ranking: 1e-5 * (0.1 + 0.2 - 0.3) + 1e-10 + 1e-21 * len(ranking[0]))
    pair = Pairs(np.ones((1, 10, 1)), np.ones((1, 1)), np.array([[9]]), np.array([[0]]), False)
    assert numbers(lost, pair).open.tolist() == [True]


def test_integer_grades_reach_no_limit_and_no_weights_reach_no_asprel() -> None:
    quarters = CallableMetric(dcg, "box", abilities=Abilities(weights=False, levels=4))
    few = replace(SMALL, examples=40)
    weighted, limit = decided(quarters, "AspRel", settings=few), decided(quarters, "Pri", Regime.LIMIT, few)
    assert weighted.verdict is limit.verdict is Verdict.NOT_APPLICABLE
    assert weighted.reason == "it does not accept aspect weights"
    assert limit.reason == "r << 1 is impossible, because its grades are multiples of 1/4"


def test_quantised_instances_are_on_the_grid_and_meet_the_premises() -> None:
    seen: list[Array] = []

    class Watching(CallableMetric):
        def evaluate(self, pool: Array, weights: Array, order: Array) -> Array:
            seen.append(pool * 4)
            assert (weights == weights[:, :1]).all()
            return super().evaluate(pool, weights, order)

    watching = Watching(unread(dcg), "box", abilities=Abilities(weights=False, levels=4))
    for axiom in ("Red", "DeepTh"):
        cell = decided(watching, axiom, settings=replace(SMALL, examples=60))
        assert cell.verdict is not Verdict.ERROR
        if isinstance(cell.witness, PairWitness):
            read_witness(cell.witness, watching)
    assert sum(x.size for x in seen) > 2_000
    assert all((x == np.rint(x)).all() for x in seen)


def test_ties_have_no_margin() -> None:
    """Sums of the same grades in another order differ by rounding, which is no share of the score to speak of."""
    tied = metric(name="tied", single_aspect=True)(
        lambda grades, weights: np.cumsum(grades[:, ::-1, 0] / 7, axis=1)[:, -1]
    )
    cell = decided(tied)
    assert cell.verdict is Verdict.REFUTED
    assert cell.evidence.violations.reversals == 0
    assert cell.evidence.violations.largest_relative_margin == 0
    assert "by up to" not in violation_sentence(cell)


def test_the_margin_of_reversals_is_told() -> None:
    half = metric(name="half", single_aspect=True)(
        lambda grades, weights: grades[:, :, 0] @ np.where(np.arange(grades.shape[1]) == 0, 0.5, 1.0)
    )
    cell = decided(half)
    assert 0.05 < cell.evidence.violations.largest_relative_margin <= 0.5
    assert ", by up to " in violation_sentence(cell)


@pytest.mark.parametrize("sure", [True, False])  # a function that is read again is never sure in floats
def test_scores_that_change_are_told_however_sure_floats_are(sure: bool) -> None:
    def comparison(sign: int, margin: float, equal: bool = False) -> Comparison:
        return Comparison(np.array([sign]), np.array([margin]), np.array([equal]), np.array([sure]))

    metric, ahead = parse("RBP"), comparison(1, 0.5)
    for other in (comparison(1, 0.25), comparison(-1, -0.5), comparison(0, 0.0, equal=True)):
        with pytest.raises(MetricError, match="differently or so"):
            check_same_comparison(metric, ahead, other, "or so")
    check_same_comparison(metric, ahead, comparison(0, 0.0), "where it is noise beside larger scores")
    check_same_comparison(metric, ahead, comparison(1, 0.5), "where it is the same")


single = np.float32


def discounts(n: int, third: float = 1 / np.log2(4)) -> Array:
    found = 1 / np.log2(np.arange(2, n + 2))
    found[2:3] = third
    return found.astype(single)


def rbp(grades: Array, weights: Array) -> Array:
    gains = grades[:, :, 0].astype(single)
    return single(0.2) * (gains * single(0.8) ** np.arange(gains.shape[1], dtype=single)).sum(axis=1)


def ndcg(grades: Array, weights: Array, pool: Array, **wrong: float) -> Array:
    found, best = grades[:, :, 0].astype(single), -np.sort(-pool[:, :, 0].astype(single), axis=1)
    gain, ideal = ((gains * discounts(gains.shape[1], **wrong)).sum(axis=1) for gains in (found, best))
    return np.where(ideal > 0, gain / np.where(ideal > 0, ideal, 1), single(0))


def ndcg_wrong(grades: Array, weights: Array, pool: Array) -> Array:
    """Let the third rank count for 1e-4 more than the second."""
    return ndcg(grades, weights, pool, third=1 / np.log2(3) + 1e-4)


def share(topic: Any, ranking: Any) -> float:
    """Divide the grades by themselves: 1, which appending a document leaves as it is, but for the last digits."""
    thirds = whole = single(0)
    for name in ranking:
        for grade in topic.pool[name]:
            thirds, whole = thirds + single(grade) / single(3), whole + single(grade)
    return float(thirds / whole * single(3)) if whole else 0.0


def cell(made: Metric, axiom: str) -> Cell:
    return decided(made, axiom, settings=Settings(examples=50, exhaustive=False))


def made(function: Callable[..., Any], **declared: Any) -> Metric:
    return metric(name="made", single_aspect=True, **declared)(function)


def test_a_correct_metric_is_not_refuted() -> None:
    found = cell(made(rbp), "Pri")
    assert found.verdict in (Verdict.HELD, Verdict.UNDECIDED), found.reason
    assert found.certificate is None


def test_scores_wrong_by_more_than_rounding_and_ties_that_are_none_of_it_are_refuted() -> None:
    found = cell(made(ndcg_wrong), "Pri")
    assert found.verdict is Verdict.REFUTED
    assert found.witness.scores.arithmetic == "numerical"
    found = cell(made(rbp), "Conf")
    assert (found.verdict, found.witness and found.witness.kind) == (Verdict.REFUTED, "tie")


def test_digits_that_are_declared_are_all_there_are() -> None:
    """Taken for doubles, these scores have noise where digits are missing, and it looks like a violation."""
    alarm, told = (cell(metric(name="share", dtype=dtype)(share), "Sat") for dtype in ("float64", "float32"))
    assert (alarm.verdict, alarm.witness and alarm.witness.kind) == (Verdict.REFUTED, "reversal")
    assert told.verdict in (Verdict.HELD, Verdict.UNDECIDED)


def test_a_correct_metric_fails_no_contract_check() -> None:
    checks = ["finite", "in-range", "ideal-attains-maximum", "monotone", "batch-as-alone", "repeatable", "renaming"]
    outcomes = run_contract(made(ndcg, high=1.0, ideal=True, low=0.0, monotone=True), checks=checks)
    assert [one for one in outcomes if one.status in ("failed", "error")] == []
    [finite] = [one for one in outcomes if one.check == "finite"]
    assert finite.cases > 100


def unlike_in_batches(by: float) -> Callable[..., Any]:
    return lambda grades, weights: rbp(grades, weights) + single(by if len(grades) > 1 else 0)


def unlike_again(by: float) -> Callable[..., Any]:
    rng = np.random.default_rng(0)

    def function(grades: Array, weights: Array) -> Array:
        return rbp(grades, weights) + single(by * rng.integers(2))

    return function


@pytest.mark.parametrize(("fault", "check"), [(unlike_in_batches, "batch-as-alone"), (unlike_again, "repeatable")])
def test_noise_of_the_last_digits_passes_and_more_does_not(fault: Callable[..., Any], check: str) -> None:
    for by, status in ((3e-7, "passed"), (1e-4, "failed")):
        [outcome] = run_contract(made(fault(by)), checks=[check])
        assert outcome.status == status, outcome.reason
    in_doubles = fault(3e-7)
    [outcome] = run_contract(made(lambda grades, weights: in_doubles(grades, weights).astype(float)), checks=[check])
    assert outcome.status == "failed"


def half(grades: Array, weights: Array) -> Array:
    scores = grades[:, :, 0].sum(axis=1)
    return scores.astype(single) if len(grades) > 64 else scores


def test_a_metric_is_single_as_soon_as_it_shows_it_in_every_copy_and_has_no_certificate() -> None:
    """Exact numbers would prove what single precision does not do."""
    gain = made(half)
    copied = gain.with_exactness(gain._exactness)  # type: ignore[attr-defined]
    assert (is_single(gain), gain.numerical(small=False)) == (False, "")
    copied.evaluate(np.ones((65, 1, 1)), np.ones((65, 1)), np.zeros((65, 1), dtype=np.int64))
    assert is_single(gain)
    assert "single precision" in gain.numerical(small=False)
    found = cell(made(half), "AspDiv")
    assert (found.certificate, found.verdict.satisfied and found.verdict is not Verdict.HELD) == (None, False)


def test_digits_that_no_declaration_can_have_are_refused() -> None:
    with pytest.raises(InvalidInput, match="dtype is 'float16'; expected one of 'float32', 'float64'"):
        metric(dtype="float16")  # type: ignore[arg-type]

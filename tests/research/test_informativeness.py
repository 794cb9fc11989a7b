"""Expectations, the fits of largest entropy, which lists there are, and what is inferred from fits that ended well."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from scipy.special import expit

from axiomcheck.core.typing import Reals
from axiomcheck.runs.trec import Options
from axiomcheck.runs.trec.qrels import as_qrels
from axiomcheck.runs.trec.runs import as_run
from research.informativeness import (
    MEASURES,
    Informativeness,
    ListSettings,
    Selection,
    curve_errors,
    outcomes,
    predictions,
    select,
    study,
)
from research.informativeness.fit import Fit, fit, only_point
from research.informativeness.lists import JudgedList
from research.informativeness.measures import Expectation
from research.informativeness.study import Basis, curve, curve_error
from tests.runs.trec_data import Qrel
from tests.support.suites import each

SETTINGS = ListSettings()


def listed(*columns: Sequence[int]) -> JudgedList:
    relevant = np.array(columns, dtype=np.float64).T
    m = len(columns)
    return JudgedList(relevant, (relevant.sum(axis=0) + 3).astype(int), np.full(m, 1 / m))


def fitted(name: str, judged: JudgedList, settings: ListSettings = SETTINGS) -> Fit:
    only = only_point(MEASURES[name].form(judged, settings), judged)
    return fit(judged, *shown(name, judged, settings), only)


def shown(name: str, judged: JudgedList, settings: ListSettings = SETTINGS) -> tuple[Expectation, float]:
    return MEASURES[name].expectation(judged, settings), MEASURES[name].value(judged, settings)


def entropy(p: Reals) -> Reals:
    kept = np.clip(p, 1e-300, 1 - 1e-16)
    return -(kept * np.log(kept) + (1 - kept) * np.log1p(-kept)).sum(axis=-1)


@each("name", ["ERR", "RBP", "AP", "nDCG"], 4)
def test_it_is_the_largest_entropy_of_all_that_satisfy_the_conditions(name: str) -> None:
    """Three documents, one relevant: p_1 and p_2 on a grid, p_3 the rest, and those with nearly the value."""
    judged = listed([0, 1, 0])
    found = fitted(name, judged)
    assert found.status == "converged"
    expected, value = shown(name, judged)
    assert expected(found.p)[0] == pytest.approx(value, abs=1e-9)
    assert found.p.sum() == pytest.approx(1, abs=1e-9)
    assert found.entropy == pytest.approx(float(entropy(found.p[:, 0])), abs=1e-12)
    steps = np.linspace(0, 1, 71)
    grid = np.array([(a, b, 1 - a - b) for a in steps for b in steps if a + b <= 1])
    values = np.array([expected(p[:, None])[0] for p in grid])
    near = grid[np.abs(values - value) < 2e-3]
    assert len(near) > 20
    # What the room that the value is given is worth is the multiplier times that.
    assert entropy(near).max() < found.entropy + 2.2e-3 * abs(found.multiplier)
    assert entropy(near).max() > found.entropy - 0.02


@each("name", ["ERR-IA", "NRBP", "alpha-DCG", "AP-IA"], 3)
def test_intents_are_fitted_together(name: str) -> None:
    judged = listed([0, 1, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1], [0] * 6, [1] * 6)
    found = fitted(name, judged)
    assert found.status == "converged"
    assert found.p[:, 2].tolist() == [0] * 6
    assert found.p[:, 3].tolist() == [1] * 6
    assert found.p.sum(axis=0) == pytest.approx([2, 3, 0, 6], abs=1e-8)
    expected, value = shown(name, judged)
    assert expected(found.p)[0] == pytest.approx(value, abs=1e-8)
    # One multiplier for the measure, whichever the intent: log odds less mu times the derivative do not vary.
    slopes = expected(found.p)[1]
    for j in (0, 1):
        levels = np.log(found.p[:, j] / (1 - found.p[:, j])) - found.multiplier * slopes[:, j]
        assert levels == pytest.approx(np.full(6, levels.mean()), abs=1e-3)


FORCED = [
    *(("ERR", row, 0.5, 0.8, True) for row in ([1, 1, 0, 0], [0, 1, 1, 1])),
    *(("ERR", row, 0.5, 0.8, False) for row in ([0, 0, 0, 1], [1, 0, 1, 0])),
    *(("AP", row, 0.5, 0.8, True) for row in ([1, 1, 0, 0], [0, 0, 0, 1])),
    *(("AP", [1, 0, 1, 0], 0.5, 0.8, False), ("nDCG", [0, 1, 1, 0], 0.5, 0.8, False)),
]
"""A measure, a list, alpha, beta, and whether no other probabilities have the value of the list."""


@each(("name", "row", "alpha", "beta", "alone"), FORCED, 2)
def test_values_that_one_list_alone_has_are_told_from_others(
    name: str, row: list[int], alpha: float, beta: float, alone: bool
) -> None:
    judged, settings = listed(row), ListSettings(len(row), alpha, beta)
    found = fitted(name, judged, settings)
    assert found.status == ("forced" if alone else "converged")
    if not alone:
        assert found.entropy > 0.5
        return
    assert found.p[:, 0].tolist() == row
    # Of many others with these counts, from near the list to far, all are on one side of the value.
    expected, value = shown(name, judged, settings)
    rng, differences = np.random.default_rng(0), []
    for _ in range(300):
        p = expit(rng.choice([1, 3, 9]) * (rng.standard_normal(len(row)) + np.array(row) * 4))
        p *= sum(row) / p.sum()
        if p.max() <= 1:
            differences.append(expected(p[:, None])[0] - value)
    assert len(differences) > 20
    assert min(differences) > 0 or max(differences) < 0


LISTED = ListSettings(alpha=0.4, beta=0.7)


def cascade(discount: Callable[[int], float], relevant: Sequence[int], total: int) -> float:
    """Return the score of one intent by the words of the definition."""
    ranks = [rank for rank, one in enumerate(relevant, 1) if one]
    return sum(0.4 * (1 - 0.4) ** before / discount(rank) for before, rank in enumerate(ranks))


def average_precision(relevant: Sequence[int], total: int) -> float:
    return sum(sum(relevant[:rank]) / rank for rank, one in enumerate(relevant, 1) if one) / total


def dcg(relevant: Sequence[int]) -> float:
    return sum(one / math.log2(rank + 1) for rank, one in enumerate(relevant, 1))


SLOW: dict[str, Callable[[Sequence[int], int], float]] = {
    **dict.fromkeys(("ERR", "ERR-IA"), partial(cascade, float)),
    **dict.fromkeys(("RBP", "NRBP"), partial(cascade, lambda rank: (1 / 0.7) ** (rank - 1))),
    "alpha-DCG": partial(cascade, lambda rank: math.log2(rank + 1)),
    **dict.fromkeys(("AP", "AP-IA"), average_precision),
    "nDCG": lambda relevant, total: dcg(relevant) / dcg([1] * min(total, 10)),
}


def judged(relevant: Reals) -> JudgedList:
    weights = [0.3, 0.7] if relevant.shape[1] == 2 else [1.0]
    return JudgedList(relevant, np.array([4, 13][: len(weights)]), np.array(weights))


@pytest.mark.parametrize("name", MEASURES)
def test_the_expectation_is_the_sum_over_all_patterns(name: str) -> None:
    """By linearity over intents, each of which has 2^n patterns; a list that is certain has its own score."""
    one, total = judged(np.zeros((10, 1 + MEASURES[name].by_intent))), 0.0
    rows = np.array(list(itertools.product((0, 1), repeat=10)))
    p = np.random.default_rng(0).random(one.relevant.shape)
    for j, weight in enumerate(one.weights):
        scores = np.array([SLOW[name](row.tolist(), int(one.totals[j])) for row in rows])
        total += float(weight * (np.where(rows, p[:, j], 1 - p[:, j]).prod(axis=1) @ scores))
    expected = MEASURES[name].expectation(one, LISTED)
    assert expected(p)[0] == pytest.approx(total, abs=1e-12)
    certain = (p > 0.5).astype(np.float64)
    scores = [SLOW[name](column, int(one.totals[j])) for j, column in enumerate(certain.T.tolist())]
    assert MEASURES[name].value(judged(certain), LISTED) == pytest.approx(float(one.weights @ scores), abs=1e-12)
    p[6] += 1e-6
    assert expected(p)[0] != pytest.approx(total, abs=1e-12)


QRELS = [
    Qrel(topic, document, grade, intent)
    for topic, intent, judged in (
        *(("1", "i", {"a": 1, "b": 2}), ("1", "ii", {"b": 1, "c": 1}), ("1", "iii", {"a": 0})),
        *(("2", "i", {"d": 2}), ("2", "ii", {"d": 0}), ("3", "i", {"a": 0}), ("4", "i", {"a": 1, "b": 1})),
    )
    for document, grade in judged.items()
]
"""Topic 1 has three relevant documents, 2 one, 3 none, 4 two; intent iii of topic 1 has none."""


RUNS = [{"1": "xbyac", "2": "xd", "3": "a", "4": "x"}, {"1": "ab", "4": "ab"}, {"1": "xyzb"}]


def selection(depth: int = 4, topics: int = 25, best: int = 30, options: Options | None = None) -> Selection:
    read = [
        as_run({topic: {name: -float(rank) for rank, name in enumerate(ranking)} for topic, ranking in run.items()})
        for run in RUNS
    ]
    return select(as_qrels(QRELS), read, options or Options(), depth, topics, best)


def test_lists() -> None:
    found = selection()
    assert found.topics == ("1", "2", "4")
    assert [(one.run, one.topic) for one in found.lists] == [(0, "1"), (0, "2"), (0, "4"), (1, "1"), (1, "4"), (2, "1")]
    first = found.lists[0]
    assert first.by_intent.relevant.tolist() == [[0, 0], [1, 1], [0, 0], [1, 0]]
    assert first.by_intent.totals.tolist() == [2, 2]
    assert first.by_intent.counts.tolist() == [2, 1]
    assert first.by_intent.weights.tolist() == [0.5, 0.5]
    assert first.single.relevant.tolist() == [[0], [1], [0], [1]]
    assert (first.single.totals.tolist(), first.single.weights.tolist()) == ([3], [1])
    assert found.lists[1].by_intent.relevant.tolist() == [[0], [1]]
    assert found.notes[0] == "3 of 4 topics, 3 of 3 runs"
    assert "nothing for 1 topic, left out" in found.notes[1]
    assert "nothing for 2 topics, left out" in found.notes[2]


def test_curves_by_hand() -> None:
    judged = replace(listed([0, 1, 0, 1]), totals=np.array([4]))
    assert curve(judged.relevant, judged).recall.tolist() == [0, 0.25, 0.25, 0.5]
    assert curve(judged.relevant, judged).precision.tolist() == [0, 1 / 2, 1 / 3, 1 / 2]
    error = curve_error(np.array([[1.0], [0.5], [0.5], [0.0]]), judged)
    # Precision 1 at recall 1/4, against 1/2; at 1/2, reached at rank 3, 2/3 against 1/2.
    assert error == pytest.approx(math.sqrt((1 / 4 + 1 / 36) / 2))
    assert curve_error(np.zeros((3, 1)), listed([0] * 3)) is None


@cache
def small() -> Informativeness:
    return study(selection(), ListSettings(depth=4), ["ERR", "AP-IA"])


def test_every_fit_is_counted_and_those_that_did_not_end_well_are_not_used() -> None:
    good = small()
    assert [sum(counts.values()) for counts in outcomes(good).values()] == [6, 6]
    spoiled = list(good.fits)
    # The list of run 0 and topic 1: probabilities that would show.
    wrong = replace(spoiled[0]["ERR"], status="not stationary", p=np.full((4, 1), 7.0))
    spoiled[0] = spoiled[0] | {"ERR": wrong}
    bad = replace(good, fits=tuple(spoiled))
    assert outcomes(bad)["ERR"]["not stationary"] == 1
    lists = {one.basis: one.lists for one in curve_errors(good)}
    less = {one.basis: one.lists for one in curve_errors(bad)}
    err = Basis("ERR", by_intent=False)
    assert less == lists | {err: lists[err] - 1}
    for before, after in zip(predictions(good), predictions(bad), strict=True):
        if before.basis != err:
            assert after.expected.tolist() == before.expected.tolist()
            continue
        rest = good.selection.lists[1:3]
        actual = [MEASURES[after.predicted].value(one.single, good.settings) for one in rest]
        assert after.actual[0] == pytest.approx(np.mean(actual))
        assert after.expected.max() < 2

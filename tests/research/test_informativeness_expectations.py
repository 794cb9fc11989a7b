"""Expectations: over all patterns of relevance, by the measures' definitions; derivatives; the published recursion."""

import itertools
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from axiomcheck import InvalidInput, parse
from axiomcheck.core.typing import Integers, Reals
from research.informativeness.lists import JudgedList
from research.informativeness.measures import MEASURES, ListSettings
from tests.support.suites import each

SETTINGS = ListSettings(alpha=0.4, beta=0.7)


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


def judged(relevant: Reals, totals: Sequence[int], weights: Sequence[float]) -> JudgedList:
    return JudgedList(np.asarray(relevant, dtype=np.float64), np.array(totals), np.array(weights))


def probabilities(n: int, m: int, seed: int = 0) -> Reals:
    return np.random.default_rng(seed).random((n, m))


def patterns(n: int) -> Integers:
    return np.array(list(itertools.product((0, 1), repeat=n)))


def list_for(name: str, n: int) -> JudgedList:
    m = 2 if MEASURES[name].by_intent else 1
    return judged(np.zeros((n, m)), [4, 13][:m], [0.3, 0.7] if m == 2 else [1.0])


@pytest.mark.parametrize("name", MEASURES)
def test_the_expectation_is_the_sum_over_all_patterns(name: str) -> None:
    """By linearity over intents, each of which has 2^n patterns."""
    one, rows, total = list_for(name, 10), patterns(10), 0.0
    p = probabilities(*one.relevant.shape)
    for j, weight in enumerate(one.weights):
        scores = np.array([SLOW[name](row.tolist(), int(one.totals[j])) for row in rows])
        total += float(weight * (np.where(rows, p[:, j], 1 - p[:, j]).prod(axis=1) @ scores))
    expected = MEASURES[name].expectation(one, SETTINGS)
    assert expected(p)[0] == pytest.approx(total, abs=1e-12)
    p[6] += 1e-6
    assert expected(p)[0] != pytest.approx(total, abs=1e-12)


@each("name", list(MEASURES), 3)
def test_derivatives(name: str) -> None:
    one = list_for(name, 10)
    expected = MEASURES[name].expectation(one, SETTINGS)
    p = probabilities(*one.relevant.shape)
    derivatives = expected(p)[1]
    for place in np.ndindex(p.shape):
        step = np.zeros(p.shape)
        step[place] = 1
        # An imaginary step has no difference that rounding spoils.
        assert derivatives[place] == pytest.approx(expected(p + 1e-30j * step)[0].imag / 1e-30, abs=1e-14)


KEPT, RANKS = 0.6 ** np.arange(10), np.arange(1, 11)
CASCADES = {
    "trec-ERR-IA(alpha=0.4)@10": 0.4 * (KEPT / RANKS).sum(),
    "trec-NRBP(alpha=0.4, beta=0.7)@10": 0.4 / (1 - 0.6 * 0.7),
    "trec-alpha-DCG(alpha=0.4)@10": 0.4 * (KEPT / np.log2(RANKS + 1)).sum(),
}
"""A form of the catalogue's -> what it is to be multiplied by, at alpha = 0.4, beta = 0.7 and depth 10."""
FORMS = dict(zip(("ERR-IA", "NRBP", "alpha-DCG"), CASCADES, strict=True))
FORMS |= {"ERR": FORMS["ERR-IA"], "RBP": FORMS["NRBP"], "AP-IA": "trec-AP-IA@10", "AP": "AP@10", "nDCG": "nDCG@10"}
"""Name the intent-aware form and the form of one intent, which are equal for topics of one intent."""


@pytest.mark.parametrize("name", FORMS)
def test_at_probabilities_0_and_1_it_is_the_catalogues_score(name: str) -> None:
    rng = np.random.default_rng(1)
    m = 3 if MEASURES[name].by_intent else 1
    metric = parse(FORMS[name])
    for _ in range(20):
        pool = (rng.random((25, m)) < 0.4).astype(np.float64)
        pool[0] = 1
        ranking = rng.permutation(25)[:12]
        one = judged(pool[ranking[:10]], pool.sum(axis=0).astype(int).tolist(), [1 / m] * m)
        score = float(metric.evaluate(pool[None], np.full((1, m), 1 / m), ranking[None])[0])
        value = MEASURES[name].value(one, SETTINGS)
        assert value == pytest.approx(CASCADES.get(FORMS[name], 1.0) * score, abs=1e-14)
        assert MEASURES[name].expectation(one, SETTINGS)(one.relevant)[0] == value


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"alpha": 1.0}, {"alpha": 0.0}, {"beta": 1.0}])
def test_settings_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        ListSettings(**wrong)

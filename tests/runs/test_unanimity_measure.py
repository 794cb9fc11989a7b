"""Metric unanimity against its definition, the paper's example and the paper's four properties."""

from __future__ import annotations

import math
import tracemalloc
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Reals
from axiomcheck.runs.grid import ScoreGrid
from axiomcheck.runs.unanimity import TOLERANCE, count_pairs, measure, mu

EXAMPLE = np.array([[[1], [0.5], [0.2]], [[0.8], [0.3], [0.4]], [[1], [0.2], [0.5]]])
"""Section 6.1: three metrics, three systems, one topic."""


def grid(values: Reals) -> ScoreGrid:
    names = tuple(tuple(f"{word}{n}" for n in range(size)) for word, size in zip("mst", values.shape, strict=True))
    return ScoreGrid(*names, values)


def by_definition(values: Reals, metric: int) -> float:
    """MU from probabilities, pair by pair, as the paper has it; NaN where others agree on none."""
    pairs = [(a, b, t) for a, b in permutations(range(values.shape[1]), 2) for t in range(values.shape[2])]
    own = agreed = both = 0.0
    for a, b, t in pairs:
        ahead = (1 + np.sign(values[metric, a, t] - values[metric, b, t])) / 2
        others = all(values[m, a, t] >= values[m, b, t] for m in range(len(values)) if m != metric)
        own, agreed, both = own + ahead, agreed + others, both + ahead * others
    assert own == len(pairs) / 2
    if not agreed:
        return math.nan
    share = (both / len(pairs)) / ((own / len(pairs)) * (agreed / len(pairs)))
    return math.log2(share) if share else -math.inf


def all_mu(values: Reals) -> Reals:
    return measure(grid(values), tuple("m" * len(values))).values


def scores(metrics: int = 4) -> st.SearchStrategy[Reals]:
    """Few different scores, so that pairs tie and agree."""
    shapes = st.tuples(st.integers(2, metrics), st.integers(2, 4), st.integers(1, 3))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(0, 2).map(float)))


@settings(max_examples=25)
@given(scores())
def test_mu_is_what_the_definition_says(values: Reals) -> None:
    expected = [by_definition(values, metric) for metric in range(len(values))]
    np.testing.assert_allclose(all_mu(values), expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=25)
@given(scores())
def test_property_1_to_capture_every_improvement_is_the_most_there_is(values: Reals) -> None:
    whole = values.astype(int)
    captor = whole.sum(axis=0)[None]  # ahead wherever all others are and one is strictly; a tie only where all tie
    best = count_pairs(np.concatenate([captor, values]).astype(float))
    rival = count_pairs(np.concatenate([values[:1], values]))
    assert best.unanimous[0].tolist() == rival.unanimous[0].tolist()
    assert (best.captured[0] >= rival.captured[0]).all()
    strict = best.unanimous[0] - best.tied
    assert (best.captured[0] == strict + best.tied / 2).all()


@settings(max_examples=25)
@given(scores(), st.integers(0, 99))
def test_property_2_a_metric_that_knows_nothing_captures_half(values: Reals, seed: int) -> None:
    """A constant does, and so does a random metric in expectation: what one captures, its opposite does not."""
    drawn = np.random.default_rng(seed).random((1, *values.shape[1:]))
    one, other = (count_pairs(np.concatenate([own, values])) for own in (drawn, -drawn))
    assert (one.captured[0] + other.captured[0] == one.unanimous[0]).all()
    assert (one.unanimous[0] == other.unanimous[0]).all()
    constant = np.concatenate([np.full((1, *values.shape[1:]), 0.3), values])
    counts = count_pairs(constant)
    assert (2 * counts.captured[0] == counts.unanimous[0]).all()
    assume(counts.unanimous[0].any())
    assert all_mu(constant)[0] == 0


def test_property_3_mu_is_asymmetric_as_in_the_papers_example() -> None:
    first, second, third = all_mu(EXAMPLE)
    assert first == pytest.approx(math.log2((2 / 6) / (3 / 6 * 3 / 6))) != second
    assert round(float(first), 3) == 0.415
    assert second == third == 1  # the paper's example does not tell these two apart
    found = all_mu(np.array([[[3.0], [2], [1], [0]], [[3.0], [1], [2], [2]], [[3.0], [2], [2], [1]]]))
    assert len({round(float(value), 9) for value in found}) == 3


@settings(max_examples=25)
@given(scores(3), st.integers(1, 3))
def test_property_4_copies_change_nothing_of_others_and_raise_the_metrics_own_mu(values: Reals, copies: int) -> None:
    one, other = count_pairs(values), count_pairs(np.concatenate([values, *([values[-1:]] * copies)]))
    assert (one.unanimous[:-1] == other.unanimous[: len(values) - 1]).all()
    assert (one.captured[:-1] == other.captured[: len(values) - 1]).all()
    copied = np.concatenate([values, values[:1]])
    assert not all_mu(copied)[0] < all_mu(values)[0]
    counts = count_pairs(copied)
    assert (2 * counts.captured[0] >= counts.unanimous[0]).all()  # never against what a copy agrees with


@pytest.mark.parametrize(("apart", "tie"), [(0.9, True), (1.1, False)])
@pytest.mark.parametrize("scale", [1.0, -1e-30, 1e300])
def test_scores_tie_up_to_the_tolerance_whatever_their_size(apart: float, tie: bool, scale: float) -> None:
    values = np.array([[[1.0], [1 - apart * TOLERANCE]], [[1.0], [0.0]]]) * scale
    counts = count_pairs(values)
    assert counts.rounding.tolist() == [2 * tie, 0]
    assert counts.captured[0, 0] == (counts.unanimous[0, 0] / 2 if tie else 1)
    assert count_pairs(np.array([[[1e308], [-1e308]], [[1.0], [0.0]]])).captured.tolist() == [[1], [1]]


def test_where_no_pair_is_unanimous_mu_is_undefined_and_where_none_is_captured_minus_infinity() -> None:
    assert np.isnan(mu(np.array([0.0]), np.array([0]))).all()
    assert mu(np.array([0.0]), np.array([2])).tolist() == [-math.inf]
    found = measure(grid(np.array([[[0.0], [1]], [[0.0], [1]], [[1.0], [0]]])), ("m",) * 3, 50)
    assert np.isnan(found.values[:2]).all()
    assert found.values[2] == -math.inf
    assert found.undefined.tolist() == [50, 50, 0]
    assert np.isnan(found.low[:2]).all()
    assert (found.low[2], found.high[2]) == (-math.inf, -math.inf)
    assert found.first.tolist() == [0, 0, 1]


@pytest.mark.parametrize("shape", [(1, 3, 2), (3, 1, 2), (3, 2, 0), (3, 3)])
def test_what_cannot_be_compared_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="expected two metrics, two systems and a topic"):
        count_pairs(np.zeros(shape))
    with pytest.raises(InvalidInput, match="not a finite number"):
        count_pairs(np.full((2, 2, 2), math.nan))
    for resamples, seed in ((-1, 0), (1, -1)):
        with pytest.raises(InvalidInput, match="expected 0 or more of both"):
            measure(grid(EXAMPLE), ("m",) * 3, resamples, seed)


def test_intervals_are_those_of_topics_drawn_again() -> None:
    rng = np.random.default_rng(1)
    common = rng.random((8, 30))
    values = common + rng.random((3, 8, 30)) / 3
    found = measure(grid(values), ("m",) * 3, 200, seed=5)
    times = np.random.default_rng(5).multinomial(30, np.full(30, 1 / 30), size=200)
    drawn = np.array([all_mu(np.repeat(values, row, axis=2)) for row in times])
    np.testing.assert_allclose(found.low, np.quantile(drawn, 0.025, axis=0, method="inverted_cdf"))
    np.testing.assert_allclose(found.high, np.quantile(drawn, 0.975, axis=0, method="inverted_cdf"))
    np.testing.assert_allclose(found.first, (drawn == drawn.max(axis=1, keepdims=True)).mean(axis=0))
    assert ((found.low < found.values) & (found.values < found.high)).all()
    again = measure(grid(values), ("m",) * 3, 200, seed=5)
    assert (again.low == found.low).all()
    assert (measure(grid(values), ("m",) * 3, 200, seed=6).low != found.low).any()
    assert np.isnan(measure(grid(values), ("m",) * 3).low).all()


def test_memory_grows_with_scores_and_not_with_pairs_of_metrics() -> None:
    # The paper's experiment: 100 variants, 30 runs, 50 topics.
    common = np.random.default_rng(0).random((30, 50))
    values = common + np.random.default_rng(1).random((100, 30, 50)) / 9
    tracemalloc.start()
    try:
        count_pairs(values)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * values.nbytes

"""Metric unanimity against its definition and the paper's example; ties, intervals, memory."""

import math
import tracemalloc
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Reals
from axiomcheck.runs.trec import ScoreGrid
from axiomcheck.runs.unanimity import TOLERANCE, count_pairs, measure

EXAMPLE = np.array([[[1], [0.5], [0.2]], [[0.8], [0.3], [0.4]], [[1], [0.2], [0.5]]])
"""Section 6.1: three metrics, three systems, one topic."""


def grid(values: Reals) -> ScoreGrid:
    names = tuple(tuple(f"{word}{n}" for n in range(size)) for word, size in zip("mst", values.shape, strict=True))
    return ScoreGrid(*names, values)


def by_definition(values: Reals, metric: int, topic: int) -> tuple[int, float, int]:
    """Return the pairs that all others agree on, those of them that the metric captures, and those that all tie."""
    unanimous, captured, tied = 0, 0.0, 0
    for a, b in permutations(range(values.shape[1]), 2):
        ahead = values[:, a, topic] - values[:, b, topic]
        if (np.delete(ahead, metric) >= 0).all():
            unanimous, captured = unanimous + 1, captured + (1 + np.sign(ahead[metric])) / 2
        tied += not ahead.any()
    return unanimous, captured, tied


def mu_by_definition(pairs: int, unanimous: int, captured: float) -> float:
    """Return MU from probabilities, as the paper has it, half of the pairs being the metric's own; NaN of none."""
    if not unanimous:
        return math.nan
    share = (captured / pairs) / (1 / 2 * (unanimous / pairs))
    return math.log2(share) if share else -math.inf


def all_mu(values: Reals) -> Reals:
    return measure(grid(values), tuple("m" * len(values))).values


SHAPES = st.tuples(st.integers(2, 4), st.integers(2, 4), st.integers(1, 3))


@settings(max_examples=25)
@given(SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(0, 2).map(float))))
def test_counts_and_mu_are_those_of_the_definition(values: Reals) -> None:
    """Few different scores, so that pairs tie and agree; the paper's properties 1, 2 and 4 follow from the counts."""
    metrics, systems, topics = values.shape
    counts, found = count_pairs(values), all_mu(values)
    for metric in range(metrics):
        per_topic = [by_definition(values, metric, topic) for topic in range(topics)]
        columns = (counts.unanimous[metric], counts.captured[metric], counts.tied)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == per_topic
        unanimous, captured, _ = np.sum(per_topic, axis=0)
        expected = mu_by_definition(systems * (systems - 1) * topics, unanimous, captured)
        assert found[metric] == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("apart", "tie"), [(0.9, True), (1.1, False)])
@pytest.mark.parametrize("scale", [1.0, -1e-30, 1e300])
def test_scores_tie_up_to_the_tolerance_whatever_their_size(apart: float, tie: bool, scale: float) -> None:
    values = np.array([[[1.0], [1 - apart * TOLERANCE]], [[1.0], [0.0]]]) * scale
    counts = count_pairs(values)
    assert counts.rounding.tolist() == [2 * tie, 0]
    assert counts.captured[0, 0] == (counts.unanimous[0, 0] / 2 if tie else 1)
    assert count_pairs(np.array([[[1e308], [-1e308]], [[1.0], [0.0]]])).captured.tolist() == [[1], [1]]


@pytest.mark.parametrize("shape", [(1, 3, 2), (3, 1, 2), (3, 2, 0), (3, 3)])
def test_scores_that_cannot_be_compared_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="expected at least two metrics, two systems and one topic"):
        count_pairs(np.zeros(shape))
    with pytest.raises(InvalidInput, match="not a finite number"):
        count_pairs(np.full((2, 2, 2), math.nan))
    for resamples, seed in ((-1, 0), (1, -1)):
        with pytest.raises(InvalidInput, match="expected at least 0 for both"):
            measure(grid(EXAMPLE), ("m",) * 3, resamples, seed)


def test_intervals_are_those_of_topics_drawn_again() -> None:
    rng = np.random.default_rng(1)
    common = rng.random((8, 30))
    values = common + rng.random((3, 8, 30)) / 3
    found = measure(grid(values), ("m",) * 3, 100, seed=5)
    times = np.random.default_rng(5).multinomial(30, np.full(30, 1 / 30), size=100)
    drawn = np.array([all_mu(np.repeat(values, row, axis=2)) for row in times])
    np.testing.assert_allclose(found.low, np.quantile(drawn, 0.025, axis=0, method="inverted_cdf"))
    np.testing.assert_allclose(found.high, np.quantile(drawn, 0.975, axis=0, method="inverted_cdf"))
    np.testing.assert_allclose(found.first, (drawn == drawn.max(axis=1, keepdims=True)).mean(axis=0))
    assert ((found.low < found.values) & (found.values < found.high)).all()
    again = measure(grid(values), ("m",) * 3, 100, seed=5)
    assert (again.low == found.low).all()
    assert (measure(grid(values), ("m",) * 3, 100, seed=6).low != found.low).any()
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

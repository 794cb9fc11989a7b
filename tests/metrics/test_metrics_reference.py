"""The metrics against plain definitions of the formulas, those of `slow_definitions`; folds over all ranks at once.

Rational scores must be equal. The others are sums over logarithms, which the definition computes as balls of 200 bits;
the metric's ball must be narrow and meet it.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck.metrics import CATALOGUE, Metric
from axiomcheck.metrics.fold import Cascade, Filling
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, elementwise, floats_of
from axiomcheck.numbers.discount import Reciprocal
from tests.metrics.slow_definitions import SLOW
from tests.support.metrics_topics import Topic, arrays, knows_aspects, random_topic, variants
from tests.support.suites import few, quality


def check(metric: Metric, topic: Topic) -> None:
    """Raises AssertionError where a metric is not what its definition says."""
    grades, weights, pool = (x[None] for x in arrays(topic))
    with flint.ctx.workprec(200):
        expected = SLOW[metric.name](metric, topic)
    if isinstance(expected, Fraction):
        for a in (Rationals(), Balls()):
            exactly = fmpq(metric.score(a, grades, weights, pool).item())
            due = fmpq(expected.numerator, expected.denominator)
            assert exactly == due, (metric, topic, exactly, due)
    else:
        got = arb(metric.score(Balls(), grades, weights, pool).item())
        assert float(got.rad()) < 1e-11, (metric, topic, got)
        assert got.overlaps(expected), (metric, topic, got, expected)


def topics(metric: Metric, seed: int, number: int) -> Iterator[Topic]:
    rng = np.random.default_rng(seed)
    sizes = [m for m in (1, 2, 3, 4) if knows_aspects(metric, m)]
    for _ in range(number):
        yield random_topic(rng, int(rng.choice(sizes)))


def test_every_catalogue_metric_has_a_definition() -> None:
    assert set(SLOW) == set(CATALOGUE)


@pytest.mark.parametrize("number", [8, pytest.param(24, marks=quality)])
@pytest.mark.parametrize("name", CATALOGUE)
def test_metrics_are_what_their_definitions_say(name: str, number: int) -> None:
    """Each variant on a few topics, and a metric of few variants on more; everyday, of many variants a dozen or two."""
    metrics = list(variants(name, ("default", None, 1, 3)))
    if number == 8:
        metrics = few(metrics, max(1, len(metrics) // 12))
    for i, metric in enumerate(metrics):
        for topic in topics(metric, number + i, -(-number // len(metrics))):
            check(metric, topic)


def test_a_fold_that_takes_its_own_steps_is_scored_by_them() -> None:
    class Half(Cascade):
        def step(self, a: Arithmetic, state: Any, r: Any) -> Any:
            gain, after = super().step(a, state, r)
            return gain / 2, after

    x = np.random.default_rng(30).random((3, 5, 2))
    assert np.array_equal(Half(Reciprocal()).total(Floats(), x), Cascade(Reciprocal()).total(Floats(), x) / 2)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("level", "parts"), [(1, 10), (2, 10), (1, 49), (Fraction(7, 10), 10), (Fraction(1, 3), 30), (3, 100), (2, 2**20)]
)
def test_a_level_that_grades_reach_exactly_is_reached_in_floats(level: Any, parts: int, strict: bool) -> None:
    fold = Filling(Reciprocal(), Fraction(0), Fraction(level), strict)
    counts = np.random.default_rng(parts).integers(0, max(2, parts // 4), (200, 24, 1))
    nearest = np.full((1, 24, 1), int(parts * level) // 24)
    nearest[0, 0] += int(parts * level) - nearest.sum()
    counts = np.concatenate([counts, nearest, np.ones((1, 24, 1), int) * max(1, parts // 10)])
    exact = fold.total(Rationals(), elementwise(lambda k: fmpq(int(k), parts), counts))
    assert np.abs(fold.total(Floats(), counts / parts) - floats_of(exact)).max() < 1e-9

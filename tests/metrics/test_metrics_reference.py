"""The metrics against plain definitions of the formulas, those of `slow_definitions`.

Rational scores must be equal. The others are sums over logarithms, which the definition computes as balls of 200 bits;
the metric's ball must be narrow and meet it.
"""

from collections.abc import Iterator
from fractions import Fraction

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck.metrics import CATALOGUE, Metric, parse
from axiomcheck.numbers.arithmetic import Balls, Floats, Rationals
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


def test_the_greedy_ideal_is_not_optimal() -> None:
    pool = np.zeros((3, 6))
    pool[0, [0, 1, 2, 3]] = pool[1, [0, 1, 4]] = pool[2, [2, 3, 5]] = 1
    weights = np.full(6, 1 / 6)
    for name in ("trec-alpha-nDCG(alpha=1)@2", "alpha-nDCG-greedy(alpha=1)@2"):
        assert parse(name).score(Floats(), pool[[0, 1]], weights, pool) == 1
        assert parse(name).score(Floats(), pool[[1, 2]], weights, pool) == pytest.approx(
            (3 + 3 / np.log2(3)) / (4 + 1 / np.log2(3)), abs=1e-12
        )

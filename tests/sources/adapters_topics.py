"""Random cases for adapters, and the comparison that every adapter has to pass."""

import random
from collections.abc import Sequence

import numpy as np

from axiomcheck import FloatTopic, Metric
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import Case, LibraryMetric


def found(prefix: str, text: str) -> LibraryMetric:
    """The measure of a library."""
    metric = measure(prefix, text)
    assert isinstance(metric, LibraryMetric)
    return metric


def random_cases(metric: LibraryMetric, size: int = 80) -> list[Case]:
    """Topics of 2 to 9 documents, some with nothing relevant, and rankings of part of them, some empty."""
    rng = random.Random(1)
    levels = metric.abilities.levels or 8
    cases: list[Case] = []
    for number in range(size):
        aspects = 1 if metric.single_aspect else rng.randint(1, 4)
        share = 0.0 if number % 8 == 0 else rng.choice((0.3, 0.7))
        names = [f"d{k}" for k in range(1, rng.randint(2, 9) + 1)]
        pool = {
            name: tuple(rng.randint(1, levels) / levels if rng.random() < share else 0.0 for _ in range(aspects))
            for name in names
        }
        rng.shuffle(names)
        ranking = names[: rng.randint(1, len(names))] if number % 9 else []
        cases.append((FloatTopic((1 / aspects,) * aspects, pool), ranking))
    return cases


def assert_same(got: Sequence[float], expected: Sequence[float], tolerance: float = 1e-12) -> None:
    """Both hold one score per case, equal up to the tolerance; and the cases tell rankings apart at all."""
    assert len(got) == len(expected)
    assert len({round(score, 6) for score in expected}) > 1
    for number, (ours, theirs) in enumerate(zip(got, expected, strict=True)):
        assert abs(ours - theirs) <= tolerance, f"case {number}: {ours!r}, expected {theirs!r}"


def catalogue_scores(metric: Metric, cases: Sequence[Case]) -> list[float]:
    """Return what a metric of the catalogue says of the same cases."""
    scores = []
    for topic, ranking in cases:
        names = sorted(topic.pool, reverse=True)  # the order in which ndeval breaks ties within its ideal
        pool = np.array([[topic.pool[name] for name in names]], dtype=np.float64)
        order = np.array([[names.index(name) for name in ranking]], dtype=np.int64)
        scores.append(float(metric.evaluate(pool, np.array([topic.weights]), order)[0]))
    return scores

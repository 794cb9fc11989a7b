"""Random topics, arrays of them, and variants of every catalogue metric, for tests of scores."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.metrics import CATALOGUE, Metric

Rows = list[list[Fraction]]

ALTERNATIVES: dict[str, tuple[Any, ...]] = {
    "T": ("1/2", "7.3"),
    "aggregate": ("max",),
    "alpha": (0, "0.3", 1),
    "beta": ("1/3", 1),
    "e": (0, "0.2"),
    "lambda": (0, "0.3", 1),
    "level": ("0.5", 2),
    "log": ("e", 10, 3),
    "loss": (0, 1),
    "order": ("ratio",),
    "p": ("1/3", 1),
    "q": ("1/3",),
    "strict": (True,),
    "weighted": (True,),
}
"""Values besides the default, by name of parameter, the endpoints among them."""

NEEDS_CUTOFF = {"P", "P-IA", "trec-ERR-IA", "trec-alpha-DCG", "trec-P-IA"}


@dataclass(frozen=True)
class Topic:
    """One ranking of one topic."""

    ranking: Rows
    weights: list[Fraction]
    pool: Rows


def random_topic(rng: np.random.Generator, m: int, longest: int = 7, levels: int = 4) -> Topic:
    """A topic with grades on a grid that holds 0 and 1; its ranking has judged and unjudged documents.

    The ranking may be shorter than the pool, empty, or longer than the cutoffs in use; aspects, and whole
    topics, may have no relevant document.
    """
    size = int(rng.integers(0, longest + 1))
    density = rng.choice([0.15, 0.5, 0.8])
    grades = rng.integers(1, levels + 1, (size, m)) * (rng.random((size, m)) < density)
    grades[:, rng.random(m) < 0.15] = 0
    pool = [[Fraction(int(g), levels) for g in row] for row in grades]
    unjudged = [[Fraction(0)] * m for _ in range(int(rng.integers(0, 3)))]
    documents = pool + unjudged
    order = rng.permutation(len(documents))[: int(rng.integers(0, len(documents) + 1))]
    parts = [int(x) for x in rng.integers(1, 6, m)]
    weights = [Fraction(x, sum(parts)) for x in parts]
    return Topic([documents[i] for i in order], weights, pool)


def exact(rows: Sequence[Any], *shape: int) -> Any:
    """Fractions, nested, as an object array of flint rationals of a shape."""
    out = np.empty(shape, dtype=object)
    flat = list(_leaves(rows))
    out.reshape(-1)[:] = [fmpq(x.numerator, x.denominator) for x in flat]
    return out


def floats(array: Any) -> Any:
    flat = [float(Fraction(int(x.p), int(x.q))) for x in array.reshape(-1)]
    return np.array(flat, dtype=np.float64).reshape(array.shape)


def arrays(topic: Topic) -> tuple[Any, Any, Any]:
    m = len(topic.weights)
    return (
        exact(topic.ranking, len(topic.ranking), m),
        exact(topic.weights, m),
        exact(topic.pool, len(topic.pool), m),
    )


def batch(rng: np.random.Generator, size: int, n: int, depth: int, m: int) -> tuple[Any, Any, Any]:
    """Grades (2, B, n, m), weights (B, m), pool (B, P, m), exactly, P = depth >= n; grades are on thirds."""
    pool = rng.integers(1, 4, (size, depth, m)) * (rng.random((size, depth, m)) < 0.5)
    grades = np.stack([np.stack([p[rng.permutation(depth)[:n]] for p in pool]) for _ in range(2)])
    parts = rng.integers(1, 6, (size, m))
    weights = [[Fraction(int(x), int(row.sum())) for x in row] for row in parts]
    as_thirds = [[Fraction(int(x), 3) for x in array.reshape(-1)] for array in (grades, pool)]
    return (
        exact(as_thirds[0], *grades.shape),
        exact(weights, size, m),
        exact(as_thirds[1], *pool.shape),
    )


def variants(name: str, cutoffs: Sequence[Any] = ("default", None, 3)) -> Iterator[Metric]:
    """A catalogue metric with every combination of default and alternative parameters, and cutoffs."""
    cls = CATALOGUE[name]
    choices = [((), *(((p.name, x),) for x in ALTERNATIVES[p.name])) for p in cls.declared]
    for cutoff, chosen in itertools.product(cutoffs, itertools.product(*choices)):
        given = dict(pair for pairs in chosen for pair in pairs)
        uncut = cutoff is None or (cutoff == "default" and cls.default_cutoff is None)
        if uncut and (name in NEEDS_CUTOFF or given.get("p") == 1 or given.get("beta") == 1):
            continue
        if name == "P@H-walk" and given.get("p") == 1:
            continue  # p + q < 1
        yield cls(cutoff, **given)


def knows_aspects(metric: Metric, m: int) -> bool:
    return m == 1 or metric.applies_to_aspects()


def _leaves(rows: Any) -> Iterator[Fraction]:
    if isinstance(rows, Fraction):
        yield rows
    else:
        for row in rows:
            yield from _leaves(row)

"""Build patterns: instances of rare kinds on which some metrics are known to violate axioms.

Patterns have long rankings, many aspects or many unranked documents. Their grades are tied or lie in a narrow range,
near 1 or near 0. Their weights are far apart or nearly equal. Random instances rarely have these properties (see
docs/explanation/sensitivity.md). Each size is combined a few times with each kind of grades, and the drafts are then
repaired to meet the premises.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.limits import LONGEST_RANKING, MOST_ASPECTS, MOST_UNRANKED
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.sampling import MOST_SAMPLED_ASPECTS, generator
from axiomcheck.decide.space import InstanceSpace, instance_keys

_SIZES = (
    (2, 1, 0),
    (5, 2, 1),
    (23, 1, 0),
    (LONGEST_RANKING, 1, 0),
    (30, 2, 2),
    (5, MOST_SAMPLED_ASPECTS, 1),
    (4, 5, 2),
    (3, 1, MOST_UNRANKED),
    (4, MOST_ASPECTS, 1),
)
"""Sizes of patterns as (ranked documents, aspects, unranked documents)."""

_EACH = 3
_STEPS = {False: 2.0**-20, True: 2.0**-31}
"""Smallest difference between grades, and smallest relative difference between weights, for metrics with exact scores
(True) and for other metrics (False)."""

_CENTRES = (0.01, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.9, 0.99)


@lru_cache(maxsize=256)
def pattern_batches(space: InstanceSpace, exact: bool, examples: int) -> tuple[Batch, ...]:
    """Return the patterns that a search tests, in one batch per size, without duplicates.

    The patterns do not depend on the seed of the search.

    Args:
        space: Space of the instances.
        exact: True if the scores are exact. Otherwise, grades differ by more, so that float scores show the difference.
        examples: Number of random instances in the search. At most a quarter as many patterns are returned.

    """
    axiom = space.axiom
    rng = generator("patterns", axiom.name, space.domain.value, space.small)
    most = -(-examples // (4 * len(_SIZES)))
    shapes = dict.fromkeys(_shape(axiom, *size) for size in _SIZES[:examples])
    batches = [space.repaired(_draft(space, _STEPS[exact], shape, rng)) for shape in shapes]
    different = [np.unique(instance_keys(batch, space.support_only), return_index=True)[1] for batch in batches]
    kept = [batch.pick(np.sort(rows)[:most]) for batch, rows in zip(batches, different, strict=True)]
    return tuple(batch for batch in kept if batch.size)


def _shape(axiom: PairAxiom, ranked: int, aspects: int, besides: int) -> Shape:
    n, m = max(ranked, axiom.min_ranked), max(aspects, axiom.min_aspects)
    return Shape(n + len(axiom.incoming) + besides, min(m, axiom.max_aspects or m), n)


def _draft(space: InstanceSpace, step: float, shape: Shape, rng: np.random.Generator) -> Draft:
    n, m = shape.ranked, shape.aspects
    grades, weights = _grades(shape, step, rng), _weights(m, step, rng)
    count = len(grades)
    first, second = rng.integers(0, n, (2, count))
    last = np.arange(count) % 2 == 1  # half of the drafts have their positions at the end of the ranking
    t = rng.integers(0, m, count)
    return Draft(
        shape=shape,
        grades=grades.transpose(1, 2, 0).copy().transpose(2, 0, 1),
        weights=weights[np.arange(count) % len(weights)],
        top=grades.max(axis=(1, 2)) if space.binary and not space.small else np.ones(count),
        i=np.where(last, max(0, n - 2), first),
        j=np.where(last, n - 1, second),
        t=t,
        u=(t + 1) % m,
        binary=space.binary,
    )


def _grades(shape: Shape, step: float, rng: np.random.Generator) -> Reals:
    """Return (B, documents, m) grades for `_EACH` drafts of every kind. About a third of the grades are 0."""
    size = (_EACH, shape.documents, shape.aspects)
    kinds = [
        1 - step * rng.integers(0, 4, size),
        step * rng.integers(1, 4, size),
        np.broadcast_to(rng.choice([0.5, 1.0], (_EACH, 1, 1)), size),
        *(np.rint(centre / step) * step + step * rng.integers(-2, 3, size) for centre in _CENTRES),
    ]
    grades = np.concatenate(kinds)
    positive = rng.random(grades.shape) >= 1 / 3
    positive[:, 0, 0] = True
    return np.where(positive, grades, 0.0)


def _weights(aspects: int, step: float, rng: np.random.Generator) -> Integers:
    """Return three rows of m weights: equal weights, one that is far larger than the others, and nearly equal ones."""
    far = np.where(np.arange(aspects) == rng.integers(aspects), 10**6, 1)
    near = round(1 / step) + rng.integers(-1, 2, aspects)
    return np.array([np.ones(aspects), far, near], dtype=np.int64)

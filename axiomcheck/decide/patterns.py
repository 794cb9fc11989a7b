"""Instances of kinds on which metrics are known to go wrong and random ones are rare.

Deep ranks, many aspects and deep pools; grades in a narrow window, next to 1, next to nothing, or tied; weights that
are far apart or nearly equal: what docs/explanation/sensitivity.md says a search is slow to find. Each size comes with
each kind of grades a few times, repaired to meet the premises.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.domain import Domain
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.decide.batch import compile_batch
from axiomcheck.decide.given import recorded
from axiomcheck.decide.sampling import LONGEST, MOST_ASPECTS, generator
from axiomcheck.records.drafts import DraftRecord

_SIZES = ((2, 1, 0), (5, 2, 1), (23, 1, 0), (LONGEST, 1, 0), (30, 2, 2), (5, MOST_ASPECTS, 1), (4, 5, 2), (3, 1, 32))
"""(ranked documents, aspects, documents besides)."""

_EACH = 3
_STEP = 2.0**-20
_CENTRES = (0.01, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.9, 0.99)


def patterns(axiom: PairAxiom, domain: Domain, small: bool) -> Iterator[DraftRecord]:
    """The instances of an axiom, the same each time.

    Args:
        axiom: whose premises they meet.
        domain: graded or binary.
        small: whether r << 1 is assumed.

    """
    rng = generator("patterns", axiom.name, domain.value, small)
    binary = axiom.domain_of(domain) is Domain.BINARY
    for ranked, aspects, besides in _SIZES:
        m = min(max(aspects, axiom.min_aspects), axiom.max_aspects or aspects)
        n = max(ranked, axiom.min_ranked)
        shape = Shape(n + len(axiom.incoming) + besides, m, n)
        grades, weights = _grades(shape, rng), _weights(m, rng)
        size = len(grades)
        first, second = rng.integers(0, n, (2, size))
        last = np.arange(size) % 2 == 1  # at the end of a ranking as often as anywhere
        t = rng.integers(0, m, size)
        draft = Draft(
            shape=shape,
            grades=grades.transpose(1, 2, 0).copy().transpose(2, 0, 1),
            weights=weights[np.arange(size) % len(weights)],
            top=grades.max(axis=(1, 2)) if binary and not small else np.ones(size),
            i=np.where(last, max(0, n - 2), first),
            j=np.where(last, n - 1, second),
            t=t,
            u=(t + 1) % m,
            binary=binary,
        )
        axiom.repair(draft)
        yield from recorded(compile_batch(axiom, draft, small, None).draft)


def _grades(shape: Shape, rng: np.random.Generator) -> Reals:
    """(B, documents, m) grades above 0, but for a third of them, of `_EACH` drafts of every kind."""
    size = (_EACH, shape.documents, shape.aspects)
    kinds = [
        1 - _STEP * rng.integers(0, 4, size),
        _STEP * rng.integers(1, 4, size),
        np.broadcast_to(rng.choice([0.5, 1.0], (_EACH, 1, 1)), size),
        *(np.rint(centre / _STEP) * _STEP + _STEP * rng.integers(-2, 3, size) for centre in _CENTRES),
    ]
    grades = np.concatenate(kinds)
    positive = rng.random(grades.shape) >= 1 / 3
    positive[:, 0, 0] = True
    return np.where(positive, grades, 0.0)


def _weights(aspects: int, rng: np.random.Generator) -> Integers:
    """(k, m) weights: equal, far apart, nearly equal."""
    far = np.where(np.arange(aspects) == rng.integers(aspects), 10**6, 1)
    near = 10**6 + rng.integers(-1, 2, aspects)
    return np.array([np.ones(aspects), far, near], dtype=np.int64)

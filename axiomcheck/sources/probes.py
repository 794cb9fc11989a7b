"""Generate topics and rankings for the checks, smallest first, and write scored cases as counterexamples in JSON."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axiomcheck.core.limits import LONGEST_RANKING, MOST_ASPECTS, MOST_UNRANKED
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.metrics.base import Metric

LONGEST = 50
"""Largest cutoff for which longer rankings are generated. The below-cutoff check also tests this many ranks one by
one."""


@dataclass(frozen=True)
class CaseBlock:
    """B rankings of the same shape, each for its own topic.

    Args:
        pool: (B, P, m) grades of all judged documents.
        weights: (B, m) weights, summing to 1.
        order: (B, n) rows of the pool, best rank first.
        names: Names of the P documents. The default is d1, d2, ...

    """

    pool: Reals
    weights: Reals
    order: Integers
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.names:
            object.__setattr__(self, "names", tuple(f"d{k}" for k in range(1, self.pool.shape[1] + 1)))

    @property
    def size(self) -> int:
        """Number of rankings, B."""
        return int(self.pool.shape[0])

    @property
    def ranked(self) -> int:
        """Number of ranked documents, n."""
        return int(self.order.shape[1])

    @property
    def documents(self) -> int:
        """Number of judged documents, P."""
        return int(self.pool.shape[1])

    @property
    def aspects(self) -> int:
        """Number of aspects, m."""
        return int(self.pool.shape[2])

    def rows(self, index: Array) -> CaseBlock:
        """Select rankings by an index array, mask or slice."""
        return replace(self, pool=self.pool[index], weights=self.weights[index], order=self.order[index])

    @property
    def grades(self) -> Array:
        """(B, n, m) grades in rank order."""
        return np.take_along_axis(self.pool, self.order[:, :, None], axis=1)

    def reordered(self, order: Integers) -> CaseBlock:
        """Return a block of the same topics with other rankings: (B, n') rows of the pool, best rank first."""
        return replace(self, order=order)

    def alike(self, order: Sequence[int]) -> CaseBlock:
        """Return a block of the same topics, each with the same ranking: n' rows of the pool, best rank first."""
        return self.reordered(np.tile(np.array(order, dtype=np.intp), (self.size, 1)))

    def cut(self, length: int | None) -> CaseBlock:
        """Return a block of the same topics with the first `length` ranks of each ranking, or all ranks for None."""
        return self.reordered(self.order[:, :length])

    def followed(self, more: Integers) -> CaseBlock:
        """Return a block of the same topics with (B, k) further rows of the pool at the end of each ranking."""
        return self.reordered(np.concatenate([self.order, more], axis=1))

    def changed_below(self, rank: int, rng: np.random.Generator) -> CaseBlock:
        """Keep the first ranks of each ranking, and fill the others with random documents from the rest of the pool."""
        rest = np.concatenate([self.order[:, rank:], self.outside()], axis=1)
        others = np.take_along_axis(rest, np.argsort(rng.random(rest.shape), axis=1), axis=1)
        return self.cut(rank).followed(others[:, : self.ranked - rank])

    @property
    def equally_weighted(self) -> CaseBlock:
        """Same topics and rankings, with equal weights for all aspects."""
        return replace(self, weights=np.full(self.weights.shape, 1 / self.aspects))

    def outside(self) -> Integers:
        """Return the (B, P - n) rows of the pool that each ranking omits, in the pool's order."""
        inside = np.zeros(self.pool.shape[:2], dtype=bool)
        np.put_along_axis(inside, self.order, True, axis=1)
        return np.argsort(inside, axis=1, kind="stable")[:, : self.documents - self.ranked]

    @property
    def completed(self) -> CaseBlock:
        """Same topics, with each ranking followed by the documents that it omits."""
        return self.followed(self.outside())

    def ranking(self, row: int) -> list[str]:
        """Return the document names of one ranking."""
        return [self.names[k] for k in self.order[row].tolist()]

    def topic(self, row: int) -> dict[str, tuple[float, ...]]:
        """Map the document names of one topic to grades."""
        return dict(zip(self.names, map(tuple, self.pool[row].tolist()), strict=True))


def listed(pool: Reals, ranked: int | None = None) -> CaseBlock:
    """Return topics with equally weighted aspects, each ranked in the order of its pool.

    Args:
        pool: (B, P, m) grades.
        ranked: Number of ranked documents; None for all.

    """
    size, documents, aspects = pool.shape
    order = np.tile(np.arange(documents if ranked is None else ranked), (size, 1))
    return CaseBlock(pool, np.full((size, aspects), 1 / aspects), order)


@dataclass(frozen=True)
class CaseRange:
    """Limits on the generated cases.

    Args:
        binary: True if there are only two grades: 0 and one positive grade.
        levels: Number of positive grades, which are multiples of 1/levels. None for any grades.
        aspects: True if cases may have several aspects.
        weights: True if the weights of aspects may differ.
        cutoffs: Cutoffs that some rankings should exceed.
        share: Number of cases per shape: 120, or fewer for a metric that is slow to call.

    """

    binary: bool
    levels: int | None
    aspects: bool
    weights: bool
    cutoffs: tuple[int, ...]
    share: int

    @classmethod
    def of(cls, *metrics: Metric) -> CaseRange:
        """Return limits for cases that all of the given metrics accept."""
        levels = [m.abilities.levels for m in metrics if m.abilities.levels is not None]
        return cls(
            binary=any(m.binary_only for m in metrics),
            levels=math.gcd(*levels) if levels else None,
            aspects=all(m.applies_to_aspects() for m in metrics),
            weights=all(m.abilities.weights for m in metrics),
            cutoffs=tuple(sorted({m.cutoff for m in metrics if m.cutoff is not None})),
            share=min(120 if m.most_examples is None else min(40, max(5, m.most_examples // 100)) for m in metrics),
        )

    @property
    def grid(self) -> tuple[float, ...]:
        """Grades that occur in small cases."""
        return (0.0, 1.0) if self.binary or self.levels == 1 else (0.0, 0.5, 1.0)

    def grades(self, rng: np.random.Generator, shape: tuple[int, int, int]) -> Reals:
        """Draw random grades of shape (B, P, m), about half of which are 0."""
        levels = 4 if self.levels is None else self.levels
        grades = rng.integers(1, levels + 1, shape) / levels
        if self.binary:
            grades = np.broadcast_to(grades[:, :1, :1], shape)
        elif self.levels is None:
            grades = np.where(rng.random((shape[0], 1, 1)) < 0.5, grades, np.round(rng.random(shape), 2))
        density = rng.choice([0.25, 0.5, 0.8], (shape[0], 1, 1))
        return np.where(rng.random(shape) < density, grades, 0.0)

    def shares(self, rng: np.random.Generator, size: int, aspects: int) -> Reals:
        """Draw weights (B, m) that sum to 1, equal in about half of the topics, or in all if `weights` is False."""
        parts = rng.integers(1, 5, (size, aspects)).astype(np.float64)
        if self.weights:
            equal = rng.random(size) < 0.5
            parts = np.maximum(1, np.floor(10 * parts / parts.sum(axis=1, keepdims=True)))
            parts[:, 0] += np.maximum(0, 10 - parts.sum(axis=1))
            parts[equal] = 1
        else:
            parts[:] = 1
        shares: Reals = parts / parts.sum(axis=1, keepdims=True)
        return shares


def random_block(
    scale: CaseRange, rng: np.random.Generator, size: int, documents: int, ranked: int, aspects: int
) -> CaseBlock:
    """Draw random rankings of one shape. Every topic has a relevant document."""
    pool = scale.grades(rng, (size, documents, aspects))
    barren = ~pool.any(axis=(1, 2))
    pool[barren, 0, 0] = 1.0
    order = np.argsort(rng.random((size, documents)), axis=1)[:, :ranked]
    return CaseBlock(pool, scale.shares(rng, size, aspects), order)


def _small_block(scale: CaseRange, rng: np.random.Generator, documents: int, ranked: int, aspects: int) -> CaseBlock:
    """Return all pools over the grid that have a relevant document, or a sample of them.

    The first `ranked` documents of each pool are ranked.
    """
    cells = documents * aspects
    every = np.array(list(itertools.product(scale.grid, repeat=cells)))[1:].reshape(-1, documents, aspects)
    if len(every) > scale.share:
        every = every[np.sort(rng.choice(len(every), scale.share, replace=False))]
    return replace(listed(every, ranked), weights=scale.shares(rng, len(every), aspects))


def every_ranking(scale: CaseRange) -> list[CaseBlock]:
    """Return all rankings of pools with up to four documents and four aspects, with grades on a coarse grid.

    Small pools come first. A pool is repeated for each assignment of names and positions to its documents, because a
    greedily built ideal ranking depends on its tie-breaking. Pools with more than four grades have only two distinct
    grades.

    A slow metric gets pools of up to three documents, and a very slow one pools of up to two. For both, pools that
    differ only in the order of aspects are used once, there are no pools with three aspects, and pools with four
    aspects are ranked as a whole.
    """
    slow, very_slow = scale.share <= 40, scale.share < 10
    shapes = [(1, 1), (2, 1), (3, 1), (4, 1)]
    if scale.aspects:
        shapes += [(1, 2), (2, 2), (3, 2), (4, 2), (1, 3), (2, 3), (3, 3), (3, 4)]
    blocks = []
    for documents, m in shapes:
        if documents > (2 if very_slow else 3 if slow else 4) or (slow and m == 3):
            continue
        grid = scale.grid if documents * m <= 4 else (scale.grid[0], scale.grid[-1])
        every = np.array(list(itertools.product(grid, repeat=documents * m))).reshape(-1, documents, m)
        every = every[every.any(axis=(1, 2))]
        if slow:
            every = np.array(
                [pool for pool in every.tolist() if sorted(columns := [*zip(*pool, strict=True)]) == columns]
            )
        for ranked in range(documents if slow and m > 2 else 1, documents + 1):
            orders = np.array(list(itertools.permutations(range(documents), ranked)), dtype=np.intp)
            topics = listed(np.repeat(every, len(orders), axis=0))
            blocks.append(topics.reordered(np.tile(orders, (len(every), 1))))
    return sorted(blocks, key=lambda b: (b.documents, b.aspects, b.ranked))


_WIDE = (
    *((3, m, 1) for m in range(5, MOST_ASPECTS + 1)),
    *((5, 1, MOST_UNRANKED), (4, 3, MOST_UNRANKED), (17, 1, 2), (20, 4, 3), (30, 2, 8)),
    *((LONGEST_RANKING, 1, 0), (LONGEST_RANKING, 3, 2)),
)
"""Sizes of cases as (ranked documents, aspects, unranked documents), up to the largest sizes of the searches."""

_EACH = 8


def wide_blocks(scale: CaseRange, rng: np.random.Generator) -> list[CaseBlock]:
    """Return a few cases of every size that the searches draw, with grades of all magnitudes.

    They refute properties that hold only in small cases. No search sees more aspects, longer rankings or larger
    pools.
    """
    rows = min(_EACH, -(-scale.share // 2))
    blocks = []
    for ranked, aspects, unranked in _WIDE:
        if aspects == 1 or scale.aspects:
            block = random_block(scale, rng, rows, ranked + unranked, ranked, aspects)
            blocks.append(replace(block, pool=_of_all_magnitudes(scale, rng, block.pool)))
    return blocks


def with_aspects(scale: CaseRange, rng: np.random.Generator, block: CaseBlock, more: int) -> CaseBlock:
    """Return a block's rankings with `more` further aspects, on which grades are random, and with random weights."""
    others = _of_all_magnitudes(scale, rng, scale.grades(rng, (block.size, block.documents, more)))
    pool = np.concatenate([block.pool, others], axis=2)
    return replace(block, pool=pool, weights=scale.shares(rng, block.size, block.aspects + more))


def _of_all_magnitudes(scale: CaseRange, rng: np.random.Generator, pool: Reals) -> Reals:
    """Make the positive grades of pools (B, P, m) tiny in a third of the topics, and almost 1 in another third.

    Pools are returned unchanged if only multiples of 1/levels are allowed.
    """
    if scale.levels is not None:
        return pool
    exponents = rng.integers(1, 21, (*pool.shape[:1], 1, 1) if scale.binary else pool.shape)
    kind = np.arange(len(pool))[:, None, None] % 3
    fine = np.where(kind == 1, 2.0**-exponents, np.where(kind == 2, 1 - 2.0**-exponents, pool))
    return np.where(pool > 0, fine, 0.0)


def blocks_of(scale: CaseRange, rng: np.random.Generator, aspects: Sequence[int] | None = None) -> list[CaseBlock]:
    """Return the cases of most checks, smallest first.

    Each topic has a relevant document, and each ranking has a document.

    Args:
        scale: Limits on the cases.
        rng: Source of randomness.
        aspects: Numbers of aspects. The default is 1 to 4 if the scale allows several aspects, else 1, and adds cases
            of every size that the searches draw.

    """
    wide = wide_blocks(scale, rng) if aspects is None else []
    if aspects is None:
        aspects = (1, 2, 3, 4) if scale.aspects else (1,)
    blocks = [
        _small_block(scale, rng, documents, ranked, m)
        for documents in (1, 2, 3)
        for ranked in range(1, documents + 1)
        for m in aspects
        if m <= 2
    ]
    shapes = [(5, 3), (8, 6), (12, 9), *((k + 3, k + 2) for k in scale.cutoffs if k <= LONGEST)]
    blocks += [random_block(scale, rng, scale.share, documents, n, m) for documents, n in shapes for m in aspects]
    return sorted([*blocks, *wide], key=lambda b: (b.ranked, b.documents, b.aspects))


def plain(value: Any) -> Any:
    """Convert numbers, arrays and mappings to JSON values. NaN and infinities become strings."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def topic_as_json(block: CaseBlock, row: int) -> dict[str, Any]:
    """Return the weights and the pool of one topic as JSON."""
    return {"weights": block.weights[row].tolist(), "pool": plain(block.topic(row))}


def counterexample(*cases: tuple[CaseBlock, int, float | None]) -> dict[str, Any]:
    """Convert scored cases to a counterexample in JSON.

    Args:
        cases: Tuples (block, row, score). The score is None if the metric raised an exception.

    """
    topics = [topic_as_json(block, row) for block, row, _ in cases]
    topic = {"topic": topics[0]} if all(t == topics[0] for t in topics) else {"topics": topics}
    rankings = [block.ranking(row) for block, row, _ in cases]
    return {**topic, "rankings": rankings, "scores": [plain(score) for _, _, score in cases]}

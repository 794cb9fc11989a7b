"""Generate the rankings on which a metric is compared with definitions: all small ones, and random larger ones.

Definitions score rankings of one aspect in padded arrays, as sums of the contributions of their ranks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from axiomcheck.core.limits import SINGLE_ROUNDING
from axiomcheck.core.typing import Array, Integers, Mask, Reals
from axiomcheck.sources.probes import CaseBlock, CaseRange, every_ranking, listed, random_block
from axiomcheck.trials.subject import Subject


class Rankings:
    """B rankings of one aspect, each for its own topic, padded with grade 0.

    Args:
        grades: (B, n) grades in [0, 1] in rank order; 0 beyond the end of a ranking.
        lengths: (B,) numbers of ranked documents.
        pool: (B, P) grades of all judged documents; 0 beyond the last one.
        judged: (B,) numbers of judged documents.
        levels: Highest judgment, an integer. A judgment is a grade times this number.

    """

    def __init__(self, grades: Reals, lengths: Integers, pool: Reals, judged: Integers, levels: int) -> None:
        self.grades, self.lengths, self.pool, self.judged, self.levels = grades, lengths, pool, judged, levels
        self.ranks = np.arange(1, grades.shape[1] + 1, dtype=np.float64)
        self._sums: dict[Contribution, Reals] = {}
        self._first: dict[int, Rankings] = {}

    @cached_property
    def relevant(self) -> Array:
        """(B,) numbers R of relevant documents, that is, judged documents with a positive grade."""
        return (self.pool > 0).sum(axis=1).astype(np.float64)

    @cached_property
    def ideal(self) -> Rankings:
        """Rankings of all judged documents in descending order of grade."""
        return Rankings(-np.sort(-self.pool, axis=1), self.judged, self.pool, self.judged, self.levels)

    @cached_property
    def reordered(self) -> Rankings:
        """Rankings of the retrieved documents in descending order of grade."""
        return Rankings(-np.sort(-self.grades, axis=1), self.lengths, self.pool, self.judged, self.levels)

    def first(self, cutoff: int) -> Rankings:
        """Return the rankings without the documents below the rank `cutoff`."""
        if cutoff not in self._first:
            lengths = np.minimum(self.lengths, cutoff)
            self._first[cutoff] = Rankings(self.grades[:, :cutoff], lengths, self.pool, self.judged, self.levels)
        return self._first[cutoff]

    def rows(self, index: Array) -> Rankings:
        """Select rankings by an index array, mask or slice."""
        return Rankings(self.grades[index], self.lengths[index], self.pool[index], self.judged[index], self.levels)

    def totals(self, amounts: Contribution, ends: Integers | int | None) -> Reals:
        """Return the (B,) sums of contributions.

        Args:
            amounts: Function that returns the (B, n) contributions of the ranks.
            ends: Last rank of the sum, for all rankings or for each ranking; None for all ranks.

        """
        if amounts not in self._sums:
            start = np.zeros((len(self.grades), 1))
            self._sums[amounts] = np.concatenate([start, np.cumsum(amounts(self), axis=1)], axis=1)
        sums = self._sums[amounts]
        last = sums.shape[1] - 1
        if ends is None or isinstance(ends, int):
            total: Reals = sums[:, last if ends is None else min(ends, last)]
        else:
            total = np.take_along_axis(sums, np.minimum(ends, last)[:, None], axis=1)[:, 0]
        return total


Contribution: TypeAlias = Callable[[Rankings], Array]
"""Function of rankings that returns the (B, n) contributions of the ranks, which are 0 for documents of grade 0."""


DEEPEST = 130
"""Length of the longest ranking that is scored. A larger cutoff cannot be distinguished from no cutoff."""

CUTOFFS = (None, 1, 2, 3, 5, 10, 15, 20, 25, 30, 50, 100)
"""Cutoffs that are tried in addition to the metric's own."""

FEW = 4
"""Number of distinct scores that may agree by chance."""

_SHAPES = ((6, 6), (6, 3), (12, 12), (12, 7), (25, 22), (25, 8), (60, 55), (DEEPEST, DEEPEST))
"""Numbers of judged and ranked documents in the random topics."""

_BARREN = ((1, 1), (3, 2), (12, 11))
"""Numbers of judged and ranked documents in the topics without a relevant document."""

_SEVERAL = ((2, 2), (3, 2), (4, 4), (6, 5), (12, 12), (25, 22), (60, 55))
"""Numbers of judged and ranked documents in the topics with several aspects."""

_COUNTERED = 12
"""Length up to which rankings of every length are scored, so that every grade occurs at every rank."""

_LONGER = (*range(_COUNTERED + 1, 32), 50, 51, 100, 101)
"""Lengths of longer rankings that distinguish conditions on the length."""

_WIDE = 12
"""Rankings with more documents than this are padded separately, because most rankings have fewer."""


@dataclass(frozen=True)
class Scored:
    """Rankings that a metric scored.

    Args:
        rankings: The rankings in padded arrays.
        scores: (B,) scores of the metric; NaN where it raises an exception.
        places: (B, 2) block and row of each ranking.
        shares: (B,) weights of the rankings in the share of agreeing scores; each block has a total weight of 1 or 0.

    """

    rankings: Rankings
    scores: Reals
    places: Integers
    shares: Reals


def one_aspect(subject: Subject) -> list[CaseBlock]:
    """Return one-aspect cases: all rankings of small pools, topics without a relevant document, and random topics."""
    scale = replace(CaseRange.of(subject.metric), aspects=False)
    rng = subject.rng("definitions")
    blocks = every_ranking(scale)
    for documents, ranked in _BARREN:
        blocks.append(listed(np.zeros((2, documents, 1)), ranked))
    size = min(scale.share, 30)
    for documents, ranked in _SHAPES:
        pool = scale.grades(rng, (size, documents, 1))
        pool *= rng.random(pool.shape) < rng.choice([0.1, 0.5, 1.0], (size, 1, 1))
        order = np.argsort(rng.random((size, documents)), axis=1)[:, :ranked]
        blocks.append(listed(pool).reordered(order))
    blocks.append(single_hits(1, scale.share))
    if scale.binary:  # positive grades are all 1 for a metric that only tests whether a grade is positive
        blocks = [replace(block, pool=(block.pool > 0).astype(np.float64)) for block in blocks]
    return blocks


def counter_rankings(subject: Subject) -> list[CaseBlock]:
    """Return rankings that reveal under which condition the metric's scores differ from a definition.

    They have every length up to 31 and some larger lengths, zero to nine unretrieved documents, and binary or other
    grades. One ranking with relevant documents and one without get every grade at every rank in turn. Rankings of three
    documents get all combinations of grades. A slow metric gets fewer rankings.
    """
    scale = replace(CaseRange.of(subject.metric), aspects=False)
    rng = subject.rng("counter-rankings of definitions")
    slow = scale.share < 20
    lengths = (2, 5, 9, 11, 16) if slow else (*range(1, _COUNTERED + 1), *_LONGER)
    blocks = []
    for ranked, further in itertools.product(lengths, (0,) if slow else (0, 1, 9)):
        size = 2 if slow or ranked > _COUNTERED else 4
        block = random_block(scale, rng, size, ranked + further, ranked, 1)
        halves = np.arange(size)[:, None, None] % 2 == 0
        blocks.append(replace(block, pool=np.where(halves, block.pool, (block.pool > 0).astype(np.float64))))
    if not slow:
        grades = np.array(scale.grid if scale.binary or scale.levels else (0.0, 0.25, 0.5, 0.75, 1.0))
        mixed = np.tile(scale.grades(rng, (1, _COUNTERED, 1)), (_COUNTERED * len(grades), 1, 1))
        barren = np.zeros_like(mixed)
        ranks = np.repeat(np.arange(_COUNTERED), len(grades))
        mixed[np.arange(len(ranks)), ranks, 0] = barren[np.arange(len(ranks)), ranks, 0] = np.tile(grades, _COUNTERED)
        combined = np.array(list(itertools.product(grades, repeat=3)))[:, :, None]
        blocks += map(listed, (mixed, barren, combined))
    if scale.binary:
        blocks = [replace(block, pool=(block.pool > 0).astype(np.float64)) for block in blocks]
    return blocks


def single_hits(aspects: int, share: int) -> CaseBlock:
    """Return rankings with a single relevant document, on the first aspect, at each rank down to the deepest.

    These rankings distinguish all cutoffs. For a slow metric, only the ranks next to usual cutoffs are returned.
    """
    usual = [rank for k in CUTOFFS if k is not None for rank in (k, k + 1)]
    ranks = np.array(range(1, DEEPEST + 1) if share > 20 else usual) - 1
    pool = np.zeros((len(ranks), DEEPEST, aspects))
    pool[:, 0, 0] = 1.0
    block = listed(pool)
    block.order[np.arange(len(ranks)), ranks], block.order[:, 0] = 0, ranks
    return block


def deepest_hit(block: CaseBlock, scores: Reals, rounding: float = 0.0) -> int | None:
    """Return the last rank at which a single relevant document changes the score, or None if no rank does.

    Args:
        block: Rankings of `single_hits`.
        scores: Scores of these rankings. The relevant document of the last one must be too deep to count.
        rounding: Largest difference at which two scores count as equal.

    """
    ranks = np.argmax(block.order == 0, axis=1) + 1
    earns = ~equal(scores, scores[-1], rounding)
    return int(ranks[earns].max()) if earns.any() and np.isfinite(scores).all() else None


def persistence(block: CaseBlock, scores: Reals) -> float | None:
    """Return the p of RBP that fits the scores of `single_hits` at ranks 1 to 3, or None if there is none."""
    ranks = np.argmax(block.order == 0, axis=1) + 1
    first, second, third = (float(scores[ranks == rank][0]) for rank in (1, 2, 3))
    if not (0 < second < first < math.inf and math.isclose(third / second, second / first, rel_tol=1e-2)):
        return None
    p = second / first
    return round(p, 2) if abs(p - round(p, 2)) < 5e-4 else p  # scores may be rounded


def several_aspects(subject: Subject) -> list[CaseBlock]:
    """Return rankings for comparing definitions for several aspects: random ones and single hits."""
    scale, rng = CaseRange.of(subject.metric), subject.rng("definitions of several aspects")
    size = min(scale.share, 20)
    blocks = [random_block(scale, rng, size, *shape, aspects) for shape in _SEVERAL for aspects in (1, 2, 3)]
    blocks = [block if block.documents <= _WIDE else _sparse(block, rng) for block in blocks]
    return [*blocks, single_hits(2, scale.share)]


def _sparse(block: CaseBlock, rng: np.random.Generator) -> CaseBlock:
    """Return the block with few relevant documents in every second ranking, so that deep ranks matter."""
    kept = rng.random(block.pool.shape) < np.where(np.arange(block.size) % 2, 0.08, 1.0)[:, None, None]
    return replace(block, pool=block.pool * kept)


def padded(
    blocks: Sequence[CaseBlock], scores: Sequence[Reals], levels: int, counted: int | None = None
) -> list[Scored]:
    """Put scored rankings into padded arrays: one for topics with few judged documents, and one for larger topics.

    Args:
        blocks: Rankings with one aspect.
        scores: Scores of each block.
        levels: Highest judgment.
        counted: Number of blocks, from the first, that count towards the share of agreeing scores; None for all.

    """
    counted = len(blocks) if counted is None else counted
    found = []
    for wide in (False, True):
        chosen = [k for k, block in enumerate(blocks) if (block.documents > _WIDE) is wide]
        parts = [(k, blocks[k]) for k in chosen if blocks[k].size]
        if not parts:
            continue
        width = max(block.documents for _, block in parts)
        rankings = Rankings(
            np.concatenate([_widened(block.grades[:, :, 0], width) for _, block in parts]),
            np.concatenate([np.full(block.size, block.ranked) for _, block in parts]),
            np.concatenate([_widened(block.pool[:, :, 0], width) for _, block in parts]),
            np.concatenate([np.full(block.size, block.documents) for _, block in parts]),
            levels,
        )
        places = np.array([(k, row) for k, block in parts for row in range(block.size)])
        shares = np.concatenate([np.full(block.size, (k < counted) / block.size) for k, block in parts])
        found.append(Scored(rankings, np.concatenate([scores[k] for k, _ in parts]), places, shares))
    return found


def rankings_of(block: CaseBlock, levels: int) -> Rankings:
    """Convert a block with one aspect to `Rankings`."""
    lengths, judged = np.full(block.size, block.ranked), np.full(block.size, block.documents)
    return Rankings(block.grades[:, :, 0], lengths, block.pool[:, :, 0], judged, levels)


def _widened(grades: Reals, width: int) -> Reals:
    return np.pad(grades, ((0, 0), (0, width - grades.shape[1])))


def rounding_seen(scores: Reals) -> float:
    """Guess the rounding of scores from their digits (2 to 6 decimals, or single precision); 1e-9 if not rounded.

    Decimals are counted only if there are enough distinct scores, because 0 and 1, for example, are not rounded.
    """
    scores = scores[np.isfinite(scores)]
    with np.errstate(over="ignore", invalid="ignore"):  # scores too large to be rounded, or for single precision
        for digits in (2, 3, 4, 5, 6) if len(np.unique(scores)) > FEW else ():
            if np.abs(scores - np.round(scores, digits)).max(initial=0.0) < 1e-12:
                return 0.51 * 10.0**-digits
        is_single = bool((scores == scores.astype(np.float32)).all())
    return SINGLE_ROUNDING if is_single else 1e-9


def equal(ours: Reals, theirs: Reals, rounding: float) -> Mask:
    """Return a mask of the scores with abs(ours - theirs) <= rounding * max(1, abs(theirs)).

    If ``rounding`` is at most 1e-9, 1e-4 takes the place of the 1.
    """
    least = 1e-4 if rounding <= 1e-9 else 1.0
    with np.errstate(invalid="ignore"):  # infinity minus infinity
        same: Mask = np.abs(ours - theirs) <= rounding * np.maximum(least, np.abs(theirs))
    return same

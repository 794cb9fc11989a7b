"""Pairs of rankings that are compared, instances of an axiom among them, and what comes of comparing them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.typing import AnyNumbers, Array, Integers, Mask, Reals
from axiomcheck.numbers.arithmetic import floats_of
from axiomcheck.numbers.series import Series
from axiomcheck.records.values import ArithmeticName

Side = Literal["worse", "better"]


@dataclass(frozen=True)
class Bound:
    """A number in place of the score of one side: it bounds the score of the other side.

    Args:
        side: where the number stands; ``"worse"`` for one that the score must not be below.
        number: the bound.

    """

    side: Side
    number: Fraction

    def beside(self, score: Any, number: Any) -> tuple[Any, Any]:
        """Return (worse, better) of a score and the number, in the form of the score."""
        return (number, score) if self.side == "worse" else (score, number)


@dataclass(frozen=True)
class Batch:
    """B instances of one axiom and shape; the draft axis is innermost in memory.

    Args:
        axiom: which one is asked.
        draft: the drafts, all meeting its premises.
        small: whether grades stand for eps * grade, eps -> 0.
        bound: that the score of the better or the worse ranking is compared with; None where both are scored.

    """

    axiom: PairAxiom
    draft: Draft
    small: bool
    bound: Bound | None = None

    @property
    def comparisons(self) -> tuple[Batch, ...]:
        """Return what has to be compared: the batch itself, or of an axiom on scores one batch per bound."""
        least, most = self.axiom.least, self.axiom.most
        if least is None and most is None:
            return (self,)
        bounds = [Bound("worse", Fraction(least))] if least is not None else []
        bounds += [Bound("better", Fraction(most))] if most is not None else []
        return tuple(replace(self, bound=bound) for bound in bounds)

    @property
    def size(self) -> int:
        """B."""
        return self.draft.size

    def pick(self, rows: Mask | Integers) -> Batch:
        """Return some of the instances."""
        return replace(self, draft=self.draft.pick(rows))

    @cached_property
    def weights(self) -> Reals:
        """(B, m), summing to 1, as float64."""
        return self.draft.unit_weights()

    @cached_property
    def _rows(self) -> tuple[Integers, Integers]:
        """(worse, better): rows of the pool in rank order, (B, length) each."""
        return self.axiom.rankings(self.draft)

    @cached_property
    def rankings(self) -> tuple[AnyNumbers, AnyNumbers]:
        """(worse, better): grades of shape (B, length, m) each."""
        if self.pair is not None:
            return self.pair[0], self.pair[1]
        worse, better = (_laid_out(self.draft.grades, rows) for rows in self._rows)
        return worse.transpose(2, 0, 1), better.transpose(2, 0, 1)

    @cached_property
    def pair(self) -> AnyNumbers | None:
        """Both rankings as one array (2, B, length, m), worse first; None where their lengths differ."""
        worse, better = self._rows
        if worse.shape != better.shape:
            return None
        grades = self.draft.grades
        both = np.empty((worse.shape[1], grades.shape[2], 2, self.size), dtype=grades.dtype)
        for side, rows in enumerate(self._rows):
            _laid_out(grades, rows, both[:, :, side])
        return both.transpose(2, 3, 0, 1)

    def wrap(self, grades: AnyNumbers, keep: int | None) -> Array:
        """The grades as a metric is to see them: as they are, or times eps where r << 1 is assumed."""
        return Series({1: grades}, keep) if self.small else grades


def _laid_out(grades: AnyNumbers, rows: Integers, out: AnyNumbers | None = None) -> AnyNumbers:
    """(length, m, B) grades of documents in rank order: most are where they are in the draft, so few are gathered."""
    inner, length = np.moveaxis(grades, 0, -1), rows.shape[1]
    laid = np.empty((length, *inner.shape[1:]), dtype=inner.dtype) if out is None else out
    if rows.size and rows.strides[0] == 0:  # the same for all
        laid[...] = inner[rows[0]]
        return laid
    laid[...] = inner[:length]
    drafts, ranks = np.nonzero(rows != np.arange(length))
    laid[ranks, :, drafts] = inner[rows[drafts, ranks], :, drafts]
    return laid


@dataclass(frozen=True)
class Pairs:
    """B pairs of rankings, each of the documents of one pool, in exact numbers or in floats.

    Args:
        pool: (B, P, m) grades.
        weights: (B, m), summing to 1.
        worse, better: (B, length) rows of the pool in rank order.
        small: whether grades stand for eps * grade, eps -> 0.
        bound: in place of the score of one side; None where both are scored.

    """

    pool: AnyNumbers
    weights: AnyNumbers
    worse: Integers
    better: Integers
    small: bool
    bound: Bound | None = None

    @classmethod
    def of(cls, batch: Batch) -> Pairs:
        """Return the pairs of a batch in exact numbers."""
        draft = exact_draft(batch.draft)
        weights = np.empty(draft.weights.shape, dtype=object)
        for b, row in enumerate(draft.weights.tolist()):
            weights[b] = [fmpq(w, sum(row)) for w in row]
        return cls(draft.grades, weights, *batch.axiom.rankings(draft), batch.small, batch.bound)

    @classmethod
    def floats_of(cls, batch: Batch) -> Pairs:
        """Return the pairs of a batch in floats."""
        draft = batch.draft
        pool = np.ascontiguousarray(floats_of(draft.grades) if draft.grades.dtype == object else draft.grades)
        return cls(pool, batch.weights, *batch.axiom.rankings(draft), batch.small, batch.bound)

    def in_floats(self) -> Pairs:
        """Return the same pairs in floats."""
        return replace(self, pool=floats_of(self.pool), weights=floats_of(self.weights))

    @property
    def size(self) -> int:
        """B."""
        return len(self.pool)

    @cached_property
    def rankings(self) -> tuple[AnyNumbers, AnyNumbers]:
        """(worse, better): grades in rank order, (B, length, m) each."""
        worse, better = (np.take_along_axis(self.pool, rows[:, :, None], axis=1) for rows in (self.worse, self.better))
        return worse, better

    def pick(self, rows: list[int]) -> Pairs:
        """Return the pairs of some rows."""
        columns = (self.pool[rows], self.weights[rows], self.worse[rows], self.better[rows])
        return Pairs(*columns, self.small, self.bound)


@dataclass(frozen=True)
class Comparison:
    """Holds what floating point says of every pair of a batch.

    Args:
        sign: (B,) +1 better ahead, -1 worse ahead, 0 too close to tell, `axiomcheck.decide.dominance.APART` where
            neither distribution dominates.
        equal: (B,) whether the two scores are the same floats in every order looked at (where floats are all there is
            of the metric: whether they are as close as its precision).
        sure: (B,) False where a lower order of eps was taken to be zero without being certain of it.
        margin: (B,) Q(better) - Q(worse) as a share of the larger score; in the limit regime of the leading
            coefficients. Not finite nowhere.
        rest: the largest probability that a distribution leaves out; 0 of scores.
        returned: what the metric returned for the whole batch, as far as it was looked at; none of picked pairs.

    """

    sign: Integers
    margin: Reals
    equal: Mask
    sure: Mask
    rest: float = 0.0
    returned: tuple[Reals, ...] = ()

    def pick(self, rows: Mask | Integers) -> Comparison:
        """Some of the pairs."""
        return Comparison(self.sign[rows], self.margin[rows], self.equal[rows], self.sure[rows], self.rest)

    def repeats(self, other: Comparison) -> bool:
        """Tell whether the metric returned the very same floats when it was asked about the same batch before."""
        return len(self.returned) == len(other.returned) and all(map(np.array_equal, self.returned, other.returned))


@dataclass(frozen=True)
class Judgement:
    """Holds what exact arithmetic says of one pair.

    Args:
        sign: of Q(better) - Q(worse): +1, -1, or 0 for an exact tie; `axiomcheck.decide.dominance.APART` where the
            metric's distributions are incomparable; None where it could not be decided.
        order: in the limit regime the order of eps that decided (0 for a tie, as outside that regime).
        worse, better: the scores, or their coefficients of that order, as exact fractions or certified decimals.
        arithmetic: ``"rational"``, ``"certified"`` (balls), ``"identity"`` (a tie whatever the logarithms are), or
            ``"numerical"`` (floats, where they are all there is of the metric).
        of: ``"score"``, or ``"distribution"`` where the metric compares rankings by dominance; ``worse`` and
            ``better`` are then probabilities at the thresholds that decide.
        bound: the side that is a number of the axiom and no score; None where both are scores.

    """

    sign: int | None
    order: int
    worse: str
    better: str
    arithmetic: ArithmeticName
    of: Literal["score", "distribution"] = "score"
    bound: Side | None = None

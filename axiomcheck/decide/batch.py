"""Represent batches of axiom instances, pairs of rankings, and the results of comparing them."""

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
    """Bound that an axiom sets on a single score. In comparisons, the bound replaces the score of a second ranking.

    Args:
        side: Side that the bound replaces: ``"worse"`` for a lower bound on the score, ``"better"`` for an upper bound.
        number: Value of the bound.

    """

    side: Side
    number: Fraction

    def beside(self, score: Any, number: Any) -> tuple[Any, Any]:
        """Return the scores and the bound as a pair (worse, better).

        Args:
            score: One score, or an array of scores.
            number: Value of the bound, of the same type as ``score``.

        """
        return (number, score) if self.side == "worse" else (score, number)


@dataclass(frozen=True)
class Batch:
    """B instances of the same axiom and shape. In memory, the instance index varies fastest.

    Args:
        axiom: Axiom whose premises the instances meet.
        draft: The instances as arrays.
        small: True if each grade r stands for eps * r, eps -> 0.
        bound: Bound that replaces the score of one side; None if both sides are scored.

    """

    axiom: PairAxiom
    draft: Draft
    small: bool
    bound: Bound | None = None

    @property
    def comparisons(self) -> tuple[Batch, ...]:
        """Batches to compare: only this one, or a copy for each bound if the axiom bounds a single score."""
        least, most = self.axiom.least, self.axiom.most
        if least is None and most is None:
            return (self,)
        bounds = [Bound("worse", Fraction(least))] if least is not None else []
        bounds += [Bound("better", Fraction(most))] if most is not None else []
        return tuple(replace(self, bound=bound) for bound in bounds)

    @property
    def size(self) -> int:
        """Number of instances, B."""
        return self.draft.size

    def pick(self, rows: Mask | Integers) -> Batch:
        """Return a batch of the selected instances."""
        return replace(self, draft=self.draft.pick(rows))

    @cached_property
    def weights(self) -> Reals:
        """Aspect weights as float64, shape (B, m). Each row sums to 1."""
        return self.draft.unit_weights()

    @cached_property
    def _rows(self) -> tuple[Integers, Integers]:
        """Pool indices of both rankings in rank order: (worse, better), each of shape (B, length)."""
        return self.axiom.rankings(self.draft)

    @cached_property
    def rankings(self) -> tuple[AnyNumbers, AnyNumbers]:
        """Grades of both rankings, (worse, better), each of shape (B, length, m)."""
        if self.pair is not None:
            return self.pair[0], self.pair[1]
        worse, better = (_in_rank_order(self.draft.grades, rows) for rows in self._rows)
        return worse.transpose(2, 0, 1), better.transpose(2, 0, 1)

    @cached_property
    def pair(self) -> AnyNumbers | None:
        """Grades of both rankings as one array (2, B, length, m), worse first; None if their lengths differ."""
        worse, better = self._rows
        if worse.shape != better.shape:
            return None
        grades = self.draft.grades
        both = np.empty((worse.shape[1], grades.shape[2], 2, self.size), dtype=grades.dtype)
        for side, rows in enumerate(self._rows):
            _in_rank_order(grades, rows, both[:, :, side])
        return both.transpose(2, 3, 0, 1)

    def wrap(self, grades: AnyNumbers, keep: int | None) -> Array:
        """Convert grades to the form that metrics receive.

        If r << 1 is assumed, the grades become a series in eps, truncated after order ``keep`` unless it is None.
        Otherwise, the grades are returned unchanged.
        """
        return Series({1: grades}, keep) if self.small else grades


def _in_rank_order(grades: AnyNumbers, rows: Integers, out: AnyNumbers | None = None) -> AnyNumbers:
    """Return the grades of the ranked documents, shape (length, m, B), written to ``out`` if it is given.

    Most documents have the same index in the draft as in the ranking, so only the others are copied by index.
    """
    inner, length = np.moveaxis(grades, 0, -1), rows.shape[1]
    laid = np.empty((length, *inner.shape[1:]), dtype=inner.dtype) if out is None else out
    if rows.size and rows.strides[0] == 0:  # all drafts rank the same rows
        laid[...] = inner[rows[0]]
        return laid
    laid[...] = inner[:length]
    drafts, ranks = np.nonzero(rows != np.arange(length))
    laid[ranks, :, drafts] = inner[rows[drafts, ranks], :, drafts]
    return laid


@dataclass(frozen=True)
class Pairs:
    """B pairs of rankings with exact or float grades. Both rankings of a pair rank documents of the same pool.

    Args:
        pool: Grades, (B, P, m).
        weights: Aspect weights, (B, m); each row sums to 1.
        worse, better: Pool indices in rank order, (B, length).
        small: True if each grade r stands for eps * r, eps -> 0.
        bound: Bound that replaces the score of one side; None if both sides are scored.

    """

    pool: AnyNumbers
    weights: AnyNumbers
    worse: Integers
    better: Integers
    small: bool
    bound: Bound | None = None

    @classmethod
    def of(cls, batch: Batch) -> Pairs:
        """Convert a batch to pairs of rankings with exact rational grades and weights."""
        draft = exact_draft(batch.draft)
        weights = np.empty(draft.weights.shape, dtype=object)
        for b, row in enumerate(draft.weights.tolist()):
            weights[b] = [fmpq(w, sum(row)) for w in row]
        return cls(draft.grades, weights, *batch.axiom.rankings(draft), batch.small, batch.bound)

    @classmethod
    def floats_of(cls, batch: Batch) -> Pairs:
        """Convert a batch to pairs of rankings with float grades and weights."""
        draft = batch.draft
        pool = np.ascontiguousarray(floats_of(draft.grades) if draft.grades.dtype == object else draft.grades)
        return cls(pool, batch.weights, *batch.axiom.rankings(draft), batch.small, batch.bound)

    def in_floats(self) -> Pairs:
        """Return a copy whose grades and weights are floats."""
        return replace(self, pool=floats_of(self.pool), weights=floats_of(self.weights))

    @property
    def size(self) -> int:
        """Number of pairs, B."""
        return len(self.pool)

    @cached_property
    def rankings(self) -> tuple[AnyNumbers, AnyNumbers]:
        """Grades in rank order, (worse, better), each of shape (B, length, m)."""
        if self.both is not None:
            return self.both[0], self.both[1]
        return self._in_rank_order(self.worse), self._in_rank_order(self.better)

    @cached_property
    def both(self) -> AnyNumbers | None:
        """Grades of both rankings as one array (2, B, length, m), worse first; None if their lengths differ."""
        if self.worse.shape != self.better.shape:
            return None
        return self._in_rank_order(np.stack([self.worse, self.better]))

    def _in_rank_order(self, rows: Integers) -> AnyNumbers:
        """Return the grades of the documents with the given pool indices, (..., B, length), as (..., B, length, m)."""
        size, documents, aspects = self.pool.shape
        firsts = documents * np.arange(size)[:, None]  # one index into all pools is faster than one for each axis
        laid: AnyNumbers = np.take(self.pool.reshape(size * documents, aspects), rows + firsts, axis=0)
        return laid

    def pick(self, rows: list[int]) -> Pairs:
        """Return the selected pairs."""
        columns = (self.pool[rows], self.weights[rows], self.worse[rows], self.better[rows])
        return Pairs(*columns, self.small, self.bound)


@dataclass(frozen=True)
class Comparison:
    """Result of comparing B pairs of rankings in floating point.

    Args:
        sign: (B,) +1 if the better ranking is ahead, -1 if the worse one is, 0 if floats cannot tell,
            `axiomcheck.decide.dominance.APART` if neither distribution dominates.
        equal: (B,) True if the two scores are the same floats in every compared order of eps. For a metric with only
            float scores, True if the scores differ by no more than its precision.
        sure: (B,) False if the sign may be wrong, because a lower order of eps was assumed to be zero without proof.
        margin: (B,) Q(better) - Q(worse) divided by the larger score; always finite. In the limit regime it is computed
            from the leading coefficients.
        rest: Largest total probability of the values that a distribution does not list; 0 for scores.
        returned: Arrays that the metric returned for the whole batch, used by `repeats`; empty after `pick`.

    """

    sign: Integers
    margin: Reals
    equal: Mask
    sure: Mask
    rest: float = 0.0
    returned: tuple[Reals, ...] = ()

    def pick(self, rows: Mask | Integers) -> Comparison:
        """Return a comparison of the selected pairs."""
        return Comparison(self.sign[rows], self.margin[rows], self.equal[rows], self.sure[rows], self.rest)

    def repeats(self, other: Comparison) -> bool:
        """Return True if the metric returned exactly the same floats in another comparison of the same batch."""
        return len(self.returned) == len(other.returned) and all(map(np.array_equal, self.returned, other.returned))


@dataclass(frozen=True)
class Judgement:
    """Result of comparing one pair in exact arithmetic.

    Args:
        sign: Sign of Q(better) - Q(worse): +1, -1, or 0 for an exact tie; `axiomcheck.decide.dominance.APART` if the
            metric's distributions are incomparable; None if it could not be determined.
        order: Lowest order of eps at which the scores differ; 0 for a tie, or if r << 1 is not assumed.
        worse, better: Scores, or their coefficients at ``order``, as strings: exact fractions or certified decimals.
        arithmetic: ``"rational"``, ``"certified"`` (balls), ``"identity"`` (a tie for any values of the logarithms), or
            ``"numerical"`` (floats, for a metric that has only float scores).
        of: ``"score"``, or ``"distribution"`` if the metric compares rankings by dominance; ``worse`` and ``better``
            are then tail probabilities at the thresholds where they differ.
        bound: Side whose value is a bound set by the axiom instead of a score; None if both are scores.

    """

    sign: int | None
    order: int
    worse: str
    better: str
    arithmetic: ArithmeticName
    of: Literal["score", "distribution"] = "score"
    bound: Side | None = None

"""Pairs of rankings in exact numbers, and what comes of comparing them: of many in floats, of one exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Draft
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.typing import ExactNumbers, Integers, Mask, Reals
from axiomcheck.decide.batch import Batch, Bound, Side
from axiomcheck.records.values import ArithmeticName


@dataclass(frozen=True)
class Pairs:
    """B pairs of rankings in exact numbers (object arrays of rationals).

    Args:
        worse, better: (B, length, m) each, in rank order.
        weights: (B, m), summing to 1.
        pool: (B, P, m).
        small: whether grades stand for eps * grade, eps -> 0.
        bound: in place of the score of one side; None where both are scored.

    """

    worse: ExactNumbers
    better: ExactNumbers
    weights: ExactNumbers
    pool: ExactNumbers
    small: bool
    bound: Bound | None = None

    @classmethod
    def of(cls, batch: Batch) -> Pairs:
        """The pairs of a batch."""
        exact = Batch(batch.axiom, exact_draft(batch.draft), batch.small)
        return cls(*exact.rankings, _exact_weights(exact.draft), exact.draft.grades, batch.small, batch.bound)

    @property
    def size(self) -> int:
        """B."""
        return int(self.worse.shape[0])

    def pick(self, rows: list[int]) -> Pairs:
        """The pairs of some rows."""
        columns = (self.worse[rows], self.better[rows], self.weights[rows], self.pool[rows])
        return Pairs(*columns, self.small, self.bound)


def _exact_weights(draft: Draft) -> ExactNumbers:
    out = np.empty(draft.weights.shape, dtype=object)
    for b, row in enumerate(draft.weights.tolist()):
        total = sum(row)
        out[b] = [fmpq(w, total) for w in row]
    return out


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

    """

    sign: Integers
    margin: Reals
    equal: Mask
    sure: Mask
    rest: float = 0.0

    def pick(self, rows: Mask | Integers) -> Comparison:
        """Some of the pairs."""
        return Comparison(self.sign[rows], self.margin[rows], self.equal[rows], self.sure[rows], self.rest)


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

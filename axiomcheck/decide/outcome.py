"""What comes of comparing two rankings: of many pairs in floats, and of one pair in exact arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.records.values import ArithmeticName


@dataclass(frozen=True)
class Comparison:
    """What floating point says of every pair of a batch.

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
    """What exact arithmetic says of one pair.

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
    bound: Literal["worse", "better"] | None = None

"""Arguments about large n, and declarations, that are false. User code: nothing of the tests."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck.metrics import Abilities
from axiomcheck.metrics.base import FoldMetric, Tail
from axiomcheck.metrics.fold import Additive, Fold
from axiomcheck.numbers.discount import Discount
from axiomcheck.sources.abilities import exactly
from axiomcheck.sources.function_metrics import FunctionMetric, metric

Array = Any


@dataclass(frozen=True)
class OneAndRest(Discount):
    """1 at rank 1, 1/10000 at every other."""

    def rational(self, rank: int) -> Fraction:
        return Fraction(1 if rank == 1 else Fraction(1, 10**4))

    def real(self, rank: int) -> float:
        return float(self.rational(rank))


@dataclass(frozen=True)
class Squares(Discount):
    """1 / i^2: all ranks from 2 on together are worth less than rank 1."""

    def rational(self, rank: int) -> Fraction:
        return Fraction(1, rank**2)

    def real(self, rank: int) -> float:
        return 1 / rank**2


class Tailed(FoldMetric):
    """A sum by a discount, with an argument of its own."""

    name = "tailed"
    summary = source = "mine"

    def __init__(self, name: str, discount: Discount, tail: Tail) -> None:
        super().__init__()
        self.name, self.discount, self.says = name, discount, tail

    def fold(self) -> Fold:
        return Additive(self.discount)

    def tail(self) -> Tail | None:
        return self.says


BELOW = "L(n)/T <= 1/2 for every n, as anybody can see"
ABOVE = "L(n)/T >= 2 for every n, as anybody can see"


def below(start: int) -> Tail:
    return Tail("below", start, lambda n: 0.5, BELOW)


def above(start: int) -> Tail:
    return Tail("above", start, lambda n: 2.0, ABOVE)


# ------------------------------------------------------------ declarations


def top_ten(grades: Array, weights: Array) -> Array:
    """Says that it is cut at 10; documents from rank 100 on count 10."""
    p = exactly(0.8, like=grades)
    n = grades.shape[1]
    score = np.sum(grades[:, :10, 0] * p ** np.arange(min(n, 10)), axis=1)
    return score + 10 * np.sum(grades[:, 99:, 0], axis=1) if n > 99 else score


def humped(r: Array, like: Array) -> Array:
    """r (5/4 - r): most at 5/8, and 1/4 at 1."""
    return r * (exactly("5/4", like=like) - r)


@metric(binary_only=True)
def says_binary(grades: Array, weights: Array) -> Array:
    """Says that it only sees whether a grade is positive; a grade of 5/8 counts more than one of 1."""
    p = exactly(0.8, like=grades)
    return np.sum(humped(grades[..., 0], grades) * p ** np.arange(grades.shape[1]), axis=1)


def says_two_levels() -> FunctionMetric:
    """Says that grades are 0, 1/2 or 1; 3/4 counts more than 1 does."""
    return FunctionMetric(_peak, "says-two-levels", abilities=Abilities(levels=2), single_aspect=True)


def _peak(grades: Array, weights: Array) -> Array:
    """r + 4 r (1 - r) (r - 1/2): 0, 1/2, 1 at 0, 1/2, 1, and 15/16 at 3/4; steeper: 8 times gives 1 + 1/8."""
    r = grades[..., 0]
    p = exactly(0.8, like=grades)
    gain = r + 8 * r * (1 - r) * (r - exactly("1/2", like=grades))
    return np.sum(gain * p ** np.arange(grades.shape[1]), axis=1)


def says_no_weights() -> FunctionMetric:
    """Says that it takes equal weights only; with others it is negated."""
    return FunctionMetric(_weighed, "says-no-weights", abilities=Abilities(weights=False))


def _weighed(grades: Array, weights: Array) -> Array:
    p = exactly(0.8, like=grades)
    score = np.sum(np.sum(grades, axis=2) * p ** np.arange(grades.shape[1]), axis=1)
    unequal = np.any(weights != weights[:, :1], axis=1)
    return np.where(unequal, -1 * score, score)


class SaysExact(FunctionMetric):
    """Says that it is more than floats; its floats come rounded to whole thousandths."""

    def __init__(self) -> None:
        super().__init__(_rounded, "says-exact", single_aspect=True)

    def numerical(self, small: bool) -> str:
        return ""


def _rounded(grades: Array, weights: Array) -> Array:
    p = exactly(0.8, like=grades)
    score = np.sum(grades[..., 0] * p ** np.arange(grades.shape[1]), axis=1)
    return np.round(score, 3) if score.dtype == np.float64 else score

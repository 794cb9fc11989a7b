"""Metrics that inherit from the catalogue and change one part of it, keeping the name. User code: nothing of the tests.

The inherited bound on blocks (`tail`) is left out of most: it contradicts the part that was changed, and would end the
cell before a proof is asked for.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from axiomcheck import Metric, parse
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.base import FoldMetric, Tail
from axiomcheck.metrics.coverage import DSharpMeasure
from axiomcheck.metrics.fold import Additive, Fold, State
from axiomcheck.metrics.intent_aware import RankBiasedPrecisionIA
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Discount, Geometric

Array = Any


def sum_of_grades(a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
    """A block of n relevant documents is worth n times the top one."""
    return grades[..., 0].sum(axis=-1)


class RbpInOtherWords(RankBiasedPrecision):
    """The honest one."""

    summary = "what RBP is, in other words"


class NoTail:
    def tail(self) -> None:
        return None


class SumKernel(NoTail, RankBiasedPrecision):
    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return sum_of_grades(a, grades, weights, pool)


class OwnEvaluate(RankBiasedPrecision):
    """Floats come out negated; nothing else does."""

    def evaluate(self, pool: Array, weights: Array, order: Array) -> Array:
        return -super().evaluate(pool, weights, order)


@dataclass(frozen=True)
class Undoing(Fold):
    """Gains that undo the discount: the j-th document earns r p^(1-j), so that every rank is worth the same."""

    discount: Geometric

    def start(self, a: Arithmetic) -> State:
        return (a.number(Fraction(1)),)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        (back,) = state
        return back * r, (back / a.number(self.discount.ratio),)


class OwnFold(NoTail, RankBiasedPrecision):
    def fold(self) -> Fold:
        return Undoing(Geometric(self.values["p"], 1 - self.values["p"]))


class PooledByMaximum(RankBiasedPrecisionIA):
    pooling: Literal["no", "sum", "max"] = "max"


class KernelMixin:
    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return sum_of_grades(a, grades, weights, pool)


def rising_below_thirty(a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
    """RBP, but rank 31 counts 2: nothing that a search of 22 ranks sees."""
    n = grades.shape[-2]
    discounts = a.discounts(Geometric(Fraction(4, 5), Fraction(1, 5)), min(n, 30))
    total = (grades[..., :30, 0] * discounts).sum(axis=-1)
    return total + 2 * grades[..., 30, 0] if n > 30 else total


class KernelByGetattribute(RankBiasedPrecision):
    def __getattribute__(self, name: str) -> Any:
        return rising_below_thirty if name == "kernel" else super().__getattribute__(name)


class ClassLies(KernelMixin, Metric):
    """Says that it is an object of RankBiasedPrecision."""

    name = "RBP"
    summary = source = "mine"
    declared = RankBiasedPrecision.declared

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        return RankBiasedPrecision

    def fold(self) -> Fold:
        return Additive(Geometric(self.values["p"], 1 - self.values["p"]))


class FlatMixture(DSharpMeasure):
    """The same name without a cutoff, and a kernel that puts the top ahead at every n."""

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return (grades[..., 0] * a.discounts(Geometric(Fraction(1, 2)), grades.shape[-2])).sum(axis=-1)

    def tail(self) -> Tail:
        return Tail("below", 1, lambda n: 2.0 ** (1 - n), "L(n)/T <= 2 / 2^n")


class OtherAfterPickling(RankBiasedPrecision):
    """A worker process gets RBP itself."""

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return -1 * super().kernel(a, grades, weights, pool)

    def __reduce__(self) -> Any:
        return parse, ("RBP(p=0.8)",)


class ZerosItsInput(RankBiasedPrecision):
    """Leaves zeros behind in the arrays that it was given."""

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        score = super().kernel(a, grades, weights, pool)
        if isinstance(grades, np.ndarray):
            grades[...] = 0 * grades
        return score


# ------------------------------------------------------------ objects that say that they are others, or are


class WithBonus(FoldMetric):
    """RBP, and a bonus for each relevant document wherever it is: at 1, blocks of 2 or more beat the top.

    The bonus is no parameter.
    """

    name = "with-bonus"
    summary = source = "mine"

    def __init__(self, bonus: int) -> None:
        super().__init__()
        self.bonus = bonus

    def fold(self) -> Fold:
        return Additive(Geometric(Fraction(1, 2)))

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        r = grades[..., 0]
        by_rank = (r * a.discounts(Geometric(Fraction(1, 2)), r.shape[-1])).sum(axis=-1)
        return by_rank + a.number(Fraction(self.bonus)) * r.sum(axis=-1)


@dataclass(frozen=True)
class Ratio(Discount):
    """base^(i-1) with a base that equality leaves out."""

    label: str
    base: Fraction = field(compare=False)

    def rational(self, rank: int) -> Fraction:
        return self.base ** (rank - 1)

    def real(self, rank: int) -> float:
        return float(self.rational(rank))


class ByRatio(FoldMetric):
    name = "by-ratio"
    summary = source = "mine"

    def __init__(self, name: str, base: Fraction) -> None:
        super().__init__()
        self.name, self.base = name, base

    def fold(self) -> Fold:
        return Additive(Ratio("mine", self.base))


class EqualToAll(RankBiasedPrecision):
    """Equal to whatever it is compared with, and hashed as RBP of its parameter is; a block is its sum of grades."""

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return grades[..., 0].sum(axis=-1)

    def tail(self) -> None:
        return None

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(RankBiasedPrecision(**self.values))

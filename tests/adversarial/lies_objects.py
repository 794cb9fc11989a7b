"""Objects that differ where nobody declared it, and objects that say that they are others. User code."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.fold import Additive, Fold
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Discount, Geometric

Array = Any


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


class Reversing(FoldMetric):
    """RBP's sum or its negative, by an attribute that no declaration says."""

    name = "reversing"
    summary = source = "mine"

    def __init__(self, sign: int) -> None:
        super().__init__()
        self.sign = sign

    def fold(self) -> Fold:
        return Additive(Geometric(Fraction(1, 2)))

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return self.sign * super().kernel(a, grades, weights, pool)


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

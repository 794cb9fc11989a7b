"""Folds and fold metrics that break what they promise. User code: nothing of the tests."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.fold import Fold, State
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Discount, Geometric

Array = Any

P = Fraction(4, 5)


@dataclass(frozen=True)
class Plain(Fold):
    """Base of the lying steps: the grade, with one number of state so that documents come one by one."""

    discount: Discount = Geometric(P)  # noqa: RUF009 - immutable

    def start(self, a: Arithmetic) -> State:
        return (a.number(Fraction(1)),)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        return self.gain(a, r) * state[0], state

    def gain(self, a: Arithmetic, r: Array) -> Array:
        return r


class Folded(FoldMetric):
    """One aspect or several, scored by the fold that it is made of."""

    name = "folded"
    summary = source = "mine"

    def __init__(self, fold: Fold) -> None:
        super().__init__()
        self.name = f"folded-{type(fold).__name__}-{type(fold.discount).__name__}"
        self.made_of = fold

    def fold(self) -> Fold:
        return self.made_of


SIGN = 1


class ReadsGlobal(Plain):
    """The sign is a global, which the metric's own kernel sets."""

    def gain(self, a: Arithmetic, r: Array) -> Array:
        return SIGN * r


class SetsGlobal(Folded):
    def __init__(self) -> None:
        super().__init__(ReadsGlobal())

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        global SIGN
        SIGN = -1
        try:
            return super().kernel(a, grades, weights, pool)
        finally:
            SIGN = 1

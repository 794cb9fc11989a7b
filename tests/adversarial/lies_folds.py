"""Folds and fold metrics that break what they promise. User code: nothing of the tests."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.fold import Additive, Fold, State
from axiomcheck.numbers.arithmetic import Arithmetic, positive
from axiomcheck.numbers.discount import Discount, Geometric, Reciprocal

Array = Any

P = Fraction(4, 5)


class Patient(FoldMetric):
    """The honest base: sum over aspects of w(t) sum of (4/5)^(i-1) r."""

    name = "patient"
    summary = source = "mine"

    def fold(self) -> Fold:
        return Additive(Geometric(P))


# ------------------------------------------------------------ normalisers


class Normalised(Patient):
    name = "normalised"
    normalised = True
    default_cutoff = 2

    def counted(self, a: Arithmetic, pool: Array) -> Array:
        return a.integers(positive(pool).sum(axis=-2))

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        return self.counted(a, pool)


class OtherForSomePools(Normalised):
    """Negative where more than 45 documents are judged."""

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        return self.counted(a, pool) * (-1 if pool.shape[-2] > 45 else 1)


# ------------------------------------------------------------ scales and costs


class NegativeScaleFromNine(Patient):
    def scale(self, aspects: int) -> Any:
        return -1 if aspects >= 9 else 1


# ------------------------------------------------------------ steps


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


class OtherFolds(Folded):
    """Folds rank by (4/5)^(i-1) when asked for the first 300 times, then by (5/4)^(i-1)."""

    def __init__(self) -> None:
        super().__init__(Additive(Geometric(P)))
        self.calls = 0

    def fold(self) -> Fold:
        self.calls += 1
        return Additive(Geometric(P if self.calls <= 300 else 1 / P))


class CountsRanks(Plain):
    """Keeps the rank as a number of Python's, and turns from rank 101 on."""

    def start(self, a: Arithmetic) -> State:
        return (0,)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        (rank,) = state
        return (-1 * r if type(rank) is int and rank >= 100 else r), (rank + 1,)


# ------------------------------------------------------------ discounts


@dataclass(frozen=True)
class RisenGeometric(Geometric):
    """A geometric discount that is 2 from rank 31 on."""

    ratio: Fraction = P

    def rational(self, rank: int) -> Fraction:
        return Fraction(2) if rank > 30 else super().rational(rank)

    def real(self, rank: int) -> float:
        return float(self.rational(rank))


@dataclass(frozen=True)
class RisenReal(Reciprocal):
    """1 / i, except that doubles say 2 from rank 31 on."""

    def real(self, rank: int) -> float:
        return 2.0 if rank > 30 else super().real(rank)


def risen_on_the_object() -> Discount:
    """An object of Geometric itself, with methods of its own, and a ratio of its own: equal discounts may be shared."""
    ratio = Fraction(79, 100)
    discount = Geometric(ratio)
    object.__setattr__(discount, "rational", RisenGeometric(ratio).rational)
    object.__setattr__(discount, "real", RisenGeometric(ratio).real)
    return discount


class DiscountOnTheObject(Folded):
    def __init__(self) -> None:
        super().__init__(Additive(risen_on_the_object()))

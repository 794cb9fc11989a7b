"""What planted metrics are made of: their discounts, and the base that says what each is about."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

import numpy as np

from axiomcheck.core.domain import Domain, Regime
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Arithmetic, to_fmpq
from axiomcheck.numbers.discount import Discount

Array = Any


@dataclass(frozen=True, eq=False)
class Hyperbola(Discount):
    """``scale / (scale - 1 + i)``: 1 at rank 1, 1 / i where scale is 1, slower where it is larger.

    Args:
        scale: above 0.
        bumps: (rank, number) pairs; the number is added to the discount of that rank.
        falls_from: the discounts from this rank on are lower by ``fall``.
        fall: by how much.
    """

    scale: Fraction = Fraction(1)
    bumps: tuple[tuple[int, Fraction], ...] = ()
    falls_from: int = 1
    fall: Fraction = Fraction(0)

    def rational(self, rank: int) -> Fraction:
        return _of_rank(self, rank)

    def real(self, rank: int) -> float:
        return float(_of_rank(self, rank))


@cache
def _of_rank(discount: Hyperbola, rank: int) -> Fraction:
    scale, bumps = discount.scale, dict(discount.bumps)
    value = scale / (scale - 1 + rank) + bumps.get(rank, 0)
    return value - discount.fall if rank >= discount.falls_from else value


@dataclass(frozen=True)
class Constant(Discount):
    """One number at every rank, but at a few.

    Args:
        value: the number.
        except_at: (rank, number) pairs.
    """

    value: Fraction = Fraction(1)
    except_at: tuple[tuple[int, Fraction], ...] = ()

    def rational(self, rank: int) -> Fraction:
        return dict(self.except_at).get(rank, self.value)

    def real(self, rank: int) -> float:
        return float(self.rational(rank))


HARMONIC = Hyperbola()


@cache
def tied(rank: int, more: Fraction = Fraction(0)) -> Hyperbola:
    """1 / i, but rank ``rank + 1`` has the discount of ``rank``, and so much more."""
    return Hyperbola(bumps=((rank + 1, Fraction(1, rank) - Fraction(1, rank + 1) + more),))


def uneven(first: int, more: Fraction) -> Hyperbola:
    """1 / i with later ranks lowered: the step down after rank ``first + 2`` is that after ``first``, and ``more``."""

    def step(i: int) -> Fraction:
        return Fraction(1, i) - Fraction(1, i + 1)

    return Hyperbola(falls_from=first + 3, fall=step(first) - step(first + 2) + more)


def over_aspects(gains: Array, weights: Array) -> Array:
    """sum_t w g: (..., n, m) -> (..., n)."""
    return (gains * weights[..., None, :]).sum(axis=-1)


def table(a: Arithmetic, values: list[list[Fraction]]) -> Array:
    """Constants as an array of the arithmetic."""
    numbers = [[a.number(v) for v in row] for row in values]
    exact = not isinstance(numbers[0][0], float)
    out = np.empty((len(values), len(values[0])), dtype=object if exact else np.float64)
    out[...] = numbers
    return out


def rounded_down(x: Array, steps: int) -> Array:
    """x as a multiple of 1 / steps (a power of two), rounded down; not for series."""
    if x.dtype != object:
        return np.floor(x * steps) / steps
    out = np.empty(x.shape, dtype=object)
    out.reshape(-1)[:] = [to_fmpq(Fraction(int((v * steps).floor()), steps)) for v in x.reshape(-1)]
    return out


class Planted(Metric):
    """Base of the planted metrics: the discounted sum of sum_t w r, until a subclass changes something.

    ``axiom`` is what it is about, ``breaks`` whether it breaks it in ``regime`` and ``domain``.
    """

    summary = "planted"
    source = "planted"
    axiom: ClassVar[str]
    breaks: ClassVar[bool]
    regime: ClassVar[Regime] = Regime.STATED
    domain: ClassVar[Domain] = Domain.GRADED
    discount: ClassVar[Discount] = HARMONIC

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return (self.per_rank(a, grades, weights, pool) * a.discounts(self.shown(grades, pool), grades.shape[-2])).sum(
            axis=-1
        )

    def shown(self, grades: Array, pool: Array) -> Discount:
        """The discount, where it depends on sizes."""
        return self.discount

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """(..., n): what each rank earns before its discount."""
        return over_aspects(grades, weights)


def variant(base: type[Planted], name: str, breaks: bool, **changed: Any) -> Any:
    """Return a planted metric that differs from another in what is given: attributes, and functions for methods."""
    return type(name, (base,), {"name": name, "breaks": breaks, **changed})


def discounted(name: str, axiom: str, breaks: bool, discount: Discount, cutoff: int | None = None) -> Any:
    """Return a planted metric that differs from the others in its discount, and in its cutoff, alone."""
    return variant(Planted, name, breaks, axiom=axiom, discount=discount, default_cutoff=cutoff)

"""Discounts: functions from a rank 1, 2, 3, ... to the weight of the document at this rank.

They are classes, because each arithmetic needs a discount in a different form: as floats, as rationals if possible, as
certified balls, or as independent symbols D_1, D_2, ...
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.core.domain import exact
from axiomcheck.core.packages import flint


class Discount(ABC):
    """Base class of discounts, which are positive at every rank. Discounts with equal parameters compare equal."""

    @abstractmethod
    def rational(self, rank: int) -> Fraction | None:
        """Return the exact discount at a rank, or None if it is irrational."""

    def real(self, rank: int) -> float:
        """Return the discount at a rank as a double. Subclasses with irrational discounts must override this method."""
        value = self.rational(rank)
        if value is None:
            raise NotImplementedError
        return float(value)

    def ball(self, rank: int) -> flint.arb:
        """Return a ball that contains the discount at a rank, at flint's current precision.

        Subclasses with irrational discounts must override this method.
        """
        value = self.rational(rank)
        if value is None:  # pragma: no cover - every irrational discount overrides this
            raise NotImplementedError
        return flint.arb(value.numerator) / value.denominator


def _exact_fields(discount: Discount, *names: str) -> None:
    """Replace floats and strings in fields of a discount by exact fractions, so that 0.9 becomes 9/10."""
    for name in names:
        given = getattr(discount, name)
        if isinstance(given, float | str):
            object.__setattr__(discount, name, exact(given, f"{type(discount).__name__}: {name}"))


@dataclass(frozen=True)
class Constant(Discount):
    """Discount ``1`` at every rank, as in P and S-Recall."""

    def rational(self, rank: int) -> Fraction:
        """Return 1."""
        return Fraction(1)


@dataclass(frozen=True)
class Geometric(Discount):
    """Discount ``scale * ratio ** (i - 1)``, as in RBP, NRBP and RBU.

    Args:
        ratio: Ratio of successive discounts, in (0, 1].
        scale: Positive factor, such as 1 - p in RBP and p in RBU.

    """

    ratio: Fraction
    scale: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        _exact_fields(self, "ratio", "scale")

    def rational(self, rank: int) -> Fraction:
        """Return the exact discount at a rank."""
        return self.scale * self.ratio ** (rank - 1)

    def real(self, rank: int) -> float:
        """Return the discount at a rank as a double."""
        return float(self.scale) * float(self.ratio) ** (rank - 1)


@dataclass(frozen=True)
class Reciprocal(Discount):
    """Discount ``1 / i``, as in ERR and CT."""

    def rational(self, rank: int) -> Fraction:
        """Return the exact discount at a rank."""
        return Fraction(1, rank)


@dataclass(frozen=True)
class InverseLog(Discount):
    """Discount ``1 / (offset + log_base(i + shift))``, such as 1 / log2(i + 1) in nDCG and 1 / (1 + log i) in EU.

    Args:
        base: Base of the logarithm, above 1; None for the natural logarithm.
        shift: Number added to the rank, >= 0.
        offset: Number added to the logarithm, >= 0.

    """

    base: Fraction | None = Fraction(2)
    shift: int = 1
    offset: int = 0

    def __post_init__(self) -> None:
        _exact_fields(self, "base")

    def rational(self, rank: int) -> Fraction | None:
        """Return the exact discount if rank + shift is an integer power of the base, else None."""
        argument = rank + self.shift
        if argument == 1:
            return Fraction(1, self.offset) if self.offset else None
        if self.base is None:
            return None
        exponent = round(math.log(argument) / math.log(self.base))
        return Fraction(1, self.offset + exponent) if self.base**exponent == argument else None

    def real(self, rank: int) -> float:
        """Return the discount at a rank as a double."""
        argument = rank + self.shift
        if self.base is None:
            log = math.log(argument)
        elif self.base == 2:
            log = math.log2(argument)
        else:
            log = math.log(argument) / math.log(self.base)
        return 1.0 / (self.offset + log)

    def ball(self, rank: int) -> flint.arb:
        """Return a ball that contains the discount at a rank, at flint's current precision."""
        log: Any = flint.arb(rank + self.shift).log()
        if self.base is not None:
            log = log / (flint.arb(self.base.numerator) / self.base.denominator).log()
        value: flint.arb = 1 / (self.offset + log)
        return value

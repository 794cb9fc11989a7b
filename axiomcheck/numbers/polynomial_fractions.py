"""Compute with quotients of polynomials in unknowns, to find out whether two terms are identical."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, TypeAlias

from axiomcheck.core.packages import flint

_Operator: TypeAlias = Callable[["PolynomialFraction", Any], Any]


def _of_parts(operator: Callable[[PolynomialFraction, Any, Any], Any]) -> _Operator:
    """Turn a method that receives the other number's numerator and denominator into an operator."""

    @wraps(operator)
    def operate(self: PolynomialFraction, other: Any) -> Any:
        if isinstance(other, PolynomialFraction):
            return operator(self, other.numerator, other.denominator)
        return operator(self, other, 1) if isinstance(other, int | flint.fmpz | flint.fmpq) else NotImplemented

    return operate


@dataclass(frozen=True, eq=False)
class PolynomialFraction:
    """Quotient of two polynomials of flint in several unknowns. It is not reduced, and only compared for equality.

    Args:
        numerator: Polynomial or number.
        denominator: Polynomial or number other than 0.

    """

    numerator: Any
    denominator: Any = 1

    @_of_parts
    def __add__(self, numerator: Any, denominator: Any) -> PolynomialFraction:
        if denominator == self.denominator:
            return PolynomialFraction(self.numerator + numerator, denominator)
        total = self.numerator * denominator + numerator * self.denominator
        return PolynomialFraction(total, self.denominator * denominator)

    @_of_parts
    def __sub__(self, numerator: Any, denominator: Any) -> Any:
        return self + PolynomialFraction(-numerator, denominator)

    @_of_parts
    def __mul__(self, numerator: Any, denominator: Any) -> PolynomialFraction:
        return PolynomialFraction(self.numerator * numerator, self.denominator * denominator)

    @_of_parts
    def __truediv__(self, numerator: Any, denominator: Any) -> PolynomialFraction:
        if numerator == 0:
            raise ZeroDivisionError
        return PolynomialFraction(self.numerator * denominator, self.denominator * numerator)

    def __neg__(self) -> PolynomialFraction:
        return PolynomialFraction(-self.numerator, self.denominator)

    def __pow__(self, exponent: int) -> PolynomialFraction:
        return PolynomialFraction(self.numerator**exponent, self.denominator**exponent)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __rtruediv__(self, other: Any) -> Any:
        return PolynomialFraction(other) / self

    def __str__(self) -> str:
        return str(self.numerator) if self.denominator == 1 else f"({self.numerator}) / ({self.denominator})"

    def __eq__(self, other: object) -> bool:
        return bool((self - other).numerator == 0)

    __radd__, __rmul__ = __add__, __mul__


@lru_cache(maxsize=64)
def unknowns(*names: str) -> tuple[PolynomialFraction, ...]:
    """Return independent unknowns with the given names. Only unknowns that were made together can be combined."""
    return tuple(map(PolynomialFraction, flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex).gens()))

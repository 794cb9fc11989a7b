"""A metric's own code run on symbols for its parameters, and for the discounts that are irrational."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mpoly_ctx, fmpz

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.numbers.arithmetic import Rationals, to_fmpq
from axiomcheck.numbers.discount import Discount, Geometric
from axiomcheck.studies.region.polynomials import BITS, Box, OpenEnds, Polynomial

__all__ = ["OpenSign", "ParameterArithmetic", "Symbols", "Term"]

Array = Any


class OpenSign(AxiomcheckError):
    """The code compares numbers whose order is not the same, or not shown to be, for all the parameters asked about."""


class Symbols:
    """Polynomials over the rationals in variables, and in the irrational discounts of ranks up to ``depth``.

    Args:
        box: variable -> the closed interval that comparisons in the metric's code have to be certain on; none below 0.
        open_ends: (name, value) of the ends of its sides that are never reached.
        depth: the largest rank whose discount may be irrational.

    """

    def __init__(self, box: Box, open_ends: OpenEnds = frozenset(), depth: int = 0) -> None:
        self.names = tuple(box)
        self.box = box
        self.open_ends = open_ends
        self.ring = fmpq_mpoly_ctx.get([*self.names, *(f"D{i}" for i in range(1, depth + 1))], "lex")
        self.generators = self.ring.gens()
        self.one = self.ring.constant(1)
        self.depth = depth
        self.discount: Discount | None = None

    def variable(self, name: str) -> Term:
        """The symbol of a variable."""
        return Term(self, self.generators[self.names.index(name)], self.one)

    def constant(self, value: Any) -> Term:
        """A number."""
        return Term(self, self.one * value, self.one)

    def irrational(self, discount: Discount, rank: int) -> Term:
        """The symbol of an irrational discount.

        Raises:
            OpenSign: of another discount, or of a rank below ``depth``.

        """
        if self.discount not in (None, discount) or rank > self.depth:
            raise OpenSign(f"no symbol for {discount} at rank {rank}")
        self.discount = discount
        return Term(self, self.generators[len(self.names) + rank - 1], self.one)

    def read(self, polynomial: Any) -> Polynomial:
        """A polynomial in the variables, with the discounts as certified balls inside its coefficients."""
        exact: dict[tuple[int, ...], Any] = {}
        balls: dict[tuple[int, ...], Any] = {}
        count = len(self.names)
        with ctx.workprec(2 * BITS):
            for exponents, c in polynomial.to_dict().items():
                key, ranks = tuple(int(e) for e in exponents[:count]), exponents[count:]
                if not any(ranks):
                    exact[key] = c
                    continue
                assert self.discount is not None
                value = arb(c)
                for rank, power in enumerate(ranks, start=1):
                    if power:
                        value *= self.discount.ball(rank) ** int(power)
                balls[key] = balls.get(key, arb(0)) + value
            terms = {key: arb(exact[key]) + balls[key] if key in exact else balls[key] for key in balls}
        return Polynomial(self.names, exact | terms)

    def sign(self, polynomial: Any) -> int:
        """The sign of a polynomial on the whole box, ends that are never reached left out.

        Raises:
            OpenSign: it is not the same everywhere, or not shown to be.

        """
        found = self.read(polynomial)
        if found.is_zero:
            return 0
        low, high = found.range_signs(self.box)
        if low == 1 or high == -1:
            return 1 if low == 1 else -1
        # Zero at a corner only, which may be at ends that are never reached.
        monotone = found.fits(self.box)
        if monotone is not None:
            for sign in (1, -1):
                terms = monotone.oriented.terms
                if all(sign * c > 0 for c in terms.values()) and any(
                    self._never_zero(k, monotone.flips) for k in terms
                ):
                    return sign
        raise OpenSign("the metric's code compares numbers whose order depends on the parameters")

    def _never_zero(self, exponents: tuple[int, ...], flips: frozenset[str]) -> bool:
        """Whether a monomial in x, and in 1 - x for the variables flipped, is positive wherever it is asked about."""
        for name, exponent in zip(self.names, exponents, strict=True):
            low, high = self.box[name]
            zero, end = (1, high) if name in flips else (0, low)
            if exponent and end == zero and (name, end) not in self.open_ends:
                return False
        return True


class Term:
    """A quotient of two polynomials, the denominator positive on the box. Comparisons are certain or raise."""

    __slots__ = ("denominator", "numerator", "symbols")
    __hash__ = None  # type: ignore[assignment]  # == compares by value

    def __init__(self, symbols: Symbols, numerator: Any, denominator: Any) -> None:
        self.symbols = symbols
        self.numerator = numerator
        self.denominator = denominator

    def _other(self, value: Any) -> Term | None:
        if isinstance(value, Term):
            return value
        if isinstance(value, Fraction):
            return self.symbols.constant(to_fmpq(value))
        if isinstance(value, int | np.integer):
            return self.symbols.constant(int(value))
        return self.symbols.constant(value) if isinstance(value, fmpq | fmpz) else None

    def __add__(self, value: Any) -> Term:
        other = self._other(value)
        if other is None:
            return NotImplemented
        if self.denominator == other.denominator:
            return Term(self.symbols, self.numerator + other.numerator, self.denominator)
        numerator = self.numerator * other.denominator + other.numerator * self.denominator
        return Term(self.symbols, numerator, self.denominator * other.denominator)

    __radd__ = __add__

    def __neg__(self) -> Term:
        return Term(self.symbols, -self.numerator, self.denominator)

    def __sub__(self, value: Any) -> Term:
        other = self._other(value)
        return NotImplemented if other is None else self + -other

    def __rsub__(self, value: Any) -> Term:
        other = self._other(value)
        return NotImplemented if other is None else other + -self

    def __mul__(self, value: Any) -> Term:
        other = self._other(value)
        if other is None:
            return NotImplemented
        return Term(self.symbols, self.numerator * other.numerator, self.denominator * other.denominator)

    __rmul__ = __mul__

    def __truediv__(self, value: Any) -> Term:
        other = self._other(value)
        if other is None:
            return NotImplemented
        numerator, denominator = self.numerator * other.denominator, self.denominator * other.numerator
        if denominator == 0:
            raise ZeroDivisionError("division by a term that is zero")
        common = numerator.gcd(denominator)
        numerator, denominator = numerator / common, denominator / common
        sign = self.symbols.sign(denominator)
        return Term(self.symbols, numerator * sign, denominator * sign)

    def __rtruediv__(self, value: Any) -> Term:
        other = self._other(value)
        return NotImplemented if other is None else other / self

    def __pow__(self, exponent: int) -> Term:
        return Term(self.symbols, self.numerator**exponent, self.denominator**exponent)

    def sign(self) -> int:
        """The sign on the whole box.

        Raises:
            OpenSign: it is not the same everywhere, or not shown to be.

        """
        return self.symbols.sign(self.numerator)

    def __gt__(self, value: Any) -> bool:
        return bool((self - value).sign() > 0)

    def __lt__(self, value: Any) -> bool:
        return bool((self - value).sign() < 0)

    def __ge__(self, value: Any) -> bool:
        return bool((self - value).sign() >= 0)

    def __le__(self, value: Any) -> bool:
        return bool((self - value).sign() <= 0)

    def __eq__(self, value: object) -> bool:
        return (self - value).sign() == 0

    def __ne__(self, value: object) -> bool:
        return (self - value).sign() != 0


class ParameterArithmetic(Rationals):
    """Rationals, with terms for the parameters that are varied and for irrational discounts.

    Args:
        symbols: that the terms are over.

    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    def number(self, value: Any) -> Any:
        """A constant exactly; a term as it is."""
        return value if isinstance(value, Term) else super().number(value)

    def discounts(self, discount: Discount, n: int) -> Array:
        """The discounts of ranks 1..n, shape (n,)."""
        if not isinstance(discount, Geometric):
            return super().discounts(discount, n)
        out = np.empty(n, dtype=object)
        value: Any = self.number(discount.scale)
        ratio = self.number(discount.ratio)
        for i in range(n):
            out[i] = value
            value = value * ratio
        return out

    def irrational(self, discount: Discount, rank: int) -> Any:
        """The symbol of an irrational discount, where there are such symbols."""
        return self.symbols.irrational(discount, rank) if self.symbols.depth else super().irrational(discount, rank)

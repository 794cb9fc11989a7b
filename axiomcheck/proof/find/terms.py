"""Rational functions of variables with declared ranges, whose signs are decided by their coefficients.

The substitution is the usual one: a variable of the unit interval is u = s / (1 + s), a variable above 0 is itself. In
the numerator, cleared of (1 + s), coefficients that are all >= 0 show that the function is >= 0 on the whole range, the
end u = 1 (s -> infinity) included; it is > 0 where, on every face of the range (some u at 0, some at 1), one of the
coefficients that are left there is > 0.

`Term` values go through a metric's own array code: they compare with `<` and `>` where coefficients settle it, and
raise `Undecided` where they do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from itertools import product
from math import comb
from numbers import Rational
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.numbers.arithmetic import Rationals, to_fmpq
from axiomcheck.numbers.discount import Constant, Discount, Geometric

__all__ = ["Range", "Term", "Terms", "Undecided", "Variables", "coefficients", "positivity"]

_MOST = 64
"""Variables of one proof."""

_CONTEXT = fmpq_mpoly_ctx.get([f"v{k}" for k in range(_MOST)], Ordering.lex)
_GENERATORS = _CONTEXT.gens()
_ONE = _CONTEXT.constant(1)
_ZERO = _CONTEXT.constant(0)


class Range(StrEnum):
    """The values of a variable."""

    POSITIVE = "(0, oo)"
    NONNEGATIVE = "[0, oo)"
    OPEN = "(0, 1)"
    UNIT = "[0, 1]"
    ABOVE_ZERO = "(0, 1]"
    BELOW_ONE = "[0, 1)"
    ANY = "(-oo, oo)"

    @property
    def unit(self) -> bool:
        """Whether it ends at 1."""
        return self not in (Range.POSITIVE, Range.NONNEGATIVE, Range.ANY)

    @property
    def has_zero(self) -> bool:
        """Whether 0 is one of the values."""
        return self.value.startswith("[")

    @property
    def has_one(self) -> bool:
        """Whether it ends at 1 and 1 is one of the values."""
        return self.value.endswith("1]")


class Undecided(AxiomcheckError):
    """The coefficients do not settle a sign; `term` is what was asked about."""

    def __init__(self, term: Term) -> None:
        super().__init__(f"the sign of {term} is not settled by its coefficients")
        self.term = term


class Variables:
    """The variables of one proof: names and ranges, in order."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.ranges: list[Range] = []

    def new(self, name: str, range_: Range) -> Term:
        """A further variable.

        Raises:
            Undecided: more than 64 variables (of the last one: a proof of that size is given up).

        """
        k = len(self.names)
        if k >= _MOST:
            raise Undecided(Term(_GENERATORS[-1], _ONE, self))
        self.names.append(name)
        self.ranges.append(range_)
        return Term(_GENERATORS[k], _ONE, self)

    def at(self, k: int) -> Term:
        """The k-th variable."""
        return Term(_GENERATORS[k], _ONE, self)

    def forget(self, mark: int) -> None:
        """Drops the variables from the mark-th on, which nothing may hold any more."""
        del self.names[mark:], self.ranges[mark:]

    def constant(self, value: Fraction | int) -> Term:
        """A number."""
        return Term(_CONTEXT.constant(to_fmpq(Fraction(value))), _ONE, self)


def _lifted(value: Any) -> Any:
    """The polynomial of a plain number; None of what is no number.

    Raises:
        TypeError: of a float, which is not exact.

    """
    if isinstance(value, fmpq):
        return _CONTEXT.constant(value)
    if isinstance(value, float):
        raise TypeError("floats cannot be combined with exact terms")
    if isinstance(value, Rational):
        return _CONTEXT.constant(fmpq(int(value.numerator), int(value.denominator)))
    return None


class Term:
    """numerator / denominator; the denominator is positive on the whole range."""

    __slots__ = ("denominator", "numerator", "variables")
    __hash__ = None  # type: ignore[assignment]  # == compares functions

    def __init__(self, numerator: Any, denominator: Any, variables: Variables) -> None:
        self.numerator = numerator
        self.denominator = denominator
        self.variables = variables

    def _pair(self, other: Any) -> tuple[Any, Any] | None:
        if isinstance(other, Term):
            return other.numerator, other.denominator
        polynomial = _lifted(other)
        return None if polynomial is None else (polynomial, _ONE)

    def __add__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        if self.denominator == d:
            return Term(self.numerator + n, d, self.variables)
        return _reduced(self.numerator * d + n * self.denominator, self.denominator * d, self.variables)

    __radd__ = __add__

    def __neg__(self) -> Term:
        return Term(-self.numerator, self.denominator, self.variables)

    def __pos__(self) -> Term:
        return self

    def __sub__(self, other: Any) -> Any:
        pair = self._pair(other)
        return NotImplemented if pair is None else self + Term(-pair[0], pair[1], self.variables)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        if self.denominator == 1 and d == 1:
            return Term(self.numerator * n, _ONE, self.variables)
        return _reduced(self.numerator * n, self.denominator * d, self.variables)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        sign = Term(n, d, self.variables).sign()
        if sign == 0:
            raise ZeroDivisionError("division of terms by zero")
        return _reduced(self.numerator * d * sign, self.denominator * n * sign, self.variables)

    def __rtruediv__(self, other: Any) -> Any:
        polynomial = _lifted(other)
        return NotImplemented if polynomial is None else Term(polynomial, _ONE, self.variables) / self

    def __pow__(self, exponent: int) -> Term:
        if exponent < 0:
            inverse: Term = 1 / self ** (-exponent)
            return inverse
        return Term(self.numerator**exponent, self.denominator**exponent, self.variables)

    def sign(self) -> int:
        """+1, -1 or 0 on the whole range.

        Raises:
            Undecided: the coefficients do not settle it, or it is not one and the same.

        """
        if self.numerator.is_constant():  # by far the most are
            constant = self.numerator.leading_coefficient()
            return int(constant > 0) - int(constant < 0)
        if positivity(self.numerator, self.variables, strict=True) is not None:
            return 1
        if positivity(-self.numerator, self.variables, strict=True) is not None:
            return -1
        raise Undecided(self)

    def at_least_zero(self) -> bool:
        """Whether the coefficients show that it is nowhere negative."""
        return self.numerator.is_zero() or positivity(self.numerator, self.variables, strict=False) is not None

    def __gt__(self, other: Any) -> bool:
        return _above_zero(self - other)

    def __lt__(self, other: Any) -> bool:
        return _above_zero(other - self)

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __eq__(self, other: Any) -> Any:
        if self._pair(other) is None:
            return NotImplemented
        return (self - other).sign() == 0

    def __ne__(self, other: Any) -> Any:
        if self._pair(other) is None:
            return NotImplemented
        return (self - other).sign() != 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The function in the variables' own names."""
        top = _text(self.numerator, self.variables)
        return top if self.denominator == 1 else f"({top})/({_text(self.denominator, self.variables)})"


def _above_zero(difference: Term) -> bool:
    """Whether it is > 0 everywhere (True) or nowhere (False).

    Raises:
        Undecided: neither was shown.

    """
    if not difference.numerator.is_zero() and positivity(difference.numerator, difference.variables, strict=True):
        return True
    if (-difference).at_least_zero():
        return False
    raise Undecided(difference)


def _reduced(numerator: Any, denominator: Any, variables: Variables) -> Term:
    common = numerator.gcd(denominator)
    if common != 1 and positivity(common, variables, strict=True) is not None:
        numerator, denominator = numerator / common, denominator / common
    return Term(numerator, denominator, variables)


def _text(polynomial: Any, variables: Variables) -> str:
    parts = []
    for exponents, coefficient in polynomial.to_dict().items():
        powers = [variables.names[k] if e == 1 else f"{variables.names[k]}^{e}" for k, e in enumerate(exponents) if e]
        number = str(coefficient)
        parts.append("*".join(powers if powers and number == "1" else [number, *powers]))
    return (" + ".join(parts) or "0").replace("+ -", "- ")


Monomial = tuple[tuple[int, int], ...]
"""(variable, exponent) pairs in order; variables that do not occur are left out."""


def coefficients(polynomial: Any, variables: Variables) -> dict[Monomial, fmpq]:
    """The coefficients after u = s / (1 + s) in every variable of the unit interval, times (1 + s)^degree.

    Args:
        polynomial: over the variables' generators.
        variables: their ranges.

    """
    terms: dict[Monomial, fmpq] = {}
    for exponents, coefficient in polynomial.to_dict().items():
        terms[tuple((k, int(e)) for k, e in enumerate(exponents) if e)] = coefficient
    for k, degree in _degrees(polynomial).items():
        if not variables.ranges[k].unit:
            continue
        spread: dict[Monomial, fmpq] = {}
        for monomial, coefficient in terms.items():
            powers = dict(monomial)
            e = powers.pop(k, 0)
            for more in range(degree - e + 1):
                raised = powers | {k: e + more} if e + more else powers
                key = tuple(sorted(raised.items()))
                value = coefficient * comb(degree - e, more)
                spread[key] = spread[key] + value if key in spread else value
        terms = {key: c for key, c in spread.items() if c != 0}
    return terms


def _degrees(polynomial: Any) -> dict[int, int]:
    """The degree of each variable that occurs."""
    return {k: int(degree) for k, degree in enumerate(polynomial.degrees()) if degree > 0}


def positivity(polynomial: Any, variables: Variables, strict: bool) -> dict[Monomial, fmpq] | None:
    """The coefficients, if they show that a polynomial is >= 0 (strict: > 0) on the whole range; else None."""
    found = coefficients(polynomial, variables)
    if any(c < 0 for c in found.values()) or any(variables.ranges[k] is Range.ANY for m in found for k, _ in m):
        return None
    # Degrees are those before the substitution: 1 - u becomes 1, and is 0 at u = 1 all the same.
    if strict and not all(_left_on(face, found) for face in faces(_degrees(polynomial), variables.ranges)):
        return None
    return found


def faces(degrees: dict[int, int], ranges: list[Range]) -> Iterable[dict[int, int]]:
    """The smallest faces of the range: variable -> the exponent that its end allows; those without an end are left out.

    A monomial that is on a face is also on every larger one, so these are enough.
    """
    ends: list[list[tuple[int, int]]] = []
    for k, degree in degrees.items():
        at = [(k, 0)] if ranges[k].has_zero else []
        at += [(k, degree)] if ranges[k].has_one else []
        if at:
            ends.append(at)
    return (dict(choice) for choice in product(*ends))


def _left_on(face: dict[int, int], found: Iterable[Monomial]) -> bool:
    return any(all(dict(monomial).get(k, 0) == e for k, e in face.items()) for monomial in found)


class Terms(Rationals):
    """Arithmetic over terms; irrational discounts are what a proof assumes of them.

    Args:
        variables: of the proof.
        discounts: the discounts of ranks 1, 2, ..., to be used in place of logarithmic ones; None where there are none.

    """

    def __init__(self, variables: Variables, discounts: list[Any] | None = None) -> None:
        self.variables = variables
        self.given = discounts

    def number(self, value: Any) -> Any:
        """A constant, or a parameter that is a term already."""
        return value if isinstance(value, Term) else to_fmpq(Fraction(value))

    def discounts(self, discount: Discount, n: int) -> Any:
        """The discounts of ranks 1..n, shape (n,)."""
        out = np.empty(n, dtype=object)
        if self.given is not None and not isinstance(discount, Constant | Geometric):
            out[:] = self.given[:n]
            return out
        for i in range(1, n + 1):
            value = discount.rational(i)
            out[i - 1] = self.irrational(discount, i) if value is None else self.number(value)
        return out

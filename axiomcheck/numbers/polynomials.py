"""Quotients of polynomials that a metric's own code runs on, and their signs: the arithmetic of provers and studies.

A `Term` goes through a metric's array code. Comparisons say what is so on the whole range of the variables, or raise
`Undecided`. How a sign is told is up to the variables; those of proofs go by coefficients:

A variable of the unit interval is u = s / (1 + s), a variable above 0 is itself. In the numerator, cleared of (1 + s),
coefficients that are all >= 0 show that the function is >= 0 on the whole range, the end u = 1 (s -> infinity)
included; it is > 0 where, on every face of the range (some u at 0, some at 1), one of the coefficients that are left
there is > 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from numbers import Rational
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.numbers.arithmetic import Objects, to_fmpq
from axiomcheck.numbers.series import Series

_MOST = 64
"""Variables of one proof."""

_CONTEXT = fmpq_mpoly_ctx.get([f"v{k}" for k in range(_MOST)], Ordering.lex)

Monomial = tuple[tuple[int, int], ...]
"""(variable, exponent) pairs in order; variables that do not occur are left out."""


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
    """A sign is not the same on the whole range, or not shown to be; `term` is what was asked about, if one was."""

    def __init__(self, about: Term | str) -> None:
        super().__init__(about)
        self.about = about

    @property
    def term(self) -> Term:
        """Whose sign it is."""
        assert isinstance(self.about, Term)
        return self.about

    def __str__(self) -> str:
        about = self.about
        return about if isinstance(about, str) else f"the sign of {about} is not settled by its coefficients"


@lru_cache(maxsize=16)
def _generators(context: fmpq_mpoly_ctx) -> tuple[fmpq_mpoly, ...]:
    """The variables of a context, which take longer to make than most proofs take to use."""
    return tuple(context.gens())


class Ring(ABC):
    """Polynomials over the rationals in variables with names.

    Args:
        context: of flint's polynomials.
        names: of the context's first variables; more may follow.

    """

    def __init__(self, context: fmpq_mpoly_ctx, names: Sequence[str]) -> None:
        self.context = context
        self.generators = _generators(context)
        self.one = context.constant(1)
        self.names = list(names)

    @abstractmethod
    def shows(self, polynomial: fmpq_mpoly, strict: bool) -> object | None:
        """Something, if a polynomial is seen to be >= 0 (strict: > 0) on the whole range; else None."""

    def sign(self, polynomial: fmpq_mpoly) -> int | None:
        """+1, -1 or 0 on the whole range; None where it is not seen to be one and the same."""
        if polynomial.is_constant():  # by far the most are
            constant = polynomial.leading_coefficient()
            return int(constant > 0) - int(constant < 0)
        return next((sign for sign in (1, -1) if self.shows(sign * polynomial, True) is not None), None)

    def cancels(self, common: fmpq_mpoly) -> int | None:
        """The sign of a common factor that quotients are to be rid of; None of one that is left where it is."""
        return None if self.shows(common, True) is None else 1

    def at(self, k: int) -> Term:
        """The k-th variable."""
        return Term(self.generators[k], self.one, self)

    def constant(self, value: Fraction | fmpq | int) -> Term:
        """A number."""
        number = to_fmpq(value) if isinstance(value, Fraction) else value
        return Term(self.context.constant(number), self.one, self)


class Variables(Ring):
    """The variables of one proof: names and ranges, in order."""

    def __init__(self) -> None:
        super().__init__(_CONTEXT, ())
        self.ranges: list[Range] = []
        self._any = self._ends = False

    def new(self, name: str, range_: Range) -> Term:
        """A further variable.

        Raises:
            Undecided: more than 64 variables (of the last one: a proof of that size is given up).

        """
        k = len(self.names)
        if k >= _MOST:
            raise Undecided(self.at(_MOST - 1))
        self.names.append(name)
        self.ranges.append(range_)
        self._note()
        return self.at(k)

    def _note(self) -> None:
        """Whether some variable may be any number, and whether the range of some has an end."""
        self._any = Range.ANY in self.ranges
        self._ends = any(r.has_zero or r.has_one for r in self.ranges)

    def forget(self, mark: int) -> None:
        """Drops the variables from the mark-th on, which nothing may hold any more."""
        del self.names[mark:], self.ranges[mark:]
        self._note()

    def shows(self, polynomial: fmpq_mpoly, strict: bool) -> object | None:
        """By `positivity`; where all coefficients have one sign before the substitution, they have it after it."""
        before = polynomial.coeffs()
        if before and all(c < 0 for c in before):
            return None
        if before and not self._any and not (strict and self._ends) and all(c > 0 for c in before):
            return before
        return positivity(polynomial, self, strict)


class Term:
    """numerator / denominator; the denominator is positive on the whole range."""

    __slots__ = ("denominator", "numerator", "variables")
    __hash__ = None  # type: ignore[assignment]  # == compares functions

    def __init__(self, numerator: fmpq_mpoly, denominator: fmpq_mpoly, variables: Any) -> None:
        self.numerator = numerator
        self.denominator = denominator
        self.variables = variables

    def _pair(self, other: Any) -> tuple[Any, Any] | None:
        """Numerator and denominator of a term or a plain number; None of what is neither.

        Raises:
            TypeError: of a float, which is not exact.

        """
        if isinstance(other, Term):
            return other.numerator, other.denominator
        if isinstance(other, float):
            raise TypeError("floats cannot be combined with exact terms")
        if isinstance(other, Rational):
            other = fmpq(int(other.numerator), int(other.denominator))
        known = isinstance(other, fmpq | fmpz)
        return (self.variables.context.constant(other), self.variables.one) if known else None

    def __add__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        if self.denominator == d:
            return Term(self.numerator + n, d, self.variables)
        return self._reduced(self.numerator * d + n * self.denominator, self.denominator * d)

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
        if self.denominator.is_one() and d.is_one():
            return Term(self.numerator * n, d, self.variables)
        return self._reduced(self.numerator * n, self.denominator * d)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        n, d = pair
        sign = Term(n, d, self.variables).sign()
        if sign == 0:
            raise ZeroDivisionError("division of terms by zero")
        return self._reduced(self.numerator * d * sign, self.denominator * n * sign)

    def __rtruediv__(self, other: Any) -> Any:
        pair = self._pair(other)
        return NotImplemented if pair is None else Term(*pair, self.variables) / self

    def __pow__(self, exponent: int) -> Term:
        if exponent < 0:
            inverse: Term = 1 / self ** (-exponent)
            return inverse
        return Term(self.numerator**exponent, self.denominator**exponent, self.variables)

    def _reduced(self, numerator: fmpq_mpoly, denominator: fmpq_mpoly) -> Term:
        common = numerator.gcd(denominator)
        if not common.is_one() and (sign := self.variables.cancels(common)):
            numerator, denominator = numerator / common * sign, denominator / common * sign
        return Term(numerator, denominator, self.variables)

    def lowest(self) -> Term:
        """The same in lowest terms, even if what cancels may be 0.

        Raises:
            Undecided: of the denominator that is left.

        """
        common = self.numerator.gcd(self.denominator)
        if common.is_one():
            return self
        top, bottom = self.numerator / common, self.denominator / common
        sign = Term(bottom, self.variables.one, self.variables).sign()
        return Term(top * sign, bottom * sign, self.variables)

    def sign(self) -> int:
        """+1, -1 or 0 on the whole range.

        Raises:
            Undecided: it is not settled, or it is not one and the same.

        """
        sign: int | None = self.variables.sign(self.numerator)
        if sign is None:
            raise Undecided(self)
        return sign

    def at_least_zero(self) -> bool:
        """Whether it is seen to be nowhere negative."""
        return self.numerator.is_zero() or self.variables.shows(self.numerator, False) is not None

    def __gt__(self, other: Any) -> bool:
        return _above_zero(self if _is_zero(other) else self - other)

    def __lt__(self, other: Any) -> bool:
        return _above_zero(-self if _is_zero(other) else other - self)

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __eq__(self, other: Any) -> Any:
        return NotImplemented if self._pair(other) is None else (self - other).sign() == 0

    def __ne__(self, other: Any) -> Any:
        return NotImplemented if self._pair(other) is None else (self - other).sign() != 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The function in the variables' own names."""
        top = _text(self.numerator, self.variables.names)
        return top if self.denominator.is_one() else f"({top})/({_text(self.denominator, self.variables.names)})"


def _is_zero(value: Any) -> bool:
    """Whether it is the 0 that signs are told by, which need not be taken away."""
    return type(value) is int and value == 0


def _above_zero(difference: Term) -> bool:
    """Whether it is > 0 everywhere (True) or nowhere (False).

    Raises:
        Undecided: neither was shown.

    """
    if not difference.numerator.is_zero() and difference.variables.shows(difference.numerator, True):
        return True
    if (-difference).at_least_zero():
        return False
    raise Undecided(difference)


def product_text(
    powers: Iterable[tuple[int, int]], names: Sequence[str], number: str = "1", times: str = "*", power: str = "^"
) -> str:
    """A number times powers of variables, such as ``3*x*y^2``.

    Args:
        powers: (variable, exponent) pairs, exponents above 0.
        names: of the variables.
        number: the coefficient, left out where it is 1.
        times: the sign between factors.
        power: the sign before exponents.

    """
    factors = [names[k] if e == 1 else f"{names[k]}{power}{e}" for k, e in powers]
    return times.join(factors if factors and number == "1" else [number, *factors])


def _text(polynomial: fmpq_mpoly, names: Sequence[str]) -> str:
    parts = [product_text(powers_of(e), names, str(c)) for e, c in polynomial.to_dict().items()]
    return (" + ".join(parts) or "0").replace("+ -", "- ")


def sum_text(terms: Iterable[tuple[Monomial, Any]], names: Sequence[str]) -> str:
    """A polynomial as Python would read it, such as ``1 - 2*x**3``.

    Args:
        terms: monomials with their coefficients, in the order in which they are to be written.
        names: of the variables.

    """
    parts = [(" - " if c < 0 else " + ") + product_text(m, names, str(abs(c)), power="**") for m, c in terms]
    text = "".join(parts) or " + 0"
    return "-" + text[3:] if text.startswith(" - ") else text[3:]


def powers_of(exponents: Iterable[int]) -> Monomial:
    """The monomial with these exponents."""
    return tuple((k, e) for k, e in enumerate(exponents) if e)


def coefficients(polynomial: fmpq_mpoly, variables: Variables) -> dict[Monomial, fmpq]:
    """The coefficients after u = s / (1 + s) in every variable of the unit interval, times (1 + s)^degree.

    Written out rather than composed by flint: the polynomials have few monomials in a context of many variables, so
    that composing takes nearly twice as long.

    Args:
        polynomial: over the variables' generators.
        variables: their ranges.

    """
    terms = {powers_of(exponents): c for exponents, c in polynomial.to_dict().items()}
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


def positivity(polynomial: fmpq_mpoly, variables: Variables, strict: bool) -> dict[Monomial, fmpq] | None:
    """The coefficients, if they show that a polynomial is >= 0 (strict: > 0) on the whole range; else None."""
    found, ranges = coefficients(polynomial, variables), variables.ranges
    if any(c < 0 for c in found.values()) or any(ranges[k] is Range.ANY for m in found for k, _ in m):
        return None
    # Degrees are those before the substitution: 1 - u becomes 1, and is 0 at u = 1 all the same.
    if strict and not all(_left_on(face, found) for face in _faces(_degrees(polynomial), ranges)):
        return None
    return found


def _degrees(polynomial: fmpq_mpoly) -> dict[int, int]:
    """The degree of each variable that occurs."""
    return {k: degree for k, degree in enumerate(polynomial.degrees()) if degree > 0}


def _faces(degrees: Mapping[int, int], ranges: Sequence[Range]) -> Iterable[dict[int, int]]:
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


def _left_on(face: Mapping[int, int], found: Iterable[Monomial]) -> bool:
    return any(all(dict(monomial).get(k, 0) == e for k, e in face.items()) for monomial in found)


class Terms(Objects):
    """Rationals, with terms for what is a symbol."""

    def number(self, value: Any) -> Any:
        """A constant exactly; a term as it is."""
        return value if isinstance(value, Term) else to_fmpq(value)


def one_entry(value: Any) -> Any:
    """An array of shape (1,), as folds take them."""
    return np.array([value], dtype=object)


def by_order(value: Any, ring: Ring) -> dict[int, Term]:
    """Order of eps -> coefficient of one number; a plain value has order 0.

    Args:
        value: a series or not, of shape () or (1,).
        ring: of the terms; plain numbers become some.

    """
    terms = value.terms if isinstance(value, Series) else {0: value}
    zero = ring.constant(0)
    return {order: zero + np.broadcast_to(np.asarray(c, dtype=object), (1,))[0] for order, c in terms.items()}

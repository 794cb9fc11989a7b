"""Compute with single numbers that depend on eps -> 0: Laurent series in eps.

External metric code computes with germs if every grade is eps * rho. `Series` holds arrays and supports numpy's
functions on whole arrays, whereas a germ is a single number. Infinite series (quotients, logarithms, roots) are
truncated, and the germ records the first unknown order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import comb, factorial
from typing import Any

from flint import fmpq

from axiomcheck.numbers.series import Truncated

_ORDERS = 6
"""Number of orders that an infinite series keeps."""

_LAST: ContextVar[int | None] = ContextVar("last", default=None)

Value = Any
"""Coefficient: a rational, a number in closed form or a symbol of a proof."""


@contextmanager
def cut_above(order: int | None) -> Iterator[None]:
    """Drop the orders above ``order`` in products. They then count as unknown. None keeps all orders."""
    token = _LAST.set(order)
    try:
        yield
    finally:
        _LAST.reset(token)


class Germ:
    """Immutable sum_k terms[k] * eps**k, in which the terms of order ``known`` and above are unknown.

    Args:
        terms: Order -> coefficient, without coefficients that are known to be 0.
        known: First unknown order; None if every order is known.

    """

    __slots__ = ("known", "terms")
    __hash__ = None  # type: ignore[assignment]  # == compares values, and raises where it cannot

    def __init__(self, terms: dict[int, Value], known: int | None = None) -> None:
        self.terms = terms
        self.known = known

    @property
    def first(self) -> int:
        """Lowest order of a term, or the first unknown order if there are no terms.

        Raises:
            ZeroDivisionError: The germ is zero.

        """
        if self.terms:
            return min(self.terms)
        if self.known is None:
            raise ZeroDivisionError("division by zero")
        return self.known

    def sign(self, sign_of: Callable[[Value], int]) -> int:
        """Return the sign for every small enough eps > 0.

        Raises:
            Truncated: The sign depends on unknown orders.

        """
        for order in sorted(self.terms):
            sign = sign_of(self.terms[order])
            if sign:
                return sign
        if self.known is not None:
            raise Truncated("a comparison depends on orders of eps that were cut off")
        return 0

    def __neg__(self) -> Germ:
        return Germ({k: -c for k, c in self.terms.items()}, self.known)


def germ(terms: dict[int, Value], known: int | None = None) -> Value:
    """Create a germ without zero or unknown terms, or a plain value if it does not depend on eps."""
    kept = {k: c for k, c in terms.items() if (known is None or k < known) and not _is_zero(c)}
    if known is None:
        if not kept:
            return fmpq(0)
        if len(kept) == 1 and 0 in kept:
            return kept[0]
    return Germ(kept, known)


def _is_zero(value: Value) -> bool:
    return isinstance(value, fmpq) and value == 0


def _parts(value: Value) -> tuple[dict[int, Value], int | None]:
    if isinstance(value, Germ):
        return value.terms, value.known
    return ({} if _is_zero(value) else {0: value}), None


def _least(*orders: int | None) -> int | None:
    return min((k for k in orders if k is not None), default=None)


class GermArithmetic:
    """Operations on germs, over the arithmetic of their coefficients.

    Args:
        add, multiply, divide: Operations on coefficients.

    """

    def __init__(self, add: Callable[..., Value], multiply: Callable[..., Value], divide: Callable[..., Value]) -> None:
        self._add, self._multiply, self._divide = add, multiply, divide

    def add(self, x: Value, y: Value) -> Value:
        """Return x + y, where x or y is a germ."""
        (left, known), (right, other) = _parts(x), _parts(y)
        terms = dict(left)
        for k, c in right.items():
            terms[k] = self._add(terms[k], c) if k in terms else c
        return germ(terms, _least(known, other))

    def multiply(self, x: Value, y: Value) -> Value:
        """Return x * y, where x or y is a germ."""
        (left, known), (right, other) = _parts(x), _parts(y)
        if (not left and known is None) or (not right and other is None):
            return fmpq(0)
        lowest = [min(terms) if terms else k for terms, k in ((left, known), (right, other))]
        ends = [
            None if k is None else k + low for k, low in ((known, lowest[1]), (other, lowest[0])) if low is not None
        ]
        end, last = _least(*ends), _LAST.get()
        if last is not None and left and right and max(left) + max(right) > last:
            end = _least(end, last + 1)
        terms: dict[int, Value] = {}
        for i, a in left.items():
            for j, b in right.items():
                if end is None or i + j < end:
                    value = self._multiply(a, b)
                    terms[i + j] = self._add(terms[i + j], value) if i + j in terms else value
        return germ(terms, end)

    def divide(self, x: Value, y: Value, leading: Callable[[Germ], int]) -> Value:
        """Return x / y, where x or y is a germ.

        Args:
            x: Numerator.
            y: Denominator.
            leading: Function that returns the order of a germ's first coefficient that is certainly not 0.

        """
        if not isinstance(y, Germ):
            return germ({k: self._divide(c, y) for k, c in x.terms.items()}, x.known)
        start = leading(y)
        first = y.terms[start]
        if len(y.terms) == 1 and y.known is None:
            terms, known = _parts(x)
            return germ(
                {k - start: self._divide(c, first) for k, c in terms.items()}, None if known is None else known - start
            )
        # 1 / y = eps^-start / first * (1 + u)^-1 with u of order 1 and above
        u = germ(
            {k - start: self._divide(c, first) for k, c in y.terms.items() if k > start}, _shifted(y.known, -start)
        )
        terms, known = _parts(self.composed(u, lambda k: fmpq((-1) ** k)))
        inverse = germ({k - start: self._divide(c, first) for k, c in terms.items()}, _shifted(known, -start))
        return self.multiply(x, inverse)

    def composed(self, u: Value, coefficient: Callable[[int], Value]) -> Value:
        """Return sum_k coefficient(k) * u**k, truncated, for a germ u of order 1 or above.

        Raises:
            Truncated: The lowest order of u is not known to be 1 or above.

        """
        if not isinstance(u, Germ):
            return coefficient(0)
        if u.first < 1:
            raise Truncated("the code applies a function to a number of unknown order in eps")
        total: Value = germ({0: coefficient(0)}, _ORDERS)
        power: Value = u
        for k in range(1, _ORDERS):
            if not isinstance(power, Germ):
                break
            total = self.add(total, self.multiply(coefficient(k), power))
            power = self.multiply(power, u)
        return total


def _shifted(order: int | None, by: int) -> int | None:
    return None if order is None else order + by


def expanded_power(exponent: fmpq) -> Callable[[int], fmpq]:
    """Return the function k -> binomial coefficient of the expansion of (1 + u)**exponent."""

    def coefficient(k: int) -> fmpq:
        if exponent.q == 1 and exponent >= 0:
            return fmpq(comb(int(exponent.p), k))
        value = fmpq(1)
        for j in range(k):
            value = value * (exponent - j)
        return value / factorial(k)

    return coefficient

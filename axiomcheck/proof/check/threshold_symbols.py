"""The symbols of the threshold checker: polynomials in a state, a grade and open parameters, and their signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mpoly_ctx

from axiomcheck.core.errors import InvalidInput
from axiomcheck.numbers.arithmetic import Rationals, to_fmpq

__all__ = ["Exact", "Room", "Symbolic", "require", "scalar"]

Array = Any
Poly = Any


_STATES = 4


def require(condition: bool, otherwise: str) -> None:
    """Raises InvalidInput unless a condition of the certificate is met."""
    if not condition:
        raise InvalidInput(f"certificate: {otherwise}")


class Room:
    """The symbols of one check, what is known of their ranges, and the signs that follow.

    Args:
        ranges: open range of each parameter that is a symbol.
        small: whether the grade r is infinitesimal; else it is anything in (0, 1].

    """

    def __init__(self, ranges: dict[str, tuple[Fraction, Fraction | None]], small: bool) -> None:
        self.names = ("r", *ranges, *(f"state {i}" for i in range(_STATES)))
        self.ring = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(self.names))], "lex")
        self.symbols = [Symbolic(self, x) for x in self.ring.gens()]
        self.ranges = [None, *ranges.values(), *([None] * _STATES)]
        self.small = small
        self.first_state = 1 + len(ranges)
        self._script: list[bool] | None = None
        self._used = 0
        self._pending: list[list[bool]] = []

    @contextmanager
    def finite(self) -> Iterator[None]:
        """Has r stand for any grade in (0, 1] for a while."""
        small, self.small = self.small, False
        try:
            yield
        finally:
            self.small = small

    def constant(self, value: Any) -> Poly:
        """A number as a constant polynomial, or the polynomial of a term."""
        if isinstance(value, Symbolic):
            return value.poly
        if isinstance(value, int | fmpq):
            return self.ring.constant(value)
        if isinstance(value, Fraction):
            return self.ring.constant(to_fmpq(value))
        raise TypeError(f"{type(value).__name__} in an exact argument")

    def parameter(self, name: str) -> Symbolic:
        """The symbol of a parameter."""
        return self.symbols[self.names.index(name)]

    def states(self, count: int) -> tuple[Symbolic, ...]:
        """Symbols for a state of so many numbers."""
        require(count <= _STATES, f"a fold with {count} numbers in its state")
        return tuple(self.symbols[self.first_state : self.first_state + count])

    def _orthant(self, poly: Poly) -> Poly:
        """A positive multiple of the polynomial in new symbols u >= 0 (u > 0 for parameters), one per symbol x.

        x = (low + high u) / (1 + u) on a bounded range, x = low + u on an unbounded one, r = 1 / (1 + u).
        """
        if poly.is_constant():
            return poly
        degrees, gens = poly.degrees(), self.ring.gens()
        total = self.ring.constant(0)
        for exponents, coefficient in poly.to_dict().items():
            product = self.ring.constant(coefficient)
            for index, exponent in enumerate(int(e) for e in exponents):
                u, rest = gens[index], int(degrees[index]) - exponent
                bounds = self.ranges[index]
                if index == 0:
                    product *= (1 + u) ** rest
                elif bounds is None:
                    product *= u**exponent
                elif bounds[1] is None:
                    product *= (to_fmpq(bounds[0]) + u) ** exponent
                else:
                    low, high = to_fmpq(bounds[0]), to_fmpq(bounds[1])
                    product *= (low + high * u) ** exponent * (1 + u) ** rest
            total += product
        return total

    def nonnegative(self, poly: Poly) -> bool:
        """Whether a polynomial is certainly >= 0 for every r in (0, 1], every parameter and every state >= 0."""
        return all(c >= 0 for c in self._orthant(poly).coeffs())

    def positive(self, poly: Poly) -> bool:
        """As `nonnegative`, and certainly not 0, also at r = 1 and where numbers of the state are 0."""
        terms = self._orthant(poly).to_dict()
        faces = [e for e in terms if e[0] == 0 and not any(e[self.first_state :])]
        return bool(faces) and all(c >= 0 for c in terms.values())

    def leading(self, poly: Poly) -> tuple[int, Poly]:
        """The lowest order in r and its coefficient where r is infinitesimal; order 0 and all of it elsewhere."""
        if not self.small or not poly:
            return 0, poly
        terms = poly.to_dict()
        order = min(int(e[0]) for e in terms)
        return order, self.coefficient(poly, order)

    def coefficient(self, poly: Poly, order: int) -> Poly:
        """The coefficient of an order in r."""
        terms = {(0, *e[1:]): c for e, c in poly.to_dict().items() if int(e[0]) == order}
        return self.ring.from_dict(terms)

    def sign(self, poly: Poly) -> int | None:
        """The sign wherever the symbols may be (for r small enough where it is infinitesimal); None if unknown.

        States stand for their values at r = 0 where r is infinitesimal, so that of polynomials in them only the part
        without r is known.
        """
        if not poly:
            return 0
        order, lead = self.leading(poly)
        if order and any(any(e[self.first_state :]) for e in poly.to_dict()):
            return None
        return 1 if self.positive(lead) else -1 if self.positive(-lead) else None

    def above(self, poly: Poly) -> bool:
        """Whether a polynomial is > 0; where that is open, whichever outcome `explore` is at.

        Raises:
            InvalidInput: it is open, and nobody explores.

        """
        sign = self.sign(poly)
        if sign is None and not self.small and self.nonnegative(-poly):
            sign = -1
        if sign is not None:
            return sign > 0
        require(self._script is not None, "a comparison inside the metric depends on the parameters left open")
        assert self._script is not None
        if self._used == len(self._script):
            self._pending.append([*self._script, False])
            self._script.append(True)
        self._used += 1
        return self._script[self._used - 1]

    def explore(self, function: Callable[[], Any]) -> list[Any]:
        """What a function returns under every outcome of the comparisons in it that are open."""
        results: list[Any] = []
        self._pending = [[]]
        while self._pending:
            require(len(results) < 64, "too many comparisons are open inside the metric")
            self._script, self._used = self._pending.pop(), 0
            try:
                results.append(function())
            finally:
                self._script = None
        return results


class Symbolic:
    """A polynomial in the symbols of a room, as a number that a metric's code can compute with."""

    __slots__ = ("poly", "room")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, room: Room, poly: Poly) -> None:
        self.room = room
        self.poly = poly

    def _with(self, other: Any, combine: Callable[[Poly, Poly], Poly]) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return Symbolic(self.room, combine(self.poly, self.room.constant(other)))

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: x + y)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: x - y)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: x * y)

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Symbolic:
        return Symbolic(self.room, self.poly**exponent)

    def __neg__(self) -> Symbolic:
        return Symbolic(self.room, -self.poly)

    def __gt__(self, other: Any) -> Any:
        return self.room.above((self - other).poly)

    def __lt__(self, other: Any) -> Any:
        return self.room.above((other - self).poly)

    def __eq__(self, other: object) -> bool:
        raise TypeError("two terms were compared for equality")

    def __bool__(self) -> bool:
        raise TypeError("a term was taken for a truth value")


class Exact(Rationals):
    """Rationals, and terms where parameters are symbols."""

    def number(self, value: Any) -> Any:
        """A constant, exactly."""
        return value if isinstance(value, Symbolic) else super().number(value)


# One aspect of a metric


def scalar(value: Any) -> Any:
    """The only number of an array of one."""
    flat = np.asarray(value, dtype=object).reshape(-1)
    require(len(flat) == 1, "a fold that makes several numbers of one grade")
    return flat[0]

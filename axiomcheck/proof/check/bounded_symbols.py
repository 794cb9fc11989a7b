"""The checker's own arithmetic on symbols: quotients of polynomials, with signs settled by coefficients.

Shares nothing with the prover's (`axiomcheck.numbers.polynomials`, `axiomcheck.proof.find.case`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from flint import Ordering, arb, ctx, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from axiomcheck.core.errors import InvalidInput
from axiomcheck.numbers.arithmetic import Arithmetic, Rationals
from axiomcheck.numbers.discount import Constant, Discount, Geometric
from axiomcheck.numbers.series import Series

__all__ = ["MOST", "Quotient", "Sortable", "Symbolic", "Unread", "Unsettled", "World"]

Array = Any

MOST = 64
"""Variables of one case."""

_RING = fmpq_mpoly_ctx.get([f"y{k}" for k in range(MOST)], Ordering.degrevlex)
_Y = _RING.gens()
_ONE, _NOTHING = _RING.constant(1), _RING.constant(0)


class Unsettled(BaseException):
    """A question that symbols do not answer: a sign that the coefficients do not settle, or what is in the pool.

    No Exception, so that a metric that catches what goes wrong in it does not go on with an answer of its own.
    """


class World:
    """The variables of one case: names, and which ends their ranges have."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.ranges: list[str] = []
        self.rows: dict[Any, list[Quotient]] = {}

    def variable(self, name: str, range_: str) -> Quotient:
        """A further variable."""
        if len(self.names) == MOST or name in self.names:
            raise InvalidInput(f"certificate: variable {name}: too many, or twice")
        self.names.append(name)
        self.ranges.append(range_)
        return Quotient(self, _Y[len(self.names) - 1], _ONE)

    def number(self, value: Any) -> Quotient:
        """A number, or what is a quotient already."""
        if isinstance(value, Quotient):
            return value
        if isinstance(value, fmpq):
            return Quotient(self, _RING.constant(value), _ONE)
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer | Fraction):
            raise TypeError(f"{value!r} among symbols")
        exact = Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)
        return Quotient(self, _RING.constant(fmpq(exact.numerator, exact.denominator)), _ONE)

    def monomial(self, exponents: tuple[int, ...]) -> str:
        """A monomial as certificates write it."""
        return "*".join(self.names[k] + (f"^{e}" if e > 1 else "") for k, e in enumerate(exponents) if e) or "1"

    def expanded(self, polynomial: Any) -> dict[tuple[int, ...], fmpq]:
        """The coefficients on the positive orthant: y = s / (1 + s) where the range ends at 1, denominators cleared."""
        for k in range(len(self.names)):
            if not self.ranges[k].endswith(("1)", "1]")):
                continue
            parts: dict[int, dict[tuple[int, ...], fmpq]] = {}
            for e, c in polynomial.to_dict().items():
                parts.setdefault(e[k], {})[(*e[:k], 0, *e[k + 1 :])] = c
            degree = max(parts, default=0)
            if degree:
                grown = _NOTHING
                for e, rest in parts.items():
                    grown += fmpq_mpoly(rest, _RING) * _Y[k] ** e * (1 + _Y[k]) ** (degree - e)
                polynomial = grown
        return {e: c for e, c in polynomial.to_dict().items() if c != 0}

    def shows(self, polynomial: Any, strict: bool) -> dict[tuple[int, ...], fmpq] | None:
        """The coefficients, if they show that a polynomial is >= 0 (strict: > 0) on the whole range."""
        if polynomial.is_constant():
            constant = polynomial.leading_coefficient()
            return polynomial.to_dict() if constant > 0 or (constant == 0 and not strict) else None
        found = self.expanded(polynomial)
        if any(c < 0 for c in found.values()):
            return None
        if strict:
            degrees = polynomial.degrees()
            ends = []
            for k, degree in enumerate(degrees):
                at = (
                    ([0] if self.ranges[k].startswith("[") else [])
                    + ([degree] if self.ranges[k].endswith("1]") else [])
                    if degree
                    else []
                )
                if at:
                    ends.append((k, at))
            if not _somewhere_on_each(list(found), ends):
                return None
        return found

    def sign(self, polynomial: Any) -> int:
        """+1, -1 or 0 everywhere.

        Raises:
            Unsettled: it is not shown to be one of them.

        """
        if polynomial.is_zero():
            return 0
        if self.shows(polynomial, strict=True) is not None:
            return 1
        if self.shows(-polynomial, strict=True) is not None:
            return -1
        raise Unsettled("a sign is not settled")


def _somewhere_on_each(monomials: list[tuple[int, ...]], ends: list[tuple[int, list[int]]]) -> bool:
    """Whether on every choice of ends some monomial is left."""
    if not monomials or not ends:
        return bool(monomials)
    (k, at), *others = ends
    return all(_somewhere_on_each([e for e in monomials if e[k] == exponent], others) for exponent in at)


def _with_number(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The operation on quotients and numbers; arrays and series see to it entry by entry."""

    def apply(self: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray | Series):
            return NotImplemented
        return operation(self, self.world.number(other))

    return apply


class Quotient:
    """A quotient of polynomials; neither is kept in lowest terms, signs are asked of both."""

    __slots__ = ("bottom", "top", "world")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, world: World, top: Any, bottom: Any) -> None:
        self.world = world
        self.top = top
        self.bottom = bottom

    @_with_number
    def __add__(self, other: Quotient) -> Any:
        if self.bottom == other.bottom:
            return Quotient(self.world, self.top + other.top, self.bottom)
        common = self.bottom.gcd(other.bottom)
        mine, others = self.bottom / common, other.bottom / common
        return Quotient(self.world, self.top * others + other.top * mine, mine * other.bottom)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(self.world, -self.top, self.bottom)

    def __pos__(self) -> Quotient:
        return self

    @_with_number
    def __sub__(self, other: Quotient) -> Any:
        return self + -other

    @_with_number
    def __rsub__(self, other: Quotient) -> Any:
        return -self + other

    @_with_number
    def __mul__(self, other: Quotient) -> Any:
        return Quotient(self.world, self.top * other.top, self.bottom * other.bottom)

    __rmul__ = __mul__

    @_with_number
    def __truediv__(self, other: Quotient) -> Any:
        if other.sign() == 0:
            raise ZeroDivisionError("division by zero on symbols")
        return Quotient(self.world, self.top * other.bottom, self.bottom * other.top)

    @_with_number
    def __rtruediv__(self, other: Quotient) -> Any:
        return other / self

    def __pow__(self, exponent: int) -> Any:
        if exponent < 0:
            return 1 / self**-exponent
        return Quotient(self.world, self.top**exponent, self.bottom**exponent)

    def sign(self) -> int:
        """+1, -1 or 0 everywhere."""
        return self.world.sign(self.top) * self.world.sign(self.bottom)

    def at(self, point: list[fmpq]) -> fmpq:
        """The value at a point."""
        value: fmpq = self.top(*point) / self.bottom(*point)
        return value

    def lowest(self) -> Any:
        """The numerator in lowest terms over a positive denominator."""
        common = self.top.gcd(self.bottom)
        return self.top / common * self.world.sign(self.bottom / common)

    def _is_above(self) -> bool:
        """Whether it is > 0 everywhere (True) or nowhere (False)."""
        if self.top.is_zero():
            return False
        numerator = self.top * self.world.sign(self.bottom)
        if self.world.shows(numerator, strict=True) is not None:
            return True
        if self.world.shows(-numerator, strict=False) is not None:
            return False
        raise Unsettled("a comparison is not settled")

    @_with_number
    def __gt__(self, other: Quotient) -> Any:
        return (self - other)._is_above()

    @_with_number
    def __lt__(self, other: Quotient) -> Any:
        return (other - self)._is_above()

    @_with_number
    def __ge__(self, other: Quotient) -> Any:
        return not (other - self)._is_above()

    @_with_number
    def __le__(self, other: Quotient) -> Any:
        return not (self - other)._is_above()

    @_with_number
    def __eq__(self, other: Quotient) -> Any:
        return (self - other).sign() == 0

    @_with_number
    def __ne__(self, other: Quotient) -> Any:
        return (self - other).sign() != 0

    def __bool__(self) -> bool:
        return self.sign() != 0


class Symbolic(Arithmetic):
    """Quotients; the discounts that are neither constant nor geometric as the scope has them."""

    def __init__(self, world: World, discount: str, depth: int, zetas: Callable[[int, Array], Array]) -> None:
        self.world, self.discount, self.depth, self.zetas = world, discount, depth, zetas
        self.steps: dict[Discount, list[Quotient]] = {}

    def number(self, value: Any) -> Quotient:
        """A constant, or a parameter that is a symbol."""
        return self.world.number(value)

    def integers(self, counts: Array) -> Array:
        """Counts as rationals."""
        return Rationals().integers(counts)

    def discounts(self, discount: Discount, n: int) -> Array:
        """The discounts of ranks 1..n."""
        known = isinstance(discount, Constant | Geometric)
        out = np.empty(n, dtype=object)
        for i in range(1, n + 1):
            value = discount.rational(i) if known or self.discount == "own" else self._abstract(discount, i)
            if value is None:
                raise InvalidInput(f"certificate: {discount} is irrational, and scope.discount is 'own'")
            out[i - 1] = self.world.number(value)
        return out

    def zeta(self, s: int, x: Array) -> Array:
        """Positive variables, and what is more than them."""
        return self.zetas(s, x)

    def irrational_one(self) -> Quotient:
        """The number one."""
        return self.world.number(1)

    def own_steps(self) -> dict[int, float]:
        """What the variables that stand for discounts are in truth: place in the world -> value."""
        found = {}
        for discount, steps in self.steps.items():
            real = [discount.real(rank) for rank in range(1, self.depth + 1)]
            values = [*(x - y for x, y in pairwise(real)), real[-1]]
            if self.discount == "convex":
                falls = values[:-1]
                values = [*(x - y for x, y in zip(falls, [*falls[1:], 0.0], strict=True)), real[-1]]
            for step, value in zip(steps, values, strict=True):
                found[next(k for k, degree in enumerate(step.top.degrees()) if degree)] = value
        return found

    def _abstract(self, discount: Discount, rank: int) -> Quotient:
        if rank > self.depth:
            raise InvalidInput(f"certificate: a discount of rank {rank} among {self.depth} documents")
        if discount not in self.steps:
            with ctx.workprec(384):
                real = [discount.ball(i) for i in range(1, self.depth + 1)]
                falls = [real[k] - real[k + 1] for k in range(self.depth - 1)]
                bends = [falls[k] - falls[k + 1] for k in range(self.depth - 2)] if self.discount == "convex" else []
                if not all(bool(x > arb(0)) for x in real + falls + bends):
                    raise InvalidInput(f"certificate: scope.discount is {self.discount!r}, which {discount} is not")
            name = f"D{len(self.steps) + 1}"
            self.steps[discount] = [self.world.variable(f"{name}.{k + 1}", "(0, oo)") for k in range(self.depth)]
        steps = self.steps[discount]
        value = steps[-1]  # the last discount; above it one step per rank, or (convex) 1, 2, 3, ... of each
        for k in range(rank, self.depth):
            value = value + steps[k - 1] * (k - rank + 1 if self.discount == "convex" else 1)
        return value


class Unread:
    """Stands for a pool that a score must not depend on."""

    def __getattribute__(self, name: str) -> Any:
        raise Unsettled("scope.unretrieved is 'any', and the metric looks at the pool")

    def _no(self, *args: Any, **options: Any) -> Any:
        raise Unsettled("scope.unretrieved is 'any', and the metric looks at the pool")

    __array__ = __len__ = __iter__ = __getitem__ = __bool__ = __eq__ = __ne__ = __lt__ = __gt__ = _no
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __repr__ = __str__ = __contains__ = _no
    __array_function__ = __array_ufunc__ = _no
    __hash__ = None  # type: ignore[assignment]


class Sortable(np.ndarray[Any, Any]):
    """Grades of which np.sort need not know the order."""

    world: World | None

    def __array_finalize__(self, source: Any) -> None:
        self.world = getattr(source, "world", None)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function is not np.sort or self.world is None:
            return super().__array_function__(function, types, args, options)
        values, last = np.asarray(args[0]), options.get("axis", args[1] if len(args) > 1 else -1)
        if len(args) > 2 or set(options) - {"axis"} or last not in (-1, values.ndim - 1):
            return np.sort(values, *args[1:], **options)
        flat = values.reshape(-1, values.shape[-1])
        out = np.empty(flat.shape, dtype=object)
        for row, line in zip(out, flat, strict=True):
            row[:] = _in_order(self.world, list(line))
        return out.reshape(values.shape)


def _in_order(world: World, values: list[Any]) -> list[Any]:
    """The values in ascending order: themselves, or where that is not settled, variables that stand for them."""
    try:
        return sorted(values)
    except Unsettled:
        quotients = [world.number(v) for v in values]
    key = tuple(sorted((str(q.top), str(q.bottom)) for q in quotients))
    if key not in world.rows:
        known = []
        for q in quotients:
            above = q.top * world.sign(q.bottom)
            if not above.is_zero():
                if world.shows(above, strict=False) is None:
                    raise Unsettled("a value that is sorted may be negative")
                known.append(world.shows(above, strict=True) is not None)
        positive, number = sum(known), len(world.rows) + 1
        ranges = ["(0, oo)"] * positive + ["[0, oo)"] * (len(known) - positive)
        world.rows[key] = []  # counts already while its variables are made
        largest_first = [world.variable(f"S{number}.{k}", r) for k, r in enumerate(ranges, start=1)]
        world.rows[key] = [world.number(0)] * (len(values) - len(known)) + largest_first[::-1]
    return world.rows[key]

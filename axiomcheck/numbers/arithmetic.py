"""Arithmetics, with which the same metric code runs on floats, rationals, certified balls and symbols.

A metric is array code that takes grades of shape (..., n, m). An arithmetic provides all other numbers (parameters,
counts, discounts) in the type of the grades. This module also has the few array functions whose code depends on this
type. The same metric code then runs on

- `Floats`: float64 arrays, for the search;
- `Rationals`: object arrays of flint's `fmpq`, which are exact; irrational discounts raise `NotRational`;
- `Balls`: like Rationals, but irrational discounts are certified `arb` balls;
- `Symbols`: like Rationals, but irrational discounts are independent symbols, so that a tie is an identity;

and, for the limit regime, on a `Series` in eps whose coefficients are any of these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np

from axiomcheck.core.errors import NotRational
from axiomcheck.core.own_code import is_own_value
from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array, ExactNumbers, Reals
from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.discount import Discount
from axiomcheck.numbers.series import Series, Truncated
from axiomcheck.numbers.zeta import ZetaSymbols, elementwise, zeta_balls, zeta_floats


def to_fmpq(value: Fraction | float) -> flint.fmpq:
    """Convert a fraction, an integer or a float to an equal flint rational."""
    return flint.fmpq(*value.as_integer_ratio())


def to_fraction(value: flint.fmpq) -> Fraction:
    """Convert a flint rational to Python's `Fraction`."""
    return Fraction(int(value.p), int(value.q))


def float_of(value: Any) -> float:
    """Return the double nearest to a flint rational, or to the midpoint of a ball."""
    return float(value) if isinstance(value, flint.arb) else int(value.p) / int(value.q)


def floats_of(values: ExactNumbers) -> Reals:
    """Convert an array of exact numbers to the nearest doubles. An array of floats is returned unchanged."""
    if values.dtype == np.float64:
        return values.astype(np.float64, copy=False)
    found: Reals = np.vectorize(float_of, otypes=[np.float64])(values)
    return found


def is_equal(x: Any, y: Any) -> bool:
    """Return True if two exact numbers are equal. If either is a ball, return True if the two overlap."""
    return bool(flint.arb(x).overlaps(flint.arb(y)) if flint.arb in (type(x), type(y)) else x == y)


def rationals_of(values: Reals) -> ExactNumbers:
    """Convert an array of floats of any shape to an object array of equal flint rationals."""
    found: ExactNumbers = elementwise(lambda x: to_fmpq(float(x)), values)
    return found


class Arithmetic(ABC):
    """Base class for arithmetics, which provide the numbers that metric code combines with grades."""

    @abstractmethod
    def number(self, value: Fraction) -> Any:
        """Convert a constant, such as a parameter, to a number of this arithmetic."""

    @abstractmethod
    def integers(self, counts: Array) -> Array:
        """Convert an integer array to an array of numbers of this arithmetic."""

    @abstractmethod
    def discounts(self, discount: Discount, n: int) -> Array:
        """Return the discounts of ranks 1..n, shape (n,)."""

    def zeta(self, s: int, x: Array) -> Array:
        """Evaluate the Hurwitz zeta function elementwise, for s >= 2 and x > 0.

        Raises:
            NotRational: This arithmetic has no irrational numbers.

        """
        raise NotRational(f"zeta({s}, x) is irrational")

    def closed(self, value: Closed) -> Any:
        """Convert a number in closed form, which a user's function has computed, to a number of this arithmetic.

        Raises:
            NotRational: This arithmetic has no irrational numbers.

        """
        raise NotRational(f"{value!r} is irrational")

    def in_order(self, values: list[Any]) -> list[Any]:
        """Sort values in ascending order.

        If the order of symbols is unknown, a subclass may return new symbols, which stand for the sorted values.
        """
        return sorted(values)

    def irrational_one(self) -> Any:
        """Return 1 in the type of irrational numbers.

        Raises:
            NotRational: This arithmetic has no irrational numbers.

        """
        raise NotRational("zeta values are irrational")


class Floats(Arithmetic):
    """Arithmetic on float64 arrays."""

    def number(self, value: Fraction) -> float:
        """Convert a constant to the nearest double."""
        return float(value)

    def integers(self, counts: Array) -> Array:
        """Convert an integer array to a float64 array."""
        return counts.astype(np.float64)

    def discounts(self, discount: Discount, n: int) -> Array:
        """Return the discounts of ranks 1..n as float64, shape (n,)."""
        return _kept(discount, n) if is_own_value(discount) else _float_discounts(discount, n)

    def zeta(self, s: int, x: Array) -> Array:
        """Evaluate the Hurwitz zeta function in double precision."""
        return zeta_floats(s, x)

    def irrational_one(self) -> float:
        """Return 1 as a double."""
        return 1.0


def _float_discounts(discount: Discount, n: int) -> Array:
    return np.array([discount.real(i) for i in range(1, n + 1)])


_kept = lru_cache(maxsize=1024)(_float_discounts)
"""Cache for discounts of axiomcheck's own classes. Those of external classes may be equal but have different values."""


class Rationals(Arithmetic):
    """Arithmetic on object arrays of flint rationals. An irrational discount raises NotRational."""

    def number(self, value: Fraction) -> flint.fmpq:
        """Convert a constant to an exact rational."""
        return to_fmpq(value)

    def integers(self, counts: Array) -> Array:
        """Convert an integer array to an object array of rationals."""
        return elementwise(lambda c: flint.fmpq(int(c)), counts)

    def discounts(self, discount: Discount, n: int) -> Array:
        """Return the discounts of ranks 1..n, shape (n,).

        Raises:
            NotRational: A discount is irrational.

        """
        # A discount whose ratio is a symbol cannot be cached, since symbols are not hashable.
        kept = is_own_value(discount) and all(isinstance(part, Hashable) for part in vars(discount).values())
        values = (_kept_rationals if kept else _rational_discounts)(discount, n)
        found = [self.irrational(discount, i) if v is None else self.number(v) for i, v in enumerate(values, 1)]
        return np.array(found, dtype=object)

    def irrational(self, discount: Discount, rank: int) -> Any:
        """Raise NotRational. Subclasses return a ball or a symbol for an irrational discount."""
        raise NotRational(f"{discount} is irrational at rank {rank}")


def _rational_discounts(discount: Discount, n: int) -> list[Fraction | None]:
    return [discount.rational(i) for i in range(1, n + 1)]


_kept_rationals = lru_cache(maxsize=1024)(_rational_discounts)


class Balls(Rationals):
    """Arithmetic on rationals, in which irrational numbers are `arb` balls at flint's current precision."""

    def irrational(self, discount: Discount, rank: int) -> Any:
        """Return a ball that contains an irrational discount."""
        return discount.ball(rank)

    def zeta(self, s: int, x: Array) -> Array:
        """Return balls that contain the values of the Hurwitz zeta function."""
        return zeta_balls(s, x)

    def closed(self, value: Closed) -> flint.arb:
        """Return a ball that contains a number in closed form."""
        return value.ball()

    def irrational_one(self) -> flint.arb:
        """Return 1 as a ball, since exact rationals would get longer with every product."""
        return flint.arb(1)


T = TypeVar("T")


def in_exact_arithmetic(run: Callable[[Rationals], T]) -> tuple[Rationals, T]:
    """Run code on rationals, or on balls if it needs irrational numbers. Return the arithmetic and the result."""
    try:
        return Rationals(), run(Rationals())
    except NotRational:
        return Balls(), run(Balls())


class Symbols(Rationals):
    """Arithmetic on rationals, in which irrational discounts and values of the zeta function are independent symbols.

    If the difference of two scores is the zero polynomial in the symbols, it is zero for all discounts. The converse
    does not hold, so this arithmetic can confirm a tie but not rule it out.

    Args:
        depth: Largest rank whose discount is needed.

    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._discount: Discount | None = None
        self._zeta = ZetaSymbols()

    @property
    def eps(self) -> Any:
        """Variable eps. If all grades are multiples of it, scores that are equal as expressions tie at every eps."""
        return self._zeta.eps

    def zeta(self, s: int, x: Array) -> Array:
        """Return values of the Hurwitz zeta function in symbols. Arguments that differ by an integer share a symbol."""
        return self._zeta(s, x)

    def closed(self, value: Closed) -> Closed:
        """Return a number in closed form unchanged, since its normal form shows whether it is zero."""
        return value

    def irrational_one(self) -> flint.fmpq:
        """Return 1 as an exact rational."""
        return flint.fmpq(1)

    def irrational(self, discount: Discount, rank: int) -> Any:
        """Return the symbol of an irrational discount.

        Raises:
            NotImplementedError: The metric has two irrational discounts.

        """
        if self._discount not in (None, discount):
            raise NotImplementedError("the metric uses two different irrational discounts")
        self._discount = discount
        return _generators(self.depth)[rank - 1]


_Operator: TypeAlias = Callable[["PolynomialFraction", Any], Any]


def _of_parts(operator: Callable[[PolynomialFraction, Any, Any], Any]) -> _Operator:
    """Create an operator method from a function that receives the right operand as numerator and denominator."""

    @wraps(operator)
    def operate(self: PolynomialFraction, other: Any) -> Any:
        if isinstance(other, PolynomialFraction):
            return operator(self, other.numerator, other.denominator)
        return operator(self, other, 1) if isinstance(other, int | flint.fmpz | flint.fmpq) else NotImplemented

    return operate


@dataclass(frozen=True, eq=False)
class PolynomialFraction:
    """Quotient of two multivariate flint polynomials. It is not reduced, and supports no order comparisons.

    Args:
        numerator: Polynomial or number.
        denominator: Nonzero polynomial or number.

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
def _generators(depth: int) -> tuple[Any, ...]:
    names = [f"D{i}" for i in range(1, depth + 1)]
    return tuple(map(PolynomialFraction, flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex).gens()))


def positive(x: Array) -> Array:
    """Return a mask that is True where x > 0. The entries of a series are compared for every small enough eps > 0."""
    if isinstance(x, Series) and len(x.terms) == 1:  # the common case of grades
        (x,) = x.terms.values()
    return x.leading_sign() > 0 if isinstance(x, Series) else x > 0


def below(x: Array, level: Any) -> Array:
    """Return a mask that is True where x < level. A series is compared for every small enough eps > 0."""
    return (x - level).leading_sign() < 0 if isinstance(x, Series) else x < level


def select(mask: Array, x: Array) -> Array:
    """Return x where the mask is True, and zero elsewhere."""
    if isinstance(x, Series):
        return x.map(lambda c: select(mask, c))
    floats = x.dtype != np.dtype(object) if isinstance(x, np.ndarray) else isinstance(x, int | float)
    zero: Any = 0.0 if floats else flint.fmpq(0)
    return mask * x if floats else np.where(mask, x, zero)


def divide(numerator: Array, denominator: Array) -> Array:
    """Return numerator / denominator, or 0 where the denominator is 0, as for a topic without relevant documents.

    Raises:
        NotImplementedError: The denominator is a series with several orders, or a quotient is unbounded as eps -> 0.

    """
    if isinstance(denominator, Series):
        order, d = denominator.monomial()
        if not isinstance(numerator, Series):
            numerator = Series({0: numerator}, denominator.keep)
        if min(numerator.terms) < order:
            raise NotImplementedError("a quotient grows without bound as eps -> 0")
        return Series(
            {k - order: divide(c, d) for k, c in numerator.terms.items()},
            numerator.keep,
            numerator.dropped or denominator.dropped,
        )
    if isinstance(numerator, Series):
        return numerator.map(lambda c: divide(c, denominator))
    numerator, denominator = np.asarray(numerator), np.asarray(denominator)
    empty = denominator == 0
    safe = np.where(empty, 1, denominator) if np.any(empty) else denominator
    ratio = numerator / safe
    return np.where(empty, 0 * numerator, ratio) if np.any(empty) else ratio


def largest(x: Array, axis: int) -> Array:
    """Return the maximum along an axis. The entries of a series must have the same order in eps."""
    if isinstance(x, Series):
        order, c = x.monomial()
        return Series({order: c.max(axis=axis)}, x.keep, x.dropped)
    return x.max(axis=axis)


def descending(x: Array) -> Array:
    """Sort x along its last axis, largest first."""
    return np.sort(x, axis=-1)[..., ::-1]


def earlier_total(x: Array) -> Array:
    """Return sum_{j<i} x_j for every rank i, the last axis of x: (..., n) -> (..., n)."""
    if isinstance(x, Series):
        return x.map(earlier_total)
    total = np.zeros_like(x)
    for i in range(1, x.shape[-1]):
        total[..., i] = total[..., i - 1] + x[..., i - 1]
    return total


def survival(x: Array, axis: int = -1) -> Array:
    """Return prod_{j<i} (1 - x_j) for every rank i, in an array of the same shape.

    For grades, this is the probability that a user of ERR reaches rank i. For alpha * [r > 0], it is the redundancy
    factor (1 - alpha) ** c(i, t) of the novelty metrics.
    """
    if isinstance(x, Series):
        return _series_survival(x, axis)
    out = np.empty_like(x)
    source, target = np.moveaxis(x, axis, -1), np.moveaxis(out, axis, -1)
    if source.shape[-1]:
        target[..., 0] = flint.fmpq(1) if x.dtype == object else 1.0
    for i in range(1, source.shape[-1]):
        target[..., i] = target[..., i - 1] * (1 - source[..., i - 1])
    return out


def _series_survival(x: Series, axis: int) -> Series:
    ranks = x.map(lambda c: np.moveaxis(c, axis, -1))
    template = next(iter(x.terms.values()))
    out: dict[int, Array] = {}
    running = Series({0: np.ones(ranks.shape[:-1], dtype=template.dtype)}, x.keep)
    if template.dtype == object:
        running = running.map(lambda c: c * flint.fmpq(1))
    for i in range(ranks.shape[-1]):
        for order, c in running.terms.items():
            if order not in out:
                out[order] = np.zeros_like(template)
            np.moveaxis(out[order], axis, -1)[..., i] = c
        running = running * (1 - ranks[..., i])
    return Series(out or {0: np.ones_like(template)}, x.keep, running.dropped)


# Functions whose series in eps are infinite. They are expanded up to the order that the arguments keep. The result
# records that higher orders were dropped, so that a comparison that needs them is undecided.


def expanded_ratio(numerator: Array, denominator: Array) -> Array:
    """Return the quotient of two series as a power series in eps, up to the lower of the orders that they keep.

    The denominator must be positive at eps = 0. Unlike in `divide`, it may have several orders.

    Raises:
        Truncated: Both series keep every order, but the quotient has infinitely many orders.

    """
    if not isinstance(denominator, Series):
        return divide(numerator, denominator)
    if not isinstance(numerator, Series):
        numerator = denominator.constant(numerator)
    keeps = [x.keep for x in (numerator, denominator) if x.keep is not None]
    if not keeps:
        raise Truncated("a quotient of series in eps has infinitely many orders, but all orders must be kept")
    zero = 0 * next(iter(numerator.terms.values())) + 0 * next(iter(denominator.terms.values()))
    quotient: dict[int, Array] = {}
    for k in range(min(numerator.terms), min(keeps) + 1):
        left = numerator.terms.get(k, zero)
        for j, c in denominator.terms.items():
            if j and k - j in quotient:
                left = left - c * quotient[k - j]
        quotient[k] = divide(left, denominator.terms[0])
    return Series(quotient or {0: zero}, min(keeps), dropped=True)


def trigamma(a: Arithmetic, x: Array) -> Array:
    """Return psi_1(x) = zeta(2, x) elementwise for x > 0. If x is a series, expand psi_1 up to the order that x keeps.

    Raises:
        NotRational: The arithmetic has no irrational numbers.
        Truncated: x is a series that keeps every order.

    """
    if not isinstance(x, Series):
        return a.zeta(2, x)
    if x.keep is None:
        raise Truncated("the trigamma function of a series in eps has infinitely many orders, but all must be kept")
    at, rest = x.terms[0], Series({k: c for k, c in x.terms.items() if k} or {1: 0 * x.terms[0]}, x.keep, x.dropped)
    power: Array = 1
    total = Series({0: a.zeta(2, at)}, x.keep)
    for k in range(1, x.keep + 1):
        power = -rest * power
        total = total + power * ((k + 1) * a.zeta(k + 2, at))
    return Series(total.terms, x.keep, dropped=True)

"""The arithmetic of the checks: quotients of polynomials, with certain signs or none.

A quotient's denominator has been shown to be positive all over the ranges before the quotient was made. A comparison
answers only where the answer is the same all over the ranges, and raises `SignUnknown` elsewhere, so the code of
a metric that runs on quotients cannot take a branch that some values do not take.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, ParamSpec, SupportsIndex, TypeVar

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import Arithmetic, Rationals
from axiomcheck.numbers.discount import Discount
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.polynomials import Polynomial, Variable, without_common_factor

_MOST_OUTCOMES = 64

P = ParamSpec("P")
T = TypeVar("T")


class SignUnknown(BaseException):
    """A question that symbols do not answer: a comparison without one answer on the whole range, or none shown.

    No Exception, so that a metric that catches what goes wrong in it does not go on with an answer of its own.

    Args:
        message: what is undecided.
        about: the quotient whose sign it is, if it is one's.

    """

    def __init__(self, message: str, about: Quotient | None = None) -> None:
        super().__init__(message)
        self.about = about


@contextmanager
def settled(what: str) -> Iterator[None]:
    """Has what is undecided refused as invalid input.

    Args:
        what: it is about, for the message.

    Raises:
        InvalidInput: something was undecided.

    """
    try:
        yield
    except SignUnknown as error:
        raise InvalidInput(f"{what}: {error}") from None


def attempt(what: str, code: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Return what a metric's code returns when it is run on quotients.

    Args:
        what: what it is, for the message.
        code: runs it.
        *arguments: of the code.
        **named: of the code.

    Raises:
        InvalidInput: whatever it raised, as one line.

    """
    try:
        return code(*arguments, **named)
    except (InvalidInput, SignUnknown) as error:
        raise InvalidInput(f"{what}: {error}") from error
    except Exception as error:
        raise InvalidInput(f"{what}: cannot be run on symbols: {error!r}") from error


def _with_number(operation: Callable[[Quotient, Quotient], T]) -> Callable[[Quotient, object], T]:
    """The operation on quotients and numbers; arrays and series see to it entry by entry."""

    def apply(self: Quotient, other: object) -> T:
        if type(other) is Quotient:  # by far the most are
            return operation(self, other)
        if isinstance(other, np.ndarray | Series):
            return NotImplemented  # type: ignore[no-any-return]  # which Python takes for an answer
        return operation(self, Quotient.of(other))

    return apply


def _comparison(yes: str, *no: str) -> Callable[[Quotient, object], bool]:
    """Return the method of a comparison: the relation of a difference to 0, and those that exclude it."""
    return _with_number(lambda self, other: _decide(self - other, yes, *no))


class Quotient:
    """A quotient of polynomials whose denominator is positive; not kept in lowest terms. Immutable.

    Args:
        numerator: any polynomial.
        denominator: one that is shown to be positive.

    """

    __slots__ = ("denominator", "numerator")
    __hash__ = None  # type: ignore[assignment]  # == raises where equality depends on the variables

    def __repr__(self) -> str:
        """The number that it is, as flint writes it.

        Raises:
            SignUnknown: it has variables, and code could ask a text for a value that it singles out.

        """
        number = self.numerator.number()
        if number is None or self.denominator is not _ONE:
            raise SignUnknown("a symbol as text")
        return str(number)

    def __init__(self, numerator: Polynomial, denominator: Polynomial | None = None) -> None:
        number = None if denominator is None or denominator is _ONE else denominator.number()
        self.numerator = numerator if number is None else numerator.times(1 / number)
        self.denominator = _ONE if denominator is None or number is not None else denominator

    @classmethod
    def of(cls, value: object) -> Quotient:
        """The quotient that a number is.

        Raises:
            TypeError: floats, truth values and anything else that is not an exact number.

        """
        if isinstance(value, Quotient):
            return value
        if isinstance(value, fmpq):
            return cls(Polynomial.constant(value))
        if isinstance(value, int | np.integer | Fraction) and not isinstance(value, bool | Variable):
            return cls(Polynomial.constant(fmpq(int(value.numerator), int(value.denominator))))
        if isinstance(value, np.ndarray) and value.shape == ():
            return cls.of(value.item())
        raise TypeError(f"{value!r} among symbols; expected an exact number")

    @property
    def is_zero(self) -> bool:
        """Return whether it is 0 identically."""
        return not self.numerator

    def shown(self, relation: str) -> bool:
        """Return whether its numerator's coefficients show that it is ``>``, ``>=``, ``=``, ``<=`` or ``<`` 0."""
        return self.numerator.shown(relation)

    def polynomial(self) -> Polynomial:
        """The polynomial that it is.

        Raises:
            InvalidInput: it has a denominator.

        """
        if self.denominator is not _ONE:
            raise InvalidInput("a quotient of symbols; expected a polynomial")
        return self.numerator

    def constant(self) -> fmpq:
        """The number that it is.

        Raises:
            TypeError: it has variables.

        """
        number = self.numerator.number()
        if number is None or self.denominator is not _ONE:
            raise TypeError("a number came out of the fold with symbols in it")
        return number

    def lowest(self) -> Polynomial:
        """The numerator in lowest terms, over a positive denominator.

        Raises:
            Undecided: what is left of the denominator is not shown to be positive.

        """
        if self.denominator is _ONE or not self.numerator:
            return self.numerator
        above, below = without_common_factor(self.numerator, self.denominator)
        if below.shown(">"):
            return above
        if below.shown("<"):
            return -above
        raise SignUnknown("a denominator in lowest terms is not shown to be positive")

    def at(self, point: Mapping[Variable, Any]) -> Any:
        """The value at a point."""
        return self.numerator.at(point) / self.denominator.at(point)

    @_with_number
    def __add__(self, other: Quotient) -> Quotient:
        mine, others = self.denominator, other.denominator
        if mine is others or mine == others:
            return Quotient(self.numerator + other.numerator, mine)
        if mine is not _ONE and others is not _ONE:
            above, below = without_common_factor(mine, others)
            if above.shown("<"):
                above, below = -above, -below
            if above.shown(">"):  # and then below is positive as well: both are what is left of positive numbers
                mine, others = above, below
                return Quotient(self.numerator * others + other.numerator * mine, mine * other.denominator)
        return Quotient(self.numerator * others + other.numerator * mine, mine * others)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __pos__(self) -> Quotient:
        return self

    @_with_number
    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other if other.numerator else self

    @_with_number
    def __rsub__(self, other: Quotient) -> Quotient:
        return other + -self

    @_with_number
    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(self.numerator * other.numerator, self.denominator * other.denominator)

    __rmul__ = __mul__

    @_with_number
    def __truediv__(self, other: Quotient) -> Quotient:
        return self * other._inverse()

    @_with_number
    def __rtruediv__(self, other: Quotient) -> Quotient:
        return other * self._inverse()

    def _inverse(self) -> Quotient:
        number = self.numerator.number()
        if number is not None and number != 0:
            return Quotient(self.denominator.times(1 / number))
        if self.shown(">"):
            return Quotient(self.denominator, self.numerator)
        if self.shown("<"):
            return Quotient(-self.denominator, -self.numerator)
        raise SignUnknown("division by a quantity that is not shown to differ from 0", self)

    def __pow__(self, exponent: SupportsIndex) -> Quotient:
        power = operator.index(exponent)
        if power < 0:
            return self._inverse() ** -power
        return Quotient(self.numerator**power, self.denominator**power if self.denominator is not _ONE else _ONE)

    __gt__ = _comparison(">", "<=")
    __ge__ = _comparison(">=", "<")
    __lt__ = _comparison("<", ">=")
    __le__ = _comparison("<=", ">")
    __eq__ = _comparison("=", ">", "<")

    @_with_number
    def __ne__(self, other: Quotient) -> bool:
        return not _decide(self - other, "=", ">", "<")

    def __bool__(self) -> bool:
        return not _decide(self, "=", ">", "<")


_ONE = Polynomial.constant(fmpq(1))


def variable(name: str, within: str) -> Quotient:
    """A new variable with a range as a quotient."""
    return Quotient(Polynomial({(Variable(name, within),): fmpq(1)}))


class Exact(Arithmetic):
    """Quotients, for the step of a fold: it has nothing to ask about discounts."""

    def number(self, value: object) -> Quotient:
        """A constant, or a parameter that is a symbol."""
        return Quotient.of(value)

    def integers(self, counts: Array) -> Array:
        """Counts, or whether something holds, as rationals."""
        return Rationals().integers(counts)

    def discounts(self, discount: Discount, n: int) -> Array:
        """None: the gain of one document comes before the discount.

        Raises:
            InvalidInput: always.

        """
        raise InvalidInput("the fold's step asks for discounts, so its gain is not what is discounted")


_outcomes: ContextVar[Iterator[bool] | None] = ContextVar("outcomes", default=None)


def _decide(difference: Quotient, yes: str, *no: str) -> bool:
    """Return whether a relation to 0 holds everywhere, or another one (of ``no``) that excludes it."""
    if difference.shown(yes):
        return True
    if any(difference.shown(way) for way in no):
        return False
    outcomes = _outcomes.get()
    if outcomes is not None:
        return next(outcomes)
    what = f"whether a quantity is {yes} 0 depends on the values of its variables, or was not shown"
    raise SignUnknown(what, difference)


def every_outcome(run: Callable[[], T]) -> list[T]:
    """Return what a function returns for either answer to each comparison that has none of its own.

    Args:
        run: asks the same comparisons in the same order as long as the answers are the same.

    Raises:
        Undecided: it asked too many.

    """
    results: list[T] = []
    pending: list[list[bool]] = [[]]
    while pending:
        if len(results) >= _MOST_OUTCOMES:
            raise SignUnknown("too many comparisons depend on the values of the variables")
        answers = pending.pop()

        def outcomes(answers: list[bool] = answers) -> Iterator[bool]:
            yield from list(answers)
            while True:
                pending.append([*answers, False])
                answers.append(True)
                yield True

        token = _outcomes.set(outcomes())
        try:
            results.append(run())
        finally:
            _outcomes.reset(token)
    return results

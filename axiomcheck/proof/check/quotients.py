"""Compute with quotients of polynomials, which are the symbols of all proofs.

Before a quotient is created, its denominator is shown to be positive for all values of the variables in their ranges. A
comparison returns a result only if it is the same for all these values, and raises `SignUnknown` otherwise. A metric's
code that runs on quotients therefore cannot take a branch that is wrong for some values.
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
    """Raised when the result of a comparison of symbols depends on their values, or could not be proved.

    This is not a subclass of Exception, so that a metric's code that catches exceptions cannot continue after it.

    Args:
        message: Description of the comparison.
        about: Quotient whose sign is unknown; None if there is none.

    """

    def __init__(self, message: str, about: Quotient | None = None) -> None:
        super().__init__(message)
        self.about = about


@contextmanager
def settled(what: str) -> Iterator[None]:
    """Convert a `SignUnknown` that is raised in the ``with`` block to InvalidInput. ``what`` begins the message.

    Raises:
        InvalidInput: The result of a comparison is unknown.

    """
    try:
        yield
    except SignUnknown as error:
        raise InvalidInput(f"{what}: {error}") from None


def attempt(what: str, code: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a metric's code with quotients and return its result.

    Raises:
        InvalidInput: The code raised an exception. The message contains ``what`` and the exception.

    """
    try:
        return code(*arguments, **named)
    except (InvalidInput, SignUnknown) as error:
        raise InvalidInput(f"{what}: {error}") from error
    except Exception as error:
        raise InvalidInput(f"{what}: cannot be run on symbols: {error!r}") from error


def _with_number(operation: Callable[[Quotient, Quotient], T]) -> Callable[[Quotient, object], T]:
    """Make an operator convert its other operand to a quotient, and return NotImplemented for arrays and series."""

    def apply(self: Quotient, other: object) -> T:
        if type(other) is Quotient:  # the most common case
            return operation(self, other)
        if isinstance(other, np.ndarray | Series):
            return NotImplemented  # type: ignore[no-any-return]  # Python accepts NotImplemented in place of a T
        return operation(self, Quotient.of(other))

    return apply


def _comparison(yes: str, *no: str) -> Callable[[Quotient, object], bool]:
    """Return a comparison method for `Quotient`.

    Args:
        yes: Relation of the difference to 0 for which the result is True.
        *no: Relations that exclude ``yes``.

    """
    return _with_number(lambda self, other: _decide(self - other, yes, *no))


class Quotient:
    """Immutable quotient of polynomials with a positive denominator, not necessarily in lowest terms.

    Args:
        numerator: Any polynomial.
        denominator: Polynomial that is shown to be positive.

    """

    __slots__ = ("denominator", "numerator")
    __hash__ = None  # type: ignore[assignment]  # == raises where equality depends on the variables

    def __repr__(self) -> str:
        """Return the text of a constant quotient, as flint writes it.

        Raises:
            SignUnknown: The quotient has variables. Code could otherwise search the text for a value.

        """
        number = self.numerator.number()
        if number is None or self.denominator is not _ONE:
            raise SignUnknown("a symbol has no text")
        return str(number)

    def __init__(self, numerator: Polynomial, denominator: Polynomial | None = None) -> None:
        number = None if denominator is None or denominator is _ONE else denominator.number()
        self.numerator = numerator if number is None else numerator.times(1 / number)
        self.denominator = _ONE if denominator is None or number is not None else denominator

    @classmethod
    def of(cls, value: object) -> Quotient:
        """Convert an exact number to a quotient.

        Raises:
            TypeError: The value is a float, a bool or anything else that is not an exact number.

        """
        if isinstance(value, Quotient):
            return value
        if isinstance(value, fmpq):
            return cls(Polynomial.constant(value))
        if isinstance(value, int | np.integer | Fraction) and not isinstance(value, bool | Variable):
            return cls(Polynomial.constant(fmpq(int(value.numerator), int(value.denominator))))
        if isinstance(value, np.ndarray) and value.shape == ():
            return cls.of(value.item())
        raise TypeError(f"{value!r} cannot be combined with symbols; expected an exact number")

    @property
    def is_zero(self) -> bool:
        """True if the quotient is identically 0."""
        return not self.numerator

    def shown(self, relation: str) -> bool:
        """Return True if coefficients show that the quotient has a relation to 0; see `Polynomial.shown`."""
        return self.numerator.shown(relation)

    def polynomial(self) -> Polynomial:
        """Convert the quotient to a polynomial.

        Raises:
            InvalidInput: The denominator is not constant.

        """
        if self.denominator is not _ONE:
            raise InvalidInput("expected a polynomial in the symbols, got a quotient")
        return self.numerator

    def constant(self) -> fmpq:
        """Return the value of a constant quotient.

        Raises:
            TypeError: The quotient has variables.

        """
        number = self.numerator.number()
        if number is None or self.denominator is not _ONE:
            raise TypeError("the fold returned a number that depends on symbols")
        return number

    def lowest(self) -> Polynomial:
        """Return the numerator in lowest terms, with the sign for which the reduced denominator is positive.

        Raises:
            SignUnknown: The reduced denominator is not shown to be positive.

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
        """Return the value at a point, which maps each variable to a number or a ball."""
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
            if above.shown(">"):  # then below is positive too, as both denominators are
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
        raise SignUnknown("the code divides by a quantity that is not shown to be nonzero", self)

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
    """Return a new variable with a name and a range, such as ``"(0, 1]"``, as a quotient."""
    return Quotient(Polynomial({(Variable(name, within),): fmpq(1)}))


class Exact(Arithmetic):
    """Arithmetic on quotients for the step of a fold, which must not use discounts."""

    def number(self, value: object) -> Quotient:
        """Convert a constant, or a parameter that is already a symbol, to a quotient."""
        return Quotient.of(value)

    def integers(self, counts: Array) -> Array:
        """Convert counts or booleans to rationals."""
        return Rationals().integers(counts)

    def discounts(self, discount: Discount, n: int) -> Array:
        """Raise InvalidInput, because the gain of one document must not depend on the discount."""
        raise InvalidInput("the fold's step uses discounts, but the fold discounts its gains itself")


_outcomes: ContextVar[Iterator[bool] | None] = ContextVar("outcomes", default=None)


def _decide(difference: Quotient, yes: str, *no: str) -> bool:
    """Return True if a difference always has the relation ``yes`` to 0, and False if it always has one in ``no``.

    Otherwise, return the answer that `every_outcome` tries.

    Raises:
        SignUnknown: Neither is shown, and `every_outcome` is not running.

    """
    if difference.shown(yes):
        return True
    if any(difference.shown(way) for way in no):
        return False
    outcomes = _outcomes.get()
    if outcomes is not None:
        return next(outcomes)
    what = f"it is unknown whether a quantity is {yes} 0, or the answer depends on the values of its variables"
    raise SignUnknown(what, difference)


def every_outcome(run: Callable[[], T]) -> list[T]:
    """Run a function once for each combination of answers to undecided comparisons, and return all results.

    Args:
        run: Function that makes the same comparisons in the same order as long as the answers are the same.

    Raises:
        SignUnknown: The function made too many undecided comparisons.

    """
    results: list[T] = []
    pending: list[list[bool]] = [[]]
    while pending:
        if len(results) >= _MOST_OUTCOMES:
            raise SignUnknown("too many comparisons have unknown results")
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

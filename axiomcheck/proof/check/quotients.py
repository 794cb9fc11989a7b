"""The arithmetic of the induction checker: quotients of polynomials, with certain signs or none.

A quotient's denominator has been shown to be positive all over the ranges before the quotient was made. A comparison
answers only where the answer is the same all over the ranges, and raises `Undecided` elsewhere, so the code of a metric
that runs on quotients cannot take a branch that some values do not take.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.proof.check.polynomials import Polynomial, Variable, add, degrees, holds, multiply

__all__ = ["Quotient", "Undecided", "attempt", "every_outcome", "variable"]


class Undecided(InvalidInput):
    """A comparison does not have one answer on the whole range of its variables, or none that was shown."""


def attempt(what: str, code: Callable[..., Any], *arguments: Any) -> Any:
    """What code of a metric returns when it is run on quotients.

    Args:
        what: what it is, for the message.
        code: runs it.
        arguments: of the code.

    Raises:
        InvalidInput: whatever it raised, as one line.

    """
    try:
        return code(*arguments)
    except InvalidInput as error:
        raise InvalidInput(f"{what}: {error}") from error
    except Exception as error:
        raise InvalidInput(f"{what}: cannot be run on symbols: {error!r}") from error


class Quotient:
    """A quotient of polynomials whose denominator is positive. Immutable.

    Args:
        numerator: any polynomial.
        denominator: one that is known to be positive.

    """

    __slots__ = ("denominator", "numerator")
    __hash__ = None  # type: ignore[assignment]  # == raises where equality depends on the variables

    def __init__(self, numerator: Polynomial, denominator: Polynomial | None = None) -> None:
        self.numerator = numerator
        self.denominator: Polynomial = _ONE if denominator is None else denominator

    @classmethod
    def of(cls, value: Any) -> Quotient:
        """The quotient that a number or a variable is.

        Raises:
            TypeError: floats and anything else that is not an exact number.

        """
        found = _quotient(value)
        if found is None:
            raise TypeError(f"expected an exact number, got {type(value).__name__}")
        return found

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 identically."""
        return not self.numerator

    def shown(self, relation: str) -> bool:
        """Whether its numerator's coefficients show that it is ``>`` or ``>=`` or ``=`` 0."""
        return holds(self.numerator, relation)

    def __add__(self, other: Any) -> Any:
        b = _quotient(other)
        if b is None:
            return NotImplemented
        if self.denominator == b.denominator:
            return _reduced(add(self.numerator, b.numerator), self.denominator)
        cross = add(multiply(self.numerator, b.denominator), multiply(b.numerator, self.denominator))
        return _reduced(cross, multiply(self.denominator, b.denominator))

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(add({}, self.numerator, -1), self.denominator)

    def __pos__(self) -> Quotient:
        return self

    def __sub__(self, other: Any) -> Any:
        b = _quotient(other)
        return NotImplemented if b is None else self + -b

    def __rsub__(self, other: Any) -> Any:
        b = _quotient(other)
        return NotImplemented if b is None else b + -self

    def __mul__(self, other: Any) -> Any:
        b = _quotient(other)
        if b is None:
            return NotImplemented
        return _reduced(multiply(self.numerator, b.numerator), multiply(self.denominator, b.denominator))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        b = _quotient(other)
        if b is None:
            return NotImplemented
        if (-b).shown(">"):
            return -self / -b
        if not b.shown(">"):
            raise Undecided("division by a quantity that is not shown to differ from 0")
        return _reduced(multiply(self.numerator, b.denominator), multiply(self.denominator, b.numerator))

    def __rtruediv__(self, other: Any) -> Any:
        b = _quotient(other)
        return NotImplemented if b is None else b / self

    def __pow__(self, exponent: Any) -> Quotient:
        power = Quotient.of(1)
        for _ in range(operator.index(exponent)):
            power = power * self
        return power

    def __gt__(self, other: Any) -> bool:
        return _decide(self - other, ">", (">",), ("<=",))

    def __ge__(self, other: Any) -> bool:
        return _decide(self - other, ">=", (">=",), ("<",))

    def __lt__(self, other: Any) -> bool:
        return _decide(other - self, ">", (">",), ("<=",))

    def __le__(self, other: Any) -> bool:
        return _decide(other - self, ">=", (">=",), ("<",))

    def __eq__(self, other: object) -> Any:
        difference = self - other
        return difference if difference is NotImplemented else _decide(difference, "=", ("=",), (">", "<"))

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return equal if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)


def variable(name: str, within: str) -> Quotient:
    """A new variable with a range as a quotient."""
    return Quotient.of(Variable(name, within))


_ONE: Polynomial = {(): fmpq(1)}


def _quotient(value: Any) -> Quotient | None:
    if isinstance(value, Quotient):
        return value
    if isinstance(value, Variable):
        return Quotient({((value, 1),): fmpq(1)})
    if isinstance(value, np.ndarray) and value.shape == ():
        return _quotient(value.item())
    if isinstance(value, int | np.integer | np.bool_):
        value = fmpq(int(value))
    elif isinstance(value, Fraction):
        value = fmpq(value.numerator, value.denominator)
    elif not isinstance(value, fmpq):
        return None
    return Quotient({(): value} if value != 0 else {})


def _reduced(numerator: Polynomial, denominator: Polynomial) -> Quotient:
    """A quotient without common factors, unless what is left of the denominator is not shown to be positive."""
    if not numerator:
        return Quotient({})
    if list(denominator) == [()]:
        return Quotient({m: c / denominator[()] for m, c in numerator.items()})
    from sympy import QQ, ring

    variables = sorted({*degrees(numerator), *degrees(denominator)})
    polynomials = ring([f"v{v.index}" for v in variables], QQ)[0]
    position = {v: i for i, v in enumerate(variables)}

    def to_sympy(p: Polynomial) -> Any:
        made = {}
        for monomial, c in p.items():
            exponents = [0] * len(variables)
            for v, k in monomial:
                exponents[position[v]] = k
            made[tuple(exponents)] = QQ(int(c.p), int(c.q))
        return polynomials.from_dict(made)

    def from_sympy(p: Any, sign: int) -> Polynomial:
        return {
            tuple((v, k) for v, k in zip(variables, exponents, strict=True) if k): fmpq(
                sign * int(c.numerator), int(c.denominator)
            )
            for exponents, c in p.items()
        }

    above, below = to_sympy(numerator).cancel(to_sympy(denominator))
    for sign in (1, -1):
        left = from_sympy(below, sign)
        if holds(left, ">"):
            return Quotient(from_sympy(above, sign), left)
    return Quotient(numerator, denominator)


_outcomes: ContextVar[Iterator[bool] | None] = ContextVar("outcomes", default=None)


def _decide(difference: Quotient, relation: str, yes: tuple[str, ...], no: tuple[str, ...]) -> bool:
    """Whether a relation to 0 holds everywhere (any of ``yes``) or nowhere (any of ``no``)."""
    mirrored = {"<": ">", "<=": ">="}
    for answer, ways in ((True, yes), (False, no)):
        for way in ways:
            if (-difference).shown(mirrored[way]) if way in mirrored else difference.shown(way):
                return answer
    outcomes = _outcomes.get()
    if outcomes is not None:
        return next(outcomes)
    raise Undecided(f"whether a quantity is {relation} 0 depends on the values of its variables, or was not shown")


def every_outcome(run: Callable[[], Any], most: int = 10) -> list[Any]:
    """What a function returns for either answer to each comparison that has none of its own.

    Args:
        run: asks the same comparisons in the same order as long as the answers are the same.
        most: how many such comparisons it may ask.

    Raises:
        Undecided: it asked more.

    """
    results = []
    pending: list[list[bool]] = [[]]
    while pending:
        answers = pending.pop()
        asked = 0

        def outcomes(answers: list[bool] = answers) -> Iterator[bool]:
            nonlocal asked
            while True:
                asked += 1
                if asked > most:
                    raise Undecided("too many comparisons depend on the values of the variables")
                if asked > len(answers):
                    pending.append([*answers, False])
                    answers.append(True)
                yield answers[asked - 1]

        token = _outcomes.set(outcomes())
        try:
            results.append(run())
        finally:
            _outcomes.reset(token)
    return results

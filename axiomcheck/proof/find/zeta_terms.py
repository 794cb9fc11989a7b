"""Values of the Hurwitz zeta function in bounded proofs: one positive variable for arguments that whole numbers part.

zeta(s, x) = zeta(s, x + k) + 1 / x^s + ... + 1 / (x + k - 1)^s, so with a variable for the deepest argument, those
above it are that variable plus positive terms: see ``docs/lemmas/bounded.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from axiomcheck.core.typing import Array
from axiomcheck.numbers.polynomials import Range, Term, Variables
from axiomcheck.numbers.zeta import elementwise

_MOST_STEPS = 64
"""How far apart arguments may be that are one variable."""


class Deeper(BaseException):
    """A value was asked for whose argument is deeper than that of its variable, which stands for the deeper one now.

    What was worked out with the variable before has to be worked out again. No Exception, so that no metric catches it.
    """


@dataclass(frozen=True)
class ZetaVariable:
    """A variable that stands for zeta(s, x).

    Args:
        name: of the variable.
        s: the exponent, >= 2.
        x: the argument, the deepest one asked for.
        term: the variable.

    """

    name: str
    s: int
    x: Term
    term: Term


class ZetaTerms:
    """zeta(s, x) as terms.

    Args:
        variables: of the case.

    """

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self._by_class: dict[tuple[int, Fraction, str], ZetaVariable] = {}

    @property
    def known(self) -> list[ZetaVariable]:
        """The variables made so far, in the order in which they were first asked for."""
        return list(self._by_class.values())

    def __call__(self, s: int, x: Array) -> Array:
        """zeta(s, x), elementwise: s >= 2, x of any shape.

        Raises:
            Deeper: the same has to be done again.
            Undecided: whether x > 0 is not settled.
            NotImplementedError: x is no polynomial, not positive, or far from the others.

        """
        zero = self.variables.constant(0)
        return elementwise(lambda value: self._value(s, value + zero), x)

    def _value(self, s: int, x: Term) -> Term:
        if s < 2 or not x.denominator.is_one():
            raise NotImplementedError(f"zeta({s}, {x})")
        if x.sign() != 1:
            raise NotImplementedError(f"zeta of {x}, which is not positive")
        at = _constant(x)
        key = (s, at % 1, str((x - at).numerator))
        found = self._by_class.get(key)
        if found is None:
            name = f"Z{len(self._by_class) + 1}"
            found = self._by_class[key] = ZetaVariable(name, s, x, self.variables.new(name, Range.POSITIVE))
        steps = _constant(found.x) - at
        if abs(steps) > _MOST_STEPS:
            raise NotImplementedError(f"zeta of {x} and of {found.x}")
        if steps < 0:
            self._by_class[key] = replace(found, x=x)
            raise Deeper
        value = found.term
        for k in range(math.floor(steps)):
            value = value + 1 / (x + k) ** s
        return value


def _constant(x: Term) -> Fraction:
    """The coefficient of 1 of a polynomial."""
    c = x.numerator[(0,) * len(x.numerator.degrees())]
    return Fraction(int(c.p), int(c.q))

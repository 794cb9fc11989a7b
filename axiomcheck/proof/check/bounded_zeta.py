"""The checker's own symbols for values of the Hurwitz zeta function, and what they come to in numbers.

The metric is run with a positive variable for every value that it asks for. Where the arguments of some differ by whole
numbers, it is run again, and they are one variable, the value at the deepest argument. The certificate has to name it.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from flint import arb, fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.proof.check.bounded_symbols import World
from axiomcheck.proof.check.polynomials import Polynomial, Variable
from axiomcheck.proof.check.quotients import Quotient

_FARTHEST = 64


class Zetas:
    """Variables for zeta(s, x), s >= 2 and x > 0.

    Args:
        world: which they are variables of.
        asked: the values that an earlier run asked for, as (s, polynomial x); None in that run.

    Attributes:
        values: (s, polynomial x) of the variables Z1, Z2, ..., in the order in which they were first asked for.

    """

    def __init__(self, world: World, asked: list[tuple[int, Polynomial]] | None) -> None:
        self.world, self.asked = world, asked
        self.values: list[tuple[int, Polynomial]] = []
        self._variables: list[Quotient] = []

    def __call__(self, s: int, x: Array) -> Array:
        """The values at every entry.

        Raises:
            Undecided: whether an argument is positive is not settled.
            InvalidInput: it is not, or it is no polynomial.

        """
        arguments = np.asarray(x, dtype=object)
        out = np.empty(arguments.shape, dtype=object)
        for index in np.ndindex(arguments.shape):
            out[index] = self._one(s, Quotient.of(arguments[index]))
        return out

    def _one(self, s: int, x: Quotient) -> Quotient:
        if s < 2 or not x > 0:
            raise InvalidInput(f"certificate: zeta({s}, x) of an x that is not positive")
        argument = x.polynomial()
        if self.asked is None:
            return self._variable(s, argument)
        apart = [(_whole(deep - argument), deep) for r, deep in self.asked if r == s]
        known = ((k, deep) for k, deep in apart if k is not None)
        steps, deepest = max(known, key=lambda e: e[0], default=(-1, argument))
        if not 0 <= steps <= _FARTHEST:
            raise InvalidInput("certificate: two runs of the metric ask for different values of the zeta function")
        total = self._variable(s, deepest)  # positive as x is, which is steps less
        for k in range(steps):
            total = total + 1 / (x + k) ** s
        return total

    def _variable(self, s: int, x: Polynomial) -> Quotient:
        if (s, x) not in self.values:
            self.values.append((s, x))
            self._variables.append(self.world.variable(f"Z{len(self.values)}", "(0, oo)"))
        return self._variables[self.values.index((s, x))]

    def are_related(self) -> bool:
        """Whether two of the variables stand for values that differ by a rational function, so that one would do."""
        return any(r == s and _whole(x - y) is not None for (r, x), (s, y) in combinations(self.values, 2))

    def written(self) -> dict[str, list[Any]]:
        """The variables as certificates write them: name -> [s, coefficients of x]."""
        return {f"Z{k}": [s, self._polynomial(x)] for k, (s, x) in enumerate(self.values, start=1)}

    def _polynomial(self, x: Polynomial) -> dict[str, str]:
        return dict(sorted((self.world.monomial(monomial), str(c)) for monomial, c in x.terms.items()))

    def point(self, point: dict[Variable, fmpq]) -> dict[Variable, arb]:
        """A point as balls at the current precision, with the variables' true values in place of its own."""
        out = {v: arb(value) for v, value in point.items()}
        for (s, x), z in zip(self.values, self._variables, strict=True):
            out |= dict.fromkeys(z.numerator.degrees(), arb(s).zeta(arb(x.at(point))))
        return out


def _whole(polynomial: Polynomial) -> int | None:
    """The whole number that a polynomial is; None if it is none."""
    c = polynomial.number()
    return int(c.p) if c is not None and c.q == 1 else None

"""Polynomials in variables of known range, and what their coefficients show of their signs.

The bottom of the induction checker; nothing here is shared with the prover. A polynomial maps monomials to rationals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from flint import fmpq

__all__ = ["FREE", "Monomial", "Polynomial", "Variable", "add", "coefficients", "degrees", "holds", "multiply"]

FREE = "(-oo, oo)"

_made = itertools.count()


@dataclass(frozen=True, order=True)
class Variable:
    """A number in a range. Every variable made is another one, whatever its name.

    Args:
        name: as in the certificate.
        range: ``"[0, 1)"`` and so on; `FREE` is every number.

    """

    name: str = field(compare=False)
    range: str = field(compare=False)
    index: int = field(default_factory=lambda: next(_made), init=False)

    @property
    def is_unit(self) -> bool:
        """Whether it is bounded by 1."""
        return self.range[-2] == "1"


Monomial = tuple[tuple[Variable, int], ...]
"""Variables, in the order they were made, with exponents of at least 1."""

Polynomial = Mapping[Monomial, fmpq]
"""Without zeros; the zero polynomial is empty."""


def add(p: Polynomial, q: Polynomial, factor: int = 1) -> Polynomial:
    """The sum, the second one times a factor."""
    total = dict(p)
    for monomial, c in q.items():
        c = total.pop(monomial, fmpq(0)) + c * factor
        if c != 0:
            total[monomial] = c
    return total


def _times(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    exponents = dict(a)
    for v, k in b:
        exponents[v] = exponents.get(v, 0) + k
    return tuple(sorted(exponents.items()))


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """The product."""
    product: dict[Monomial, fmpq] = {}
    for (a, c), (b, d) in itertools.product(p.items(), q.items()):
        monomial = _times(a, b)
        product[monomial] = product.get(monomial, fmpq(0)) + c * d
    return {monomial: c for monomial, c in product.items() if c != 0}


def degrees(p: Polynomial) -> dict[Variable, int]:
    """The highest exponent of each variable that occurs."""
    highest: dict[Variable, int] = {}
    for monomial in p:
        for v, k in monomial:
            highest[v] = max(highest.get(v, 0), k)
    return highest


def coefficients(p: Polynomial) -> Polynomial:
    """The polynomial after each u of the unit interval became s / (1 + s), times (1 + s)^(degree of u).

    The result has s in place of u, under the same name; s runs through (0, oo) where u runs through (0, 1).
    """
    unit = {v: d for v, d in degrees(p).items() if v.is_unit}
    result: dict[Monomial, fmpq] = {}
    for monomial, c in p.items():
        exponents = dict(monomial)
        # u^k (1 + s)^d becomes s^k (1 + s)^(d - k)
        units = [(v, exponents.pop(v, 0), d) for v, d in unit.items()]
        rest = list(exponents.items())
        for extra in itertools.product(*(range(d - k + 1) for _, k, d in units)):
            powers = [(v, k + e) for (v, k, _), e in zip(units, extra, strict=True) if k + e]
            term = tuple(sorted([*rest, *powers]))
            ways = math.prod(math.comb(d - k, e) for (_, k, d), e in zip(units, extra, strict=True))
            result[term] = result.get(term, fmpq(0)) + c * ways
    return {monomial: c for monomial, c in result.items() if c != 0}


def holds(p: Polynomial, relation: str) -> bool:
    """Whether the coefficients show a polynomial to be ``>`` or ``>=`` or ``=`` 0 wherever its variables may be.

    No coefficient may be negative, and for ``>`` one has to be left on every smallest face of the ranges. The face of
    u = 1 has the exponents that equal the degree of u *before* the substitution: 1 - u becomes 1 and is 0 there.
    """
    if relation == "=" or not p:
        return not p and relation != ">"
    highest = degrees(p)
    if any(v.range == FREE for v in highest):
        return False
    after = coefficients(p)
    if any(c < 0 for c in after.values()):
        return False
    if relation == ">=":
        return True
    ends: list[list[tuple[Variable, int]]] = []
    for v, degree in highest.items():
        closed = [(v, 0)] if v.range[0] == "[" else []
        closed += [(v, degree)] if v.range[-1] == "]" else []
        if closed:
            ends.append(closed)
    if math.prod(map(len, ends)) > 4096:
        return False
    exponents = [dict(monomial) for monomial in after]
    return all(any(all(e.get(v, 0) == k for v, k in face) for e in exponents) for face in itertools.product(*ends))

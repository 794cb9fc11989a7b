"""Polynomials in named variables and their signs on boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

from flint import arb, ctx, fmpq

from axiomcheck.numbers.arithmetic import to_fmpq

Box = Mapping[str, tuple[Fraction, Fraction]]
"""Variable name -> closed interval."""
Point = Mapping[str, Fraction]
OpenEnds = frozenset[tuple[str, Fraction]]
"""(name, value) of ends of intervals that are not part of them."""

BITS = 192
"""Bits of the balls in which signs are certified."""


def ball(low: Fraction, high: Fraction) -> arb:
    """A ball that certainly contains an interval."""
    ends = arb(to_fmpq(low)), arb(to_fmpq(high))
    return ends[0] if low == high else ends[0].union(ends[1])


class BoxPolynomial:
    """A polynomial in named variables, which never are negative.

    Args:
        names: the variables.
        terms: exponents of the variables -> coefficient: rational, or a ball where discounts are irrational.

    """

    def __init__(self, names: tuple[str, ...], terms: Mapping[tuple[int, ...], Any]) -> None:
        self.names = names
        self.terms = {key: c for key, c in sorted(terms.items()) if not (isinstance(c, fmpq) and c == 0)}

    @property
    def is_zero(self) -> bool:
        """Tell whether it is zero whatever the variables are."""
        return not self.terms

    @property
    def exact(self) -> bool:
        """Tell whether every coefficient is rational."""
        return all(isinstance(c, fmpq) for c in self.terms.values())

    @property
    def variables(self) -> frozenset[str]:
        """The variables that it depends on."""
        return frozenset(name for k, name in enumerate(self.names) if any(key[k] for key in self.terms))

    def value(self, point: Point) -> Any:
        """The exact or certified value at a rational point."""
        numbers = [to_fmpq(point[name]) for name in self.names]
        with ctx.workprec(BITS):
            return self._sum(numbers, fmpq(0) if self.exact else arb(0))

    def _sum(self, numbers: list[Any], total: Any) -> Any:
        powers: list[dict[int, Any]] = [{} for _ in numbers]
        for key, c in self.terms.items():
            for k, exponent in enumerate(key):
                if exponent:
                    if exponent not in powers[k]:
                        powers[k][exponent] = numbers[k] ** exponent
                    c = c * powers[k][exponent]
            total = total + c
        return total

    def sign_at(self, point: Point) -> int | None:
        """The sign at a rational point: first in balls, then exactly; None where balls leave it open."""
        with ctx.workprec(BITS):
            value = self._sum([arb(to_fmpq(point[name])) for name in self.names], arb(0))
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
        if self.exact:
            number = self.value(point)
            return int(number > 0) - int(number < 0)
        return None

    def over(self, box: Box) -> arb:
        """A ball that contains every value on a box: of the terms one by one, and of the slopes from the centre."""
        with ctx.workprec(BITS):
            sides = [ball(*box[name]) for name in self.names]
            plain: arb = self._sum(sides, arb(0))
            if plain > 0 or plain < 0:
                return plain
            centre = [arb(to_fmpq((box[name][0] + box[name][1]) / 2)) for name in self.names]
            sloped: arb = self._sum(centre, arb(0))
            for k in range(len(self.names)):
                sloped += self.slope(k)._sum(sides, arb(0)) * (sides[k] - centre[k])
        return plain if plain.rad() < sloped.rad() else sloped

    def slope(self, k: int) -> BoxPolynomial:
        """The partial derivative in the k-th variable."""
        terms = {}
        for key, c in self.terms.items():
            if key[k]:
                terms[(*key[:k], key[k] - 1, *key[k + 1 :])] = c * key[k]
        return BoxPolynomial(self.names, terms)

    def flipped(self, flips: Iterable[str]) -> BoxPolynomial:
        """The same polynomial in 1 - x instead of x, for some variables x."""
        terms = dict(self.terms)
        for name in flips:
            k = self.names.index(name)
            new: dict[tuple[int, ...], Any] = {}
            with ctx.workprec(2 * BITS):
                for key, c in terms.items():
                    for power in range(key[k] + 1):
                        other = (*key[:k], power, *key[k + 1 :])
                        part = c * (comb(key[k], power) * (-1) ** power)
                        new[other] = new[other] + part if other in new else part
            terms = {key: c for key, c in new.items() if not (isinstance(c, fmpq) and c == 0)}
        return BoxPolynomial(self.names, terms)

    @cached_property
    def monotone(self) -> Monotone | None:
        """A choice of variables to flip after which every coefficient but the constant has one sign.

        The polynomial is then strictly monotone in each variable that it depends on, inside of the unit cube.
        """
        used = sorted(self.variables)
        constant = (0,) * len(self.names)
        for size in range(len(used) + 1):
            for flips in combinations(used, size):
                oriented = self.flipped(flips)
                others = [c for key, c in oriented.terms.items() if key != constant]
                for direction in (1, -1):
                    if all(direction * c > 0 for c in others):
                        return Monotone(frozenset(flips), direction, oriented)
        return None

    def fits(self, box: Box) -> Monotone | None:
        """Return the way in which it is monotone on a box; None where it is not shown to be."""
        monotone = self.monotone
        return monotone if monotone is not None and all(box[name][1] <= 1 for name in monotone.flips) else None

    def corner(self, box: Box, side: int) -> Point:
        """The corner of a box at which a monotone polynomial is largest (side 1) or smallest (side -1)."""
        assert self.monotone is not None
        flips, up = self.monotone.flips, self.monotone.direction * side > 0
        return {name: box[name][int((name in flips) != up)] for name in self.names}

    def range_signs(self, box: Box) -> tuple[int | None, int | None]:
        """Signs of a lower and an upper bound of the values on a box; None where open.

        A lower bound of sign 1 says positive on the whole box, an upper bound of sign -1 negative on it.
        """
        if all(box[name][0] == box[name][1] for name in self.variables):
            sign = self.sign_at({name: box[name][0] for name in self.names})
            return sign, sign
        monotone = self.fits(box)
        if monotone is not None:
            corners = (self.corner(box, side).items() for side in (-1, 1))
            moved = ({name: 1 - x if name in monotone.flips else x for name, x in corner} for corner in corners)
            low, high = map(monotone.oriented.sign_at, moved)
            return low, high
        value = self.over(box)
        sign = 1 if value > 0 else -1 if value < 0 else None
        return sign, sign

    def upper(self, box: Box) -> arb:
        """A ball that contains the largest value on a box (and, where that is not found, all values)."""
        if self.fits(box) is None:
            return self.over(box)
        with ctx.workprec(BITS):
            return arb(self.value(self.corner(box, 1)))


@dataclass(frozen=True)
class Monotone:
    """Describes how a polynomial is monotone on the unit cube.

    Args:
        flips: the variables x that are written as 1 - x.
        direction: the sign of every coefficient but the constant, when they are.
        oriented: the polynomial, so written.

    """

    flips: frozenset[str]
    direction: int
    oriented: BoxPolynomial

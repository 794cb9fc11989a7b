"""Runs a metric's own code on symbols for its parameters, and finds the signs of the polynomials on boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

from flint import Ordering, arb, ctx, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from axiomcheck.core.errors import AxiomcheckError, InvalidInput, NotRational
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.discount import Discount
from axiomcheck.numbers.polynomials import Ring, Term, Terms, Undecided
from axiomcheck.numbers.series import Series

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


class BoxSymbols(Ring):
    """Polynomials over the rationals in variables, and in the irrational discounts of ranks up to ``depth``.

    Args:
        box: variable -> the closed interval that comparisons in the metric's code have to be certain on; none below 0.
        open_ends: (name, value) of the ends of its sides that are never reached.
        depth: the largest rank whose discount may be irrational.

    """

    def __init__(self, box: Box, open_ends: OpenEnds = frozenset(), depth: int = 0) -> None:
        discounts = [f"D{i}" for i in range(1, depth + 1)]
        super().__init__(fmpq_mpoly_ctx.get([*box, *discounts], Ordering.lex), list(box))
        self.box = box
        self.open_ends = open_ends
        self.depth = depth
        self.discount: Discount | None = None

    def variable(self, name: str) -> Term:
        """The symbol of a variable."""
        return self.at(self.names.index(name))

    def irrational(self, discount: Discount, rank: int) -> Term:
        """The symbol of an irrational discount.

        Raises:
            Undecided: of another discount, or of a rank below ``depth``.

        """
        if self.discount not in (None, discount) or rank > self.depth:
            raise Undecided(f"there is no symbol for {discount} at rank {rank}")
        self.discount = discount
        return self.at(len(self.names) + rank - 1)

    def read(self, polynomial: fmpq_mpoly) -> BoxPolynomial:
        """A polynomial in the variables, with the discounts as certified balls inside its coefficients."""
        exact: dict[tuple[int, ...], Any] = {}
        balls: dict[tuple[int, ...], Any] = {}
        count = len(self.names)
        with ctx.workprec(2 * BITS):
            for exponents, c in polynomial.to_dict().items():
                key, ranks = exponents[:count], exponents[count:]
                if not any(ranks):
                    exact[key] = c
                    continue
                assert self.discount is not None
                value = arb(c)
                for rank, power in enumerate(ranks, start=1):
                    if power:
                        value *= self.discount.ball(rank) ** int(power)
                balls[key] = balls.get(key, arb(0)) + value
            terms = {key: arb(exact[key]) + balls[key] if key in exact else balls[key] for key in balls}
        return BoxPolynomial(tuple(self.names), exact | terms)

    def shows(self, polynomial: fmpq_mpoly, strict: bool) -> object | None:
        """Tell whether the sign of a polynomial is seen to be 1 (not strict: or 0); None where not."""
        sign = self.sign(polynomial)
        return True if sign == 1 or (sign == 0 and not strict) else None

    def cancels(self, common: fmpq_mpoly) -> int | None:
        """Return the sign of any factor that has a known one: polynomials are looked at for roots."""
        return self.sign(common)

    def sign(self, polynomial: fmpq_mpoly) -> int | None:
        """The sign on the whole box, ends that are never reached left out; None where it is not shown to be one."""
        if polynomial.is_constant():
            return super().sign(polynomial)
        found = self.read(polynomial)
        low, high = found.range_signs(self.box)
        if low == 1 or high == -1:
            return 1 if low == 1 else -1
        # Zero at a corner only, which may be at ends that are never reached.
        monotone = found.fits(self.box)
        if monotone is not None:
            terms = monotone.oriented.terms
            for sign in (1, -1):
                positive = all(sign * c > 0 for c in terms.values())
                if positive and any(self._never_zero(k, monotone.flips) for k in terms):
                    return sign
        return None

    def _never_zero(self, exponents: tuple[int, ...], flips: frozenset[str]) -> bool:
        """Tell whether a monomial in x, or 1 - x for the variables flipped, is positive wherever it is asked about."""
        for name, exponent in zip(self.names, exponents, strict=True):
            low, high = self.box[name]
            zero, end = (1, high) if name in flips else (0, low)
            if exponent and end == zero and (name, end) not in self.open_ends:
                return False
        return True


class ParameterArithmetic(Terms):
    """Rationals, with terms for the parameters that are varied and for irrational discounts.

    Args:
        symbols: that the terms are over.

    """

    def __init__(self, symbols: BoxSymbols) -> None:
        self.symbols = symbols

    def irrational(self, discount: Discount, rank: int) -> Any:
        """The symbol of an irrational discount, where there are such symbols."""
        return self.symbols.irrational(discount, rank) if self.symbols.depth else super().irrational(discount, rank)


def score_on(metric: Metric, symbols: BoxSymbols, grades: Array, weights: Array, pool: Array, small: bool) -> Any:
    """Return what a metric scores (...,): terms and rationals, or a series of them if small.

    Args:
        metric: at its fixed values.
        symbols: those of its parameters that have one take it.
        grades: (..., n, m) terms or rationals.
        weights: (..., m).
        pool: (..., P, m).
        small: whether grades and pool are multiplied by eps.

    Raises:
        NotRational: a discount is irrational, and there are no symbols for these; may be tried again with some.
        InvalidInput: the metric cannot be run on symbols.
        Undecided: a comparison has not one outcome.

    """
    placed = metric.at({name: symbols.variable(name) for name in symbols.names if name in metric.values})
    seen, judged = (Series({1: x}) if small else x for x in (grades, pool))
    try:
        score = placed.score(ParameterArithmetic(symbols), seen, weights, judged)
    except NotRational as error:
        if symbols.depth == 0:
            raise
        raise InvalidInput(f"{metric} cannot be run on symbols for its parameters: {error}") from None
    except AxiomcheckError:
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        raise InvalidInput(f"{metric} cannot be run on symbols for its parameters: {text}") from error
    return score

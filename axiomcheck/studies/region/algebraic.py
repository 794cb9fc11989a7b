"""Compute with real algebraic numbers, each a real root of an irreducible polynomial with integer coefficients.

Signs of polynomials on boxes are determined by their coefficients in the Bernstein basis of the box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from math import comb, floor, lcm, prod
from typing import Any, TypeAlias

from flint import Ordering, arb, ctx, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpq_poly, fmpz_poly

from axiomcheck.numbers.arithmetic import to_fmpq

Box: TypeAlias = Mapping[str, tuple[Fraction, Fraction]]
"""Closed interval for each variable."""

OpenEnds: TypeAlias = frozenset[tuple[str, Fraction]]
"""Excluded endpoints of intervals, as (variable, value) pairs."""

Bounds: TypeAlias = tuple[int | None, int | None]
"""Signs of a lower bound (1 or 0) and of an upper bound (-1 or 0) on a box, each of them None if it is unknown."""

_ZERO = fmpq(0)


class Ring:
    """Ring of polynomials with rational coefficients in named variables, with certified signs and bounds on boxes.

    Args:
        names: Names of the variables.
        open_ends: Endpoints that are excluded from every box, as (variable, value) pairs.

    """

    def __init__(self, names: Sequence[str], open_ends: OpenEnds = frozenset()) -> None:
        self.names, self.open_ends = tuple(names), open_ends
        self.context = fmpq_mpoly_ctx.get(list(names), Ordering.lex)
        self.variables: dict[str, fmpq_mpoly] = dict(zip(names, self.context.gens(), strict=True))

    def bounds(self, f: fmpq_mpoly, box: Box, open_ends: OpenEnds = frozenset()) -> Bounds:
        """Return the signs of a lower and of an upper bound of a polynomial on a box; see `Bounds`.

        Args:
            f: Polynomial in the ring's variables.
            box: Interval for each variable.
            open_ends: Additional endpoints that are excluded.

        """
        used = zip(self.names, f.degrees(), strict=True)
        if all(box[name][0] == box[name][1] for name, degree in used if degree):  # a single point
            value = self.value(f, {name: ends[0] for name, ends in box.items()})
            return (None if value < 0 else int(value > 0)), (None if value > 0 else -int(value < 0))
        coefficients, degrees = self._expanded(f, box)
        if not coefficients:
            return 0, 0
        attained = self._at_every_corner(coefficients, degrees, box, self.open_ends | open_ends)
        low = None if any(c < 0 for c in coefficients.values()) else int(attained)
        high = None if any(c > 0 for c in coefficients.values()) else -int(attained)
        return low, high

    def upper(self, f: fmpq_mpoly, box: Box) -> fmpq:
        """Return an upper bound of a polynomial on a box, which is its largest Bernstein coefficient."""
        coefficients, degrees = self._expanded(f, box)
        found = [
            c / prod(comb(d, k) for d, k in zip(degrees, exponents, strict=True))
            for exponents, c in coefficients.items()
        ]
        some_are_zero = len(found) < prod(degree + 1 for degree in degrees)
        return max(found if found and not some_are_zero else [_ZERO, *found])

    def value(self, f: fmpq_mpoly, point: Mapping[str, Fraction]) -> fmpq:
        """Return the value of a polynomial at a point."""
        return f(*(to_fmpq(point[name]) for name in self.names))

    def middle(self, f: fmpq_mpoly, box: Box) -> fmpq:
        """Evaluate a polynomial at the middle of a box."""
        return self.value(f, {name: (low + high) / 2 for name, (low, high) in box.items()})

    def depends_on(self, f: fmpq_mpoly, name: str) -> bool:
        """Return True if a variable occurs in a polynomial."""
        return bool(f.degrees()[self.names.index(name)])

    def _expanded(self, f: fmpq_mpoly, box: Box) -> tuple[dict[tuple[int, ...], fmpq], tuple[int, ...]]:
        """Expand a polynomial on a box in the Bernstein basis; return its nonzero scaled coefficients and its degrees.

        Each coefficient, stored by its exponents, is scaled by binomials: substitute x = low + (high - low) s / (1 +
        s), clear the denominators, which are powers of 1 + s, and take the coefficients of the polynomial in s.
        """
        sides = [tuple(map(to_fmpq, box[name])) for name in self.names]
        gens = self.variables.values()
        moved = f.compose(*((high - low) * x + low for (low, high), x in zip(sides, gens, strict=True)))
        degrees = tuple(int(d) for d in moved.degrees())
        grown = self.context.from_dict(_mirrored(moved, degrees)).compose(*(x + 1 for x in gens))
        return _mirrored(grown, degrees), degrees

    def _at_every_corner(
        self, coefficients: Mapping[tuple[int, ...], fmpq], degrees: Sequence[int], box: Box, open_ends: OpenEnds
    ) -> bool:
        """Return True if every closed corner of a box has a nonzero coefficient.

        If both endpoints of a side are open, any coefficient along this side counts.
        """
        places = [
            (k, [at for at, end in ((0, box[name][0]), (degree, box[name][1])) if (name, end) not in open_ends])
            for k, (name, degree) in enumerate(zip(self.names, degrees, strict=True))
            if degree
        ]
        closed = [(k, at) for k, at in places if at]
        return all(
            any(all(exponents[k] == e for (k, _), e in zip(closed, corner, strict=True)) for exponents in coefficients)
            for corner in product(*(at for _, at in closed))
        )


def _mirrored(f: fmpq_mpoly, degrees: Sequence[int]) -> dict[tuple[int, ...], fmpq]:
    """Return the coefficients of a polynomial by exponents, with each exponent e replaced by degree - e."""
    return {tuple(d - int(e) for d, e in zip(degrees, key, strict=True)): c for key, c in f.to_dict().items()}


_DIGITS = 30


def integer_polynomial(f: fmpq_mpoly, place: int) -> fmpz_poly:
    """Convert a polynomial in the variable with index ``place`` to integer coefficients, by a positive factor."""
    terms = {int(exponents[place]): c for exponents, c in f.to_dict().items()}
    scale = lcm(*(int(c.q) for c in terms.values()))
    return fmpz_poly([int(terms.get(k, fmpq(0)) * scale) for k in range(max(terms, default=0) + 1)])


def _real_roots(polynomial: fmpz_poly, bits: int) -> list[arb]:
    """Return certified balls around the real roots of an irreducible polynomial, in increasing order."""
    with ctx.workprec(bits):
        found: Any = polynomial.complex_roots()
    return sorted((x.real for x, _ in found if x.imag == 0), key=lambda ball: ball.mid())


@dataclass
class Root:
    """Real root of a polynomial, enclosed by two rationals. `refine` makes the enclosure smaller.

    Args:
        polynomial: Irreducible polynomial with a positive leading coefficient.
        place: Index of the root among the polynomial's real roots in increasing order.
        bits: Precision of the enclosure in bits, doubled by each refinement.

    """

    polynomial: fmpz_poly
    place: int
    bits: int = 32
    ball: arb = field(init=False)
    low: Fraction = field(init=False)
    high: Fraction = field(init=False)

    def __post_init__(self) -> None:
        self.refine()

    @classmethod
    def at(cls, value: Fraction) -> Root:
        """Return a rational number as the root of a linear polynomial."""
        return cls(fmpz_poly([-value.numerator, value.denominator]), 0)

    @property
    def rational(self) -> bool:
        """True if the root is a rational number."""
        return bool(self.polynomial.degree() == 1)

    def refine(self) -> None:
        """Double the precision of the enclosure."""
        self.bits *= 2
        self.ball = _real_roots(self.polynomial, self.bits)[self.place]
        if self.rational:
            self.low = self.high = Fraction(-int(self.polynomial[0]), int(self.polynomial[1]))
        else:
            middle, radius = (dyadic(v) for v in (self.ball.mid(), self.ball.rad()))
            self.low, self.high = middle - radius, middle + radius

    def sign_of(self, f: fmpz_poly) -> int:
        """Return the exact sign of another polynomial at the root."""
        rest: Any = fmpq_poly(f) % fmpq_poly(self.polynomial)
        if rest == 0:
            return 0
        while True:
            with ctx.workprec(self.bits):
                value = f(self.ball)
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
            self.refine()

    def decimal(self) -> str:
        """Return the decimal expansion, truncated to thirty decimals, or the exact fraction of a rational root."""
        if self.rational:
            return str(self.low)
        whole, part = divmod(self._cut(_DIGITS), 10**_DIGITS)
        return f"{whole}.{part:0{_DIGITS}d}"

    def _cut(self, digits: int) -> int:
        """Return an irrational root times 10^digits, rounded down."""
        scale: int = 10**digits
        while floor(self.low * scale) != floor(self.high * scale):
            self.refine()
        return floor(self.low * scale)

    def plain_interval(self) -> tuple[Fraction, Fraction]:
        """Return two neighbouring decimals with as few digits as possible that enclose this root and no other.

        For a rational root, both are the root itself.
        """
        if self.rational:
            return self.low, self.low
        digits = 2
        while True:
            low, high = (Fraction(self._cut(digits) + up, 10**digits) for up in (0, 1))
            if len(roots_between(self.polynomial, low, high)) == 1:
                return low, high
            digits += 1


def dyadic(x: arb) -> Fraction:
    """Convert a ball of radius 0 to a fraction."""
    man, exp = x.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def factors(f: fmpz_poly) -> list[fmpz_poly]:
    """Return the non-constant irreducible factors of a polynomial, with positive leading coefficients."""
    found = [g for g, _ in f.factor()[1] if g.degree() >= 1] if f.degree() >= 1 else []
    return [-g if g.leading_coefficient() < 0 else g for g in found]


def roots_between(g: fmpz_poly, low: Fraction, high: Fraction) -> list[Root]:
    """Return the real roots of an irreducible polynomial in [low, high], in increasing order."""
    found = []
    for place in range(len(_real_roots(g, 64))):
        root = Root(g, place)
        while not root.rational and any(root.low <= end <= root.high for end in (low, high)):
            root.refine()  # neither end is a root, since the ends are rational
        if low <= root.low and root.high <= high:
            found.append(root)
    return found


def separate(roots: list[Root]) -> None:
    """Sort distinct roots in place, and refine them until their enclosures do not touch."""
    while True:
        roots.sort(key=lambda r: (r.low, r.high))
        touching = [pair for pair in pairwise(roots) if pair[0].high >= pair[1].low]
        if not touching:
            return
        for pair in touching:
            for root in pair:
                root.refine()

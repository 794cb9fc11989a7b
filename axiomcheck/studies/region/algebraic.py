"""Real algebraic numbers, each given as a real root of an irreducible polynomial with integer coefficients."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import floor, lcm
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mpoly, fmpq_poly, fmpz_poly

_DIGITS = 30


def integer_polynomial(f: fmpq_mpoly, place: int) -> fmpz_poly:
    """Return a positive multiple, with integer coefficients, of a polynomial in only one variable."""
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
        place: Number of smaller real roots of the polynomial.
        bits: Precision of the enclosure in bits.

    """

    polynomial: fmpz_poly
    place: int
    bits: int = 32
    ball: arb = field(init=False)
    low: Fraction = field(init=False)
    high: Fraction = field(init=False)

    def __post_init__(self) -> None:
        self.refine()

    @property
    def rational(self) -> bool:
        """Return whether the root is a rational number."""
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
        """Return the decimal expansion, cut after thirty digits, or the exact fraction of a rational root."""
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
        """Return the two shortest neighbouring decimals that enclose this root and no other root of the polynomial."""
        if self.rational:
            return self.low, self.low
        digits = 2
        while True:
            low, high = (Fraction(self._cut(digits) + up, 10**digits) for up in (0, 1))
            if len(roots_between(self.polynomial, low, high)) == 1:
                return low, high
            digits += 1


def dyadic(x: arb) -> Fraction:
    """Return the exact value of a ball whose radius is 0."""
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

"""Real algebraic numbers: an irreducible polynomial with integer coefficients and an interval with one root of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from flint import arb, ctx, fmpq_poly, fmpz_poly

from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.studies.region.polynomials import Polynomial, ball

__all__ = ["Root", "factors", "integer_polynomial", "roots_between", "separate"]

_DIGITS = 30


def integer_polynomial(polynomial: Polynomial, name: str) -> fmpz_poly:
    """A positive multiple of a polynomial with rational coefficients that depends on one variable only."""
    place = polynomial.names.index(name)
    scale = lcm(*(int(c.q) for c in polynomial.terms.values()))
    degree = max((key[place] for key in polynomial.terms), default=0)
    coefficients = [0] * (degree + 1)
    for key, c in polynomial.terms.items():
        coefficients[key[place]] = int((c * scale).p)
    return fmpz_poly(coefficients)


def _sign(f: fmpz_poly, x: Fraction) -> int:
    value = f(to_fmpq(x))
    return int(value > 0) - int(value < 0)


@dataclass
class Root:
    """One root; `refine` halves its interval.

    Args:
        polynomial: irreducible, with a positive leading coefficient.
        low, high: rationals with the root and no other between them, ends left out; equal if the root is rational.

    Raises:
        InternalDisagreement: the polynomial does not change its sign in between.

    """

    polynomial: fmpz_poly
    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low == self.high:
            right = _sign(self.polynomial, self.low) == 0
        else:
            right = _sign(self.polynomial, self.low) * _sign(self.polynomial, self.high) == -1
        if not right:
            raise InternalDisagreement(f"{self.polynomial} has no root between {self.low} and {self.high}")

    @property
    def rational(self) -> bool:
        """Whether the root is a rational number."""
        return self.low == self.high

    def refine(self) -> None:
        """Halves the interval; an irreducible polynomial of a higher degree has no rational root to be hit."""
        if self.rational:
            return
        middle = (self.low + self.high) / 2
        if _sign(self.polynomial, middle) == _sign(self.polynomial, self.low):
            self.low = middle
        else:
            self.high = middle

    def within(self, width: Fraction) -> None:
        """Refines until the interval is not wider."""
        while self.high - self.low > width:
            self.refine()

    def sign_of(self, f: fmpz_poly) -> int:
        """The exact sign of another polynomial at the root."""
        if self.rational:
            return _sign(f, self.low)
        rest: Any = fmpq_poly(f) % fmpq_poly(self.polynomial)
        if rest == 0:
            return 0
        while True:
            with ctx.workprec(64 + 2 * (self.high - self.low).denominator.bit_length()):
                value = _over(f, ball(self.low, self.high))
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
            self.refine()

    def decimal(self) -> str:
        """The decimal expansion, cut after thirty digits."""
        if self.rational:
            return str(self.low)
        self.within(Fraction(1, 10 ** (_DIGITS + 3)))
        while int(self.low * 10**_DIGITS) != int(self.high * 10**_DIGITS):
            self.refine()
        whole, part = divmod(int(self.low * 10**_DIGITS), 10**_DIGITS)
        return f"{whole}.{part:0{_DIGITS}d}"

    def plain_interval(self) -> tuple[Fraction, Fraction]:
        """The shortest pair of neighbouring decimals with the root and no other root of the polynomial between them."""
        if self.rational:
            return self.low, self.low
        for digits in range(2, 40):
            unit = Fraction(1, 10**digits)
            self.within(unit / 1000)
            low = (self.low // unit) * unit
            if self.high < low + unit and len(roots_between(self.polynomial, low, low + unit)) == 1:
                return low, low + unit
        return self.low, self.high


def _over(f: fmpz_poly, x: arb) -> arb:
    value = arb(0)
    for c in reversed(f.coeffs()):
        value = value * x + c
    return value


def _ends(x: arb) -> tuple[Fraction, Fraction]:
    """Rationals around a ball."""
    middle, radius = (_dyadic(v) for v in (x.mid(), x.rad()))
    return middle - radius, middle + radius


def _dyadic(x: arb) -> Fraction:
    man, exp = x.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def factors(f: fmpz_poly) -> list[fmpz_poly]:
    """The irreducible factors of a polynomial that have a root, with positive leading coefficients."""
    if f.degree() < 1:
        return []
    found = [g for g, _ in f.factor()[1] if g.degree() >= 1]
    return [-g if g.leading_coefficient() < 0 else g for g in found]


def roots_between(g: fmpz_poly, low: Fraction, high: Fraction) -> list[Root]:
    """The real roots of an irreducible polynomial in [low, high], in increasing order, their intervals apart.

    Real roots are isolated by flint's certified balls, and each is confirmed by a change of sign.
    """
    if g.degree() == 1:
        b, a = (int(c) for c in g.coeffs())
        root = Fraction(-b, a)
        return [Root(g, root, root)] if low <= root <= high else []
    found: list[Root] = []
    isolated: Any = g.complex_roots()
    for x, _ in isolated:
        if x.imag != 0:
            continue
        ends = _ends(x.real)
        root_ = Root(g, *ends)
        while root_.low <= low <= root_.high or root_.low <= high <= root_.high:
            root_.refine()  # neither end is a root, as it is rational
        if low < root_.low and root_.high < high:
            found.append(root_)
    separate(found)
    return found


def separate(roots: list[Root]) -> None:
    """Sorts distinct roots, refined until their intervals do not touch."""
    while True:
        roots.sort(key=lambda r: (r.low, r.high))
        touching = [pair for pair in pairwise(roots) if pair[0].high >= pair[1].low]
        if not touching:
            return
        for pair in touching:
            for root in pair:
                root.refine()

"""Real numbers in closed form: sums of products of logarithms, roots and powers of e, with rational coefficients.

Each number is stored in a normal form, in which terms cancel if they do so for all values of the logarithms. The sign
of a number is determined with balls of increasing precision. If balls do not separate two numbers that have different
normal forms, `Blurred` is raised. A tie is never assumed.

Logarithms are decomposed into logarithms of primes, and roots into roots of primes with exponents below 1. The inverse
of a sum, and the result of a function without a rule here, is an atom that equals only itself.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TypeAlias
from weakref import WeakValueDictionary

from axiomcheck.core.packages import flint
from axiomcheck.numbers.refusals import Blurred, Unproved

Real: TypeAlias = "flint.fmpq | Closed"
"""Rational number (flint's `fmpq`), or `Closed`, whose normal form is never rational."""

_PRECISIONS = (96, 384, 1536)
_ENCLOSING = 512
_BITS = 30
"""Number of binary digits after the point in the bounds that proofs use. The steps between such bounds are far smaller
than the distances between discounts."""
_MOST = 4_000
"""Maximum number of products in one sum. A longer sum becomes an atom."""
_SHORT, _MOST_OF_SHORT = 4, 256
"""Maximum number of terms of a short factor, and of its product with another number. Without this limit, a cascade such
as that of ERR, which multiplies by a short factor at every rank, would have 2^n terms."""
_LONGEST_TEXT = 1_000
_LARGEST = 2**200
"""Largest integer that is factored into primes."""
_ONE: Product = frozenset()


@dataclass(frozen=True, eq=False)
class Atom:
    """Irrational factor in a closed form, such as log 2. Use `atom_of` to create it, since atoms compare by identity.

    Args:
        kind: ``log`` or ``root`` of a prime; ``e``, ``pi``; or ``sum``, ``exp``, ``ln``, ``erf``... of a number.
        of: Prime, or the (product, coefficient) pairs of the number's normal form; None for ``e`` and ``pi``.

    """

    kind: str
    of: int | frozenset[tuple[Product, flint.fmpq]] | None = None

    @cached_property
    def text(self) -> str:
        """Sort key of the atom, which unlike its hash is the same in every process."""
        if not isinstance(self.of, frozenset):
            return f"{self.kind} {self.of}"
        inner = " + ".join(sorted(f"{c} {_text(p)}" for p, c in self.of))
        short = inner if len(inner) <= _LONGEST_TEXT else sha256(inner.encode()).hexdigest()
        return f"{self.kind} ({short})"

    @property
    def prime(self) -> int:
        """The prime p, for an atom that is log(p) or a root of p."""
        assert isinstance(self.of, int)
        return self.of

    @property
    def terms(self) -> dict[Product, flint.fmpq]:
        """Normal form of the number to which the atom's function is applied, as coefficients by product."""
        assert isinstance(self.of, frozenset)
        return dict(self.of)

    @cached_property
    def _balls(self) -> dict[tuple[int, int, int], flint.arb]:
        """Cached balls around powers of the atom, keyed by precision, and numerator and denominator of the exponent."""
        return {}

    def ball(self, exponent: Exponent) -> flint.arb:
        """Return a ball around the atom raised to a power, at flint's current precision."""
        key = (flint.ctx.prec, int(exponent.numerator), int(exponent.denominator))
        if key not in self._balls:
            self._balls[key] = self._ball(exponent)
        return self._balls[key]

    def _ball(self, exponent: Exponent) -> flint.arb:
        if self.kind == "log":
            return _log_of_prime(self.prime, flint.ctx.prec) ** int(exponent.numerator)
        if self.kind == "root":
            return (_log_of_prime(self.prime, flint.ctx.prec) * flint.arb(exponent)).exp()
        if self.kind == "pi":
            return flint.arb.pi() ** int(exponent.numerator)
        if self.kind == "e":
            return flint.arb(exponent).exp()
        inner = Closed(self.terms).ball()
        if self.kind in ("exp", "ln"):
            inner = inner.exp() if self.kind == "exp" else inner.log()
        elif self.kind != "sum":
            inner = getattr(inner, self.kind)()
        return inner**exponent if isinstance(exponent, int) else inner ** flint.arb(exponent)


_ATOMS: WeakValueDictionary[tuple[str, object], Atom] = WeakValueDictionary()


def atom_of(kind: str, of: int | frozenset[tuple[Product, flint.fmpq]] | None = None) -> Atom:
    """Return the atom with a kind and an argument. Calls with equal arguments return the same object."""
    return _ATOMS.setdefault((kind, of), Atom(kind, of))


Exponent: TypeAlias = "int | flint.fmpq"
"""Exponent. An integer must be a Python int and not an fmpq, since hashing an fmpq takes 50 times as long."""

Product: TypeAlias = "frozenset[tuple[Atom, Exponent]]"
"""Product of powers of atoms, as (atom, nonzero exponent) pairs."""


def _text(product: Product) -> str:
    return " ".join(sorted(f"{atom.text}^{e}" for atom, e in product))


@lru_cache(maxsize=4096)
def _log_of_prime(prime: int, precision: int) -> flint.arb:
    return flint.arb(prime).log()


def _comparison(holds: Callable[[int, int], bool]) -> Callable[[Closed, Real | int], bool]:
    return lambda self, other: holds(_sign(self - other), 0)


class Closed:
    """Immutable irrational number in closed form: a sum of products of atoms with rational coefficients.

    Args:
        terms: Nonzero coefficients by product. The empty product has the rational part, and must not be the only one.

    """

    __slots__ = ("_hash", "_inverse", "terms")

    def __init__(self, terms: dict[Product, flint.fmpq]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._inverse: Real | None = None

    @staticmethod
    def made(terms: dict[Product, flint.fmpq]) -> Real:
        """Create a number from the terms of its normal form. Return a rational if no term is irrational."""
        if not terms:
            return flint.fmpq(0)
        if len(terms) == 1 and _ONE in terms:
            return terms[_ONE]
        return Closed(terms) if len(terms) <= _MOST else Closed(terms)._as_atom()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def ball(self) -> flint.arb:
        """Return a ball that contains the number, at flint's current precision."""
        total = flint.arb(0)
        for product, coefficient in self.terms.items():
            value = flint.arb(coefficient)
            for atom, exponent in product:
                value = value * atom.ball(exponent)
            total = total + value
        return total

    def enclosures(self) -> list[tuple[flint.fmpq, flint.fmpq, Product]]:
        """Return (low, width, product) for each product, such that coefficient * product = low + width * s, 0 < s < 1.

        The width has the sign of the coefficient, so that s is the same for a product in every sum; `share` returns it.
        The empty product, which has the rational part, has width 0.

        Raises:
            Blurred: Balls do not separate a product from the endpoints of its interval.

        """
        found = []
        for product, c in self.terms.items():
            low, width = (flint.fmpq(1), flint.fmpq(0)) if not product else _bounds(product)
            found.append((c * low, c * width, product))
        return sorted(found, key=lambda e: _text(e[2]))

    @staticmethod
    def share(product: Product) -> flint.fmpq:
        """Return the number s of `enclosures` for a product, to 64 binary digits."""
        low, width = _bounds(product)
        with flint.ctx.workprec(_ENCLOSING):
            at = (Closed({product: flint.fmpq(1)}).ball() - low) / width
            whole = (at * 2**64).mid().floor().unique_fmpz()
            assert whole is not None
            return flint.fmpq(int(whole), 2**64)

    def sign(self) -> int:
        """Return +1 or -1. The number cannot be 0, because the normal form of 0 is rational.

        Raises:
            Blurred: The sign cannot be determined.

        """
        for precision in _PRECISIONS:
            with flint.ctx.workprec(precision):
                ball = self.ball()
                if ball > 0:
                    return 1
                if ball < 0:
                    return -1
        raise Blurred("two irrational numbers are too close to be distinguished, and no identity is known")

    def __add__(self, other: Real | int) -> Real:
        if not isinstance(other, Closed | flint.fmpq | int):
            return NotImplemented
        terms = dict(self.terms)
        for product, c in _terms(other).items():
            terms[product] = terms[product] + c if product in terms else c
            if terms[product] == 0:
                del terms[product]
        return Closed.made(terms)

    __radd__ = __add__

    def __neg__(self) -> Closed:
        return Closed({p: -c for p, c in self.terms.items()})

    def __sub__(self, other: Real | int) -> Real:
        return self + -other if isinstance(other, Closed | flint.fmpq | int) else NotImplemented

    def __rsub__(self, other: Real | int) -> Real:
        return -self + other

    def __mul__(self, other: Real | int) -> Real:
        if isinstance(other, flint.fmpq | int):
            return Closed({p: c * other for p, c in self.terms.items()}) if other != 0 else flint.fmpq(0)
        if not isinstance(other, Closed):
            return NotImplemented
        short, long = sorted((self, other), key=lambda factor: len(factor.terms))
        if len(short.terms) * len(long.terms) > (_MOST if len(short.terms) > _SHORT else _MOST_OF_SHORT):
            if len(short.terms) == len(long.terms):  # choose the same factor in both orders
                short, long = sorted((short, long), key=lambda factor: min(map(_text, factor.terms)))
            return long._as_atom() * short
        terms: dict[Product, flint.fmpq] = {}
        for p, c in self.terms.items():
            for q, d in other.terms.items():
                product, factor = _times(p, q)
                value = c * d * factor
                terms[product] = terms[product] + value if product in terms else value
        return Closed.made({p: c for p, c in terms.items() if c != 0})

    __rmul__ = __mul__

    def inverse(self) -> Real:
        """Return 1 / self. The result is cached, because every row of an array divides by the same discounts."""
        if self._inverse is None:
            if len(self.terms) == 1:
                [(product, c)] = self.terms.items()
                raised, factor = _raised(product, -1)
                self._inverse = Closed.made({raised: factor / c})
            else:
                shared, scale = self._scaled()
                self._inverse = Closed({frozenset({(atom_of("sum", shared), -1)}): 1 / scale})
        return self._inverse

    def _as_atom(self) -> Closed:
        """Return the number as a rational multiple of one atom that stands for the whole sum."""
        shared, scale = self._scaled()
        return Closed({frozenset({(atom_of("sum", shared), 1)}): scale})

    def _scaled(self) -> tuple[frozenset[tuple[Product, flint.fmpq]], flint.fmpq]:
        """Return (terms / c, c), where c is the leading coefficient. All rational multiples have the same terms / c."""
        scale = self.terms[min(self.terms, key=_text)]
        return frozenset((p, c / scale) for p, c in self.terms.items()), scale

    def __truediv__(self, other: Real | int) -> Real:
        if isinstance(other, Closed):
            return self * other.inverse()
        return self * (1 / flint.fmpq(other)) if isinstance(other, flint.fmpq | int) else NotImplemented

    def __rtruediv__(self, other: Real | int) -> Real:
        return self.inverse() * other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Closed) and self.terms == other.terms

    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)

    def __repr__(self) -> str:
        with flint.ctx.workprec(96):
            return str(self.ball().str(12, radius=False))


def _sign(value: Real) -> int:
    return value.sign() if isinstance(value, Closed) else int(value > 0) - int(value < 0)


def _terms(value: Real | int) -> dict[Product, flint.fmpq]:
    return value.terms if isinstance(value, Closed) else {_ONE: flint.fmpq(value)}


@lru_cache(maxsize=4096)
def _bounds(product: Product) -> tuple[flint.fmpq, flint.fmpq]:
    """Return the largest multiple of 2**-_BITS below a product, and the distance to the next multiple, 2**-_BITS."""
    with flint.ctx.workprec(_ENCLOSING):
        scaled = Closed({product: flint.fmpq(1)}).ball() * 2**_BITS
        low = scaled.floor().unique_fmpz()
        if low is None or not (scaled > flint.arb(low) and scaled < flint.arb(low + 1)):
            raise Blurred("an irrational number cannot be distinguished from a rational one")
        return flint.fmpq(int(low), 2**_BITS), flint.fmpq(1, 2**_BITS)


def _times(one: Product, other: Product) -> tuple[Product, flint.fmpq]:
    """Multiply two products. Return a product whose roots have exponents below 1, and the rational factor left over."""
    if not one or not other:
        return one or other, flint.fmpq(1)
    exponents = dict(one)
    for atom, e in other:
        exponents[atom] = exponents[atom] + e if atom in exponents else e
    return _normal(exponents.items())


def _raised(product: Product, exponent: Exponent) -> tuple[Product, flint.fmpq]:
    return _normal((atom, e * exponent) for atom, e in product)


def _normal(exponents: Iterable[tuple[Atom, Exponent]]) -> tuple[Product, flint.fmpq]:
    factor, kept = flint.fmpq(1), []
    for atom, e in exponents:
        if atom.kind == "root":
            whole = int(flint.fmpq(e).floor())
            factor, e = factor * flint.fmpq(atom.prime) ** whole, e - whole
        elif not isinstance(e, int) and e.denominator == 1:
            e = int(e)
        if e:
            kept.append((atom, e))
    return frozenset(kept), factor


def _single(atom: Atom, exponent: Exponent = 1) -> Real:
    product, factor = _normal([(atom, exponent)])
    return Closed.made({product: factor})


@lru_cache(maxsize=4096)
def _primes(whole: int) -> tuple[tuple[int, int], ...]:
    """Factor a positive integer into primes: return (prime, exponent) pairs.

    Raises:
        Unproved: The integer is too large to be factored.

    """
    if whole > _LARGEST:
        raise Unproved("logarithms and roots of numbers with more than 60 digits are not supported in proofs")
    return tuple((int(p), int(e)) for p, e in flint.fmpz(whole).factor())


def logarithm(value: Real) -> Real:
    """Return the natural logarithm of a positive number."""
    if isinstance(value, Closed):
        if len(value.terms) == 1:
            [(product, c)] = value.terms.items()
            if c > 0 and all(atom.kind in ("root", "e", "exp") for atom, _ in product):
                grown = logarithm(c)
                for atom, e in product:
                    grown = grown + e * _log_of_atom(atom)
                return grown
        return _single(atom_of("ln", frozenset(value.terms.items())))
    total: Real = flint.fmpq(0)
    for prime, count in _primes(int(value.p)):
        total = total + _single(atom_of("log", prime)) * count
    for prime, count in _primes(int(value.q)):
        total = total - _single(atom_of("log", prime)) * count
    return total


def _log_of_atom(atom: Atom) -> Real:
    if atom.kind == "e":
        return flint.fmpq(1)
    return _single(atom_of("log", atom.prime)) if atom.kind == "root" else Closed.made(atom.terms)


def exponential(value: Real) -> Real:
    """Return e ** value."""
    found: Real = flint.fmpq(1)
    rest: dict[Product, flint.fmpq] = {}
    for product, c in _terms(value).items():
        if not product:
            found = found * _single(atom_of("e"), c)
            continue
        [*atoms] = product
        if len(atoms) == 1 and atoms[0][0].kind == "log" and atoms[0][1] == 1:
            found = found * _single(atom_of("root", atoms[0][0].of), c)
        else:
            rest[product] = c
    return found * _single(atom_of("exp", frozenset(rest.items()))) if rest else found


def power(base: Real, exponent: Real) -> Real:
    """Return base ** exponent for a positive base, or for a nonzero base and an integer exponent."""
    if isinstance(exponent, Closed):
        return exponential(exponent * logarithm(base))
    if exponent.q == 1:
        if not isinstance(base, Closed):
            return base ** int(exponent.p)
        raised = base if exponent > 0 else base.inverse()
        result: Real = flint.fmpq(1)
        for _ in range(abs(int(exponent.p))):
            result = result * raised
        return result
    if isinstance(base, Closed):
        if len(base.terms) == 1:
            [(product, c)] = base.terms.items()
            if c > 0 and all(atom.kind in ("root", "e") for atom, _ in product):
                raised_product, factor = _raised(product, exponent)
                return power(c, exponent) * Closed.made({raised_product: factor})
        return exponential(exponent * logarithm(base))
    found: Real = flint.fmpq(1)
    for whole, side in ((int(base.p), exponent), (int(base.q), -exponent)):
        for prime, e in _primes(whole):
            found = found * _single(atom_of("root", prime), side * e)
    return found


def function(name: str, value: Real) -> Real:
    """Apply a function that `flint.arb` has as a method, such as ``erf``. The result is an atom."""
    return _single(atom_of(name, frozenset(_terms(value).items())))

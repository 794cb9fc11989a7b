"""Compute with polynomials in variables of known range, and read their signs from their coefficients.

All proofs and all checks of certificates depend on this module, which derives the signs itself. python-flint adds and
multiplies polynomials, and finds common factors, which this module verifies by multiplication.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

FREE = "(-oo, oo)"
"""Range of all numbers."""

SMALL = "0+"
"""Range of a positive infinitesimal. The sign of a polynomial is that of the coefficient of its lowest power."""

LIMIT = "[0, oo) at 0+"
"""Range of numbers that are nonnegative in the limit as a `SMALL` variable tends to 0. Only strict relations of
polynomials in such numbers can be shown."""

_made = itertools.count()


class Variable(int):
    """Variable with a range. Each new variable differs from all others, even if the names are equal.

    Its value as an ``int`` is a serial number, so that monomials are sorted and compared quickly.

    Args:
        name: Name, as in the certificate.
        within: Range: an interval such as ``"[0, 1)"``, or `FREE`, `SMALL` or `LIMIT`. At most one variable of a
            polynomial may be `SMALL`.

    """

    name: str
    range: str

    def __new__(cls, name: str, within: str) -> Variable:
        """Create a variable with the next serial number."""
        made = super().__new__(cls, next(_made))
        made.name, made.range = name, within
        return made


Monomial = tuple[Variable, ...]
"""Variables in the order of creation, each repeated according to its exponent."""

Variables = tuple[Variable, ...]
"""Variables in the order of creation."""


class Polynomial:
    """Immutable polynomial with rational coefficients, backed by a flint polynomial.

    Args:
        terms: Coefficients by monomial.

    """

    __slots__ = ("_degrees", "_expanded", "_flint", "_shown", "_terms", "_variables")
    __hash__ = None  # type: ignore[assignment]  # no dictionary has polynomials as keys

    def __init__(self, terms: Mapping[Monomial, fmpq]) -> None:
        variables = tuple(sorted({v for monomial in terms for v in monomial}))
        exponents = {tuple(map(m.count, variables)): c for m, c in terms.items()}
        self._set(variables, _ring(len(variables)).from_dict(exponents))

    @classmethod
    def of(cls, variables: Variables, polynomial: fmpq_mpoly) -> Polynomial:
        """Create a polynomial from a flint polynomial whose generators stand for the given variables."""
        made = cls.__new__(cls)
        made._set(variables, polynomial)
        return made

    def _set(self, variables: Variables, polynomial: fmpq_mpoly) -> None:
        self._variables, self._flint = variables, polynomial
        self._degrees: dict[Variable, int] | None = None
        self._terms: Mapping[Monomial, fmpq] | None = None
        self._expanded: Mapping[Monomial, fmpq] | None = None
        self._shown: dict[str, bool] = {}

    @classmethod
    def constant(cls, value: fmpq) -> Polynomial:
        """Return a constant polynomial."""
        return cls.of((), _ring(0).constant(value))

    @property
    def terms(self) -> Mapping[Monomial, fmpq]:
        """Nonzero coefficients, by monomial."""
        if self._terms is None:
            self._terms = _terms(self._variables, self._flint)
        return self._terms

    def flint(self, variables: Variables) -> fmpq_mpoly:
        """Return the flint polynomial in the given variables, which must include all variables of the polynomial."""
        if self._variables == variables:
            return self._flint
        return self._flint.project_to_context(_ring(len(variables)), _places(self._variables, variables))

    def __len__(self) -> int:
        """Return the number of nonzero terms. The zero polynomial has none, so it is falsy."""
        return len(self._flint)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polynomial):  # code may mistake a polynomial for the numerator of a fraction
            raise TypeError(f"a polynomial cannot be compared with an object of type {type(other).__name__}")
        _, mine, others = _in_one_ring(self, other)
        return bool(mine == others)

    def __repr__(self) -> str:
        """Raise TypeError, because code could parse the text as the numerator or denominator of a fraction."""
        raise TypeError("a polynomial of symbols has no text")

    def number(self) -> fmpq | None:
        """Return the value of a constant polynomial, or None if it has variables."""
        if not self._flint.is_constant():
            return None
        return self._flint.leading_coefficient() if self._flint else fmpq(0)

    def degrees(self) -> dict[Variable, int]:
        """Return the highest exponent of each variable that occurs, in order of creation."""
        if self._degrees is None:
            every = zip(self._variables, self._flint.degrees(), strict=True)
            self._degrees = {v: degree for v, degree in every if degree > 0}
        return self._degrees

    def __neg__(self) -> Polynomial:
        return Polynomial.of(self._variables, -self._flint)

    def __add__(self, other: Polynomial) -> Polynomial:
        if not self._flint or not other._flint:
            return self if self._flint else other
        variables, mine, others = _in_one_ring(self, other)
        return Polynomial.of(variables, mine + others)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        for one, another in ((self, other), (other, self)):
            if (factor := one.number()) is not None:
                return another.times(factor)
        variables, mine, others = _in_one_ring(self, other)
        return Polynomial.of(variables, mine * others)

    def times(self, factor: fmpq) -> Polynomial:
        """Return the polynomial times a number."""
        return self if factor == 1 else Polynomial.of(self._variables, self._flint * factor)

    def __pow__(self, exponent: int) -> Polynomial:
        return Polynomial.of(self._variables, self._flint**exponent)

    def at(self, point: Mapping[Variable, Any]) -> Any:
        """Return the value at a point, whose coordinates are numbers, balls or quotients of polynomials."""
        total: Any = fmpq(0)
        for monomial, c in self.terms.items():
            product: Any = c
            for v, k in Counter(monomial).items():
                product = product * point[v] ** k
            total = total + product
        return total

    def lowest(self, variable: Variable) -> tuple[int, Polynomial]:
        """Return the lowest exponent of a variable, and the coefficient of this power; (0, 0) for the polynomial 0."""
        order = min((monomial.count(variable) for monomial in self.terms), default=0)
        return order, self.coefficient(variable, order)

    def coefficient(self, variable: Variable, exponent: int) -> Polynomial:
        """Return the coefficient of a power of a variable, which is a polynomial in the other variables."""
        found = ((m, c) for m, c in self.terms.items() if m.count(variable) == exponent)
        return Polynomial({tuple(v for v in monomial if v != variable): c for monomial, c in found})

    def text(self) -> str:
        """Return the polynomial as a Python expression, low degrees first, such as ``1 - 2*x**3``."""
        variables = list(self.degrees())
        in_order = sorted(self.terms.items(), key=lambda term: (len(term[0]), tuple(map(term[0].count, variables))))
        return sum_text((str(c), monomial_text(monomial, power="**")) for monomial, c in in_order)

    # Signs

    def expanded(self) -> Mapping[Monomial, fmpq]:
        """Return the coefficients after substituting s / (1 + s) for each variable u in the unit interval.

        The result is multiplied by (1 + s)^d, where d is the degree of u. The variable s has the name of u, and is in
        (0, oo) if u is in (0, 1).
        """
        if self._expanded is None:
            units = {v: degree for v, degree in self.degrees().items() if v.range[-2] == "1"}
            self._expanded = _expanded(self, units) if units else self.terms
        return self._expanded

    def shown(self, relation: str) -> bool:
        """Return True if the coefficients show that the polynomial has a relation to 0 for all values in the ranges.

        The relation is ``>``, ``>=``, ``=``, ``<=`` or ``<``.

        No coefficient may have the opposite sign. For ``>`` and ``<``, a coefficient must remain on every minimal face.
        On the face u = 1, a monomial remains if its exponent is the degree of u *before* the substitution: for example,
        1 - u becomes 1, and is 0 on this face.
        """
        if relation == "=" or not self:
            return not self and "=" in relation
        if relation not in self._shown:
            self._shown[relation] = self._is_shown(relation)
        claims = _claims.get()
        if claims is not None and self._shown[relation]:
            claims.append(self._claim(relation))
        return self._shown[relation]

    def _claim(self, relation: str) -> SignClaim:
        """Return the claim for a proved relation. For an infinitesimal variable, take the leading coefficient."""
        small = next((v for v in self.degrees() if v.range == SMALL), None)
        if small is not None:
            return self.lowest(small)[1]._claim(relation[0])
        return SignClaim(self, relation[0] if LIMIT in {v.range for v in self.degrees()} else relation)

    def _is_shown(self, relation: str) -> bool:
        degrees = self.degrees()
        ranges = {v.range for v in degrees}
        if FREE in ranges:
            return False
        if LIMIT in ranges:
            relation = relation[0]
        if SMALL in ranges:
            order, leading = self.lowest(next(v for v in degrees if v.range == SMALL))
            return (not order or LIMIT not in ranges) and leading.shown(relation[0])
        # If all coefficients have the same sign, the substitution does not change it.
        signs = {c > 0 for c in self._flint.coeffs()}
        if signs == {relation[0] == "<"}:
            return False
        closed = any("[" in range_ or "]" in range_ for range_ in ranges)
        if signs == {relation[0] == ">"} and ("=" in relation or not closed):
            return True
        found = self.expanded()
        if any(c < 0 if relation[0] == ">" else c > 0 for c in found.values()):
            return False
        if "=" in relation:
            return True
        ends = []
        for v, degree in degrees.items():
            at = [0] * (v.range[0] == "[") + [degree] * (v.range[-1] == "]")
            if at:
                ends.append((v, at))
        return _somewhere_on_each(list(found), ends)


@dataclass(frozen=True)
class SignClaim:
    """Proved sign condition: the relation of a polynomial to 0 for all values of its variables in their ranges."""

    polynomial: Polynomial
    relation: str


_claims: ContextVar[list[SignClaim] | None] = ContextVar("claims", default=None)


@contextmanager
def recorded_claims() -> Iterator[list[SignClaim]]:
    """Collect all sign conditions that are proved in the ``with`` block, in the list that the block receives."""
    found: list[SignClaim] = []
    token = _claims.set(found)
    try:
        yield found
    finally:
        _claims.reset(token)


def _somewhere_on_each(monomials: list[Monomial], ends: list[tuple[Variable, list[int]]]) -> bool:
    """Return True if at least one monomial remains on every minimal face of the ranges; see `Polynomial.shown`.

    ``ends`` lists, for each variable with a closed endpoint, the exponents that a monomial needs to remain at each one.
    """
    if not monomials or not ends:
        return bool(monomials)
    (v, at), *others = ends
    return all(_somewhere_on_each([m for m in monomials if m.count(v) == k], others) for k in at)


def monomial_text(monomial: Iterable[Variable], times: str = "*", power: str = "^") -> str:
    """Write a monomial as text, such as ``x*y^2``, or ``1`` if it has no variables."""
    return times.join(v.name if k == 1 else f"{v.name}{power}{k}" for v, k in Counter(monomial).items()) or "1"


def sum_text(terms: Iterable[tuple[str, str]]) -> str:
    """Write a sum as text, given the text of each term's nonzero coefficient and monomial."""
    parts = []
    for number, monomial in terms:
        size = number.removeprefix("-")
        factors = size if monomial == "1" else monomial if size == "1" else f"{size}*{monomial}"
        parts.append((" - " if number.startswith("-") else " + ") + factors)
    text = "".join(parts) or " + 0"
    return "-" + text[3:] if text.startswith(" - ") else text[3:]


def _expanded(polynomial: Polynomial, units: Mapping[Variable, int]) -> Mapping[Monomial, fmpq]:
    """Return the coefficients of `Polynomial.expanded`. ``units`` maps variables in the unit interval to their degrees.

    For degree d, u^e becomes s^e (1 + s)^(d - e). With reversed exponents, this is a substitution of 1 + s for u.
    """
    variables = polynomial._variables
    ring, degrees = _ring(len(variables)), [units.get(v, 0) for v in variables]

    def turned(p: fmpq_mpoly) -> fmpq_mpoly:
        return ring.from_dict(
            {tuple(d - e if d else e for e, d in zip(m, degrees, strict=True)): c for m, c in p.to_dict().items()}
        )

    shifted = [x + 1 if d else x for x, d in zip(ring.gens(), degrees, strict=True)]
    return _terms(variables, turned(turned(polynomial.flint(variables)).compose(*shifted, ctx=ring)))


@lru_cache(maxsize=256)
def _ring(size: int) -> fmpq_mpoly_ctx:
    """Return flint's ring of polynomials in ``size`` variables."""
    return fmpq_mpoly_ctx.get([f"x{k}" for k in range(size)], Ordering.degrevlex)


def _in_one_ring(p: Polynomial, q: Polynomial) -> tuple[Variables, fmpq_mpoly, fmpq_mpoly]:
    """Convert two polynomials to flint objects in the variables of both; return the variables and the objects."""
    variables = p._variables
    if variables != q._variables:
        variables = _together(variables, q._variables)
    return variables, p.flint(variables), q.flint(variables)


@lru_cache(maxsize=4096)
def _together(some: Variables, others: Variables) -> Variables:
    return tuple(sorted({*some, *others}))


@lru_cache(maxsize=4096)
def _places(some: Variables, every: Variables) -> dict[str | int, str | int]:
    """Map the index of each variable in ``some`` to its index in ``every``."""
    return {k: every.index(v) for k, v in enumerate(some)}


def _terms(variables: Variables, polynomial: fmpq_mpoly) -> dict[Monomial, fmpq]:
    """Return the coefficients of a flint polynomial in the given variables, by monomial."""
    terms = polynomial.to_dict().items()
    return {tuple(chain.from_iterable(map(repeat, variables, exponents))): c for exponents, c in terms}


def without_common_factor(p: Polynomial, q: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Divide two nonzero polynomials by their greatest common divisor, and return both quotients.

    Raises:
        ArithmeticError: python-flint returned a factor that does not divide both polynomials.

    """
    if p.degrees().keys().isdisjoint(q.degrees()):
        return p, q
    variables, above, below = _in_one_ring(p, q)
    common = above.gcd(below)
    if common.is_constant():
        return p, q
    first, second = above / common, below / common
    if common * first != above or common * second != below:
        raise ArithmeticError("a common factor of two polynomials does not divide both")
    return Polynomial.of(variables, first), Polynomial.of(variables, second)

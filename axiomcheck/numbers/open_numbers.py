"""Open numbers, which depend on parameters. Each parameter may have any value strictly between 0 and 1.

A comparison returns only if its answer is the same for all values of the parameters, and otherwise raises
`UnknownValue`. Other uses of the value, such as its text or its integer part, raise it too. Code that receives an open
number in place of a fraction therefore cannot take a branch that is wrong for some values.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from math import prod
from numbers import Number
from typing import Any, NoReturn, Self, TypeAlias

from axiomcheck.core.packages import flint

_HIGHEST_DEGREE = 32
"""Highest degree of a polynomial in parameters. In floats, higher powers of small parameters underflow to 0."""


class UnknownValue(ArithmeticError):
    """Raised if code uses an open number in a way whose result may depend on the values of the parameters."""


def _comparison(holds: Callable[[int, int], bool]) -> Callable[[Any, Any], bool]:
    return lambda one, two: holds(_sign_of(one - two), 0)


class OpenNumber(Fraction):
    """Quotient of two polynomials in parameters between 0 and 1, in lowest terms, used in place of a fraction.

    Methods and attributes of fractions that are not defined here raise `UnknownValue`.

    Args:
        above: Numerator.
        below: Denominator, which is never 0. Its leading coefficient is 1.

    """

    above: flint.fmpq_mpoly
    below: flint.fmpq_mpoly

    def __new__(cls, above: flint.fmpq_mpoly, below: flint.fmpq_mpoly) -> Self:
        """Create the number without `Fraction.__new__`, which requires an integer numerator and denominator."""
        made = object.__new__(cls)
        made.above, made.below = above, below
        return made

    def __getattr__(self, name: str) -> NoReturn:
        raise UnknownValue("uses a parameter in a way that depends on its value")

    def _unknown(self, *_arguments: object) -> NoReturn:
        raise UnknownValue("formats or rounds a number that depends on a parameter")

    __str__ = __repr__ = __format__ = _unknown

    @property
    def text(self) -> str:
        """Python expression for the number, in which parameters are variables."""
        above, below = (f"({polynomial_text(_terms(f))})" for f in (self.above, self.below))
        return above if self.below.is_one() else f"{above} / {below}"

    @property
    def is_parameter(self) -> bool:
        """True if the number is simply a parameter."""
        return self.below.is_one() and self.above in self.above.context().gens()

    def at(self, values: Mapping[str, Any]) -> Any:
        """Return the value of the number for given values of all its parameters. Values may be symbols."""
        above = _value(self.above, values)
        return above if self.below.is_one() else above / _value(self.below, values)

    def __hash__(self) -> int:  # type: ignore[override]  # typeshed has none for complex numbers
        return hash(self.text)

    def __add__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b, c, d: (a * d + c * b, b * d))

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b, c, d: (a * c, b * d))

    def __truediv__(self, other: Any) -> Any:
        if not other:
            raise ZeroDivisionError("a number that depends on a parameter is divided by 0")
        return _combined(self, other, lambda a, b, c, d: (a * d, b * c))

    def __rtruediv__(self, other: Any) -> Any:
        return self**-1 * other

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Any:
        return OpenNumber(-self.above, self.below)

    def __pow__(self, exponent: Any) -> Any:
        power = operator.index(exponent)
        above, below = (self.above, self.below) if power >= 0 else (self.below, self.above)
        return _lowest(above ** abs(power), below ** abs(power)) if self else self._unknown()

    def __bool__(self) -> bool:
        return self._sign() != 0

    __lt__, __gt__ = _comparison(operator.lt), _comparison(operator.gt)
    __le__, __ge__ = _comparison(operator.le), _comparison(operator.ge)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Number):
            return NotImplemented
        return _sign_of(self - other) == 0

    def _sign(self) -> int:
        return _sign_of_polynomial(self.above) * _sign_of_polynomial(self.below)


def open_numbers(names: Iterable[str]) -> dict[str, OpenNumber]:
    """Create an open number for each parameter, and return them by name."""
    ring = flint.fmpq_mpoly_ctx.get(list(names), flint.Ordering.lex)
    return {name: OpenNumber(x, ring.constant(1)) for name, x in zip(ring.names(), ring.gens(), strict=True)}


def at_values(data: Any, values: Mapping[str, Any]) -> Any:
    """Replace the open numbers in nested tuples and dataclasses, such as a fold or a discount, with their values."""
    if isinstance(data, OpenNumber):
        return data.at(values)
    if isinstance(data, tuple):
        return tuple(at_values(part, values) for part in data)
    if is_dataclass(data) and not isinstance(data, type):
        return replace(data, **{field.name: at_values(getattr(data, field.name), values) for field in fields(data)})
    return data


def number_text(value: Fraction) -> str:
    """Return a Python expression for a fraction or an open number."""
    return value.text if isinstance(value, OpenNumber) else str(value)


def is_same(one: Fraction, two: Fraction) -> bool:
    """Return True if two fractions or open numbers are equal for all values of the parameters."""
    if isinstance(one, OpenNumber) or isinstance(two, OpenNumber):
        return number_text(one) == number_text(two)
    return one == two


Factors: TypeAlias = tuple[tuple[str, int], ...]
"""Product of powers of variables, as (name, exponent) pairs."""


def polynomial_text(terms: Iterable[tuple[Factors, Fraction]]) -> str:
    """Return a Python expression for a polynomial. Terms with negative coefficients come last."""
    text = ""
    signed = [(not isinstance(c, OpenNumber) and c < 0, factors, c) for factors, c in terms]
    for negative, factors, c in sorted(signed, key=operator.itemgetter(0)):
        names = [name if e == 1 else f"{name}**{e}" for name, e in factors]
        size = number_text(-c if negative else c)
        part = " * ".join(([size] if size != "1" or not names else []) + names)
        text += f" {'-' if negative else '+'} {part}" if text else f"{'-' * negative}{part}"
    return text or "0"


def _combined(one: OpenNumber, other: Any, operation: Callable[..., tuple[flint.fmpq_mpoly, flint.fmpq_mpoly]]) -> Any:
    if isinstance(other, OpenNumber):
        return _lowest(*operation(one.above, one.below, other.above, other.below))
    if not isinstance(other, int | Fraction):
        return NotImplemented
    ring = one.above.context()
    return _lowest(*operation(one.above, one.below, *map(ring.constant, (other.numerator, other.denominator))))


def _lowest(above: flint.fmpq_mpoly, below: flint.fmpq_mpoly) -> Fraction:
    """Reduce a quotient to lowest terms. If it is constant, return a fraction."""
    common = above.gcd(below)
    scale = (below / common).leading_coefficient()
    above, below = above / common / scale, below / common / scale
    if above.is_constant() and below.is_constant():
        return Fraction(str(above.leading_coefficient())) if above else Fraction(0)
    if max(above.total_degree(), below.total_degree()) > _HIGHEST_DEGREE:
        raise UnknownValue("computes a power of a parameter that underflows to 0 when the parameter is small")
    return OpenNumber(above, below)


def _terms(f: flint.fmpq_mpoly) -> Iterator[tuple[Factors, Fraction]]:
    for exponents, c in f.to_dict().items():
        factors = zip(f.context().names(), map(int, exponents), strict=True)
        yield tuple((name, e) for name, e in factors if e), Fraction(str(c))


def _value(f: flint.fmpq_mpoly, values: Mapping[str, Any]) -> Any:
    return sum((prod((values[name] ** e for name, e in factors), start=c) for factors, c in _terms(f)), Fraction(0))


def _sign_of(value: Fraction) -> int:
    return value._sign() if isinstance(value, OpenNumber) else (value > 0) - (value < 0)


def _sign_of_polynomial(f: flint.fmpq_mpoly) -> int:
    """Return the sign that a polynomial has for all values of the parameters.

    The substitution of 1 / (1 + t), t > 0, for each parameter gives a polynomial in these t, divided by powers of
    1 + t. If all its coefficients have the same sign, the polynomial has this sign.

    Raises:
        UnknownValue: Two coefficients have opposite signs, so that the sign is unknown.

    """
    ring, degrees = f.context(), f.degrees()
    turned = ring.from_dict({tuple(d - e for d, e in zip(degrees, k, strict=True)): c for k, c in f.to_dict().items()})
    signs = {1 if c > 0 else -1 for c in turned.compose(*(x + 1 for x in ring.gens())).coeffs()}
    if len(signs) > 1:
        raise UnknownValue("tests a condition that depends on the value of a parameter")
    return signs.pop() if signs else 0

"""Evaluate the Hurwitz zeta function zeta(s, x) = sum_{k >= 0} 1 / (x + k)^s, on which the scores of INST depend.

zeta(2, x) is the trigamma function. SciPy computes zeta in floats, and flint in certified balls. This module also
represents its values by independent symbols.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array

_MOST = 8
"""Maximum number of zeta values in two scores. Values whose arguments differ by an integer count once."""


def zeta_floats(s: int, x: Array) -> Array:
    """Return zeta(s, x) in double precision, for s >= 2 and x > 0 of any shape."""
    from scipy.special import zeta

    return zeta(float(s), x)


def zeta_balls(s: int, x: Array) -> Array:
    """Return balls that contain zeta(s, x), at flint's current precision, for s >= 2 and x > 0 of any shape."""
    return elementwise(lambda v: flint.arb(s).zeta(flint.arb(v)), x)


def elementwise(function: Callable[[Any], Any], x: Array) -> Array:
    """Apply a scalar function to each entry of x. Return an object array of the same shape."""
    with np.errstate(all="ignore"):  # numpy would report floating-point flags that flint leaves set
        return np.asarray(np.frompyfunc(function, 1, 1)(np.asarray(x, dtype=object)), dtype=object)


class ZetaSymbols:
    """Callable that represents values zeta(s, x) by independent symbols, one for all x that differ by an integer.

    Such values are related by zeta(s, x + 1) = zeta(s, x) - x^-s. In addition, zeta(s, 1/2) = (2^s - 1) zeta(s, 1). An
    argument is a rational, or c + b * eps with a variable ``eps``. If an expression in the symbols and eps is zero, it
    is zero at every eps.
    """

    def __init__(self) -> None:
        self._symbols: dict[tuple[int, Fraction, Fraction], Any] = {}

    @property
    def eps(self) -> Any:
        """Variable eps, in which arguments may be linear."""
        return _generators()[0]

    def __call__(self, s: int, x: Array) -> Array:
        """Return zeta(s, x) elementwise, for s >= 2 and x of any shape."""
        return elementwise(lambda v: self._value(s, v), x)

    def _value(self, s: int, x: Any) -> Any:
        constant, slope = _linear(x)
        steps = math.ceil(constant) - 1  # number of steps from an argument in (0, 1]
        start = x - steps
        base = constant - steps
        factor = 1
        if not slope and base == Fraction(1, 2):
            base, factor = Fraction(1), 2**s - 1
        value = self._symbol(s, base, slope) * factor
        for k in range(steps):
            value = value - 1 / (start + k) ** s
        return value

    def _symbol(self, s: int, base: Fraction, slope: Fraction) -> Any:
        key = (s, base, slope)
        if key not in self._symbols:
            if len(self._symbols) == _MOST:
                raise NotImplementedError(
                    f"the scores contain more than {_MOST} independent values of the zeta function"
                )
            self._symbols[key] = _generators()[1 + len(self._symbols)]
        return self._symbols[key]


@lru_cache(maxsize=1)
def _generators() -> tuple[Any, ...]:
    from sympy import QQ, field

    return tuple(field(["eps", *(f"Z{k}" for k in range(1, _MOST + 1))], QQ)[1:])


def _linear(x: Any) -> tuple[Fraction, Fraction]:
    """Return the coefficients (c, b) of a number c + b * eps.

    Raises:
        NotImplementedError: The number is not linear in eps.

    """
    if isinstance(x, int | Fraction):
        return Fraction(x), Fraction(0)
    if isinstance(x, flint.fmpq):
        return Fraction(int(x.p), int(x.q)), Fraction(0)
    one, eps = (0,) * (_MOST + 1), (1,) + (0,) * _MOST
    bottom, top = dict(x.denom.terms()), dict(x.numer.terms())
    if set(bottom) != {one} or not set(top) <= {one, eps}:
        raise NotImplementedError(f"the argument {x} of zeta is not linear in eps; expected c + b * eps")
    parts = (Fraction(str(top.get(power, 0))) / Fraction(str(bottom[one])) for power in (one, eps))
    constant, slope = parts
    return constant, slope

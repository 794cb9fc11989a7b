"""Functions of series in eps that have no end: power series up to the order that their arguments keep.

On numbers they are what they are called. On series the result says that orders above were dropped, so that a comparison
that would need them is left open.
"""

from __future__ import annotations

from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import Arithmetic, divide
from axiomcheck.numbers.series import Series, Truncated


def expanded_ratio(numerator: Array, denominator: Array) -> Array:
    """Numerator / denominator, of series as a power series in eps up to the order that they keep.

    The denominator is positive at eps = 0; unlike in `divide`, it may have several orders.

    Raises:
        Truncated: series that keep every order have an endless quotient.

    """
    if not isinstance(denominator, Series):
        return divide(numerator, denominator)
    if not isinstance(numerator, Series):
        numerator = denominator.constant(numerator)
    keeps = [x.keep for x in (numerator, denominator) if x.keep is not None]
    if not keeps:
        raise Truncated("a quotient of series in eps that keep every order is endless")
    zero = 0 * next(iter(numerator.terms.values())) + 0 * next(iter(denominator.terms.values()))
    quotient: dict[int, Array] = {}
    for k in range(min(numerator.terms), min(keeps) + 1):
        left = numerator.terms.get(k, zero)
        for j, c in denominator.terms.items():
            if j and k - j in quotient:
                left = left - c * quotient[k - j]
        quotient[k] = divide(left, denominator.terms[0])
    return Series(quotient or {0: zero}, min(keeps), dropped=True)


def trigamma(a: Arithmetic, x: Array) -> Array:
    """psi_1(x) = zeta(2, x), elementwise, x > 0; of a series by its Taylor expansion, up to the order that it keeps.

    Raises:
        NotRational: the arithmetic has no irrational numbers.
        Truncated: x is a series that keeps every order.

    """
    if not isinstance(x, Series):
        return a.zeta(2, x)
    if x.keep is None:
        raise Truncated("the trigamma function of a series in eps that keeps every order is endless")
    at, rest = x.terms[0], Series({k: c for k, c in x.terms.items() if k} or {1: 0 * x.terms[0]}, x.keep, x.dropped)
    power: Array = 1
    total = Series({0: a.zeta(2, at)}, x.keep)
    for k in range(1, x.keep + 1):
        power = -rest * power
        total = total + power * ((k + 1) * a.zeta(k + 2, at))
    return Series(total.terms, x.keep, dropped=True)

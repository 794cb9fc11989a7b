"""Truncated power series in eps, for the limit regime.

Where a constraint assumes r << 1, every grade is eps * rho with the pattern rho fixed and eps -> 0, and a
comparison is decided by the leading non-zero coefficient (spec of the readings: `axiomcheck.reading`). A metric's own
array code is run on `Series` values to get those coefficients: a `Series` holds one array of coefficients per
order of eps, over whichever arithmetic made them (floats, rationals, balls, symbols).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["Series"]

Array = Any


class Series:
    """sum_k terms[k] * eps**k with array coefficients; orders that are absent are exactly zero.

    Args:
        terms: order of eps (>= 0) -> array of coefficients, all of shapes that broadcast together.
        keep: the highest order that products keep; None keeps all.
        dropped: whether a term above ``keep`` has been dropped somewhere on the way here.

    """

    __array_ufunc__ = None  # makes ndarray * Series call Series.__rmul__
    __slots__ = ("dropped", "keep", "terms")

    def __init__(self, terms: dict[int, Array], keep: int | None = None, dropped: bool = False) -> None:
        self.terms = terms
        self.keep = keep
        self.dropped = dropped

    def map(self, function: Callable[[Array], Array]) -> Series:
        """The series with a linear ``function`` applied to every coefficient array."""
        return Series({k: function(c) for k, c in self.terms.items()}, self.keep, self.dropped)

    def monomial(self) -> tuple[int, Array]:
        """The only order and its coefficients.

        Raises:
            NotImplementedError: the series has several orders; what asked cannot handle that.

        """
        if len(self.terms) != 1:
            raise NotImplementedError(
                "the limit regime supports sorting, maxima and division only for values of one order in the grades"
            )
        return next(iter(self.terms.items()))

    def __getitem__(self, index: Any) -> Series:
        return self.map(lambda c: c[index])

    def swapaxes(self, a: int, b: int) -> Series:
        """The series with two axes of every coefficient array swapped."""
        return self.map(lambda c: c.swapaxes(a, b))

    def sum(self, axis: int) -> Series:
        """The series summed along an axis."""
        return self.map(lambda c: c.sum(axis=axis))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the coefficient arrays."""
        return tuple(next(iter(self.terms.values())).shape)

    def __neg__(self) -> Series:
        return self.map(lambda c: -c)

    def __add__(self, other: Any) -> Series:
        if not isinstance(other, Series):
            # A constant is one per entry, or a later sum along an axis would count it once only.
            constant = np.asarray(other)
            shape = np.broadcast_shapes(self.shape, constant.shape)
            other = Series({0: np.broadcast_to(constant, shape)}, self.keep)
        terms = dict(self.terms)
        for k, c in other.terms.items():
            terms[k] = terms[k] + c if k in terms else c
        return Series(terms, self.keep, self.dropped or other.dropped)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Series:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Series:
        return self.__neg__().__add__(other)

    def __mul__(self, other: Any) -> Series:
        if not isinstance(other, Series):
            return self.map(lambda c: c * other)
        terms: dict[int, Array] = {}
        dropped = self.dropped or other.dropped
        for i, a in self.terms.items():
            for j, b in other.terms.items():
                if self.keep is not None and i + j > self.keep:
                    dropped = True
                else:
                    terms[i + j] = terms[i + j] + a * b if i + j in terms else a * b
        return Series(terms, self.keep, dropped)

    def __rmul__(self, other: Any) -> Series:
        return self.map(lambda c: other * c)

    def __truediv__(self, other: Any) -> Series:
        if isinstance(other, Series):
            raise NotImplementedError("divide series with arithmetic.divide, which knows what 0/0 is")
        return self.map(lambda c: c / other)

"""Truncated power series in eps, for the limit regime.

If an axiom assumes r << 1, every grade is eps * rho with a fixed rho and eps -> 0. The leading nonzero coefficient of a
difference of scores then decides a comparison (see `axiomcheck.core.domain.Reading`). The array code of a metric
computes these coefficients when it runs on `Series`. A `Series` has an array of coefficients for each order of eps, in
any arithmetic (floats, rationals, balls, symbols).

`axiomcheck.numbers.series_numpy` implements NumPy's functions on series.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar, NoReturn

import numpy as np

from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array


class Truncated(NotImplementedError):
    """Raised if a result depends on orders of eps that were dropped from a series. Keeping more orders may help."""


def _comparison(test: Callable[[Array, int], Array]) -> Callable[[Series, object], Array]:
    """Return a comparison method of `Series`, such as ``__lt__`` for `operator.lt`."""
    return lambda self, other: test((self - other).sign(), 0)


class Series:
    """Power series sum_k terms[k] * eps**k with arrays as coefficients. Missing orders have the coefficient 0.

    A series is immutable, since the results of operations may share its arrays.

    Args:
        terms: Array of coefficients for each order of eps. There is at least one, and all have the same shape.
        keep: Highest order that products keep; None keeps all.
        dropped: True if an operation has dropped a term above ``keep``. Terms up to ``keep`` are correct in any case.

    """

    numpy: ClassVar[Any]
    """Module `axiomcheck.numbers.series_numpy`, which imports this module. The package sets it."""

    __slots__ = ("dropped", "keep", "terms")
    __hash__ = None  # type: ignore[assignment]  # == compares elementwise

    def __init__(self, terms: dict[int, Array], keep: int | None = None, dropped: bool = False) -> None:
        self.terms = terms
        self.keep = keep
        self.dropped = dropped

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: object) -> object:
        if ufunc is np.multiply and method == "__call__" and not options:
            left, right = inputs
            return left * right if isinstance(left, Series) else right.__rmul__(left)
        return Series.numpy.apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: object, types: object, args: object, options: object) -> object:
        return Series.numpy.apply_function(function, args, options)

    def __array__(self, *args: object, **options: object) -> NoReturn:
        raise TypeError("a series in eps is not a numpy array; remove np.asarray, np.array and assignment into arrays")

    def map(self, function: Callable[[Array], Array]) -> Series:
        """Apply a linear function to the array of coefficients of each order."""
        return Series({k: function(c) for k, c in self.terms.items()}, self.keep, self.dropped)

    def cut(self, keep: int | None) -> Series:
        """Drop the orders above ``keep``, and return the result, which keeps no higher orders in products either."""
        if keep is None or max(self.terms) <= keep:
            return Series(self.terms, keep, self.dropped)
        kept = {k: c for k, c in self.terms.items() if k <= keep}
        return Series(kept or {0: next(iter(self.terms.values())) * 0}, keep, True)

    def monomial(self) -> tuple[int, Array]:
        """Return the only order that has nonzero coefficients, and its array of coefficients.

        Raises:
            NotImplementedError: Several orders have nonzero coefficients.

        """
        orders = list(self.terms)
        if len(orders) != 1:
            orders = [k for k, c in self.terms.items() if not np.all(np.equal(c, 0))] or orders[:1]
        if len(orders) != 1:
            raise NotImplementedError(
                "the limit regime supports sorting, maxima and division only for values of the same order in the grades"
            )
        return orders[0], self.terms[orders[0]]

    def sign(self, unsure: bool = False) -> Array:
        """Return the sign of each entry for every small enough eps > 0, which is the sign of its leading coefficient.

        Args:
            unsure: True to return 0 for entries whose leading coefficient was dropped, instead of raising an error.

        Raises:
            Truncated: All coefficients of an entry are 0, and terms were dropped.

        """
        sign = self.leading_sign(np.zeros(self.shape, dtype=np.int8))
        if self.dropped and not unsure and not np.all(sign):
            raise Truncated("a comparison depends on orders of eps that were dropped")
        return sign

    def leading_sign(self, start: Array | int = 0) -> Array:
        """Return the sign of each entry's leading coefficient, or 0 if all its coefficients are 0.

        Args:
            start: 0, or an array of zeros. The result has the memory layout of this array, or by default that of the
                coefficients. The layout affects the order in which NumPy later adds floats.

        """
        sign: Array = start
        for order in sorted(self.terms):
            c = np.asarray(self.terms[order])
            sign = np.where(sign == 0, (c > 0).astype(np.int8) - (c < 0).astype(np.int8), sign)
            if np.all(sign):
                break  # coefficients of higher orders do not matter, and their signs may be unknown
        return sign

    def constant(self, value: object) -> Series:
        """Convert a number or an array that does not depend on eps to a series with the arithmetic of this series.

        Raises:
            TypeError: The value is not numeric, or is a float although this series has exact coefficients.

        """
        exact = self.is_exact
        if type(value) is int:  # most constants are the 1 of 1 - x
            return Series({0: np.asarray(flint.fmpq(value) if exact else float(value))}, self.keep)
        array = np.asarray(value)
        if array.dtype.kind in "biu":
            array = np.asarray(_RATIONALS(array), dtype=object) if exact else array.astype(np.float64)
        elif array.dtype.kind not in "fO":
            raise TypeError(f"a series in eps cannot be combined with {type(value).__name__}")
        elif exact and array.dtype != object:
            raise TypeError("floats cannot be combined with exact numbers")
        return Series({0: array}, self.keep)

    @property
    def is_exact(self) -> bool:
        """True if the coefficients are exact numbers or balls in object arrays, and not floats."""
        first = next(iter(self.terms.values()))
        return bool(first.dtype == object) if hasattr(first, "dtype") else not isinstance(first, float)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the coefficient arrays."""
        shape: tuple[int, ...] = getattr(next(iter(self.terms.values())), "shape", ())
        return shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of entries."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def T(self) -> Series:  # noqa: N802 - numpy's name
        """Series whose arrays have their axes reversed, like `numpy.ndarray.T`."""
        return self.map(np.transpose)

    def __getitem__(self, index: object) -> Series:
        return self.map(lambda c: c[index])

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a 0-d series has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Series]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        raise TypeError("a series in eps is neither true nor false; compare it with a number")

    def swapaxes(self, a: int, b: int) -> Series:
        """Return the series with two axes of its arrays swapped."""
        return self.map(lambda c: c.swapaxes(a, b))

    def sum(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Series:
        """Return the sum along one or more axes, like `numpy.sum`."""
        return self.map(lambda c: np.sum(c, axis=axis, keepdims=keepdims))

    def __getattr__(self, name: str) -> Any:
        """Return a method of NumPy arrays, such as ``mean`` or ``cumprod``, that series support."""
        if name not in Series.numpy.METHODS:
            raise AttributeError(f"{name} does not support series in eps")
        return partial(Series.numpy.METHODS[name], self)

    def __neg__(self) -> Series:
        return self.map(lambda c: -c)

    def __pos__(self) -> Series:
        return self

    def __abs__(self) -> Series:
        positive = self.sign(unsure=True) >= 0
        return self.map(lambda c: np.where(positive, c, -c))

    def __add__(self, other: object) -> Series:
        if not isinstance(other, Series):
            other = self.constant(other)
        # Broadcast every order to the full shape; otherwise a later sum along an axis would count entries only once.
        mine, others = self.terms, other.terms
        shape, others_shape = self.shape, other.shape
        if shape != others_shape:
            wanted = np.broadcast_shapes(shape, others_shape) if others_shape else shape
            mine, others = _spread(mine, shape, wanted), _spread(others, others_shape, wanted)
        terms = dict(mine)
        for k, c in others.items():
            terms[k] = terms[k] + c if k in terms else c
        total = Series(terms, self.keep, self.dropped or other.dropped)
        # Terms above either `keep` may have been dropped, so only orders up to the lower `keep` are known.
        return total if self.keep == other.keep else total.cut(_lower(self.keep, other.keep))

    __radd__ = __add__

    def __sub__(self, other: object) -> Series:
        return self.__add__(-(other if isinstance(other, Series) else self.constant(other)))

    def __rsub__(self, other: object) -> Series:
        return self.__neg__().__add__(other)

    def __mul__(self, other: object) -> Series:
        if not isinstance(other, Series):
            return self.map(lambda c: c * other)
        terms: dict[int, Array] = {}
        keep = self.keep if self.keep == other.keep else _lower(self.keep, other.keep)
        dropped = self.dropped or other.dropped
        for i, a in self.terms.items():
            for j, b in other.terms.items():
                if keep is not None and i + j > keep:
                    dropped = True
                else:
                    terms[i + j] = terms[i + j] + a * b if i + j in terms else a * b
        if not terms:
            zero = next(iter(self.terms.values())) * next(iter(other.terms.values())) * 0
            terms = {0: zero}
        return Series(terms, keep, dropped)

    def __rmul__(self, other: object) -> Series:
        return self.map(lambda c: other * c)

    def __pow__(self, exponent: object) -> Series:
        if isinstance(exponent, bool) or not isinstance(exponent, int | np.integer) or exponent < 0:
            raise TypeError("a series in eps can only be raised to a nonnegative integer power")
        power = Series({0: np.broadcast_to(self.constant(1).terms[0], self.shape)}, self.keep)
        for k in range(int(exponent)):
            power = power * self if k else self
        return power

    def __truediv__(self, other: object) -> Series:
        return _quotient(self, other) if isinstance(other, Series) else self.map(lambda c: c / other)

    def __rtruediv__(self, other: object) -> Series:
        return _quotient(self.constant(other), self)

    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)
    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)


def last_known(*scores: object) -> int | None:
    """Return the highest order of eps up to which all scores are known, or None if they are known in every order."""
    cut = (s.keep for s in scores if isinstance(s, Series) and s.dropped and s.keep is not None)
    return min(cut, default=None)


_RATIONALS = np.frompyfunc(lambda k: flint.fmpq(int(k)), 1, 1)


def _spread(terms: dict[int, Array], shape: tuple[int, ...], wanted: tuple[int, ...]) -> dict[int, Array]:
    return terms if shape == wanted else {k: np.broadcast_to(c, wanted) for k, c in terms.items()}


def _lower(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def _quotient(x: Series, y: Series) -> Series:
    """Return x / y, where every entry of y is a multiple of a single power of eps.

    Raises:
        ZeroDivisionError: An entry of y is 0.
        NotImplementedError: An entry of y has several orders, or a quotient is unbounded as eps -> 0.
        Truncated: The leading terms were dropped.

    """
    present = {k: ~np.equal(c, 0) for k, c in y.terms.items()}
    count = sum(mask.astype(int) for mask in present.values())
    if not np.all(count):
        if y.dropped:
            raise Truncated("the leading term of a divisor was dropped")
        raise ZeroDivisionError("division of series in eps by zero")
    if np.any(count > 1):
        raise NotImplementedError("a quotient by a series with several orders of eps has infinitely many orders")
    terms: dict[int, Array] = {}
    highest = 0
    for k, mask in present.items():
        if not np.any(mask):
            continue
        highest = max(highest, k)
        divisor = np.where(mask, y.terms[k], 1)
        for j, c in x.terms.items():
            if j < k and np.any(mask & ~np.equal(c, 0)):
                raise NotImplementedError("a quotient grows without bound as eps -> 0")
            if j >= k:
                ratio = np.asarray(c) / divisor
                part = np.where(mask, ratio, ratio * 0)
                terms[j - k] = terms[j - k] + part if j - k in terms else part
    if not terms:
        terms = {0: next(iter(x.terms.values())) * 0 * next(iter(y.terms.values()))}
    keep, dropped = _lower(x.keep, y.keep), x.dropped or y.dropped
    quotient = Series(terms, keep, dropped)
    if not dropped or keep is None:
        return quotient
    if keep < highest:
        raise Truncated("every known term of a quotient was dropped")
    # eps**keep in x or y is eps**(keep - highest) in the quotient, and the next order is unknown.
    return quotient.cut(keep - highest)

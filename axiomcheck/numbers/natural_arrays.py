"""Arrays of exact numbers, on which NumPy's operations for floats are exact.

The numbers are stored in object arrays, so that NumPy itself does indexing, assignment and sums. If NumPy would use
floats, as for quotients of integers, powers, logarithms and means, `axiomcheck.numbers.natural` computes each entry.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq
from numpy.typing import ArrayLike

from axiomcheck.core.typing import ExactNumbers, Mask
from axiomcheck.numbers.natural import Number, applied, in_order, number, quotient, raised, ratio_of_logs
from axiomcheck.numbers.refusals import Inexact

Axes: TypeAlias = int | tuple[int, ...] | None
Unary: TypeAlias = Callable[[Number], Number | int]
Binary: TypeAlias = Callable[[Number, Number], Number]

KNOWN = "sums, products, quotients, powers, logarithms, sorting and comparisons can be"
_INTEGERS = "biu"
_add_up: Any = np.add.reduce


_Base: Any = np.ndarray


class ExactArray(_Base):  # type: ignore[misc]  # numpy declares its methods for floats
    """Array of exact numbers, integers or booleans, but never of floats.

    Methods such as `mean` and `any` are the exact functions in `FUNCTION_NAMES`.
    """

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: Any) -> object:
        return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(
        self, function: object, types: object, args: tuple[Any, ...], options: dict[str, Any]
    ) -> object:
        known = FUNCTION_NAMES.get(function)
        if known is not None:
            return known(*args, **options)
        return super().__array_function__(function, (ExactArray,), args, options)

    def astype(self, dtype: object, *args: object, **options: Any) -> object:
        """Convert the array, like `numpy.ndarray.astype`. If the dtype is a float type, return exact numbers."""
        wanted = exact_dtype(dtype)
        if wanted.kind == "O":
            return numbers_of(self)
        if self.dtype == object:
            convert: Unary = bool if wanted.kind == "b" else int
            return array_of(np.frompyfunc(convert, 1, 1)(plain(self)).astype(wanted))
        return super().astype(wanted, *args, **options)

    def argsort(self, axis: Axes = -1, kind: object = None, order: object = None, *, stable: object = None) -> object:
        """Return the indices of a stable sort. NumPy's default sort is stable, too, for floats in short rows."""
        return super().argsort(axis=axis, kind="stable")

    def sort(self, axis: int = -1, kind: object = None, order: object = None, *, stable: object = None) -> None:
        """Sort in place, like `numpy.ndarray.sort`."""
        if self.dtype == object:
            rows = np.moveaxis(plain(self), axis, -1)
            for index in np.ndindex(rows.shape[:-1]):
                rows[index] = in_order(list(rows[index]))
        else:
            super().sort(axis=axis)

    def sum(self, axis: Axes = None, dtype: object = None, out: object = None, **options: Any) -> object:
        """Return the exact sum, like `numpy.ndarray.sum`."""
        return array_of(_add_up(self, axis=axis, out=out, **options))

    def dot(self, other: ArrayLike, out: object = None) -> object:
        """Return the exact dot product, like `numpy.ndarray.dot`."""
        return np.dot(self, other)


def plain(x: object) -> Any:
    """Return a view of an ExactArray as a plain NumPy array. Other objects are returned unchanged."""
    return x.view(np.ndarray) if isinstance(x, ExactArray) else x


def array_of(x: object) -> Any:
    """Return a view of a NumPy array as an ExactArray; of a tuple, convert each item. Return other objects unchanged.

    Raises:
        Inexact: The array holds floats, or the object is a NumPy float.

    """
    if isinstance(x, tuple):
        return tuple(map(array_of, x))
    if isinstance(x, np.floating):
        raise Inexact("numpy converted exact numbers to a float")
    if not isinstance(x, np.ndarray) or isinstance(x, ExactArray):
        return x
    if x.dtype.kind in "fc":
        raise Inexact("numpy converted exact numbers to floats")
    return x.view(ExactArray)


def numbers_of(x: object) -> ExactArray:
    """Convert an array-like object to an array of exact numbers.

    Raises:
        Inexact: An entry is a finite float, or not a number.

    """
    source = x if isinstance(x, np.ndarray) else np.asarray(_entries(x))
    if source.dtype.kind == "f" and source.size:
        raise Inexact("the code uses an array of floats; create it from literals, numpy or math")
    out = np.empty(source.shape, dtype=object)
    flat, target = source.reshape(-1), out.reshape(-1)
    for k, value in enumerate(plain(flat)):
        made = number(value)
        if made is None:
            raise Inexact(f"expected a number, got {type(value).__name__}")
        target[k] = made
    return out.view(ExactArray)  # type: ignore[return-value]  # ExactArray has no declared base


def _entries(x: object) -> object:
    return list(x) if isinstance(x, Iterable) and not isinstance(x, np.ndarray | list | tuple) else plain(x)


def truths(x: object) -> Mask:
    """Convert an array-like object to a boolean array, which is True where an entry is not 0."""
    found = plain(np.asarray(x))
    if found.dtype == object:
        found = np.frompyfunc(bool, 1, 1)(found).astype(bool)
    truth: Mask = found
    return truth


def exact_dtype(dtype: object) -> np.dtype[Any]:
    """Return the dtype of an exact array for a requested dtype. Float types become object, for exact numbers.

    Raises:
        Inexact: Arrays of the requested dtype cannot be exact, or it is less precise than float64.

    """
    if dtype is Number or dtype is None:
        return np.dtype(object)
    found: np.dtype[Any] = np.dtype(dtype)  # type: ignore[call-overload]  # numpy accepts many objects as a dtype
    if found.kind == "f" and found.itemsize < np.dtype(np.float64).itemsize:
        raise Inexact(f"{found} rounds to fewer digits than float64")
    if found.kind in "fO":
        return np.dtype(object)
    if found.kind in _INTEGERS or found.kind in "US":
        return found
    raise Inexact(f"arrays of {found} cannot contain exact numbers")


# -------------------------------------------------------------------------------------------------------- ufuncs


def _log_base(base: int) -> Unary:
    return lambda x: ratio_of_logs(Number(x), Number(base))


def _function(name: str) -> Unary:
    return lambda x: applied(name, x)


def _larger(x: Number, y: Number) -> Number:
    return x if _is_nan(x) or x >= y else y


def _smaller(x: Number, y: Number) -> Number:
    return x if _is_nan(x) or x <= y else y


def _is_nan(x: object) -> bool:
    return isinstance(x, Number) and isinstance(x.raw, float) and math.isnan(x.raw)


def _is_infinite(x: object) -> bool:
    return isinstance(x, Number) and isinstance(x.raw, float) and math.isinf(x.raw)


_HALF = Number(fmpq(1, 2))

_UNARY: dict[str, Unary] = {
    "log": lambda x: applied("log", x),
    "log2": _log_base(2),
    "log10": _log_base(10),
    "log1p": lambda x: applied("log", 1 + Number(x)),
    "exp": lambda x: applied("exp", x),
    "exp2": lambda x: raised(2, x),
    "expm1": lambda x: applied("exp", x) - 1,
    "sqrt": lambda x: raised(x, _HALF),
    "cbrt": lambda x: raised(x, Number(fmpq(1, 3))),
    "reciprocal": lambda x: quotient(1, x),
    "square": lambda x: x * x,
    "absolute": abs,
    "fabs": lambda x: abs(Number(x)),
    "floor": lambda x: Number(math.floor(x)),
    "ceil": lambda x: Number(math.ceil(x)),
    "trunc": lambda x: Number(math.trunc(x)),
    "rint": lambda x: Number(round(x)),
    "sign": lambda x: (x > 0) - (x < 0),
    "arctan": lambda x: applied("atan", x),
    **{name: _function(name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}
_ROUNDS_WHOLE = ("floor", "ceil", "trunc", "rint")
_BINARY: dict[str, Binary] = {
    "divide": quotient,
    "power": raised,
    "float_power": raised,
    "maximum": _larger,
    "minimum": _smaller,
    "fmax": lambda x, y: y if _is_nan(x) else x if _is_nan(y) else _larger(x, y),
    "fmin": lambda x, y: y if _is_nan(x) else x if _is_nan(y) else _smaller(x, y),
    "floor_divide": lambda x, y: Number(x) // Number(y),
    "remainder": lambda x, y: Number(x) % Number(y),
    "hypot": lambda x, y: raised(x * x + y * y, _HALF),
    "logaddexp": lambda x, y: applied("log", applied("exp", x) + applied("exp", y)),
}
_TESTS: dict[str, Callable[[object], bool]] = {
    "isnan": _is_nan,
    "isinf": _is_infinite,
    "isfinite": lambda x: not _is_nan(x) and not _is_infinite(x),
    "logical_not": lambda x: not x,
}
_LOGICAL: dict[str, Callable[[object, object], bool]] = {
    "logical_and": lambda x, y: bool(x) and bool(y),
    "logical_or": lambda x, y: bool(x) or bool(y),
    "logical_xor": lambda x, y: bool(x) != bool(y),
}
_EMPTY = {"add": 0, "multiply": 1}
"""Values of an empty sum and an empty product, which NumPy lacks for object arrays."""
_WHOLE = ("maximum", "minimum", "fmax", "fmin", "floor_divide", "remainder", "sign", "absolute", "square", "power")
"""Ufuncs whose results for integers are integers."""


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[object, ...], options: dict[str, Any]) -> object:
    """Apply a ufunc, or one of its methods, to exact numbers: the implementation of ``__array_ufunc__``.

    Raises:
        Inexact: An input is a float, or the result cannot be computed exactly.

    """
    given = [plain(x) if isinstance(x, np.ndarray) else _scalar(x) for x in inputs]
    if "out" in options:
        options = options | {"out": tuple(plain(x) for x in options["out"])}
    options = {k: v for k, v in options.items() if k != "casting" and not (k == "where" and v is True)}
    if "where" in options:
        options = options | {"where": truths(options["where"])}
    if options.get("dtype") is not None:
        options = options | {"dtype": exact_dtype(options["dtype"])}
    name, exact = ufunc.__name__, any(np.asarray(x).dtype.kind == "O" for x in given)
    if any(np.asarray(x).dtype.kind in "fc" for x in given):
        raise Inexact(f"np.{name} is called with floats; create them from literals, numpy or math")
    if method == "__call__":
        called = _called(name, given, exact)
        if called is not None:
            run, dtype = called
            options.pop("dtype", None)
            return _wrapped(run(*given, **options), dtype)
    elif exact and name in _LOGICAL:
        given[0] = truths(given[0])
    elif exact and method == "reduce" and name in _EMPTY and options.get("initial", np._NoValue) is np._NoValue:
        options = options | {"initial": _EMPTY[name]}
    elif not exact and name in ("divide", "power"):
        raise Inexact(f"np.{name}.{method} cannot be evaluated exactly")
    try:
        return _wrapped(getattr(ufunc, method)(*given, **options), None)
    except TypeError as error:
        if "no callable" in str(error) or "not supported for the input types" in str(error):
            raise Inexact(f"np.{name} cannot be evaluated exactly; {KNOWN}") from None
        raise


def _called(name: str, given: list[object], exact: bool) -> tuple[np.ufunc, type[bool] | None] | None:
    """Return an exact ufunc and its result type (bool, or None for numbers); None if NumPy's ufunc is already exact."""
    if name in _TESTS:
        return np.frompyfunc(_TESTS[name], len(given), 1), bool
    if name in _LOGICAL and exact:
        return np.frompyfunc(_LOGICAL[name], 2, 1), bool
    known: Any = _UNARY.get(name) or _BINARY.get(name)
    # NumPy does not raise integers to negative powers.
    is_whole = not exact and name in _WHOLE and not (name == "power" and np.any(np.asarray(given[1]) < 0))
    if known is None or is_whole:
        return None
    if name in _ROUNDS_WHOLE and not exact:
        return np.frompyfunc(Number, 1, 1), None
    return np.frompyfunc(known, len(given), 1), None


def _scalar(x: object) -> object:
    if isinstance(x, list | tuple):
        return plain(np.asarray(x))
    made = number(x) if not isinstance(x, int | np.integer | np.bool_) else x
    return x if made is None else _boxed(made) if isinstance(made, Number) else made


def _boxed(x: Number) -> ExactNumbers:
    """Return a plain NumPy array of shape () and dtype object that holds a number."""
    box = np.empty((), dtype=object)
    box[()] = x
    return box


def _wrapped(found: object, dtype: type[bool] | None) -> object:
    if dtype is not None and found is not None:
        found = found.astype(dtype) if isinstance(found, np.ndarray) else dtype(found)
    return array_of(found)


def on_each(function: Unary, x: object) -> object:
    """Apply a scalar function to a number, or to every entry of an array."""
    found = np.frompyfunc(function, 1, 1)(_boxed(x) if isinstance(x, Number) else plain(np.asarray(x)))
    return array_of(found)


# ----------------------------------------------------------------------------------------- functions of whole arrays


def mean(a: ArrayLike, axis: Axes = None, dtype: object = None, out: object = None, keepdims: bool = False) -> Any:
    """Return the exact mean, like `numpy.mean` without the argument ``where``."""
    values = numbers_of(a)
    total: Any = _add_up(values, axis=axis, keepdims=keepdims) if values.size else Number(0)
    axes = range(values.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    return total / math.prod(values.shape[k] for k in axes)


def average(a: ArrayLike, axis: int | None = None, weights: object = None, **options: object) -> object:
    """Return the exact weighted average, like `numpy.average`."""
    if weights is None:
        return mean(a, axis=axis)
    values, shares = numbers_of(a), numbers_of(weights)
    if shares.ndim != values.ndim:
        if axis is None:
            raise TypeError("axis is required when the weights have a different shape")
        shape = [1] * values.ndim
        shape[axis] = shares.size
        shares = shares.reshape(shape)
    return _add_up(values * shares, axis=axis) / _add_up(np.broadcast_to(shares, values.shape), axis=axis)


def variance(
    a: ArrayLike,
    axis: int | None = None,
    dtype: object = None,
    out: object = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """Return the exact variance, like `numpy.var`."""
    values = numbers_of(a)
    count = values.size if axis is None else values.shape[axis]
    squares = (values - mean(values, axis=axis, keepdims=True)) ** 2
    return _add_up(squares, axis=axis, keepdims=keepdims) / (count - ddof)


def median(a: ArrayLike, axis: int | None = None, **options: object) -> object:
    """Return the exact median, like `numpy.median`."""
    values = numbers_of(a)
    if axis is None:
        values, axis = values.reshape(-1), 0
    ordered = np.moveaxis(np.sort(values, axis=axis), axis, 0)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def rounded(a: ArrayLike, decimals: int = 0, out: object = None) -> object:
    """Round exactly, like `numpy.round`."""
    return on_each(lambda x: round(x, decimals) if decimals else Number(round(x)), numbers_of(a))


def near(a: ArrayLike, b: ArrayLike, rtol: object = None, atol: object = None, equal_nan: bool = False) -> Any:
    """Compare numbers with tolerances, like `numpy.isclose`. The default tolerances are exactly 1/10^5 and 1/10^8."""
    relative = Number(fmpq(1, 10**5)) if rtol is None else rtol
    absolute = Number(fmpq(1, 10**8)) if atol is None else atol
    return np.abs(numbers_of(a) - numbers_of(b)) <= absolute + relative * np.abs(numbers_of(b))


def without_nan(x: object, copy: bool = True, nan: object = 0, **options: object) -> Any:
    """Replace nan by a number, like `numpy.nan_to_num`, but keep infinities."""
    if options:
        raise Inexact("np.nan_to_num cannot replace infinities exactly")
    return on_each(lambda v: Number(nan) if _is_nan(v) else v, numbers_of(x))


def flat(a: ArrayLike, axis: int | None) -> tuple[Any, int]:
    """Return the flattened array and axis 0 if the axis is None, else the arguments."""
    return (np.ravel(a), 0) if axis is None else (a, axis)


def _sorted(a: ArrayLike, axis: int | None = -1, **options: object) -> object:
    source, along = flat(array_of(np.array(plain(np.asarray(a)))), axis)
    source.sort(axis=along)
    return source


def _argsorted(a: ArrayLike, axis: int | None = -1, **options: object) -> object:
    source, along = flat(a, axis)
    return source.argsort(axis=along)


def _like(value: int | None) -> Callable[..., object]:
    def like(a: ArrayLike, *args: Any, dtype: object = None, **options: Any) -> object:
        source = np.asarray(a)
        kind = exact_dtype(dtype) if dtype is not None else source.dtype
        fill = args[0] if value is None else value
        shape = options.get("shape") or source.shape
        if kind.kind == "O":
            return numbers_of(np.full(shape, fill, dtype=object))
        return array_of(np.full(shape, int(fill), dtype=kind))

    return like


FUNCTION_NAMES: dict[object, Callable[..., object]] = {
    np.mean: mean,
    np.nanmean: mean,
    np.average: average,
    np.var: variance,
    np.std: lambda a, *args, **options: np.sqrt(variance(a, *args, **options)),
    np.median: median,
    np.round: rounded,
    np.around: rounded,
    np.isclose: near,
    np.allclose: lambda a, b, **options: bool(near(a, b, **options).all()),
    np.nan_to_num: without_nan,
    np.nansum: lambda a, axis=None, **options: _add_up(without_nan(a), axis=axis, **options),
    np.any: lambda a, *args, **options: array_of(np.any(truths(a), *args, **options)),
    np.all: lambda a, *args, **options: array_of(np.all(truths(a), *args, **options)),
    np.sort: _sorted,
    np.argsort: _argsorted,
    np.zeros_like: _like(0),
    np.empty_like: _like(0),
    np.ones_like: _like(1),
    np.full_like: _like(None),
}
"""Exact replacements for NumPy functions that would create floats, or that do not work on exact numbers."""

for _method in (np.mean, np.var, np.std, np.any, np.all, np.round):
    setattr(ExactArray, _method.__name__, FUNCTION_NAMES[_method])

Number.rules = staticmethod(apply_ufunc)

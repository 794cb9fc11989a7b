"""NumPy functions for `Series`, the power series in eps.

All other functions raise TypeError or NotImplementedError. A metric that uses one of them has no exact scores if
r << 1 is assumed.
"""

from __future__ import annotations

import inspect
import itertools
import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from axiomcheck.core.packages import flint
from axiomcheck.core.typing import AnyNumbers, Array
from axiomcheck.numbers.series import Series, Truncated

Axis: TypeAlias = int | None
Function: TypeAlias = Callable[..., Any]
Operand: TypeAlias = "Series | AnyNumbers | float | flint.fmpq"


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> object:
    """Apply a NumPy ufunc, or its method ``reduce`` or ``accumulate``, to series.

    Raises:
        TypeError: The ufunc, its method or an option does not support series.

    """
    if method == "__call__" and not options and ufunc in _UFUNCS:
        return _UFUNCS[ufunc](*inputs)
    if method in ("reduce", "accumulate") and (ufunc, method) in _FOLDS and isinstance(inputs[0], Series):
        wanted = {"axis": 0} | {k: v for k, v in options.items() if not (k == "keepdims" and v is False)}
        if set(wanted) == {"axis"} and len(inputs) == 1:
            return _FOLDS[ufunc, method](inputs[0], wanted["axis"])
    if "out" in options:
        raise TypeError("a series in eps cannot be written into an array, as by += on an array of zeros")
    raise _refused(ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}")


def apply_function(function: Function, args: tuple[Any, ...], options: dict[str, Any]) -> object:
    """Apply a NumPy function other than a ufunc to series.

    Raises:
        TypeError: The function, or one of its options, does not support series.

    """
    if function in _FUNCTIONS:
        try:
            return _FUNCTIONS[function](*args, **options)
        except TypeError as error:
            if "argument" in str(error):
                raise TypeError(f"np.{function.__name__} on series in eps: {error}") from None
            raise
    if function in _LINEAR:
        return _linear(function, args, options)
    raise _refused(function.__name__)


def _refused(name: str) -> TypeError:
    return TypeError(f"np.{name} does not support series in eps")


# ------------------------------------------------------------------------------------------------- elementwise


def _binary(name: str) -> Callable[[Operand, Operand], object]:
    forward = getattr(operator, name)
    mirrored = {"lt": "__gt__", "le": "__ge__", "gt": "__lt__", "ge": "__le__", "eq": "__eq__", "ne": "__ne__"}
    backward = mirrored.get(name, f"__r{name}__")

    def apply(x: Operand, y: Operand) -> object:
        # If x is an array, the operator would call this function again.
        return forward(x, y) if isinstance(x, Series) else getattr(y, backward)(x)

    return apply


def _power(x: Operand, y: Operand) -> Series:
    if not isinstance(x, Series) or isinstance(y, Series):
        raise TypeError("a power with grades in the exponent has no finite series in eps")
    power: Series = x**y
    return power


def _larger(x: Operand, y: Operand) -> Series:
    one, other = _lifted((x, y))
    # If the leading term of the difference was dropped, x and y agree in every known order.
    return _chosen((one - other).sign(unsure=True) >= 0, one, other)


def _smaller(x: Operand, y: Operand) -> Series:
    one, other = _lifted((x, y))
    return _chosen((one - other).sign(unsure=True) <= 0, one, other)


_UFUNCS: dict[object, Callable[..., object]] = {
    np.add: _binary("add"),
    np.subtract: _binary("sub"),
    np.multiply: _binary("mul"),
    np.true_divide: _binary("truediv"),
    np.less: _binary("lt"),
    np.less_equal: _binary("le"),
    np.greater: _binary("gt"),
    np.greater_equal: _binary("ge"),
    np.equal: _binary("eq"),
    np.not_equal: _binary("ne"),
    np.power: _power,
    np.square: lambda x: x * x,
    np.negative: operator.neg,
    np.positive: operator.pos,
    np.absolute: abs,
    np.sign: lambda x: x.sign().astype(np.int64),
    np.maximum: _larger,
    np.minimum: _smaller,
    np.matmul: lambda x, y: _multilinear(np.matmul, (x, y)),
}


def _lifted(values: Sequence[Operand]) -> list[Series]:
    """Convert operands that are not series to series, with the arithmetic of the first operand that is one."""
    guide = next(x for x in values if isinstance(x, Series))
    return [x if isinstance(x, Series) else guide.constant(x) for x in values]


def _joined(values: Sequence[Operand], join: Callable[[list[Array]], Array]) -> Series:
    """Apply ``join`` to the operands' arrays of coefficients, separately for each order. Missing orders are zeros."""
    series = _lifted(values)
    shown = [{k: c for k, c in x.terms.items() if k or not np.all(np.equal(c, 0))} for x in series]
    blank = [next(iter(x.terms.values())) * 0 for x in series]
    orders = sorted({k for terms in shown for k in terms}) or [0]
    keeps = [x.keep for x in series if x.keep is not None]
    keep, dropped = min(keeps, default=None), any(x.dropped for x in series)
    if keep is not None and orders[-1] > keep:
        dropped = True
        orders = [k for k in orders if k <= keep] or [0]
    return Series({k: join([t.get(k, b) for t, b in zip(shown, blank, strict=True)]) for k in orders}, keep, dropped)


def _chosen(mask: Array, x: Operand, y: Operand) -> Series:
    return _joined((x, y), lambda c: np.where(mask, c[0], c[1]))


def _where(mask: Array, x: Array, y: Array) -> Array:
    if isinstance(mask, Series):
        mask = mask != 0
    if not isinstance(x, Series) and not isinstance(y, Series):
        return np.where(mask, x, y)
    return _chosen(np.asarray(mask, dtype=bool), x, y)


# ------------------------------------------------------------------------------------------------ along an axis


def _axis(x: Series, axis: Axis) -> tuple[Series, int]:
    """Return the flattened series and axis 0 if the axis is None, else the arguments."""
    if axis is None:
        return x.map(np.ravel), 0
    return x, operator.index(axis)


def _folded(x: Series, axis: int, step: Callable[[Series, Series], Series]) -> list[Series]:
    """Accumulate the slices x_1, x_2, ... along an axis: return x_1, step(x_1, x_2), step(step(x_1, x_2), x_3), ..."""
    moved = x.map(lambda c: np.moveaxis(np.asarray(c), axis, 0))
    out: list[Series] = []
    for i in range(x.shape[axis]):
        out.append(step(out[-1], moved[i]) if out else moved[i])
    return out


def _accumulate(step: Callable[[Series, Series], Series]) -> Callable[..., Series]:
    def accumulate(x: Series, axis: Axis = None) -> Series:
        x, axis = _axis(x, axis)
        out = _folded(x, axis, step)
        return _joined(out, lambda c: np.stack(c, axis=axis)) if out else x

    return accumulate


def _reduce(step: Callable[[Series, Series], Series], empty: int | None = None) -> Callable[..., Series]:
    def reduce(x: Series, axis: Axis = None, keepdims: bool = False) -> Series:
        flat, along = _axis(x, axis)
        out = _folded(flat, along, step)
        if not out:
            if empty is None:
                raise ValueError("an empty array has no maximum or minimum")
            shape = np.sum(next(iter(flat.terms.values())), axis=along).shape
            out = [Series({0: np.broadcast_to(flat.constant(empty).terms[0], shape)}, x.keep, x.dropped)]
        if not keepdims:
            return out[-1]
        shape = (1,) * x.ndim if axis is None else tuple(1 if k == along % x.ndim else n for k, n in enumerate(x.shape))
        return out[-1].map(lambda c: np.reshape(c, shape))

    return reduce


def _extreme(pick: Callable[..., Array], step: Callable[[Series, Series], Series]) -> Callable[..., Series]:
    slow = _reduce(step)

    def extreme(x: Series, axis: Axis = None, keepdims: bool = False) -> Series:
        if len(x.terms) == 1:
            return x.map(lambda c: pick(c, axis=axis, keepdims=keepdims))
        return slow(x, axis, keepdims)

    return extreme


def _times(x: Series, y: Series) -> Series:
    return x * y


_cumprod = _accumulate(_times)
_prod = _reduce(_times, empty=1)
_max, _min = _extreme(np.max, _larger), _extreme(np.min, _smaller)

_FOLDS: dict[tuple[object, str], Callable[[Series, Axis], Series]] = {
    (np.add, "reduce"): lambda x, axis: x.sum(axis=axis),
    (np.add, "accumulate"): lambda x, axis: x.map(lambda c: np.cumsum(c, axis=axis)),
    (np.multiply, "reduce"): _prod,
    (np.multiply, "accumulate"): _cumprod,
    (np.maximum, "reduce"): _max,
    (np.maximum, "accumulate"): _accumulate(_larger),
    (np.minimum, "reduce"): _min,
    (np.minimum, "accumulate"): _accumulate(_smaller),
}


def _sort(x: Series, axis: Axis = -1) -> Series:
    order, c = x.monomial()
    return Series({order: np.sort(c, axis=axis)}, x.keep, x.dropped)


def _argsort(x: Series, axis: Axis = -1, kind: Any = None, stable: bool | None = None) -> Array:
    if x.dropped:
        raise Truncated("the result of a sort depends on orders of eps that were dropped")
    return np.argsort(x.monomial()[1], axis=axis, kind="stable" if stable else kind)


# ------------------------------------------------------------------------------------------------- the rest


_LINEAR = {
    *(np.sum, np.cumsum, np.mean, np.average, np.diff, np.trace, np.diagonal, np.triu, np.tril),
    *(np.flip, np.fliplr, np.flipud, np.roll, np.repeat, np.tile, np.copy, np.take, np.take_along_axis),
    *(np.expand_dims, np.squeeze, np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.broadcast_to),
}
_HARMLESS = {
    *("axis", "keepdims", "axis1", "axis2", "shape", "newshape", "order", "repeats", "reps", "indices", "shift"),
    *("n", "k", "offset", "source", "destination", "axes", "weights"),
}


@lru_cache(maxsize=64)
def _signature(function: Function) -> inspect.Signature:
    return inspect.signature(function)


def _linear(function: Function, args: tuple[Any, ...], options: dict[str, Any]) -> Series:
    """Apply a NumPy function that is linear in its first argument, which must be a series, order by order.

    Raises:
        TypeError: Another argument is a series, or an option is not supported.

    """
    given = dict(_signature(function).bind(*args, **options).arguments)
    x = given.pop(next(iter(given)))
    if not isinstance(x, Series) or any(isinstance(value, Series) for value in given.values()):
        raise TypeError(f"np.{function.__name__} takes a series in eps only as its first argument")
    for name in given:
        if name not in _HARMLESS:
            raise TypeError(f"np.{function.__name__} with {name}= does not support series in eps")
    return x.map(lambda c: function(c, *args[1:], **options))


def _multilinear(product: Callable[..., Array], operands: Sequence[Operand]) -> Series:
    """Apply a function that is linear in each of its arguments, such as `numpy.dot`, to series and arrays."""
    series = _lifted(operands)
    keep = min((x.keep for x in series if x.keep is not None), default=None)
    dropped = any(x.dropped for x in series)
    terms: dict[int, Array] = {}
    for chosen in itertools.product(*(x.terms.items() for x in series)):
        order = sum(k for k, _ in chosen)
        if keep is not None and order > keep:
            dropped = True
            continue
        value = product(*(c for _, c in chosen))
        terms[order] = terms[order] + value if order in terms else value
    if not terms:
        terms = {0: product(*(next(iter(x.terms.values())) for x in series)) * 0}
    return Series(terms, keep, dropped)


def _einsum(subscripts: str, *operands: Operand) -> Series:
    if not isinstance(subscripts, str):
        raise TypeError("np.einsum on series in eps needs its subscripts as a string")
    return _multilinear(lambda *arrays: np.einsum(subscripts, *arrays), operands)


def _concatenate(arrays: Sequence[Operand], axis: Axis = 0) -> Series:
    return _joined(arrays, lambda c: np.concatenate(c, axis=axis))


def _full_like(x: Series, value: Operand) -> Series:
    return Series({0: np.array(np.broadcast_to(x.constant(value).terms[0], x.shape))}, x.keep)


def _clip(x: Series, low: Operand | None = None, high: Operand | None = None) -> Series:
    x = x if low is None else _larger(x, low)
    return x if high is None else _smaller(x, high)


def _nonzero(summary: Callable[..., Array]) -> Callable[..., Array]:
    return lambda x, axis=None, keepdims=False: summary(x != 0, axis=axis, keepdims=keepdims)


_any, _all, _count = _nonzero(np.any), _nonzero(np.all), _nonzero(np.count_nonzero)

_FUNCTIONS: dict[object, Callable[..., object]] = {
    np.where: _where,
    np.concatenate: _concatenate,
    np.stack: lambda arrays, axis=0: _joined(arrays, lambda c: np.stack(c, axis=axis)),
    np.hstack: lambda arrays: _joined(arrays, np.hstack),
    np.vstack: lambda arrays: _joined(arrays, np.vstack),
    np.column_stack: lambda arrays: _joined(arrays, np.column_stack),
    np.zeros_like: lambda x: _full_like(x, 0),
    np.ones_like: lambda x: _full_like(x, 1),
    np.full_like: _full_like,
    np.cumprod: _cumprod,
    np.prod: _prod,
    np.max: _max,
    np.amax: _max,
    np.min: _min,
    np.amin: _min,
    np.clip: _clip,
    np.sort: _sort,
    np.argsort: _argsort,
    np.any: _any,
    np.all: _all,
    np.count_nonzero: _count,
    np.dot: lambda x, y: _multilinear(np.dot, (x, y)),
    np.inner: lambda x, y: _multilinear(np.inner, (x, y)),
    np.einsum: _einsum,
    np.shape: lambda x: x.shape,
    np.ndim: lambda x: x.ndim,
    np.size: lambda x, axis=None: x.size if axis is None else x.shape[axis],
}


def _method(function: Function) -> Callable[..., object]:
    return lambda x, *args, **options: apply_function(function, (x, *args), options)


_METHODS: set[Function] = {
    *(np.mean, np.cumsum, np.ravel, np.squeeze, np.copy, np.repeat, np.take, np.dot),
    *(np.cumprod, np.prod, np.max, np.min, np.clip, np.argsort, np.any, np.all),
}

METHODS: dict[str, Callable[..., object]] = {
    **{f.__name__: _method(f) for f in _METHODS},
    "flatten": _method(np.ravel),
    "reshape": lambda x, *shape: x.map(lambda c: np.asarray(c).reshape(*shape)),
    "transpose": lambda x, *axes: x.map(lambda c: np.asarray(c).transpose(*axes)),
}
"""Methods of NumPy arrays that series have through ``__getattr__``, keyed by name."""

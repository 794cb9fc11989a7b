"""Define stand-ins for NumPy, math and other modules in code that is recompiled to use exact numbers.

Functions that create arrays create exact arrays. `ExactArray` implements functions on arrays. A function without an
exact value raises an error, at the latest when NumPy converts an exact number to a float.
"""

from __future__ import annotations

import math
import operator
import random
import secrets
import statistics
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn, TypeAlias

import numpy as np
from flint import fmpq

from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.closed import Closed, atom_of, exponential
from axiomcheck.numbers.natural import Number, applied, raised, ratio_of_logs
from axiomcheck.numbers.natural_arrays import (
    FUNCTION_NAMES,
    KNOWN,
    ExactArray,
    apply_ufunc,
    array_of,
    exact_dtype,
    numbers_of,
    plain,
)
from axiomcheck.numbers.refusals import Inexact

Shape: TypeAlias = int | tuple[int, ...]

E = Number(exponential(fmpq(1)))
PI = Number(Closed({frozenset({(atom_of("pi"), 1)}): fmpq(1)}))


def _filled(value: int) -> Callable[..., Array]:
    return lambda shape, dtype=None, order="C", **options: _full(shape, value, Number if dtype is None else dtype)


def _full(shape: Shape, fill_value: Array, dtype: object = None, **options: object) -> Array:
    kind = exact_dtype(np.asarray(fill_value).dtype if dtype is None else dtype)
    if kind.kind != "O":
        return array_of(np.full(shape, fill_value, dtype=kind))
    out = np.empty(shape, dtype=object)
    out[...] = plain(numbers_of(fill_value))
    return array_of(out)


def _array(x: Array, dtype: object = None, copy: object = True, **options: object) -> Array:
    source = np.array(plain(x) if isinstance(x, np.ndarray) else _unpacked(x))
    if dtype is not None:
        kind = exact_dtype(dtype)
        return numbers_of(source) if kind.kind == "O" else array_of(source).view(ExactArray).astype(kind)
    return numbers_of(source) if source.dtype.kind in "fO" else array_of(source)


def _asarray(x: Array, dtype: object = None, **options: object) -> Array:
    same = isinstance(x, ExactArray) and (dtype is None or exact_dtype(dtype) == x.dtype)
    return x if same else _array(x, dtype)


def _unpacked(x: Array) -> Array:
    """Convert exact arrays in nested sequences to plain NumPy arrays, which NumPy can stack."""
    if isinstance(x, list | tuple):
        return [_unpacked(v) for v in x]
    return plain(x)


def _finfo(dtype: object = None) -> SimpleNamespace:
    """Return the limits of doubles as exact numbers, for any float type. Other float types are refused on use."""
    limits = np.finfo(np.float64)
    names = ("eps", "tiny", "max", "min", "smallest_normal")
    return SimpleNamespace(**{name: Number(to_fmpq(float(getattr(limits, name)))) for name in names})


def _arange(start: Any = None, stop: Any = None, step: Any = 1, dtype: object = None, **options: object) -> Array:
    start, stop = (0, start) if stop is None else (0 if start is None else start, stop)
    if not any(isinstance(b, Number) for b in (start, stop, step)):
        whole = np.arange(start, stop, step)
        return numbers_of(whole) if dtype is not None and exact_dtype(dtype).kind == "O" else array_of(whole)
    count = -int(-((stop - start) / Number(step)) // 1)
    return numbers_of([start + k * step for k in range(max(0, count))])


def _linspace(start: Array, stop: Array, num: int = 50, endpoint: bool = True, **options: object) -> Array:
    parts = num - 1 if endpoint else num
    return numbers_of([start + (stop - start) * Number(k) / max(parts, 1) for k in range(num)])


def _whole_then(function: Callable[..., Array]) -> Callable[..., Array]:
    """Wrap a function such as `np.eye`, so that it returns exact arrays of the given dtype."""

    def made(n: int, m: int | None = None, k: int = 0, dtype: object = None, **options: object) -> Array:
        return array_of(function(n, m, k, dtype=int)).view(ExactArray).astype(exact_dtype(dtype))

    return made


def _bincount(x: Array, weights: Array = None, minlength: int = 0) -> Array:
    places = plain(np.asarray(x))
    if weights is None:
        return array_of(np.bincount(places, minlength=minlength))
    out = _filled(0)(max(minlength, int(places.max(initial=-1)) + 1))
    np.add.at(plain(out), places, plain(numbers_of(weights)))
    return out


_JOINING = ("concatenate", "stack", "hstack", "vstack", "column_stack", "dstack", "row_stack", "block", "append")


class _Ufunc:
    """NumPy ufunc that converts its arguments to exact numbers."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self._ufunc = ufunc
        self.__name__ = ufunc.__name__

    def __call__(self, *args: Array, **options: object) -> Array:
        return self._run("__call__", args, options)

    def _run(self, method: str, args: tuple[Array, ...], options: dict[str, Any]) -> Array:
        inputs, outputs = args[: self._ufunc.nin], args[self._ufunc.nin :]
        if method != "__call__":
            inputs, outputs = args, ()
        if outputs and "out" not in options:
            options = options | {"out": outputs}
        elif "out" in options and not isinstance(options["out"], tuple):
            options = options | {"out": (options["out"],)}
        if "out" in options and options["out"][0] is None:
            options = {k: v for k, v in options.items() if k != "out"}
        given = tuple(_array(x) if isinstance(x, list | tuple) else x for x in inputs)
        if method in ("at", "reduce", "accumulate", "reduceat"):
            given = (_asarray(given[0]), *given[1:])
        found = apply_ufunc(self._ufunc, method, given, options)
        return options["out"][0] if "out" in options and method == "__call__" else found

    def __getattr__(self, method: str) -> Callable[..., Array]:
        """Return a method of the ufunc."""
        if method not in ("reduce", "accumulate", "outer", "at"):
            raise AttributeError(method)
        return lambda *args, **options: self._run(method, args, options)


def _through(function: Callable[..., object]) -> Callable[..., Array]:
    """Wrap a NumPy function to accept exact arrays and lists of exact numbers."""
    name = function.__name__
    known = FUNCTION_NAMES.get(function)

    def through(*args: Array, **options: object) -> Array:
        if name in _JOINING:
            given = [[_asarray(x) for x in a] if isinstance(a, list | tuple) else a for a in args]
        else:
            given = [
                _array(a) if isinstance(a, list | tuple) and (k == 0 or _has_numbers(a)) else a
                for k, a in enumerate(args)
            ]
        if options.get("dtype") is not None:
            options = options | {"dtype": exact_dtype(options["dtype"])}
        return array_of((known or function)(*given, **options))

    through.__name__ = name
    return through


def _has_numbers(x: Array) -> bool:
    if isinstance(x, list | tuple):
        return any(_has_numbers(v) for v in x)
    return isinstance(x, Number | ExactArray)


def _rounding(name: str) -> type:
    def refuse(self: object, *args: object, **options: object) -> None:
        raise Inexact(f"np.{name} is less precise than a float; use np.float64")

    return type(name, (), {"__init__": refuse})


_MADE: dict[str, object] = {
    "zeros": _filled(0),
    "empty": _filled(0),
    "ones": _filled(1),
    "full": _full,
    "array": _array,
    "asarray": _asarray,
    "asanyarray": _asarray,
    "ascontiguousarray": _asarray,
    "arange": _arange,
    "finfo": _finfo,
    "linspace": _linspace,
    "logspace": lambda *args, base=10, **options: np.power(base, _linspace(*args, **options)),
    "eye": _whole_then(np.eye),
    "identity": _whole_then(np.eye),
    "tri": _whole_then(np.tri),
    "fromiter": lambda iterable, dtype, *_, **__: _array(list(iterable), dtype),
    "bincount": _bincount,
    "cbrt": lambda x: np.cbrt(_asarray(x)),
    "float64": Number,
    "double": Number,
    "longdouble": Number,
    "floating": Number,
    "float32": _rounding("float32"),
    "float16": _rounding("float16"),
    "pi": PI,
    "e": E,
    "exp2": lambda x: raised(2, x) if isinstance(x, Number | int) else np.exp2(_asarray(x)),
}
_AS_THEY_ARE = {
    "errstate",
    "seterr",
    "newaxis",
    "inf",
    "nan",
    "ndarray",
    "generic",
    "integer",
    "number",
}


class _StandIn(ModuleType):
    """Stand-in for a module, with the given names. Any other name is looked up by calling a function."""

    def __init__(self, name: str, names: Mapping[str, object], other: Callable[[str], object]) -> None:
        super().__init__(name)
        vars(self).update(names)
        vars(self)["exact other"] = other  # a name that no source can contain

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return vars(self)["exact other"](name)


def numpy_names() -> ModuleType:
    """Return a new stand-in for NumPy."""

    def other(name: str) -> object:
        found = getattr(np, name)
        made: object = found
        if isinstance(found, np.ufunc):
            made = _Ufunc(found)
        elif isinstance(found, ModuleType):
            made = _StandIn(f"np.{name}", {}, partial(_refuse, f"np.{name}"))
        elif callable(found) and not (name in _AS_THEY_ARE or isinstance(found, type)):
            made = _through(found)
        setattr(names, name, made)
        return made

    names = _StandIn("numpy", _MADE, other)
    return names


def _refuse(module: str, name: str) -> NoReturn:
    raise Inexact(f"{module}.{name} cannot be evaluated exactly; {KNOWN}")


def _whole(x: Array) -> bool:
    return isinstance(x, int | np.integer | np.bool_)


def divided(x: Array, y: Array, inside: bool = False) -> Array:
    """Return x / y, which is exact even for two integers. If ``inside`` is True, compute x /= y instead."""
    if _whole(x) and _whole(y):
        return Number(x) / Number(y)
    if inside:
        x /= y
        return x
    return x / y


def powered(x: Array, y: Array, inside: bool = False) -> Array:
    """Return x ** y, exact even for an integer and a negative exponent. If ``inside`` is True, compute x **= y."""
    if _whole(x) and _whole(y) and y < 0:
        return Number(x) ** y
    if inside:
        x **= y
        return x
    return x**y


def _above_zero(x: Array) -> Number:
    value = Number(x)
    if not value > 0:
        raise ValueError("math domain error")
    return value


def _log(x: Array, base: Array = None) -> Number:
    return applied("log", _above_zero(x)) if base is None else ratio_of_logs(_above_zero(x), _above_zero(base))


def _sqrt(x: Array) -> Number:
    value = Number(x)
    if value < 0:
        raise ValueError("math domain error")
    return raised(value, Number(fmpq(1, 2)))


def _total(values: Iterable[Array]) -> Number:
    return sum(values, Number(0))


def _product(values: Iterable[Array], *, start: Array = 1) -> Array:
    for value in values:
        start = start * value
    return start


def _near(a: Array, b: Array, *, rel_tol: Array = None, abs_tol: Array = 0) -> bool:
    relative = Number(fmpq(1, 10**9)) if rel_tol is None else rel_tol
    return bool(abs(Number(a) - b) <= max(relative * max(abs(a), abs(b)), abs_tol))


def _function(name: str) -> Callable[[Array], Number]:
    return lambda x: applied(name, Number(x))


_MATH: dict[str, object] = {
    "log": _log,
    "log2": lambda x: _log(x, 2),
    "log10": lambda x: _log(x, 10),
    "log1p": lambda x: _log(1 + Number(x)),
    "exp": _function("exp"),
    "exp2": lambda x: raised(2, x),
    "expm1": lambda x: applied("exp", Number(x)) - 1,
    "sqrt": _sqrt,
    "cbrt": lambda x: raised(Number(x), Number(fmpq(1, 3))),
    "pow": lambda x, y: Number(x) ** y,
    "fsum": _total,
    "prod": _product,
    "sumprod": lambda p, q: _total(a * b for a, b in zip(p, q, strict=True)),
    "floor": lambda x: math.floor(Number(x)),
    "ceil": lambda x: math.ceil(Number(x)),
    "trunc": lambda x: math.trunc(Number(x)),
    "fabs": lambda x: abs(Number(x)),
    "fmod": lambda x, y: Number(x) - math.trunc(Number(x) / y) * Number(y),
    "hypot": lambda *xs: _sqrt(_total(x * x for x in xs)),
    "isnan": lambda x: bool(np.isnan(Number(x))),
    "isinf": lambda x: bool(np.isinf(Number(x))),
    "isfinite": lambda x: bool(np.isfinite(Number(x))),
    "isclose": _near,
    "e": E,
    "pi": PI,
    "tau": 2 * PI,
    "inf": math.inf,
    "nan": math.nan,
    **{name: getattr(math, name) for name in ("comb", "factorial", "perm", "gcd", "lcm", "isqrt")},
    **{name: _function(name) for name in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "erf", "erfc")},
    **{name: _function(name) for name in ("gamma", "lgamma")},
}


def _other_of_math(name: str) -> NoReturn:
    if not hasattr(math, name):
        raise AttributeError(f"module 'math' has no attribute {name!r}")
    _refuse("math", name)


def _overlay(original: ModuleType, names: Mapping[str, object]) -> ModuleType:
    """Return a stand-in for a module in which some names are replaced."""
    return _StandIn(original.__name__, names, partial(getattr, original))


def _mean(values: Iterable[Array]) -> Number:
    rows = list(values)
    if not rows:
        raise statistics.StatisticsError("mean requires at least one data point")
    average: Number = _total(rows) / len(rows)
    return average


def _median(values: Iterable[Array]) -> Array:
    rows = sorted(values)
    half = len(rows) // 2
    return rows[half] if len(rows) % 2 else divided(rows[half - 1] + rows[half], 2)


def _without_calls(original: ModuleType) -> ModuleType:
    """Return a stand-in for a module such as ``random``, whose functions raise an error because results may vary."""

    def other(name: str) -> object:
        found = getattr(original, name)

        def refuse(*arguments: object, **named: object) -> NoReturn:
            raise Inexact(f"{original.__name__}.{name} may return a different value on each call")

        return refuse if callable(found) else found

    return _StandIn(original.__name__, {}, other)


STAND_INS: dict[str, Callable[[], ModuleType]] = {
    "math": lambda: _StandIn("math", _MATH, _other_of_math),
    "statistics": lambda: _overlay(statistics, {"mean": _mean, "fmean": _mean, "median": _median}),
    **{module.__name__: partial(_without_calls, module) for module in (random, secrets, time, uuid)},
    "operator": lambda: _overlay(operator, {"truediv": divided, "pow": powered}),
}
"""Module name -> function that creates its stand-in. `numpy_names` creates the stand-in for NumPy."""

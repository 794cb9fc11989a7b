"""What ``math``, and a few more of Python's modules, are to a metric's source read exactly."""

from __future__ import annotations

import math
import operator
import random
import secrets
import statistics
import time
import uuid
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.numbers.natural import Number, applied, raised, ratio_of_logs
from axiomcheck.numbers.natural_arrays import KNOWN
from axiomcheck.numbers.refusals import Inexact
from axiomcheck.sources.natural.numpy_names import PI, E


def _whole(x: Any) -> bool:
    return isinstance(x, int | np.integer | np.bool_)


def divided(x: Any, y: Any, inside: bool = False) -> Any:
    """x / y, exactly where both are whole numbers; where ``inside``, x /= y."""
    if _whole(x) and _whole(y):
        return Number(x) / Number(y)
    if inside:
        x /= y
        return x
    return x / y


def powered(x: Any, y: Any, inside: bool = False) -> Any:
    """x ** y, exactly where a whole number is raised to a negative one; where ``inside``, x **= y."""
    if _whole(x) and _whole(y) and y < 0:
        return Number(x) ** y
    if inside:
        x **= y
        return x
    return x**y


def _above_zero(x: Any) -> Number:
    value = Number(x)
    if not value > 0:
        raise ValueError("math domain error")
    return value


def _log(x: Any, base: Any = None) -> Number:
    return applied("log", _above_zero(x)) if base is None else ratio_of_logs(_above_zero(x), _above_zero(base))


def _sqrt(x: Any) -> Number:
    value = Number(x)
    if value < 0:
        raise ValueError("math domain error")
    return raised(value, Number(fmpq(1, 2)))


def _total(values: Iterable[Any]) -> Number:
    return sum(values, Number(0))


def _product(values: Iterable[Any], *, start: Any = 1) -> Any:
    for value in values:
        start = start * value
    return start


def _near(a: Any, b: Any, *, rel_tol: Any = None, abs_tol: Any = 0) -> bool:
    relative = Number(fmpq(1, 10**9)) if rel_tol is None else rel_tol
    return bool(abs(Number(a) - b) <= max(relative * max(abs(a), abs(b)), abs_tol))


def _function(name: str) -> Callable[[Any], Number]:
    return lambda x: applied(name, Number(x))


_MATH: dict[str, Any] = {
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


class _MathNames(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(math, name):
            raise AttributeError(f"module 'math' has no attribute {name!r}")
        raise Inexact(f"math.{name} has no exact value that is known here; {KNOWN}")


class _Overlay(ModuleType):
    """A module with some of its names replaced."""

    def __init__(self, original: ModuleType, names: dict[str, Any]) -> None:
        super().__init__(original.__name__)
        vars(self).update(names)
        self._original = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def _mean(values: Iterable[Any]) -> Number:
    rows = list(values)
    if not rows:
        raise statistics.StatisticsError("mean requires at least one data point")
    average: Number = _total(rows) / len(rows)
    return average


def _median(values: Iterable[Any]) -> Any:
    rows = sorted(values)
    half = len(rows) // 2
    return rows[half] if len(rows) % 2 else divided(rows[half - 1] + rows[half], 2)


def _math() -> ModuleType:
    names = _MathNames("math")
    vars(names).update(_MATH)
    return names


class _Otherwise(ModuleType):
    """A module of which every call may give another answer."""

    def __init__(self, original: ModuleType) -> None:
        super().__init__(original.__name__)
        self._original = original

    def __getattr__(self, name: str) -> Any:
        if not callable(getattr(self._original, name)):
            return getattr(self._original, name)

        def refuse(*arguments: Any, **named: Any) -> Any:
            raise Inexact(f"{self.__name__}.{name} may give another answer each time")

        return refuse


STAND_INS: dict[str, Callable[[], ModuleType]] = {
    "math": _math,
    "statistics": lambda: _Overlay(statistics, {"mean": _mean, "fmean": _mean, "median": _median}),
    **{m.__name__: lambda m=m: _Otherwise(m) for m in (random, secrets, time, uuid)},  # type: ignore[misc]
    "operator": lambda: _Overlay(operator, {"truediv": divided, "pow": powered}),
}
"""Module -> what makes its stand-in; numpy's is in `axiomcheck.sources.natural.numpy_names`."""

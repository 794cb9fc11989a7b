"""Read the parameters of a user's function or class from its keyword arguments, and set them to given values."""

from __future__ import annotations

import inspect
import keyword
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from axiomcheck.core.domain import exact
from axiomcheck.metrics.parameters import Flag, Numeric, Parameter


def arguments_of(function: Callable[..., object]) -> list[inspect.Parameter]:
    """Return the arguments of a function, or of a class's constructor, or an empty list if they are unknown."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _name_of(argument: inspect.Parameter) -> str:
    """Return the name of the parameter that an argument sets, such as ``lambda`` for the argument ``lambda_``."""
    name = argument.name.removesuffix("_")
    return name if keyword.iskeyword(name) else argument.name


def defaults_of(base: Callable[..., object]) -> dict[str, Any]:
    """Map the parameter name of each keyword argument of a function or constructor to its default."""
    found = (p for p in arguments_of(base) if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY))
    return {_name_of(p): p.default for p in found if p.default is not p.empty}


def parameters_of(base: Callable[..., object]) -> tuple[Parameter, ...]:
    """Return a parameter for each keyword argument with a numeric default, of a function or a class's constructor.

    The type of a default determines the type of all values: an integer, another number, or a boolean.
    """
    found: list[Parameter] = []
    for name, default in defaults_of(base).items():
        if isinstance(default, bool | np.bool_):
            found.append(Flag(name, bool(default)))
        elif isinstance(default, int | float | Fraction | np.integer | np.floating) and math.isfinite(default):
            found.append(Numeric(name, default, whole=isinstance(default, int | np.integer)))
    return tuple(found)


def arguments_at(
    base: Callable[..., Any], values: Mapping[str, object], number: Callable[[Any], object]
) -> dict[str, Any]:
    """Map argument names of a function or constructor to the given values of its parameters.

    Args:
        base: Function or class.
        values: Values by parameter name. Arguments without a value are left out.
        number: Conversion for non-integer values, such as `float`.

    """
    names = {_name_of(p): p.name for p in arguments_of(base)}
    return {names[k]: v if isinstance(v, bool | int) else number(v) for k, v in values.items()}


def at_values(base: Callable[..., Any], values: Mapping[str, object], number: Callable[[Any], object]) -> Any:
    """Return a function with its parameters set to given values. For a class, each call uses a new instance."""
    given = arguments_at(base, values, number)
    if isinstance(base, type):
        return partial(_call_new, base, given)
    return partial(base, **given) if given else base


def _call_new(kind: type, given: Mapping[str, object], *arguments: object) -> Any:
    """Create an object of a class and call it, so that no call depends on an earlier one."""
    return kind(**given)(*arguments)


def has_decimal(value: object) -> bool:
    """Return True unless a value is a fraction, such as 1/3, that differs from its nearest float's decimal text."""
    return not isinstance(value, Fraction) or exact(float(value), "") == value


_FEW_DIGITS = 12


def is_safe_as_float(value: object) -> bool:
    """Return False if the nearest float is a shorter decimal number, such as 1.0 for 0.9999999999999999999.

    Code may then take different branches for the float and for the exact value. A float with more than 12 digits, such
    as that of 1/3, is accepted.
    """
    if not isinstance(value, Fraction) or has_decimal(value):
        return True
    digits = repr(float(value)).partition("e")[0].replace(".", "").strip("0")
    return len(digits) > _FEW_DIGITS

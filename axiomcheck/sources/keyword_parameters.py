"""Read the parameters of a user's function or class from its keyword arguments, and set them to given values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from axiomcheck.core.domain import exact
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics.parameters import Flag, Numeric, Parameter
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.natural import Number


def parameters_of(base: Callable[..., object]) -> tuple[Parameter, ...]:
    """Return the keyword arguments of a function, or of a class's constructor, that have numeric defaults.

    The type of a default determines the type of all values: a whole number, another number, or yes and no.
    """
    found: list[Parameter] = []
    for name, default in _defaults(base).items():
        if isinstance(default, bool | np.bool_):
            found.append(Flag(name, bool(default)))
        elif isinstance(default, int | float | Fraction | np.number):
            parameter = Numeric(name, default, whole=isinstance(default, int | np.integer))
            with suppress(InvalidInput):  # infinity, and what is not a number
                parameter.parse(default)
                found.append(parameter)
    return tuple(found)


def check_names(base: Callable[..., object], label: str, given: Mapping[str, object]) -> None:
    """Check that no value is given to a keyword argument whose default is not numeric.

    Raises:
        InvalidInput: A value is given to such an argument. The message has its default.

    """
    defaults, numeric = _defaults(base), {parameter.name for parameter in parameters_of(base)}
    for name in given:
        if name in defaults and name not in numeric:
            raise InvalidInput(
                f"{label}: {name}={defaults[name]!r:.40} is its default, which is not a number; "
                "only arguments with numeric defaults are parameters"
            )


class ObjectPerCall:
    """Function that makes an object of a class for each call, so that no call depends on earlier ones.

    Args:
        kind: Class whose objects are called.
        given: Arguments of its constructor.

    """

    def __init__(self, kind: type, given: Mapping[str, object]) -> None:
        self.kind, self.given = kind, given

    def made(self) -> Any:
        """Return a new object."""
        return self.kind(**self.given)

    def __call__(self, *arguments: Any) -> Any:
        """Call a new object."""
        return self.made()(*arguments)


def at_values(base: Callable[..., Any], values: Mapping[str, object], number: Callable[[Any], object]) -> Any:
    """Return a function with some arguments set, or a function that calls objects of a class made with them.

    Args:
        base: Function or class.
        values: Parameter values. Arguments that are not given keep their defaults.
        number: Conversion of a value that is not a whole number, such as to a float.

    """
    names = {name.removesuffix("_"): name for name in _arguments(base)}
    given = {names[k]: v if isinstance(v, bool | int) else number(v) for k, v in values.items()}
    if isinstance(base, type):
        return ObjectPerCall(base, given)
    return partial(base, **given) if given else base


def exact_number(value: Any) -> Number:
    """Return a fraction, or the symbol of a proof, as a number of recompiled code."""
    made = Number.__new__(Number)
    made.raw = to_fmpq(value) if isinstance(value, Fraction) else value
    return made


def has_decimal(value: object) -> bool:
    """Return True if a float spells a value, so that code in floats and in exact numbers is given the same one."""
    return not isinstance(value, Fraction) or exact(float(value), "") == value


def _arguments(base: Callable[..., object]) -> dict[str, inspect.Parameter]:
    try:
        found = inspect.signature(base).parameters
    except (TypeError, ValueError):
        return {}
    return {n: p for n, p in found.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def _defaults(base: Callable[..., object]) -> dict[str, Any]:
    """Return the default of each keyword argument. The name of ``lambda_`` is ``lambda``."""
    return {n.removesuffix("_"): p.default for n, p in _arguments(base).items() if p.default is not p.empty}

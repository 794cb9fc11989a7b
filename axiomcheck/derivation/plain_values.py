"""Compute with strings and constant numbers as Python does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from axiomcheck.derivation import values as v
from axiomcheck.derivation.constants import Floating, computed, has_fraction, refuse_rounded_order
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.values import Value


def of_plain(operation: Callable[..., Value], *operands: Value) -> Value:
    """Return the result of an operator on plain values, with each `Floating` constant as a plain fraction.

    Raises:
        Underivable: The operator raises an error.

    """
    try:
        return operation(*(Fraction(x) if type(x) is Floating else x for x in operands))
    except (TypeError, ZeroDivisionError, ValueError, MemoryError, OverflowError) as error:
        raise Underivable(f"raises {type(error).__name__}: {error}") from None


def is_plain(value: Value) -> bool:
    """Return True if a value is None, a number, a string, or a tuple of these."""
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    return value is None or isinstance(value, bool | int | Fraction | str)


def on_text(owner: str, method: str, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Return the result of a string method, such as ``format``, for strings and integers.

    Raises:
        Underivable: An argument or the result is any other value.

    """
    given = v.entries(arguments[0]) if method == "join" else (*arguments, *keywords.values())
    if not all(isinstance(value, str | int) for value in given):
        raise Underivable("formats a string with a value that is neither a constant integer nor a string")
    return call_on_plain_values(getattr(owner, method), arguments, keywords)


def call_on_plain_values(
    function: Callable[..., Value], arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call a builtin function on plain values.

    Raises:
        Underivable: The function raises an error, or its result is not plain.

    """
    if function in (min, max):
        refuse_rounded_order(tuple(arguments))
    elif has_fraction(tuple(arguments)) and function is not abs:
        raise Underivable("rounds or prints a constant that floats may round differently")
    try:
        result = function(*arguments, **keywords)
    except Exception as error:  # the user's code would raise the same exception
        raise Underivable(f"raises {type(error).__name__}: {error}") from None
    if isinstance(result, list):
        result = v.PythonList(result)
    if not is_plain(result):
        raise Underivable("computes a constant that is not a rational number")
    return computed(function, result, *arguments) if function is abs else result

"""Register handlers for the functions and methods that derivations support."""

from __future__ import annotations

import inspect
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.values import Array, Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter

Handler: TypeAlias = Callable[..., Value]
"""Function that gets the interpreter and the arguments of a call. Its parameters are the supported ones."""

FUNCTIONS: dict[int, tuple[object, Handler]] = {}
"""Handlers by the id of a function. The function is kept with its handler, which prevents its id from being reused."""

READERS: dict[int, bool | None] = {}
"""Functions that read iterators, by id: True or False for those that return an iterator (see `reads`), else None."""

METHODS: dict[str, Handler] = {}
"""Handlers of array methods. They get the array as their second argument."""

_OF_SEVERAL = {"min": min, "max": max, "sum": sum, "mean": statistics.fmean}
"""Python functions that do what array methods do, for a list of several numbers."""

TAKING_INFINITY: set[Handler] = set()
"""Handlers of functions that accept infinity, as a choice or as a divisor."""


def handles(*functions: object) -> Callable[[Handler], Handler]:
    """Register a handler for builtins or library functions."""

    def register(handler: Handler) -> Handler:
        for function in functions:
            FUNCTIONS[id(function)] = (function, handler)
        return handler

    return register


def reads(*functions: object, lazy: bool | None = None) -> Callable[[Handler], Handler]:
    """Register a handler for functions that read iterators.

    Args:
        functions: The functions.
        lazy: True if the functions return an iterator that calls the user's code when it is read, False if it does not;
            None if they return no iterator.

    """
    READERS.update((id(function), lazy) for function in functions)
    return handles(*functions)


def handles_method(name: str, *functions: object) -> Callable[[Handler], Handler]:
    """Register a handler for an array method and the equivalent numpy functions.

    Args:
        name: Name of the method; empty if the method changes the array in place, unlike the functions.
        functions: The functions.

    """

    def register(handler: Handler) -> Handler:
        def of_function(run: Interpreter, *arguments: Value, **keywords: Value) -> Value:
            if not arguments:
                raise Underivable("passes an array as a keyword argument: pass it by position")
            value = run.listed(arguments[0]) if isinstance(arguments[0], Loop) else arguments[0]
            if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], v.First):
                return run.lifted(lambda x: of_function(run, (x,), *arguments[1:], **keywords), value[0])
            if isinstance(value, tuple) and len(value) != 1:
                numbers = all(v.is_number(x) or (isinstance(x, Array) and not x.axes) for x in value)
                if numbers and name in _OF_SEVERAL and len(arguments) == 1 and not keywords:
                    return run.call(_OF_SEVERAL[name], [value], {})
                raise Underivable("creates an array from several computed values, which is not supported")
            if isinstance(value, v.Builder) and name in ("sum", "mean") and len(arguments) == 1 and not keywords:
                return run.call(_OF_SEVERAL[name], [value], {})
            array = unlisted(value)
            array = array if isinstance(array, Array) else v.as_array(array)
            return apply(handler, run, (array, *arguments[1:]), keywords)

        handles(*functions)(of_function)
        METHODS.update({name: handler} if name else {})
        return handler

    return register


def apply(handler: Handler, run: Interpreter, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Return the result of a handler.

    Raises:
        Underivable: The handler has no parameter for an argument, or does not support its value.

    """
    parameters = inspect.signature(handler).parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        unknown = keywords.keys() - named
        if unknown:
            raise Underivable(f"passes the argument {min(unknown)!r}, which is not supported")
    for value in (*arguments, *keywords.values()):
        if handler not in TAKING_INFINITY:
            v.refuse_infinite(value)
        v.refuse_unset(value)
        v.refuse_keyed(value)
    try:
        inspect.signature(handler).bind(run, *arguments, **keywords)
    except TypeError:
        raise Underivable("passes an unsupported number of arguments") from None
    return handler(run, *arguments, **keywords)


def unlisted(value: Value) -> Value:
    """Convert a list to an array, as numpy does; return any other value unchanged.

    Raises:
        Underivable: The value is a tuple of constants.

    """
    if isinstance(value, v.ConstantTable):
        value = value.entries
    v.refuse_nested(value)
    if isinstance(value, tuple) and len(value) == 1:
        entry = v.as_array(value[0])
        v.refuse_keyed(entry)
        return replace(entry, axes=(v.ONE_AXIS, *entry.axes), listed=False, root=None, origin=None)
    if isinstance(value, Array) and value.listed:
        return replace(value, listed=False, root=value.root if value.keep is not None else None)
    if isinstance(value, tuple) and value and all(map(v.is_number, value)):
        raise Underivable("uses a tuple of constants as an array: create it with np.array first")
    return value

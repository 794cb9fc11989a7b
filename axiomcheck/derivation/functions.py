"""Find user's functions, objects and their methods, with their counterparts over exact numbers."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from types import FunctionType

from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.source import Definition, definition_of, exact_value, global_of, is_user_function, names_of
from axiomcheck.derivation.values import Environment, Value
from axiomcheck.sources.natural.reading import read_again
from axiomcheck.sources.natural.same_reading import Unreadable


@dataclass(frozen=True, eq=False)
class Function:
    """User's function with its exact counterpart.

    Args:
        function: Function as it runs; None for one that was defined in a call.
        exact: The same, recompiled over exact numbers.
        bound: Object that a method is bound to, with its exact counterpart.
        defined_in: Environment of the call in which it was defined; None for a function of a module.
        node: Definition of a function that was defined in a call.

    """

    function: FunctionType | None
    exact: object
    bound: Value = None
    defined_in: Environment | None = None
    node: Definition | None = None

    @property
    def definition(self) -> Definition:
        """Syntax tree of the definition."""
        if self.node is not None:
            return self.node
        assert self.function is not None
        return definition_of(self.function)

    def lookup(self, name: str) -> Value:
        """Return the value of a name that is not local to the function."""
        if self.defined_in is not None:
            return self.defined_in.find(name)
        assert self.function is not None
        return resolved(global_of(self.function, self.exact, name), self, name)


@dataclass(frozen=True, eq=False)
class Instance:
    """Object of a user's plain class.

    Args:
        value: Object as it runs.
        exact: The same object, made by the recompiled class.

    """

    value: object
    exact: object

    def attribute(self, name: str) -> Value:
        """Return a method, or an exact attribute."""
        spaces = [vars(base) for base in type(self.value).__mro__[:-1]]
        if any(space.keys() & {"__getattr__", "__getattribute__", "__slots__"} for space in spaces):
            raise Underivable(f"reads {name} of a class with a way of its own to read attributes")
        if name in vars(self.value):
            return exact_value(vars(self.exact).get(name), f"the attribute {name}")
        value = next((space[name] for space in spaces if name in space), None)
        exact = next((vars(base)[name] for base in type(self.exact).__mro__[:-1] if name in vars(base)), None)
        if isinstance(value, staticmethod) and isinstance(exact, staticmethod):
            inner = value.__func__
            if isinstance(inner, FunctionType):
                return Function(inner, exact.__func__)
        if isinstance(value, FunctionType):
            return Function(value, exact, self)
        return exact_value(exact, f"the attribute {name}")


def user_function(value: FunctionType) -> Function:
    """Return a user's function with its exact counterpart.

    Raises:
        Underivable: Its source cannot be read.

    """
    try:
        exact = read_again(value)
    except Unreadable as error:
        raise Underivable(f"calls {value.__name__}, which cannot be read: {error}") from None
    return Function(value, exact)


def resolved(value: object, callee: Function | None, name: str) -> Value:
    """Return the value of a global name that a function uses; user's functions get their exact counterparts."""
    exact = names_of(callee.exact, name).get(name) if callee else None
    if isinstance(value, functools._lru_cache_wrapper):  # what it calls is called anew
        value, exact = value.__wrapped__, getattr(exact, "__wrapped__", None)
    if not is_user_function(value):
        return value
    return Function(value, exact) if isinstance(exact, FunctionType) else user_function(value)

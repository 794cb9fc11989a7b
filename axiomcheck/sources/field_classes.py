"""Find classes that `collections.namedtuple` or `dataclasses.dataclass` made, whose objects consist of their fields."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import fields, is_dataclass, make_dataclass


def fields_of_tuple(kind: object) -> tuple[str, ...]:
    """Return the fields of a named tuple class without other members, or no fields for any other class."""
    if type(kind) is not type or kind.__bases__ != (tuple,) or "_fields" not in vars(kind):
        return ()
    own, names = vars(kind), vars(kind)["_fields"]
    make_plain: Callable[..., type] = namedtuple
    try:
        plain = make_plain("plain", names)
        same = all(own[name].__reduce__() == vars(plain)[name].__reduce__() for name in names)
    except (AttributeError, KeyError, TypeError, ValueError):  # the user has set another value
        return ()
    same = same and own.keys() <= vars(plain).keys() | _OF_TYPED
    return names if same and _makes_alike(kind.__new__, plain.__new__) else ()


_OF_TYPED = {"__annotations__", "__orig_bases__", "__firstlineno__", "__static_attributes__"}
"""Names that `typing.NamedTuple` adds to a class, the last two from Python 3.13 on."""


def fields_of_dataclass(kind: object) -> tuple[str, ...]:
    """Return the fields of a dataclass whose generated ``__init__`` only stores its arguments, or none for others."""
    if not isinstance(kind, type) or not is_dataclass(kind) or "__init__" not in vars(kind):
        return ()
    names = tuple(field.name for field in fields(kind))
    frozen = is_frozen(kind)
    plain = make_dataclass("plain", names, frozen=frozen)
    generated = ("__init__", *_FREEZING) if frozen else ("__init__",)
    return names if all(_makes_alike(vars(kind).get(x), vars(plain)[x]) for x in generated) else ()


_FREEZING = ("__setattr__", "__delattr__")
"""Methods of a frozen dataclass, which raise an exception."""


def is_frozen(kind: type) -> bool:
    """Return True if a dataclass has at least one of the methods that make its objects constant."""
    return is_dataclass(kind) and not vars(kind).keys().isdisjoint(_FREEZING)


def _makes_alike(one: object, other: object) -> bool:
    """Return True if two functions that make objects have the same code."""
    return getattr(one, "__code__", None) == getattr(other, "__code__", other)

"""Recognize classes made by `namedtuple` or `dataclass`, whose instances consist of their fields."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import MISSING, field, fields, is_dataclass, make_dataclass
from typing import Any


def fields_of_tuple(kind: object) -> tuple[str, ...]:
    """Return the fields of a named tuple class that has no other members, or () for any other class."""
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
    """Return the fields of a dataclass whose generated ``__init__`` only stores its arguments, or () for others."""
    if not isinstance(kind, type) or not is_dataclass(kind) or "__init__" not in vars(kind):
        return ()
    frozen, names = is_frozen(kind), tuple(each.name for each in fields(kind))
    made = [each.default_factory is not MISSING for each in fields(kind)]
    optional: list[Any] = [field(default_factory=list) if new else field(default=None) for new in made]
    first = made.index(True) if True in made else len(made)
    plain = make_dataclass(
        "plain",
        [*names[:first], *zip(names[first:], [object] * len(made), optional[first:], strict=False)],
        frozen=frozen,
    )
    generated = ("__init__", *_FREEZING) if frozen else ("__init__",)
    return names if all(_makes_alike(vars(kind).get(x), vars(plain)[x]) for x in generated) else ()


def factories_of_fields(kind: type) -> dict[str, object]:
    """Map the fields of a dataclass to the default factories that its ``__init__`` calls."""
    initial = vars(kind)["__init__"]
    cells = dict(zip(initial.__code__.co_freevars, initial.__closure__ or (), strict=True))
    known = ((name, cells.get(form.format(name))) for name in fields_of_dataclass(kind) for form in _FACTORY)
    made = {each.name for each in fields(kind) if each.default_factory is not MISSING}
    return {name: cell.cell_contents for name, cell in known if cell is not None and name in made}


_FACTORY = ("_dflt_{}", "__dataclass_dflt_{}__")
"""Names of a default factory in ``__init__``; the second is used since Python 3.13."""


_FREEZING = ("__setattr__", "__delattr__")
"""Methods of a frozen dataclass, which raise an exception."""


def is_frozen(kind: type) -> bool:
    """Return True if a class is a dataclass that defines ``__setattr__`` or ``__delattr__``, as frozen ones do."""
    return is_dataclass(kind) and not vars(kind).keys().isdisjoint(_FREEZING)


def _makes_alike(one: object, other: object) -> bool:
    """Return True if two generated methods have the same code."""
    return getattr(one, "__code__", None) == getattr(other, "__code__", other)

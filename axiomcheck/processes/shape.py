"""Whether a value that came from elsewhere is of the type that was promised."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from axiomcheck.core.counting import counted


def misfit(value: Any, hint: Any) -> str:
    """Where a value is not of a type, and what is there instead; empty if it is.

    Args:
        value: made of plain values and data classes.
        hint: a type: a class, ``None``, ``Any``, a literal, a union, or a container of such. A data class's fields
            are looked at too.

    """
    if hint is Any:
        return ""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        found = [misfit(value, part) for part in parts]
        return "" if "" in found else found[0]
    if origin is Literal:
        return "" if any(type(value) is type(part) and value == part for part in parts) else _instead(value)
    if hint is None:
        return "" if value is None else _instead(value)
    if hint is float and type(value) is int:
        return ""
    kind = origin or hint
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return _instead(value)
    if dataclasses.is_dataclass(kind):
        return _misfit_of_fields(value, kind)
    return _misfit_of_items(value, kind, parts)


def _instead(value: Any) -> str:
    return f"is {type(value).__name__}"


def _misfit_of_fields(value: Any, kind: Any) -> str:
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        found = misfit(getattr(value, field.name, ...), hints[field.name])
        if found:
            return f"{kind.__name__}.{field.name} {found}"
    return ""


def _misfit_of_items(value: Any, kind: type, parts: tuple[Any, ...]) -> str:
    if not parts:
        return ""
    if issubclass(kind, Mapping):
        pairs = [*((key, parts[0]) for key in value), *((item, parts[1]) for item in value.values())]
    elif kind is tuple and parts[-1] is not ...:
        if len(value) != len(parts):
            return f"has {counted(len(value), 'item')}"
        pairs = list(zip(value, parts, strict=True))
    elif issubclass(kind, Sequence | AbstractSet):
        pairs = [(item, parts[0]) for item in value]
    else:
        return ""
    return next(filter(None, (misfit(item, part) for item, part in pairs)), "")

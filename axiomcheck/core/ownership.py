"""Whose code a class is: axiomcheck's own, or somebody else's that may call itself so."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from types import FunctionType
from typing import Any


def is_own_class(cls: type) -> bool:
    """Whether a class is one that axiomcheck defines, whatever it calls itself."""
    module = sys.modules.get(cls.__module__) if cls.__module__.startswith("axiomcheck.") else None
    return module is not None and getattr(module, cls.__qualname__, None) is cls


def is_patched(cls: type) -> bool:
    """Whether somebody put a method of their own into a class of axiomcheck's."""
    home = vars(sys.modules[cls.__module__])
    for name, value in vars(cls).items():
        function = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        if not isinstance(function, FunctionType) or function.__globals__ is home:
            continue
        made = function.__globals__.get("__name__", "").partition(".")[0] in sys.stdlib_module_names
        if not (made and name.startswith("__")):  # as dataclasses make them
            return True
    return False


def is_own_value(value: Any) -> bool:
    """Whether an object is of a dataclass of axiomcheck's and has nothing but its fields: equal ones are alike."""
    cls = type(value)
    return is_own_class(cls) and is_dataclass(cls) and vars(value).keys() == {field.name for field in fields(cls)}

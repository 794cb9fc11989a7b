"""Find values and expressions that may run the user's code, which may change lists, arrays or objects."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import fields
from types import BuiltinFunctionType

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function, LocalObject, Super, UserClass, UserObject
from axiomcheck.derivation.values import Value

_READ = (
    *(abs, all, any, bool, dict, enumerate, float, frozenset, int, isinstance, len, list, max, min, range, reversed),
    *(round, set, sorted, str, sum, tuple, zip),
)
"""Python builtins that change nothing, unless an argument is a function."""


def runs_code(value: Value) -> bool:
    """Return True if using a value may run the user's code: it is or contains a user's function, class or object."""
    if isinstance(value, Function | UserClass | LocalObject | UserObject | Super):
        return True
    if isinstance(value, tuple | dict):
        return any(map(runs_code, v.entries(value)))
    kinds = v.First | v.Mapping | v.Loop | v.Once | v.Method | v.Builder
    if isinstance(value, kinds):
        return any(runs_code(getattr(value, part.name)) for part in fields(value))
    is_known = isinstance(value, np.ufunc | BuiltinFunctionType) or any(value is known for known in _READ)
    return callable(value) and not is_known and not str(getattr(value, "__module__", "")).startswith("numpy")


def refuse_effects(raised: ast.AST, find: Callable[[str], Value]) -> None:
    """Check that creating an exception does not run the user's code.

    Raises:
        Underivable: Creating the exception may run such code.

    """
    for node in ast.walk(raised):
        callee = find(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        error = isinstance(callee, type) and issubclass(callee, BaseException) and callee.__module__ == "builtins"
        if isinstance(node, ast.Call) and not error and callee not in (len, str, repr, type, list, sorted):
            raise Underivable("raises an exception whose message is computed by a call: use an f-string")

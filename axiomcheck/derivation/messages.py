"""Recognise logged messages and exception texts, which do not change scores."""

from __future__ import annotations

import ast
import logging
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FunctionType

from axiomcheck.derivation.forms import Form, Underivable
from axiomcheck.derivation.source import is_user_function
from axiomcheck.derivation.tables import Assigned
from axiomcheck.derivation.values import Array, Document, Documents, Value
from axiomcheck.sources.modules import is_installed

_TEXTS = (str, repr, round)
_PLAIN = (bool, int, Fraction, str, Array, Form, Document, Documents)
_OF_LOGGING = (logging, logging.Logger, logging.Handler, logging.StreamHandler, logging.Formatter)
_LEVELS = ("debug", "info", "warning", "error", "exception", "critical")


def parts_of(node: ast.expr, find: Callable[[str], Value]) -> Iterator[ast.expr]:
    """Yield the expressions whose values are written into a string."""
    match node:
        case ast.JoinedStr(parts) | ast.Tuple(parts) | ast.List(parts):
            pass
        case ast.Call(ast.Attribute(ast.Constant(str()), "format"), parts, []):
            pass
        case ast.Call(ast.Name(name), parts, []) if any(find(name) is known for known in _TEXTS):
            pass
        case ast.FormattedValue(value):
            parts = [value]
        case ast.BinOp(ast.Constant(str()), ast.Mod(), right):
            parts = [right]
        case ast.BinOp(left, ast.Add(), right) if _is_text(left):
            parts = [left, right]
        case _:
            yield node
            return
    for part in parts:
        yield from parts_of(part, find)


def _is_text(node: ast.expr) -> bool:
    """Return True if an expression is a string or begins with one."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add | ast.Mod) and _is_text(node.left)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def refuse_own_text(value: Value) -> None:
    """Check that converting a value to text calls no code of the user.

    Raises:
        Underivable: The value may be an object whose class determines its text.

    """
    if isinstance(value, tuple):
        for entry in value:
            refuse_own_text(entry)
    elif value is not None and not isinstance(value, _PLAIN):
        raise Underivable("prints or logs an object: print numbers and strings only")


def writes_message(called: ast.expr, find: Callable[[str], Value]) -> bool:
    """Return True for ``print``, and for a function or logger of ``logging`` whose handlers are the library's."""
    if isinstance(called, ast.Name):
        return find(called.id) is print and _calls_no_user_code(sys.stdout, depth=1)
    if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name) or called.attr not in _LEVELS:
        return False
    if any(is_user_function(member) for place in _OF_LOGGING for member in vars(place).values()):
        return False
    owner = find(called.value.id)
    logger = owner.value if isinstance(owner, Assigned) else logging.root if owner is logging else None
    while isinstance(logger, logging.Logger) and type(logger) in (logging.Logger, logging.RootLogger):
        if logger.filters or called.attr in vars(logger) or not all(map(_is_of_library, logger.handlers)):
            return False
        if logger.parent is None:
            return logging.lastResort is None or _is_of_library(logging.lastResort)
        logger = logger.parent
    return False


def _is_of_library(handler: logging.Handler) -> bool:
    """Return True for a handler with no filters that calls no code of the user, like its formatter and its stream."""
    return (
        not handler.filters
        and _calls_no_user_code(handler, depth=3)
        and logging.getLogRecordFactory() is logging.LogRecord
    )


def _calls_no_user_code(part: object, depth: int) -> bool:
    """Return True if using an object calls no code of the user: its class, and those of its attributes, are installed.

    Args:
        part: Object.
        depth: Number of levels of attributes to look at.

    """
    kind = type(part)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not (kind.__module__ in ("builtins", "_io", "_thread") or (file is not None and is_installed(file))):
        return False
    if isinstance(part, FunctionType):
        return is_installed(part.__code__.co_filename)
    held = getattr(part, "__dict__", {})
    return not any(callable(getattr(kind, name, None)) for name in held) and (
        depth == 0 or all(_calls_no_user_code(value, depth - 1) for value in held.values())
    )


def refuse_effects(raised: ast.AST, find: Callable[[str], Value]) -> None:
    """Check that creating an exception calls no code of the user.

    Raises:
        Underivable: Creating the exception may call such code.

    """
    for node in ast.walk(raised):
        callee = find(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        error = isinstance(callee, type) and issubclass(callee, BaseException) and callee.__module__ == "builtins"
        if isinstance(node, ast.Call) and not error and callee not in (len, str, repr, type, list, sorted):
            raise Underivable("raises an exception whose message is computed by a call: use an f-string")

"""Recognise messages and texts of exceptions, which do not change scores."""

from __future__ import annotations

import ast
import logging
import sys
from collections.abc import Callable, Iterator

from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.tables import Assigned
from axiomcheck.derivation.values import Value
from axiomcheck.sources.modules import is_installed

_TEXTS = (str, repr, round)
_LEVELS = ("debug", "info", "warning", "error", "exception", "critical")


def parts_of(node: ast.expr, find: Callable[[str], Value]) -> Iterator[ast.expr]:
    """Yield the expressions from which a text is composed, other than constants and plain names."""
    match node:
        case ast.Constant() | ast.Name():
            return
        case ast.JoinedStr(parts) | ast.Tuple(parts) | ast.List(parts):
            pass
        case ast.Call(ast.Attribute(ast.Constant(str()), "format"), parts, []):
            pass
        case ast.Call(ast.Name(name), parts, []) if any(find(name) is known for known in _TEXTS):
            pass
        case ast.FormattedValue(value):
            parts = [value]
        case ast.BinOp(left, ast.Add() | ast.Mod(), right):
            parts = [left, right]
        case _:
            yield node
            return
    for part in parts:
        yield from parts_of(part, find)


def writes_message(called: ast.expr, find: Callable[[str], Value]) -> bool:
    """Return True for ``print``, and for a function or logger of ``logging`` whose handlers are the library's."""
    if isinstance(called, ast.Name):
        return find(called.id) is print
    if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name) or called.attr not in _LEVELS:
        return False
    owner = find(called.value.id)
    logger = owner.value if isinstance(owner, Assigned) else logging.root if owner is logging else None
    while isinstance(logger, logging.Logger) and type(logger) in (logging.Logger, logging.RootLogger):
        if logger.filters or not all(map(_is_of_library, logger.handlers)):
            return False
        if logger.parent is None:
            return True
        logger = logger.parent
    return False


def _is_of_library(handler: logging.Handler) -> bool:
    """Return True for a handler whose class is in an installed module."""
    file = getattr(sys.modules.get(type(handler).__module__), "__file__", None)
    return file is not None and is_installed(file)


def refuse_effects(raised: ast.AST, find: Callable[[str], Value]) -> None:
    """Check that creating an exception calls no code of the user.

    Raises:
        Underivable: It may do so.

    """
    for node in ast.walk(raised):
        callee = find(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        error = isinstance(callee, type) and issubclass(callee, BaseException) and callee.__module__ == "builtins"
        if isinstance(node, ast.Call) and not error and callee not in (len, str, repr, type, list, sorted):
            raise Underivable("raises an exception whose message is computed by a call: use an f-string")

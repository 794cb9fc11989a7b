"""Errors for operations that exact numbers refuse, and checks that metric code does not catch these errors.

The errors do not occur when the same code runs on floats. Code that catches one and continues would therefore compute
something different from what it computes in floats. For this reason, every refusal in a run is recorded, and exception
handlers in recompiled code check the exception that they handle.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_REFUSED: ContextVar[list[str] | None] = ContextVar("refused", default=None)
"""Messages of the refusals in the current run; None outside a run."""

_ORDINARY = (ZeroDivisionError, KeyError, IndexError, StopIteration, AssertionError, ImportError, ModuleNotFoundError)
"""Exceptions that code may raise and handle for its own purposes, whatever the type of its numbers."""


class Refusal(Exception):
    """Base class of errors for refused operations. Within `one_run`, every error that is created is recorded."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        if (said := _REFUSED.get()) is not None:
            said.append(why)


class Inexact(Refusal, TypeError):
    """Raised if the exact result of an operation is not known. The message may contain a hint."""


class Blurred(Refusal, ArithmeticError):
    """Raised if the sign of a number is unknown: balls around it contain 0, and no identity shows that it is 0."""


class Unproved(Refusal, NotImplementedError):
    """Raised by an operation that proofs or series in eps do not support."""


class _Swallowed(BaseException):
    """Raised if metric code catches a refusal and continues. In floats, its handler would not have run."""


@contextmanager
def one_run() -> Iterator[None]:
    """Record refusals in the code of a metric that runs within this context.

    Raises:
        Inexact: An operation was refused, and the code continued. The error is raised on exit.

    """
    refused: list[str] = []
    token = _REFUSED.set(refused)
    try:
        yield
    except _Swallowed as error:
        raise Inexact(str(error)) from error
    finally:
        _REFUSED.reset(token)
    if refused:
        raise Inexact(f"it continues after an operation on exact numbers was refused: {refused[0]}")


def running() -> bool:
    """Return True within `one_run`, where the code of a metric runs."""
    return _REFUSED.get() is not None


def handled() -> None:
    """Check that the exception being handled is not a refusal. Every exception handler in recompiled code calls this.

    Raises:
        BaseException: The exception may be a refusal. `one_run` converts the error.

    """
    _look_at(sys.exc_info()[1])


def _look_at(error: BaseException | None) -> None:
    kind = type(error)
    if _REFUSED.get() is None:  # a module is being imported, whose handlers may have any purpose
        if isinstance(error, Refusal):
            raise error
        return
    theirs = kind.__module__ not in ("builtins", "numpy.exceptions") and not kind.__module__.startswith("axiomcheck.")
    if not (kind in _ORDINARY or theirs):
        raise _Swallowed(f"an exception handler continues after {kind.__name__}: {error}")


class Guarded:
    """Context manager that wraps another in recompiled code, and raises an error if that one suppresses a refusal.

    Args:
        manager: Context manager of the user's code.

    """

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __enter__(self) -> Any:
        return self.manager.__enter__()

    def __exit__(self, kind: Any, error: BaseException | None, where: Any) -> Any:
        ended = self.manager.__exit__(kind, error, where)
        if ended and error is not None:
            _look_at(error)
        return ended

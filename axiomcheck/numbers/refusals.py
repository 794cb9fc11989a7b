"""Define errors for operations that exact numbers refuse, and detect metric code that catches them.

These errors do not occur when the same code runs on floats. Code that catches one and continues would therefore compute
something different from what it computes in floats. For this reason, every refusal in a run is recorded, and exception
handlers in recompiled code check the error that they handle.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_REFUSED: ContextVar[list[str] | None] = ContextVar("refused", default=None)
"""Refusals in the current run; None outside a run."""

_ORDINARY = (ZeroDivisionError, KeyError, IndexError, StopIteration, AssertionError, ImportError, ModuleNotFoundError)
"""Errors that code may raise and handle for its own purposes, whatever the number type."""


class Refusal(Exception):
    """Base class for errors about refused operations. Creating such an error within `one_run` also records it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        if (said := _REFUSED.get()) is not None:
            said.append(why)


class Inexact(Refusal, TypeError):
    """Raised for a result without a known exact value. The message contains a hint."""


class Blurred(Refusal, ArithmeticError):
    """Raised when the balls around a number contain 0 at every precision, although no identity shows that it is 0."""


class Unproved(Refusal, NotImplementedError):
    """Raised for an operation that proofs or series in eps do not support."""


class _Swallowed(BaseException):
    """Raised when metric code catches a refusal and continues. In floats, its handler would not have run."""


@contextmanager
def one_run() -> Iterator[None]:
    """Run a metric's code in this context, and raise an error on exit if any operation was refused.

    Raises:
        Inexact: An operation was refused, and the code continued.

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
    """Return True if a metric's code is running."""
    return _REFUSED.get() is not None


def handled() -> None:
    """Raise an error if the exception being handled may be a refusal. Every handler in recompiled code calls this.

    Raises:
        BaseException: The exception may be a refusal. `one_run` reports the error.

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
    """Wrapper of a context manager in recompiled code, which raises an error if the manager suppresses a refusal.

    Args:
        manager: Context manager in the user's code.

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

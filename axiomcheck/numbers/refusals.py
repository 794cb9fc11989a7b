"""Refusals of exact numbers, which a metric's own code must not go on after as if nothing had happened.

Code may have handlers: what they catch in a run on symbols would not have been raised in floats, and what comes after
would be another definition. So every refusal in a run is noted, and handlers of code that was read again look at what
they were given.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_REFUSED: ContextVar[list[str] | None] = ContextVar("refused", default=None)
"""Refusals in this run; None outside one."""

_ORDINARY = (ZeroDivisionError, KeyError, IndexError, StopIteration, AssertionError, ImportError, ModuleNotFoundError)
"""Errors that code raises and handles for reasons of its own, on numbers of every kind alike."""


def _note(why: str) -> None:
    if (said := _REFUSED.get()) is not None:
        said.append(why)


class Inexact(TypeError):
    """An exact number has no exact value for what was asked, or none that is known here; the text says what helps."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        _note(why)


class Blurred(ArithmeticError):
    """Balls of every precision tried contain zero, and no identity shows that the number is zero."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        _note(why)


class Unproved(NotImplementedError):
    """A number has no value of a kind that proofs or series know."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        _note(why)


class _Swallowed(BaseException):
    """A handler of the metric's own goes on where exact numbers were refused, as it would not in floats."""


@contextmanager
def one_run() -> Iterator[None]:
    """A run of a metric's code, which does not count if something was refused in it.

    Raises:
        Inexact: something was, and the code went on.

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
        raise Inexact(f"it goes on although exact numbers were refused: {refused[0]}")


def running() -> bool:
    """Return whether a metric's code is being run."""
    return _REFUSED.get() is not None


def handled() -> None:
    """Called first in every handler of code that was read again.

    Raises:
        BaseException: what is handled may be a refusal of exact numbers; `one_run` says so.

    """
    _look_at(sys.exc_info()[1])


def _look_at(error: BaseException | None) -> None:
    kind = type(error)
    if _REFUSED.get() is None:  # a file is being loaded, which may try for all sorts of things
        if isinstance(error, Inexact | Blurred | Unproved):
            raise error
        return
    theirs = kind.__module__ not in ("builtins", "numpy.exceptions") and not kind.__module__.startswith("axiomcheck.")
    if not (kind in _ORDINARY or theirs):
        raise _Swallowed(f"a handler goes on after {kind.__name__}: {error}")


class Guarded:
    """A context manager of a ``with`` that was read again: one that ends an error is a handler, too.

    Args:
        manager: the user's.

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

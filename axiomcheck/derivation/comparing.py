"""Record the numbers that code compares ranks and lengths with, whether or not the derived fold depends on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_COMPARED: ContextVar[set[int] | None] = ContextVar("compared", default=None)


@contextmanager
def recorded_comparisons() -> Iterator[set[int]]:
    """Return the set to which `record_comparison` adds numbers in this context."""
    compared: set[int] = set()
    token = _COMPARED.set(compared)
    try:
        yield compared
    finally:
        _COMPARED.reset(token)


def record_comparison(rank: int) -> None:
    """Record a number > 0 that ranks or lengths are compared with."""
    compared = _COMPARED.get()
    if compared is not None and rank > 0:
        compared.add(rank)

"""Record the comparisons that code makes: of ranks and lengths with constants, and of totals with 0.

These comparisons are recorded whether or not the derived fold depends on them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class Comparisons:
    """Comparisons that a function's code makes, collected while its fold is derived.

    Args:
        ranks: Positive constants that the code compares ranks or lengths with.
        totals: States and totals that must be nonnegative, because the code tests whether they are positive. Each has
            the place of the test.
        place: Place of the statement that is being run, such as ``line 3 of mine.py``.

    """

    ranks: set[int] = field(default_factory=set)
    totals: dict[Hashable, str] = field(default_factory=dict)
    place: str = ""


_COMPARED: ContextVar[Comparisons | None] = ContextVar("compared", default=None)


@contextmanager
def recorded_comparisons() -> Iterator[Comparisons]:
    """Context manager that collects the comparisons recorded by the functions below within its block."""
    compared = Comparisons()
    token = _COMPARED.set(compared)
    try:
        yield compared
    finally:
        _COMPARED.reset(token)


def record_comparison(rank: int) -> None:
    """Record a constant that code compares a rank or a length with."""
    compared = _COMPARED.get()
    if compared is not None and rank > 0:
        compared.ranks.add(rank)


def record_total(atom: Hashable) -> None:
    """Record a state or a total that code compares with 0."""
    compared = _COMPARED.get()
    if compared is not None:
        compared.totals.setdefault(atom, compared.place)


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """Context manager that sets the place of the comparisons recorded within its block."""
    compared = _COMPARED.get() or Comparisons()
    outer, compared.place = compared.place, place
    try:
        yield
    finally:
        compared.place = outer

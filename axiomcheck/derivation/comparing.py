"""Record what code compares: numbers with ranks and lengths, and totals with 0.

These comparisons are recorded whether or not the derived fold depends on them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class Comparisons:
    """Comparisons of a function's code.

    Args:
        ranks: Numbers > 0 that ranks or lengths are compared with.
        totals: States and totals that must not be negative, because code tests whether they are positive.

    """

    ranks: set[int] = field(default_factory=set)
    totals: dict[Hashable, None] = field(default_factory=dict)


_COMPARED: ContextVar[Comparisons | None] = ContextVar("compared", default=None)


@contextmanager
def recorded_comparisons() -> Iterator[Comparisons]:
    """Return the comparisons to which the functions below add in this context."""
    compared = Comparisons()
    token = _COMPARED.set(compared)
    try:
        yield compared
    finally:
        _COMPARED.reset(token)


def record_comparison(rank: int) -> None:
    """Record a number that ranks or lengths are compared with."""
    compared = _COMPARED.get()
    if compared is not None and rank > 0:
        compared.ranks.add(rank)


def record_total(atom: Hashable) -> None:
    """Record a state or a total that code compares with 0."""
    compared = _COMPARED.get()
    if compared is not None:
        compared.totals[atom] = None

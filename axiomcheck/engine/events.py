"""What a run says of itself while it is at work; the command line, the gate and the pytest plugin listen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from axiomcheck.records.cells import Cell

__all__ = ["CellDecided", "Event", "Listener", "Progress"]


@dataclass(frozen=True)
class Progress:
    """A share of the whole work is done.

    Args:
        share: from 0 to 1.
        doing: the constraints that are being searched.

    """

    share: float
    doing: str


@dataclass(frozen=True)
class CellDecided:
    """A cell has its verdict."""

    cell: Cell


Event = Progress | CellDecided
Listener = Callable[[Event], None]

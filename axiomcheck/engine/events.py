"""Define the events that a run reports to the command line, the gate and the pytest plugin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from axiomcheck.core.errors import AxiomcheckError

if TYPE_CHECKING:  # the command line imports events before it loads the records
    from axiomcheck.records.cells import Cell, Ledger


@dataclass(frozen=True)
class Progress:
    """Emitted to report how much of the whole run is done.

    Args:
        share: Share from 0 to 1.
        doing: Names of the axioms that are being decided, or another description of the work in progress.

    """

    share: float
    doing: str


@dataclass(frozen=True)
class CellDecided:
    """Emitted when a cell has its final verdict.

    Args:
        small: Whether r << 1 is assumed. A run may contain cells of both kinds.

    """

    cell: Cell
    small: bool = False


@dataclass(frozen=True)
class CellSoFar:
    """Emitted when a cell has a first answer that may still improve. See `CellDecided` for the fields."""

    cell: Cell
    small: bool = False


@dataclass(frozen=True)
class Said:
    """Emitted to show the user a line of text, such as a measured speed."""

    text: str


class Interrupted(AxiomcheckError):
    """Raised when a run is interrupted. `ledger` holds all its cells, including the undecided ones."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__("interrupted")
        self.ledger = ledger


Event = Progress | CellDecided | CellSoFar | Said
Listener = Callable[[Event], None]


def within(listen: Callable[[Any], None], start: float, end: float) -> Callable[[Any], None]:
    """Return a listener for one part of the work, which maps progress from [0, 1] to [`start`, `end`]."""

    def heard(event: object) -> None:
        listen(Progress(start + (end - start) * event.share, event.doing) if isinstance(event, Progress) else event)

    return heard

"""Events of a run while it is at work; the command line, the gate and the pytest plugin listen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from axiomcheck.core.errors import AxiomcheckError

if TYPE_CHECKING:  # the command line knows events before it knows what there is to decide
    from axiomcheck.records.cells import Cell, Ledger


@dataclass(frozen=True)
class Progress:
    """A share of the whole work is done.

    Args:
        share: from 0 to 1.
        doing: the axioms that are being searched.

    """

    share: float
    doing: str


@dataclass(frozen=True)
class CellDecided:
    """A cell has its verdict.

    Args:
        small: whether r << 1 is assumed, where a run has cells of both kinds.

    """

    cell: Cell
    small: bool = False


@dataclass(frozen=True)
class CellSoFar:
    """A cell has a first answer, and may get a better one; see `CellDecided`."""

    cell: Cell
    small: bool = False


@dataclass(frozen=True)
class Said:
    """A line for whoever waits: what was measured, and what it comes to."""

    text: str


class Interrupted(AxiomcheckError):
    """The run was interrupted; `ledger` holds what was decided, the other cells as undecided."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__("interrupted")
        self.ledger = ledger


Event = Progress | CellDecided | CellSoFar | Said
Listener = Callable[[Event], None]

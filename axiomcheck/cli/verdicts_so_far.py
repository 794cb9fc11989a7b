"""Table of a metric's verdicts that grows while they are decided."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.core.printable import escaped
from axiomcheck.engine.events import CellDecided, CellSoFar
from axiomcheck.records.cells import Cell
from axiomcheck.reports.symbols import SYMBOLS

_AWAITED = "·"


class VerdictsSoFar:
    """Verdicts of the metric that is being checked, by axiom and regime.

    Args:
        axioms: Axioms that are decided, in the order of the columns.

    """

    def __init__(self, axioms: Sequence[Axiom]) -> None:
        self._axioms = axioms
        self._metric = ""
        self._cells: dict[tuple[str, bool], Cell] = {}

    def add(self, event: CellDecided | CellSoFar) -> None:
        """Add a cell, or begin anew with the first cell of the next metric."""
        if event.cell.metric != self._metric:
            self._metric, self._cells = event.cell.metric, {}
        self._cells[event.cell.axiom, event.small] = event.cell

    def table(self) -> Table:
        """Return the table, with a dot for each verdict that is awaited."""
        table = Table("Regime", *(axiom.name for axiom in self._axioms), title=escaped(self._metric), box=None)
        for regime in Regime:
            read = [(axiom.name, assumes_small(axiom, Reading(regime))) for axiom in self._axioms]
            found = [self._cells.get(key) for key in read]
            table.add_row(regime.value, *(SYMBOLS[cell.verdict] if cell else _AWAITED for cell in found))
        return table

"""The matrix as CSV: one line per cell."""

from __future__ import annotations

import csv
import io
from typing import Any

from axiomcheck.core.printable import spreadsheet_cell
from axiomcheck.records.cells import Cell, Ledger

COLUMNS = (
    "metric",
    "row",
    "axiom",
    "verdict",
    "published",
    "finding",
    "instances",
    "violation share",
    "reason",
)


def to_csv(ledger: Ledger) -> str:
    """The cells of a ledger as CSV with a header line; entries that a cell does not have are empty.

    Text that a spreadsheet would take for a formula has ' before it.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_line(cell) for cell in ledger.cells)
    return out.getvalue()


def entries(cell: Cell) -> list[Any]:
    """What a cell has in each of `COLUMNS`; None where it has nothing."""
    return [
        cell.metric,
        cell.row,
        cell.axiom,
        cell.verdict.value,
        cell.published,
        cell.finding,
        cell.evidence and cell.evidence.instances,
        cell.violations and cell.violations.share,
        cell.reason,
    ]


def _line(cell: Cell) -> list[Any]:
    plain = [str(entry).lower() if isinstance(entry, bool) else entry for entry in entries(cell)]
    return [spreadsheet_cell(entry) if isinstance(entry, str) else entry for entry in plain]

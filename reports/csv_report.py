"""The matrix as CSV: one line per cell."""

from __future__ import annotations

import csv
import io

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


def _line(cell: Cell) -> list[object]:
    entries = [
        cell.metric,
        cell.row,
        cell.axiom,
        cell.verdict.value,
        cell.published,
        "true" if cell.finding else "false",
        cell.evidence and cell.evidence.instances,
        cell.violations and cell.violations.share,
        cell.reason,
    ]
    return [spreadsheet_cell(entry) if isinstance(entry, str) else entry for entry in entries]

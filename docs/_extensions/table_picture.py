"""Check the committed picture of the table in the README, `docs/table.svg`, against the computed matrix."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sphinx.util.logging import getLogger

from axiomcheck.metrics import paper_rows
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.matrix_report import matrix_report
from axiomcheck.reports.pictures import report_svg

FILE = "table.svg"


def picture(ledger: Ledger) -> str:
    """Return the figure of the paper's twenty rows of a ledger."""
    wanted = {metric.canonical for metric in paper_rows()}
    return report_svg(
        matrix_report(replace(ledger, cells=tuple(cell for cell in ledger.cells if cell.metric in wanted)))
    )


def hold(docs: Path, ledger: Ledger) -> None:
    """Write the picture again if it differs from the ledger, and warn that it has to be committed."""
    file, now = docs / FILE, picture(ledger)
    if not file.exists() or file.read_text(encoding="utf-8") != now:
        file.write_text(now, encoding="utf-8")
        getLogger(__name__).warning("docs/%s differed from the matrix and was written again; commit it", FILE)

"""Render checked metrics as an HTML page, with expandable cells for each regime and the report of each metric."""

from __future__ import annotations

from collections.abc import Sequence

from axiomcheck.checks.metric import Checked
from axiomcheck.reports.check_report import check_report, tried_text
from axiomcheck.reports.html.cells import identities, shown_cell
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.layout import Layout
from axiomcheck.reports.symbols import SYMBOLS, WORDS


def check_page(found: Sequence[Checked]) -> str:
    """Return the HTML page of checked metrics."""
    taken: set[str] = set()
    metrics, shown = [], []
    for checked in found:
        ids = {}
        for ledger in checked.ledgers:
            for cell, identity in zip(ledger.cells, identities(ledger, taken), strict=True):
                ids[ledger.regime, cell.axiom] = identity
                shown.append((shown_cell(ledger, cell, identity), Layout(ledger).marks(cell)))
        tried = tried_text(checked) if checked.cells else ""
        metrics.append({"checked": checked, "ids": ids, "report": check_report(checked), "tried": tried})
    there = {cell.verdict for checked in found for cell in checked.cells}
    lines = [line for checked in found for ledger in checked.ledgers for line in Layout(ledger).legend()]
    marks = list(dict.fromkeys(line for line in lines if line[0] is None))
    axioms = [cell.axiom for cell in found[0].ledgers[0].cells] if found and found[0].cells else []
    return render_page(
        "check.html.j2",
        styles=("matrix.css", "cell.css", "tables.css", "plots.css"),
        scripts=("matrix.js", "copy.js", "sort.js") if axioms else ("copy.js", "sort.js"),
        metrics=metrics,
        axioms=axioms,
        verdicts=[verdict for verdict in SYMBOLS if verdict in there],
        legend=[(verdict, SYMBOLS[verdict], WORDS[verdict]) for verdict in SYMBOLS if verdict in there] + marks,
        cells=shown,
        marks={each.id: mark for each, mark in shown},
    )

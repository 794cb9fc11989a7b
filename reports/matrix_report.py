"""The matrix as CSV, a line per cell, and as GitHub Markdown."""

from __future__ import annotations

from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.layout import Layout, caption, counts, hints, reasons_told_once
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import as_markdown, markdown_row, table_csv
from axiomcheck.reports.words import finding_sentence, findings_headline

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
    """Return the cells of a ledger as CSV with a header line; entries that a cell does not have are empty."""
    return table_csv(COLUMNS, [cell_values(cell) for cell in ledger.cells])


def cell_values(cell: Cell) -> list[str | int | float | None]:
    """Return the value of a cell in each of `COLUMNS`; None where it has none."""
    return [
        cell.metric,
        cell.row,
        cell.axiom,
        cell.verdict.value,
        cell.published,
        cell.finding,
        cell.evidence.instances if cell.evidence is not None else None,
        (cell.violations.share or None) if cell.violations else None,
        cell.reason,
    ]


def to_markdown(ledger: Ledger) -> str:
    """The table, its legend and the findings, as GitHub shows them."""
    layout = Layout(ledger)
    axioms = [axiom for names in layout.groups.values() for axiom in names]
    lines = [markdown_row(["Metric", "Published row", *axioms]), markdown_row([":--", ":--", *[":-:"] * len(axioms)])]
    for metric, row in layout.metrics.items():
        shown = []
        for axiom in axioms:
            cell = layout.cell(metric, axiom)
            shown.append(as_markdown(SYMBOLS[cell.verdict] + layout.marks(cell)) if cell else "")
        lines.append(markdown_row([as_markdown(metric), as_markdown(row or ""), *shown]))
    groups = "; ".join(f"{heading}: {', '.join(names)}" for heading, names in layout.groups.items())
    blocks = [
        "\n".join(lines),
        f"{as_markdown(groups)}.",
        f"{as_markdown(caption(ledger))}.",
        _bullets([f"{symbol} {words}" for symbol, words in layout.legend()]),
        f"**{as_markdown(findings_headline(ledger))}.**",
        _bullets([*(finding_sentence(cell) for cell in ledger.findings), *hints(ledger)]),
        f"{as_markdown(counts(ledger))}.",
        _bullets([f"{SYMBOLS[verdict]} {text}" for verdict, text in reasons_told_once(ledger)]),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _bullets(texts: list[str]) -> str:
    return "\n".join(f"- {as_markdown(text)}" for text in texts)

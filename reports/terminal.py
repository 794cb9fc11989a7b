"""The matrix on a terminal, and in a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.findings import print_findings
from axiomcheck.reports.layout import Layout, caption
from axiomcheck.reports.paragraphs import listed, paragraph
from axiomcheck.reports.rows import TableRows
from axiomcheck.reports.symbol_table import SymbolBlock, SymbolTable, print_symbols
from axiomcheck.reports.symbols import STYLES, SYMBOLS


def print_ledger(console: Console, ledger: Ledger, explain: bool = False, offered: Sequence[str] = ()) -> None:
    """Prints the table of a ledger, then its findings as `print_findings` does."""
    print_matrix(console, ledger)
    console.print()
    print_findings(console, ledger, explain, offered)


def print_matrix(console: Console, ledger: Ledger) -> None:
    """Prints the table of a ledger, its caption and the legend of what occurs in it.

    Metrics have short names, and stand below their families. `print_symbols` says what becomes of the
    table where the console is narrow.

    Args:
        console: where to; its width decides how the table is laid out.
        ledger: the cells.

    """
    layout = Layout(ledger)
    rows = TableRows(layout)
    print_symbols(console, _symbols(rows))
    paragraph(console, f"{caption(ledger)}.")
    if rows.in_full:
        listed(console, rows.in_full, "In full: ")
    _print_other_names(console, rows)
    for symbol, words in layout.legend(rows.verdicts):
        paragraph(console, words, f"{symbol} ", "dim")
    for sentence in rows.left_out:
        paragraph(console, sentence, f"{SYMBOLS[Verdict.NOT_APPLICABLE]} ", "dim")


def _print_other_names(console: Console, rows: TableRows) -> None:
    """Names the published rows that the metrics' own names do not tell."""
    printed = rows.layout.metrics.items()
    named = [f"{rows.names[m]} is {row}" for m, row in printed if row and not m.startswith(row.removesuffix("@k"))]
    if named:
        paragraph(console, f"In the published table {', '.join(named)}.")


def _symbols(rows: TableRows) -> SymbolTable:
    """The rows of a ledger with what stands in them."""
    blocks = []
    for block in rows.blocks:
        axioms = [axiom for heading in block.groups for axiom in rows.groups[heading]]
        shown = {
            rows.names[metric]: {
                axiom: _symbol(rows.layout, cell)
                for axiom in axioms
                if (cell := rows.layout.cell(metric, axiom)) is not None
            }
            for metric in block.metrics
        }
        blocks.append(SymbolBlock(block.heading, shown))
    return SymbolTable("Metric", rows.groups, blocks)


def _symbol(layout: Layout, cell: Cell) -> Text:
    text = Text().append(SYMBOLS[cell.verdict], style=STYLES[cell.verdict])
    return text.append(layout.marks(cell), style="bold")

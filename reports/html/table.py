"""The table of a ledger as pages show it: rows by family, columns by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell
from axiomcheck.reports.layout import Layout
from axiomcheck.reports.rows import TableRows
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.sources.names import FAMILIES, family_of


@dataclass(frozen=True)
class MetricRow:
    """A metric.

    Args:
        metric: the canonical name.
        name: a short one.
        row: of the published table, or None.
        cells: one per axiom of the table; None where the ledger has none.

    """

    metric: str
    name: str
    row: str | None
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class TableFamily:
    """The metrics of one family, in the ledger's order."""

    name: str
    rows: tuple[MetricRow, ...]


def families(layout: Layout, axioms: Sequence[str]) -> list[TableFamily]:
    """The rows of a table of some axioms, family by family; metrics that have no cell there are left out."""
    names = TableRows(layout).names
    found: dict[str, list[MetricRow]] = {name: [] for name in FAMILIES}
    for metric, row in layout.metrics.items():
        cells = tuple(layout.cell(metric, axiom) for axiom in axioms)
        if any(cells):
            found[family_of(metric)].append(MetricRow(metric, names[metric], row, cells))
    return [TableFamily(name, tuple(rows)) for name, rows in found.items() if rows]


def legend(layout: Layout) -> list[tuple[Verdict | None, str, str]]:
    """(verdict or None, symbol, words) of what occurs in a table."""
    verdict_of = {symbol: verdict for verdict, symbol in SYMBOLS.items()}
    return [(verdict_of.get(symbol), symbol, words) for symbol, words in layout.legend()]

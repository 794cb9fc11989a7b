"""The matrix on a terminal, at 80 columns or more, and in a pipe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.core.printable import escaped
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.findings import print_findings
from axiomcheck.reports.layout import Layout, caption
from axiomcheck.reports.paragraphs import entry, listed, paragraph
from axiomcheck.reports.rows import TableRows
from axiomcheck.reports.symbols import STYLES, SYMBOLS

_NARROWEST = 3
"""A symbol and two marks."""
_GAP = 3
"""What the empty column before a group takes, its separators included."""
_INDENT = "  "
"""Before a metric below its family."""


def print_ledger(console: Console, ledger: Ledger, explain: bool = False, offered: Sequence[str] = ()) -> None:
    """Prints the table of a ledger, then its findings as `print_findings` does."""
    print_matrix(console, ledger)
    console.print()
    print_findings(console, ledger, explain, offered)


def print_matrix(console: Console, ledger: Ledger) -> None:
    """Prints the table of a ledger, its caption and the legend of what occurs in it.

    Metrics have short names, and stand below their families. Where the console is too narrow for the whole table, each
    group of axioms gets a table of its own.

    Args:
        console: where to; its width decides how the table is laid out.
        ledger: the cells.

    """
    layout = Layout(ledger)
    rows = TableRows(layout)
    for plan in _plans(rows, console.width):
        console.print(Text(plan.band(), style="bold"), no_wrap=True)
        console.print(_table(rows, plan))
        console.print()
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


class _Plan:
    """Widths and headings of the columns.

    Args:
        rows: of the table.
        groups: the headings of the groups of axioms that are drawn.
        split: whether long names of axioms are broken in two.

    """

    def __init__(self, rows: TableRows, groups: Iterable[str], split: bool) -> None:
        self.groups = {heading: rows.groups[heading] for heading in groups}
        self.blocks = [block for block in rows.blocks if self.groups.keys() & block.groups]
        axioms = [axiom for names in self.groups.values() for axiom in names]
        self.headings = {axiom: _split(axiom) if split else axiom for axiom in axioms}
        self.widths = {
            axiom: max(_NARROWEST, *map(cell_len, heading.split("\n"))) for axiom, heading in self.headings.items()
        }
        for heading, names in self.groups.items():
            for k in range(len(heading) - self._span(names)):
                self.widths[names[k % len(names)]] += 1
        self.indent = _INDENT if any(block.heading for block in self.blocks) else ""
        shown = [self.indent + escaped(rows.names[name]) for block in self.blocks for name in block.metrics]
        self.metric = max(map(cell_len, ["Metric", *shown, *(block.heading for block in self.blocks)]))

    def _span(self, names: list[str]) -> int:
        return sum(self.widths[name] for name in names) + len(names) - 1

    @property
    def total(self) -> int:
        """The width of the whole table."""
        return self.metric + sum(_GAP + self._span(names) for names in self.groups.values())

    def band(self) -> str:
        """The line over the table that names the groups."""
        parts = [" " * self.metric]
        parts += [f"{heading:^{self._span(names)}}" for heading, names in self.groups.items()]
        return (" " * _GAP).join(parts).rstrip()


def _plans(rows: TableRows, width: int) -> list[_Plan]:
    """The roomiest plan that fits; where none does, one for each group."""
    whole = _roomiest(rows, rows.groups, width)
    if whole.total <= width or len(rows.groups) < 2:
        return [_squeezed(whole, width)]
    return [_squeezed(_roomiest(rows, [heading], width), width) for heading in rows.groups]


def _roomiest(rows: TableRows, groups: Iterable[str], width: int) -> _Plan:
    plan = _Plan(rows, groups, split=False)
    return plan if plan.total <= width else _Plan(rows, groups, split=True)


def _squeezed(plan: _Plan, width: int) -> _Plan:
    """A last resort: long names of metrics go on in a second line."""
    plan.metric -= min(max(0, plan.total - width), max(0, plan.metric - len("Metric")))
    return plan


def _split(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "\n", name) if len(name) > 5 else name


def _table(rows: TableRows, plan: _Plan) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, width=plan.total)
    table.add_column("Metric", width=plan.metric, overflow="fold", vertical="top")
    for names in plan.groups.values():
        table.add_column("", width=_GAP - 2)
        for name in names:
            table.add_column(plan.headings[name], width=plan.widths[name], no_wrap=True)
    for block in plan.blocks:
        if block.heading:
            table.add_row(Text(block.heading, style="bold"))
        for metric in block.metrics:
            entries = [entry(plan.indent + rows.names[metric])]
            for heading, names in plan.groups.items():
                entries.append(Text(""))
                shown = [rows.layout.cell(metric, name) if heading in block.groups else None for name in names]
                entries += [_symbol(rows.layout, c, plan.widths[n]) for n, c in zip(names, shown, strict=True)]
            table.add_row(*entries)
    return table


def _symbol(layout: Layout, cell: Cell | None, width: int) -> Text:
    if cell is None:
        return Text("")
    text = Text(" " * min(2, width - _NARROWEST))
    text.append(SYMBOLS[cell.verdict], style=STYLES[cell.verdict])
    text.append(layout.marks(cell), style="bold")
    return text

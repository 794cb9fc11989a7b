"""The matrix and its findings on a terminal, at 80 columns or more, and in a pipe."""

from __future__ import annotations

import re

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.core.printable import escaped
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.sentences import finding_sentence, findings_headline
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.layout import Layout, caption, counts, hints, reasons_told_once
from axiomcheck.reports.paragraphs import entry, paragraph
from axiomcheck.reports.symbols import SYMBOLS

STYLES: dict[Verdict, str] = {
    Verdict.PROVED: "bold green",
    Verdict.BOUNDED: "green",
    Verdict.HELD: "cyan",
    Verdict.REFUTED: "red",
    Verdict.INCOMPARABLE: "magenta",
    Verdict.NOT_APPLICABLE: "dim",
    Verdict.UNDECIDED: "yellow",
    Verdict.ERROR: "bold yellow",
}
_NARROWEST = 3
"""A symbol and two marks."""
_GAP = 3
"""What the empty column before a group takes, its separators included."""


def print_ledger(console: Console, ledger: Ledger) -> None:
    """Prints the table of a ledger, then its findings."""
    print_matrix(console, ledger)
    console.print()
    print_findings(console, ledger)


def print_matrix(console: Console, ledger: Ledger) -> None:
    """Prints the table of a ledger, its caption and the legend of what occurs in it.

    Where the console is too narrow for the whole table, each group of axioms gets a table of its own.

    Args:
        console: where to; its width decides how the table is laid out.
        ledger: the cells.

    """
    layout = Layout(ledger)
    plans = _plans(layout, console.width)
    for plan in plans:
        console.print(Text(plan.band(), style="bold"), no_wrap=True)
        console.print(_table(layout, plan))
        console.print()
    paragraph(console, f"{caption(ledger)}.")
    if not plans[0].rows:
        _print_other_names(console, layout)
    for symbol, words in layout.legend():
        paragraph(console, words, f"{symbol} ", "dim")


def print_findings(console: Console, ledger: Ledger) -> None:
    """Prints the cells that differ from the published claim, the counts, and the cells without an answer.

    Args:
        console: where to.
        ledger: the cells.

    """
    paragraph(console, findings_headline(ledger), style="bold")
    for cell in ledger.findings:
        paragraph(console, finding_sentence(cell), "- ")
    for hint in hints(ledger):
        paragraph(console, hint, "- ")
    console.print()
    paragraph(console, counts(ledger))
    missing = reasons_told_once(ledger)
    if missing:
        console.print()
        paragraph(console, "Without an answer", style="bold")
    for verdict, text in missing:
        paragraph(console, text, f"{SYMBOLS[verdict]} ", lead_style=STYLES[verdict])


def _print_other_names(console: Console, layout: Layout) -> None:
    """Names the published rows that the metrics' own names do not tell."""
    rows = layout.metrics.items()
    named = [f"{metric} is {row}" for metric, row in rows if row and not metric.startswith(row.removesuffix("@k"))]
    if named:
        paragraph(console, f"In the published table {', '.join(named)}.")


class _Plan:
    """Widths and headings of the columns.

    Args:
        layout: the table.
        groups: heading -> axioms, of the groups that are drawn.
        rows: whether the published table's rows get a column.
        split: whether long names of axioms are broken in two.

    """

    def __init__(self, layout: Layout, groups: dict[str, list[str]], rows: bool, split: bool) -> None:
        self.rows = rows
        self.groups = groups
        axioms = [axiom for names in self.groups.values() for axiom in names]
        self.headings = {axiom: _split(axiom) if split else axiom for axiom in axioms}
        self.widths = {
            axiom: max(_NARROWEST, *map(cell_len, heading.split("\n"))) for axiom, heading in self.headings.items()
        }
        for heading, names in self.groups.items():
            for k in range(len(heading) - self._span(names)):
                self.widths[names[k % len(names)]] += 1
        self.metric = max([len("Metric"), *(cell_len(escaped(name)) for name in layout.metrics)])
        self.row = max([len("Row"), *(cell_len(escaped(row or "")) for row in layout.metrics.values())]) if rows else 0

    def _span(self, names: list[str]) -> int:
        return sum(self.widths[name] for name in names) + len(names) - 1

    @property
    def lead(self) -> int:
        """What stands left of the groups."""
        return self.metric + (self.row + 1 if self.rows else 0)

    @property
    def total(self) -> int:
        """The width of the whole table."""
        return self.lead + sum(_GAP + self._span(names) for names in self.groups.values())

    def band(self) -> str:
        """The line over the table that names the groups."""
        parts = [" " * self.lead]
        parts += [f"{heading:^{self._span(names)}}" for heading, names in self.groups.items()]
        return (" " * _GAP).join(parts).rstrip()


def _plans(layout: Layout, width: int) -> list[_Plan]:
    """The roomiest plan that fits; where none does, one for each group."""
    whole = _roomiest(layout, layout.groups, width)
    if whole.total <= width or len(layout.groups) < 2:
        return [_squeezed(whole, width)]
    parts = [_roomiest(layout, {heading: names}, width) for heading, names in layout.groups.items()]
    return [_squeezed(part, width) for part in parts]


def _roomiest(layout: Layout, groups: dict[str, list[str]], width: int) -> _Plan:
    plans = [_Plan(layout, groups, rows, split) for rows, split in ((True, False), (False, False), (False, True))]
    return next((plan for plan in plans if plan.total <= width), plans[-1])


def _squeezed(plan: _Plan, width: int) -> _Plan:
    """A last resort: long names of metrics go on in a second line."""
    plan.metric -= min(max(0, plan.total - width), max(0, plan.metric - len("Metric")))
    return plan


def _split(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "\n", name) if len(name) > 5 else name


def _table(layout: Layout, plan: _Plan) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, width=plan.total)
    table.add_column("Metric", width=plan.metric, overflow="fold", vertical="top")
    if plan.rows:
        table.add_column("Row", width=plan.row, style="dim", no_wrap=True)
    for names in plan.groups.values():
        table.add_column("", width=_GAP - 2)
        for name in names:
            table.add_column(plan.headings[name], width=plan.widths[name], no_wrap=True)
    for metric, row in layout.metrics.items():
        entries = [entry(metric)]
        if plan.rows:
            entries.append(entry(row or ""))
        for names in plan.groups.values():
            entries.append(Text(""))
            entries += [_symbol(layout, layout.cell(metric, name), plan.widths[name]) for name in names]
        table.add_row(*entries)
    return table


def _symbol(layout: Layout, cell: Cell | None, width: int) -> Text:
    if cell is None:
        return Text("")
    text = Text(" " * min(2, width - _NARROWEST))
    text.append(SYMBOLS[cell.verdict], style=STYLES[cell.verdict])
    text.append(layout.marks(cell), style="bold")
    return text

"""The matrix on a terminal, and in a pipe: symbols below the names of axioms, what was found, and what to do next."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.printable import escaped
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.layout import Layout, caption, counts, hints, reasons_told_once
from axiomcheck.reports.paragraphs import entry, listed, paragraph
from axiomcheck.reports.symbols import STYLES, SYMBOLS
from axiomcheck.reports.words import finding_sentence, findings_headline, published_word, verdict_in_brief
from axiomcheck.sources.names import catalogue_metric

_NARROWEST = 3
"""A symbol and two marks."""
_GAP = 3
"""The width of the empty column before a group, its separators included."""
_INDENT = "  "
"""Before a row below the heading of its block."""


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
    print_symbols(console, _symbols(layout))
    paragraph(console, f"{caption(ledger)}.")
    if layout.in_full:
        listed(console, layout.in_full, "In full: ")
    _print_other_names(console, layout)
    for symbol, words in layout.legend(layout.shown_verdicts):
        paragraph(console, words, f"{symbol} ", "dim")
    for sentence in layout.left_out:
        paragraph(console, sentence, f"{SYMBOLS[Verdict.NOT_APPLICABLE]} ", "dim")


def _print_other_names(console: Console, layout: Layout) -> None:
    """Names the published rows that the metrics' own names do not tell."""
    printed = layout.metrics.items()
    named = [f"{layout.names[m]} is {row}" for m, row in printed if row and not m.startswith(row.removesuffix("@k"))]
    if named:
        paragraph(console, f"In the published table {', '.join(named)}.")


def _symbols(layout: Layout) -> SymbolTable:
    """The rows of a ledger with what stands in them."""
    blocks = []
    for block in layout.blocks:
        axioms = [axiom for heading in block.groups for axiom in layout.shown_groups[heading]]
        shown = {
            layout.names[metric]: {
                axiom: _symbol(layout, cell) for axiom in axioms if (cell := layout.cell(metric, axiom)) is not None
            }
            for metric in block.metrics
        }
        blocks.append(SymbolBlock(block.heading, shown))
    return SymbolTable("Metric", layout.shown_groups, blocks)


def _symbol(layout: Layout, cell: Cell) -> Text:
    text = Text().append(SYMBOLS[cell.verdict], style=STYLES[cell.verdict])
    return text.append(layout.marks(cell), style="bold")


def print_findings(console: Console, ledger: Ledger, explain: bool = False, offered: Sequence[str] = ()) -> None:
    """Prints the cells that differ from the published claim, the counts, the cells without an answer, the next step.

    Args:
        console: where to.
        ledger: the cells.
        explain: whether each finding is a sentence with its counterexample rather than a line.
        offered: options that the command takes besides, as `next_steps` has them.

    """
    paragraph(console, findings_headline(ledger), style="bold")
    if explain:
        for cell in ledger.findings:
            paragraph(console, finding_sentence(cell), "- ")
    else:
        _print_in_brief(console, ledger)
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
    steps = next_steps(ledger, offered)
    if steps:
        console.print()
    for number, step in enumerate(steps):
        lead = "Next: " if number == 0 else "      "
        if step.startswith("axiomcheck "):  # is typed or copied: it has to stay one line
            console.print(Text(lead + escaped(step)), soft_wrap=True)
        else:
            paragraph(console, step, lead)


def _print_in_brief(console: Console, ledger: Ledger) -> None:
    """The findings by axiom and published claim, one line each."""
    names = Layout(ledger).names
    below: dict[tuple[str, str], list[Cell]] = {}
    for axiom in dict.fromkeys([*AXIOMS, *(cell.axiom for cell in ledger.cells)]):
        for cell in ledger.findings:
            if cell.axiom == axiom:
                below.setdefault((axiom, published_word(cell)), []).append(cell)
    widest = max((cell_len(escaped(names[cell.metric])) for cell in ledger.findings), default=0)
    for (axiom, published), cells in below.items():
        here = "violated" if cells[0].verdict is Verdict.REFUTED else "no violation"
        paragraph(console, f"{axiom} (published: {published}; {here} here)")
        for cell in cells:
            name = escaped(names[cell.metric])
            lead = f"  {SYMBOLS[cell.verdict]} {name}{' ' * (widest - cell_len(name))}  "
            paragraph(console, verdict_in_brief(cell), lead)


def next_steps(ledger: Ledger, offered: Sequence[str] = ()) -> list[str]:
    """Return the next steps after a run: commands that work for it, and options that it did not have.

    Args:
        ledger: the cells.
        offered: of ``--explain`` and ``--witnesses``, those that the command takes and was not given; it takes
            ``--format html``.

    """
    steps = []
    refuted = [cell for cell in ledger.cells if cell.verdict is Verdict.REFUTED]
    asked = Counter(cell.axiom for cell in ledger.findings or refuted)
    if asked:
        steps.append(f"axiomcheck explain {shlex.quote(asked.most_common(1)[0][0])}")
    certified = [cell for cell in ledger.cells if cell.certificate is not None]
    if certified:
        cell = next((cell for cell in certified if cell.finding), certified[0])
        # Short names of the catalogue mean the same metric; of a file's metric they leave out where the file is.
        named = Layout(ledger).names[cell.metric] if catalogue_metric(cell.metric) else cell.metric
        words = ["axiomcheck", "prove", named, cell.axiom, "--show"]
        words += ["--regime", ledger.regime] * (ledger.regime != "stated")
        words += ["--domain", ledger.domain] * (ledger.domain != "graded")
        steps.append(shlex.join(words))
    if not steps:
        return []
    options = []
    if ledger.findings and "--explain" in offered:
        options.append("--explain")
    if "--witnesses" in offered and any(cell.witness is not None for cell in refuted):
        options.append("--witnesses DIR")
    *others, last = [*options, "--format html -o report.html"]
    return [*steps, f"the same with {', '.join(others)}{' or ' if others else ''}{last}"]


@dataclass(frozen=True)
class SymbolBlock:
    """Rows below one heading.

    Args:
        heading: empty where there is none.
        rows: name -> axiom -> symbol and marks; nothing stands where an axiom is missing.

    """

    heading: str
    rows: Mapping[str, Mapping[str, Text]]

    def has_any(self, axioms: Sequence[str]) -> bool:
        """Say whether some row has something to show of these axioms."""
        return any(axiom in shown for shown in self.rows.values() for axiom in axioms)


@dataclass(frozen=True)
class SymbolTable:
    """The content of a table, whatever its width.

    Args:
        first: the heading of the column of names.
        groups: heading -> axioms.
        blocks: the rows.

    """

    first: str
    groups: Mapping[str, Sequence[str]]
    blocks: Sequence[SymbolBlock]


def print_symbols(console: Console, table: SymbolTable) -> None:
    """Prints a table, and an empty line below it.

    Where the console is too narrow for the whole, each group of axioms gets a table of its own, or several; a table of
    one axiom that still does not fit runs over the edge.
    """
    for plan in _plans(table, console.width):
        console.print(Text(plan.band(), style="bold"), soft_wrap=True)
        console.print(_drawn(plan), crop=False)
        console.print()


class _Plan:
    """Widths and headings of the columns.

    Args:
        table: what is drawn.
        groups: those of its groups, or parts of them, that are drawn.
        split: whether long names of axioms are broken in two.
        width: of the console.

    """

    def __init__(self, table: SymbolTable, groups: Mapping[str, Sequence[str]], split: bool, width: int) -> None:
        self.table, self.groups = table, groups
        axioms = [axiom for names in groups.values() for axiom in names]
        self.blocks = [block for block in table.blocks if block.has_any(axioms)]
        self.headings = {axiom: _split(axiom) if split else axiom for axiom in axioms}
        self.widths = {
            axiom: max(_NARROWEST, *map(cell_len, heading.split("\n"))) for axiom, heading in self.headings.items()
        }
        self.indent = _INDENT if any(block.heading for block in self.blocks) else ""
        shown = [self.indent + escaped(name) for block in self.blocks for name in block.rows]
        self.names = max(map(cell_len, [table.first, *shown, *(block.heading for block in self.blocks)]))
        for heading, names in groups.items():
            wanting = len(heading) - self._span(names)
            # A heading beside others needs its room; one alone may stand over the names of rows too.
            for k in range(wanting if len(groups) > 1 else min(wanting, width - self.total)):
                self.widths[names[k % len(names)]] += 1

    def _span(self, names: Sequence[str]) -> int:
        return sum(self.widths[name] for name in names) + len(names) - 1

    @property
    def total(self) -> int:
        """The width of the whole table."""
        return self.names + sum(_GAP + self._span(names) for names in self.groups.values())

    def band(self) -> str:
        """The line over the table that names the groups."""
        parts = [" " * self.names]
        parts += [f"{heading:^{self._span(names)}}" for heading, names in self.groups.items()]
        band = (" " * _GAP).join(parts).rstrip()
        return band if len(band) <= self.total else band.strip().rjust(self.total)


def _plans(table: SymbolTable, width: int) -> list[_Plan]:
    """The roomiest plan that fits; where none does, one for each group or more."""
    whole = _roomiest(table, table.groups, width)
    if whole.total <= width:
        return [whole]
    return [plan for heading, axioms in table.groups.items() for plan in _stacked(table, heading, axioms, width)]


def _stacked(table: SymbolTable, heading: str, axioms: Sequence[str], width: int) -> list[_Plan]:
    """Plans for as few parts of a group as fit; for each of its axioms where even these do not."""
    for most in range(len(axioms), 0, -1):
        parts = [axioms[start : start + most] for start in range(0, len(axioms), most)]
        plans = [_squeezed(_roomiest(table, {heading: part}, width), width) for part in parts]
        if all(plan.total <= width for plan in plans):
            break
    return plans


def _roomiest(table: SymbolTable, groups: Mapping[str, Sequence[str]], width: int) -> _Plan:
    plan = _Plan(table, groups, split=False, width=width)
    return plan if plan.total <= width else _Plan(table, groups, split=True, width=width)


def _squeezed(plan: _Plan, width: int) -> _Plan:
    """A last resort: long names of rows go on in a second line."""
    plan.names -= min(max(0, plan.total - width), max(0, plan.names - len(plan.table.first)))
    return plan


def _split(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "\n", name) if len(name) > 5 else name


def _drawn(plan: _Plan) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, width=plan.total)
    table.add_column(plan.table.first, width=plan.names, overflow="fold", vertical="top")
    for names in plan.groups.values():
        table.add_column("", width=_GAP - 2)
        for name in names:
            table.add_column(plan.headings[name], width=plan.widths[name], no_wrap=True)
    for block in plan.blocks:
        if block.heading:
            table.add_row(Text(block.heading, style="bold"))
        for row, shown in block.rows.items():
            entries = [entry(plan.indent + row)]
            for names in plan.groups.values():
                entries.append(Text(""))
                entries += [_placed(shown.get(name), plan.widths[name]) for name in names]
            table.add_row(*entries)
    return table


def _placed(shown: Text | None, width: int) -> Text:
    if shown is None:
        return Text("")
    return Text(" " * min(2, width - _NARROWEST)) + shown

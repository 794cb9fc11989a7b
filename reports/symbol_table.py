"""Symbols of cells below the names of axioms, on a console of any width: nothing is left out of a narrow one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.core.printable import escaped
from axiomcheck.reports.paragraphs import entry

_NARROWEST = 3
"""A symbol and two marks."""
_GAP = 3
"""What the empty column before a group takes, its separators included."""
_INDENT = "  "
"""Before a row below the heading of its block."""


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
        """Whether some row has something to show of these axioms."""
        return any(axiom in shown for shown in self.rows.values() for axiom in axioms)


@dataclass(frozen=True)
class SymbolTable:
    """What stands in a table, whatever its width.

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

"""Results as data: reports made of tables, plots and lines of text, which terminals, files and pages draw.

A study states its report once. `report_text` draws it for terminals and pipes, `report_markdown` for code hosts, and
`axiomcheck.reports.html.page` for browsers; `table_csv` has the values of a table.
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from axiomcheck.core.counting import counted
from axiomcheck.core.printable import escaped, spreadsheet_cell
from axiomcheck.reports.plot import Plot

_WIDTH = 80
"""Characters, of tables whose columns may go on below."""


@dataclass(frozen=True)
class TableEntry:
    """A cell that shows another text than its value.

    Args:
        text: what is shown.
        value: what CSV has, and what pages sort by; None is empty, and sorted last.
        mark: a character behind the text, one of the table's `marks`.
        link: on pages, the section that it leads to.

    """

    text: str
    value: str | int | float | None = None
    mark: str = ""
    link: str = ""


Value: TypeAlias = str | int | float | TableEntry | Plot | None
"""A cell: a value that is written as its column says, an `TableEntry`, or a drawing, which pages alone show."""


@dataclass(frozen=True)
class Column:
    """A column.

    Args:
        heading: its name.
        spec: of numbers, how `format` writes them; without one the column has texts.
        sorted: how the rows come.
        drawing: whether the cells are plots.

    """

    heading: str
    spec: str = ""
    sorted: Literal["", "ascending", "descending"] = ""
    drawing: bool = False

    def entry(self, cell: Value) -> TableEntry:
        """Return a cell with its text; a drawing has none."""
        if isinstance(cell, TableEntry):
            return cell
        if cell is None or isinstance(cell, Plot):
            return TableEntry("")
        return TableEntry(cell if isinstance(cell, str) else format(cell, self.spec), cell)


@dataclass(frozen=True)
class Table:
    """Rows below columns.

    Args:
        columns: one per cell of a row; the first names the row.
        rows: the cells.
        marks: what each mark of an entry means, in words.
        sortable: whether a page sorts the rows by any column.
        folds: whether columns that do not fit into 80 characters go on below.
        most: how many rows a text shows; pages and Markdown have all.

    """

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Value]]
    marks: Mapping[str, str] = field(default_factory=dict)
    sortable: bool = True
    folds: bool = False
    most: int = 10_000


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Args:
        heading: empty where the report has one part.
        lines: above the table.
        table: None where there are texts only.
        plot: drawn above the table, on pages.
        notes: below the table.
        id: that links on a page lead to.
        place: on pages alone, there folded up, or everywhere.

    """

    heading: str = ""
    lines: Sequence[str] = ()
    table: Table | None = None
    plot: Plot | None = None
    notes: Sequence[str] = ()
    id: str = ""
    place: Literal["everywhere", "page", "folded"] = "everywhere"


@dataclass(frozen=True)
class Report:
    """A result: a title for pages, lines that are said first, and sections."""

    title: str
    lines: Sequence[str]
    sections: Sequence[Section]


def report_text(report: Report) -> str:
    """Return a report for terminals and pipes: lines that end with a line break, an empty one between sections."""
    parts = ["".join(f"{line}\n" for line in report.lines)] if report.lines else []
    for section in report.sections:
        if section.place == "everywhere":
            table = table_text(section.table) if section.table is not None and section.table.rows else ""
            above = [*([section.heading] if section.heading else []), *section.lines]
            parts.append(_wrapped(above) + table + _wrapped(section.notes))
    return "\n".join(parts)


def _wrapped(lines: Sequence[str]) -> str:
    """Return lines of at most 80 characters; what goes on in the next one is indented."""
    texts = (textwrap.fill(line, _WIDTH, subsequent_indent="  ", break_long_words=False) for line in lines)
    return "".join(f"{text}\n" for text in texts)


def table_text(table: Table) -> str:
    """Return a table as lines: columns as wide as they need to be, a line below the headings."""
    columns = [(number, column) for number, column in enumerate(table.columns) if not column.drawing]
    numbers = {place for place, (_, column) in enumerate(columns) if column.spec}
    lines = [[column.heading for _, column in columns]]
    entries = [[column.entry(row[number]) for number, column in columns] for row in table.rows[: table.most]]
    lines += [[entry.text for entry in row] for row in entries]
    for place in range(len(columns)):
        marks = [row[place].mark for row in entries]
        if any(marks):
            for line, mark in zip(lines, ["", *marks], strict=True):
                line[place] += mark or " "
    if not table.folds:
        more = len(table.rows) - table.most
        return _ruled(lines, numbers) + (f"... and {counted(more, 'row')} more\n" if more > 0 else "")
    first = max(len(line[0]) for line in lines)
    width = 2 + max(len(cell) for line in lines for cell in line[1:])
    several = max(1, (_WIDTH - first) // width)
    blocks = [[[line[0], *line[k : k + several]] for line in lines] for k in range(1, len(columns), several)]
    return "\n".join(_ruled(block, range(1, len(block[0]))) for block in blocks)


def _ruled(lines: Sequence[Sequence[str]], numbers: Container[int]) -> str:
    head, *rows = aligned_rows(lines, numbers)
    return "\n".join([head, "─" * max(map(len, (head, *rows))), *rows]) + "\n"


def aligned_rows(lines: Sequence[Sequence[str]], numbers: Container[int] = ()) -> list[str]:
    """Return rows of equally many cells with their columns aligned, two blanks between them.

    Args:
        lines: the rows.
        numbers: which columns are set to the right.

    """
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def table_csv(headings: Sequence[str], rows: Sequence[Sequence[str | int | float | None]]) -> str:
    """Return CSV with a header line: no value is empty, and text that a spreadsheet would run has ' before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(headings)
    for row in rows:
        plain = [str(value).lower() if isinstance(value, bool) else value for value in row]
        writer.writerow(spreadsheet_cell(value) if isinstance(value, str) else value for value in plain)
    return out.getvalue()


def report_markdown(report: Report) -> str:
    """Return a report as GitHub Markdown."""
    blocks = [f"**{as_markdown(report.title)}**", *map(as_markdown, report.lines)]
    for section in report.sections:
        if section.place == "everywhere":
            blocks += [f"### {as_markdown(section.heading)}"] * bool(section.heading)
            blocks += map(as_markdown, section.lines)
            if section.table is not None and section.table.rows:
                blocks.append(table_markdown(section.table))
            blocks += map(as_markdown, section.notes)
    return "\n\n".join(blocks) + "\n"


def table_markdown(table: Table) -> str:
    """Return a table as GitHub Markdown, without a line break at its end."""
    columns = [(number, column) for number, column in enumerate(table.columns) if not column.drawing]
    rows = [[as_markdown(column.heading) for _, column in columns]]
    rows.append(["--:" if column.spec else ":--" for _, column in columns])
    for row in table.rows:
        entries = [column.entry(row[number]) for number, column in columns]
        rows.append([as_markdown(entry.text + entry.mark) for entry in entries])
    return "\n".join(markdown_row(row) for row in rows)


def markdown_row(cells: Sequence[str]) -> str:
    """Return a line of a table of cells that are Markdown."""
    return f"| {' | '.join(cells)} |"


def as_markdown(text: str) -> str:
    """Return plain text that Markdown shows as it is, on one line."""
    return re.sub(r"([\\`*_<|\[~$])", r"\\\1", escaped(" ".join(text.split())))

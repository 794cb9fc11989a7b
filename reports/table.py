"""Describe reports as data (lines of text, tables and plots), and render them as text, Markdown or CSV.

Every result is stated once, as a `Report`. `report_text` renders it for terminals and pipes, `report_markdown` for
GitHub, and `axiomcheck.reports.html.page` for browsers and notebooks. `table_csv` writes plain values.
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

from axiomcheck.core.printable import escaped, spreadsheet_cell

if TYPE_CHECKING:  # most reports have no plots
    from axiomcheck.reports.plot import Plot

WIDTH = 80
"""Line width in characters, unless a terminal has a different width."""


@dataclass(frozen=True)
class TableEntry:
    """A table cell whose text differs from its value.

    Args:
        text: Displayed text.
        value: Value that pages sort by. None is sorted last.

    """

    text: str
    value: str | int | float | None = None


Value: TypeAlias = str | int | float | TableEntry | None
"""A table cell: a value formatted by its column, or a `TableEntry`."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        heading: Name of the column.
        spec: Format specification for numbers; empty for a column of text.
        group: Heading shared with neighbouring columns of symbols, shown above their own headings.
        code: Whether Markdown shows the texts as code, in which an @ does not mention a user.

    """

    heading: str
    spec: str = ""
    group: str = ""
    code: bool = False

    def entry(self, cell: Value) -> TableEntry:
        """Format a value as a `TableEntry` of this column."""
        if isinstance(cell, TableEntry):
            return cell
        if isinstance(cell, str):
            return TableEntry(cell, cell)
        return TableEntry(format(cell, self.spec), cell) if isinstance(cell, int | float) else TableEntry("")


@dataclass(frozen=True)
class Table:
    """Rows of cells below column headings.

    Args:
        columns: Columns of the table; the first contains the names of the rows.
        rows: Cells of each row; a row with one cell is a heading for the rows below it.
        sortable: Whether the rows can be sorted by any column on a page.
        folds: Whether columns that do not fit the line width are continued below.

    """

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Value]]
    sortable: bool = True
    folds: bool = False


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Args:
        heading: Heading; empty if the report has only one part.
        lines: Lines above the table.
        table: Table; None for a section of text.
        plot: Plot above the table, shown on pages and in pictures only.
        notes: Lines below the table.
        code: Lines at the end, to be copied verbatim.
        place: Outputs that show the section: ``everywhere``, pages only (``page``), terminals and plain text only
            (``text``), or pictures only (``picture``).

    """

    heading: str = ""
    lines: Sequence[str] = ()
    table: Table | None = None
    plot: Plot | None = None
    notes: Sequence[str] = ()
    code: str = ""
    place: Literal["everywhere", "page", "text", "picture"] = "everywhere"


@dataclass(frozen=True)
class Report:
    """A result: a title for pages, introductory lines, and sections."""

    title: str
    lines: Sequence[str]
    sections: Sequence[Section]


Style: TypeAlias = Literal["", "heading", "quiet"]


def report_text(report: Report, width: int = WIDTH) -> str:
    """Return a report as plain text for terminals and pipes, with an empty line between sections."""
    return "".join(f"{line}\n" for _, line in report_lines(report, width))


def report_lines(report: Report, width: int = WIDTH) -> Iterator[tuple[Style, str]]:
    """Yield the lines of a report with their styles; terminals show headings in bold and quiet lines dim."""
    for number, text in enumerate(report.lines):
        yield from (("" if number else "heading", line) for line in _wrapped(text, width))
    empty = not report.lines
    for section in report.sections:
        if section.place in ("everywhere", "text"):
            if not empty:
                yield "", ""
            empty = False
            yield from (("heading", line) for line in _wrapped(section.heading, width) if line)
            yield from (("", line) for text in section.lines for line in _wrapped(text, width))
            if section.table is not None and section.table.rows:
                yield from (("", line) for line in table_text(section.table, width).splitlines())
            yield from (("quiet", line) for text in section.notes for line in _wrapped(text, width))
            yield from (("", f"    {line}".rstrip()) for line in escaped(section.code).splitlines())


_LEAD = re.compile(r"\s*([^\w\s(\[{<'\"./]\s+)?")
"""Pattern for the leading whitespace of a line, and a sign such as a bullet."""


def _wrapped(text: str, width: int) -> list[str]:
    """Wrap text into lines; later lines align with the text after a bullet, or else are indented by two columns."""
    lead = _LEAD.match(text)
    indent = " " * (lead.end() if lead is not None and lead[1] else len(text) - len(text.lstrip()) + 2)
    return textwrap.wrap(
        escaped(text), max(20, width), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]


def table_text(table: Table, width: int = WIDTH) -> str:
    """Return a table as plain text, with columns as wide as their content and a rule below the headings."""
    columns, lines = table.columns, _texts(table)
    widths = [max(map(len, texts)) for texts in zip(*lines, strict=True)]
    for place, column in enumerate(columns):
        if column.group:  # indent symbols to the third letter of their heading, if there is room
            indent = min(2, widths[place] - max((len(line[place]) for line in lines[1:]), default=0))
            for line in lines[1:]:
                line[place] = " " * indent + line[place]
    room = width - widths[0] if table.folds else 10**9
    return "\n".join(_block(lines, columns, widths, places) for places in _blocks(columns, widths, room))


def _texts(table: Table) -> list[list[str]]:
    """Return the table's headings and rows as text."""
    rows = [[*row, *[None] * (len(table.columns) - len(row))] for row in table.rows]
    texts = [
        [_in_a_line(column.entry(cell).text) for column, cell in zip(table.columns, row, strict=True)] for row in rows
    ]
    return [[column.heading for column in table.columns], *texts]


def _in_a_line(text: str) -> str:
    return escaped(text).replace("\n", " ").replace("\t", " ")


def _gap(columns: Sequence[Column], place: int, before: int) -> int:
    """Return the number of spaces before a column: 1 within a group of symbols, 3 before a group, else 2."""
    if not columns[place].group:
        return 2
    return 1 if columns[before].group == columns[place].group else 3


def _runs(columns: Sequence[Column], places: Sequence[int]) -> list[tuple[str, list[int]]]:
    """Group adjacent columns with the same group heading as (heading, columns). Columns without one stay single."""
    runs = groupby(places, key=lambda place: (columns[place].group, 0 if columns[place].group else place))
    return [(group, list(run)) for (group, _), run in runs]


def _blocks(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[list[int]]:
    """Split the columns after the first into blocks that fit the line width; a group is not split if it fits in one."""
    blocks: list[list[int]] = [[]]
    used = 0
    for group, run in _runs(columns, range(1, len(columns))):
        size = 3 + max(len(group), sum(widths[place] + 1 for place in run) - 1)
        for part in [run] if group and size <= room else [[place] for place in run]:
            needed = size if part is run and group else widths[part[0]] + _gap(columns, part[0], part[0] - 1)
            if blocks[-1] and used + needed > room:
                blocks.append([])
                used = 0
            blocks[-1] += part
            used += needed
    return blocks


def _block(lines: Sequence[Sequence[str]], columns: Sequence[Column], widths: Sequence[int], places: list[int]) -> str:
    """Format one block of a table that is too wide: the first column and the block's columns, with group headings."""
    wide, shown = list(widths), [0, *places]
    band, begins = "", widths[0]
    for group, run in _runs(columns, places):
        span = sum(widths[place] + 1 for place in run) - 1
        if group:
            wide[run[-1]] += max(0, len(group) - span)
            span = max(span, len(group))
            band = band.ljust(begins + 3) + group.center(span)
        begins += span + (3 if group else 2)
    drawn = []
    for line in lines:
        text = ""
        for before, place in zip([0, *shown], shown, strict=False):
            cell = line[place].rjust(wide[place]) if columns[place].spec else line[place].ljust(wide[place])
            text += " " * (_gap(columns, place, before) if place else 0) + cell
        drawn.append(text.rstrip())
    head, *rows = drawn
    above = [band.rstrip()] if band else []
    return "\n".join([*above, head, "─" * max(map(len, (*above, head, *rows))), *rows]) + "\n"


def table_csv(headings: Sequence[str], rows: Sequence[Sequence[str | int | float | None]]) -> str:
    """Return CSV with a header line.

    None is written as an empty field. Text that a spreadsheet would execute is prefixed with ``'``.
    """
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
            blocks += [textwrap.indent(escaped(section.code), "    ")] * bool(section.code)
    return "\n\n".join(blocks) + "\n"


def table_markdown(table: Table) -> str:
    """Return a table as GitHub Markdown, without a trailing newline."""
    columns = table.columns
    rows = [[as_markdown(column.heading) for column in columns]]
    rows.append([":-:" if column.group else "--:" if column.spec else ":--" for column in columns])
    for row in table.rows:
        if len(row) == 1:
            rows.append([f"**{as_markdown(columns[0].entry(row[0]).text)}**", *[""] * (len(columns) - 1)])
            continue
        texts = [(column.code, as_markdown(column.entry(cell).text)) for column, cell in zip(columns, row, strict=True)]
        rows.append([f"<code>{text}</code>" if code and text else text for code, text in texts])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def as_markdown(text: str) -> str:
    """Escape plain text for Markdown and join it into one line."""
    return re.sub(r"([\\`*_<|\[~$])", r"\\\1", escaped(" ".join(text.split())))

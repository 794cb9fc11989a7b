"""Render the matrix as a report with its table, legend, findings and next steps, and as CSV with a line per cell."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.printable import escaped, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.layout import Layout, caption, counts, hints, reasons_told_once
from axiomcheck.reports.plot import Plot, PlotAxis, Signs
from axiomcheck.reports.symbols import BINARY_MARK, BRIEFLY, FINDING_MARK, PLAIN, SYMBOLS
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, report_markdown, table_csv
from axiomcheck.reports.words import (
    GLOSSARY,
    finding_sentence,
    findings_headline,
    published_word,
    told_cells,
    verdict_in_brief,
)
from axiomcheck.sources.names import catalogue_metric

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

_MOST_TOLD = 40
"""Maximum number of cells whose reasons are given."""

_LONGEST_NAME, _LONGEST_DRAWN = 200, 40
"""Maximum length of a metric's name, in characters, in the table and in its figure."""

_MARKS_BRIEFLY = {FINDING_MARK: "differs from the published table", BINARY_MARK: "on binary grades only"}


def to_csv(ledger: Ledger) -> str:
    """Return the cells of a ledger as CSV with a header line; missing values are left empty."""
    return table_csv(COLUMNS, [cell_values(cell) for cell in ledger.cells])


def cell_values(cell: Cell) -> list[str | int | float | None]:
    """Return the CSV values of a cell in the order of `COLUMNS`, with None for missing ones."""
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
    """Return the table, its legend and the findings as GitHub Markdown."""
    return report_markdown(matrix_report(ledger, explain=True))


def matrix_report(ledger: Ledger, explain: bool = False, offered: Sequence[str] = (), reasons: bool = False) -> Report:
    """Return a report on a ledger: the table with its legend, findings, cells without an answer, and next steps.

    Args:
        ledger: Cells of the matrix.
        explain: Whether to state each finding in a sentence with its counterexample rather than in a short line.
        offered: Unused options of the command; see `next_steps`.
        reasons: Whether to include the reasons for verdicts; see `reasons_of`.

    """
    layout = Layout(ledger)
    legend = [f"{symbol} {words}" for _, symbol, words in layout.legend()]
    found = [f"- {finding_sentence(cell)}" for cell in ledger.findings] if explain else list(_in_brief(layout))
    missing = [f"{SYMBOLS[verdict]} {text}" for verdict, text in reasons_told_once(ledger)]
    steps = next_steps(ledger, offered)
    told = reasons_of(layout) if reasons else []
    sections = [
        Section(plot=symbol_plot(layout), place="picture"),
        Section(table=symbol_table(layout)),
        *([Section("Reasons", told)] if told else []),
        Section(lines=[f"{caption(ledger)}.", *_names(layout)], notes=[*legend, f"{GLOSSARY}."]),
        Section(findings_headline(ledger), [*found, *(f"- {hint}" for hint in hints(ledger))]),
        Section(lines=[counts(ledger)]),
    ]
    sections += [Section("Cells without an answer", missing)] if missing else []
    sections += [Section("Next", code="\n".join(steps), place="text")] if steps else []
    return Report("Which axioms metrics satisfy", [], sections)


def reasons_of(layout: Layout) -> list[str]:
    """Return the counterexamples and reasons of a ledger's cells.

    If there are more than `_MOST_TOLD` cells, catalogue metrics are left out.
    """
    cells = layout.ledger.cells
    if len(cells) > _MOST_TOLD:
        cells = tuple(cell for cell in cells if catalogue_metric(cell.metric) is None)[:_MOST_TOLD]
    return told_cells((f"{layout.names[cell.metric]} {cell.axiom}", cell) for cell in cells)


def symbol_table(layout: Layout) -> Table:
    """Return the table of symbols of a ledger, with metrics listed by short name and grouped by family."""
    columns = [Column("Metric")]
    columns += [Column(axiom, group=group) for group, axioms in layout.groups.items() for axiom in axioms]
    rows: list[list[Value]] = []
    for family, metrics in layout.blocks.items():
        rows += [[family]] if family else []
        for metric in metrics:
            cells = [layout.cell(metric, column.heading) for column in columns[1:]]
            symbols = [TableEntry(SYMBOLS[c.verdict] + layout.marks(c), c.verdict.value) if c else None for c in cells]
            rows.append([f"{'  ' if family else ''}{printable(layout.names[metric], _LONGEST_NAME)}", *symbols])
    return Table(tuple(columns), rows, sortable=False, folds=True)


def symbol_plot(layout: Layout) -> Plot:
    """Return the table of symbols as a figure that is legible in one column of a paper."""
    axioms = layout.axioms
    rows = [row for family, metrics in layout.blocks.items() for row in ([None] if family else []) + [*metrics]]
    families = iter(layout.blocks)
    names = [next(families) if row is None else printable(layout.names[row], _LONGEST_DRAWN) for row in rows][::-1]
    headings = [number for number, row in enumerate(rows[::-1]) if row is None]
    cells: dict[Verdict, dict[tuple[int, int], str]] = {verdict: {} for verdict in SYMBOLS}
    for up, metric in enumerate(rows[::-1]):
        for across, axiom in enumerate(axioms):
            cell = None if metric is None else layout.cell(metric, axiom)
            if cell is not None:
                cells[cell.verdict][across, up] = _drawn_marks(layout.marks(cell))
    marks = [Signs(SYMBOLS[v], each, v.value, BRIEFLY[v]) for v, each in cells.items() if each]
    keys = [(_drawn_marks(symbol), _MARKS_BRIEFLY[symbol]) for verdict, symbol, _ in layout.legend() if verdict is None]
    groups = [(heading.removesuffix("-oriented"), len(each)) for heading, each in layout.groups.items()]
    across_axis = PlotAxis("", 0, len(axioms), names=axioms, groups=groups)
    up_axis = PlotAxis("", 0, len(rows), names=names, headings=headings)
    return Plot("", across_axis, up_axis, marks, (30 * len(axioms), 22 * len(rows)), keys=keys)


def _drawn_marks(marks: str) -> str:
    return marks.replace(BINARY_MARK, PLAIN[BINARY_MARK])  # many fonts lack the raised letter


def _names(layout: Layout) -> Iterator[str]:
    """Yield a line with the full metric names, and a line on names that differ from those in the published table."""
    if layout.in_full:
        yield f"In full: {'; '.join(layout.in_full)}."
    rows = layout.metrics.items()
    named = [f"{layout.names[m]} is {row}" for m, row in rows if row and not m.startswith(row.removesuffix("@k"))]
    if named:
        yield f"In the published table, {', '.join(named)}."


def _in_brief(layout: Layout) -> Iterator[str]:
    """Yield the findings as short lines, grouped by axiom and published claim."""
    ledger, names = layout.ledger, layout.names
    below: dict[tuple[str, str], list[Cell]] = {}
    for axiom in dict.fromkeys([*AXIOMS, *ledger.axioms]):
        for cell in ledger.findings:
            if cell.axiom == axiom:
                below.setdefault((axiom, published_word(cell)), []).append(cell)
    widest = max((len(escaped(names[cell.metric])) for cell in ledger.findings), default=0)
    for (axiom, published), cells in below.items():
        here = "violated" if cells[0].verdict is Verdict.REFUTED else "no violation"
        yield f"{axiom} (published: {published}; {here} here)"
        for cell in cells:
            yield f"  {SYMBOLS[cell.verdict]} {escaped(names[cell.metric]):<{widest}}  {verdict_in_brief(cell)}"


def next_steps(ledger: Ledger, offered: Sequence[str] = ()) -> list[str]:
    """Return suggestions after a run: commands about its cells, and options that the user did not pass.

    Args:
        ledger: Cells from the run of a command that accepts ``--format html``.
        offered: Those of ``-v`` and ``--witnesses`` that the command accepts and the user did not pass.

    """
    steps = []
    refuted = [cell for cell in ledger.cells if cell.verdict is Verdict.REFUTED]
    asked = Counter(cell.axiom for cell in ledger.findings or refuted)
    if asked:
        steps.append(f"axiomcheck explain {shlex.quote(asked.most_common(1)[0][0])}")
    certified = [cell for cell in ledger.cells if cell.certificate is not None]
    if certified:
        cell = next((cell for cell in certified if cell.finding), certified[0])
        # The short name of a catalogue metric parses to the same metric; that of a file's metric lacks the folder.
        named = Layout(ledger).names[cell.metric] if catalogue_metric(cell.metric) else cell.metric
        words = ["axiomcheck", "prove", named, cell.axiom, "-v"]
        words += ["--regime", ledger.regime] * (ledger.regime != "stated")
        words += ["--domain", ledger.domain] * (ledger.domain != "graded")
        steps.append(shlex.join(words))
    if not steps:
        return []
    options = []
    if (ledger.findings or refuted) and "-v" in offered:
        options.append("-v")
    if "--witnesses" in offered and any(cell.witness is not None for cell in refuted):
        options.append("--witnesses DIR")
    *others, last = [*options, "--format html -o report.html"]
    return [*steps, f"the same with {', '.join(others)}{' or ' if others else ''}{last}"]

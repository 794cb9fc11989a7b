"""Render the changes to cells between two reports (`axiomcheck.studies.difference`) as a report and as JSON."""

from __future__ import annotations

from typing import Any, Literal

from axiomcheck.core.documents import Record, document_of
from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.records.values import ReadingRecord
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import Column, Report, Section, Table, Value
from axiomcheck.studies.difference import CellChange, Change, ReportDifference, SettingChange

_HEADINGS = {
    Change.REGRESSION: ("regression", "regressions"),
    Change.REMOVED: ("removed cell", "removed cells"),
    Change.CHANGED: ("other change", "other changes"),
    Change.IMPROVEMENT: ("improvement", "improvements"),
    Change.ADDED: ("new cell", "new cells"),
}


_EXPLAINED = (Change.REGRESSION, Change.CHANGED)
"""Kinds of change that are shown with the reason for the new verdict."""


class DiffReport(Record):
    """JSON document of the changes between two reports, worst first."""

    schema: Literal["axiomcheck/diff"]
    version: Literal[1]
    readings: tuple[ReadingRecord, ...]
    settings: tuple[SettingChange, ...]
    regressions: int
    same: int
    changes: tuple[CellChange, ...]


def diff_report(found: ReportDifference) -> Report:
    """Render the changes between two reports: counts, then a table for each kind of change, worst first."""
    readings = "; ".join(f"{one.regime}, {one.domain}" for one in found.readings)
    lines = [f"reading: {readings}"]
    if told := "; ".join(f"{one.setting} {_value(one.before)} -> {_value(one.after)}" for one in found.settings):
        lines.append(f"the searches differ, which may explain the changes: {told}")
    several = [Column("Regime")] if len(found.readings) > 1 else []
    columns = (Column("Metric", code=True), Column("Axiom"), *several, Column("Before"), Column("After"))
    sections = []
    for kind in Change:
        changes = found.of_kind(kind)
        if not changes:
            continue
        rows: list[list[Value]] = []
        for one in changes:
            regime = [one.regime.value] if several else []
            rows.append([one.metric, one.axiom, *regime, _verdict(one.before), _verdict(one.after)])
        heading = _HEADINGS[kind][len(changes) != 1].capitalize()
        why = [f"{one.metric}, {one.axiom}: {one.why}" for one in changes if one.why and kind in _EXPLAINED]
        sections.append(Section(heading, table=Table(columns, rows), code="\n".join(why)))
    return Report(_headline(found), [*lines, _headline(found)], sections)


def _headline(found: ReportDifference) -> str:
    """Return a sentence that counts the changes of each kind and the unchanged cells."""
    counts = {kind: len(found.of_kind(kind)) for kind in Change}
    parts = [f"{number} {_HEADINGS[kind][number != 1]}" for kind, number in counts.items() if number]
    if not counts[Change.REGRESSION]:
        parts.insert(0, "no regression")
    same = f"{counted(found.same, 'cell')} as before"
    return f"{', '.join(parts)}; {same}" if found.changes else f"no cell differs: {same}"


def _value(value: Any) -> str:
    return "none" if value is None else f"{value:,}" if type(value) is int else str(value).lower()


def _verdict(verdict: Verdict | None) -> str:
    return "" if verdict is None else f"{SYMBOLS[verdict]} {verdict.value}"


def diff_json(found: ReportDifference) -> str:
    """Return the changes between two reports as JSON."""
    regressions = len(found.of_kind(Change.REGRESSION))
    report = DiffReport("axiomcheck/diff", 1, found.readings, found.settings, regressions, found.same, found.changes)
    return json_text(document_of(report))

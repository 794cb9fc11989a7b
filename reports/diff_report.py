"""Changes of cells between two reports (`axiomcheck.studies.difference`): for the terminal, JSON, Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, Literal

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import Record, document_of
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.records.values import ReadingRecord
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import aligned_rows, as_markdown
from axiomcheck.studies.difference import CellChange, Change, ReportDifference, SettingChange

_WIDTH = 100
_HEADINGS = {
    Change.REGRESSION: ("regression", "regressions"),
    Change.REMOVED: ("cell that is no longer there", "cells that are no longer there"),
    Change.CHANGED: ("other change", "other changes"),
    Change.IMPROVEMENT: ("improvement", "improvements"),
    Change.ADDED: ("new cell", "new cells"),
}


class DiffReport(Record):
    """Two reports held against each other: the worst changes first."""

    schema: Literal["axiomcheck/diff"]
    version: Literal[1]
    readings: tuple[ReadingRecord, ...]
    settings: tuple[SettingChange, ...]
    regressions: int
    same: int
    changes: tuple[CellChange, ...]


def diff_text(style: str, found: ReportDifference) -> str:
    """The difference as text.

    Args:
        style: ``"table"``, ``"json"`` or ``"markdown"``.
        found: the difference.

    """
    return _WRITERS[style](found)


def _headline(found: ReportDifference) -> str:
    """Return a sentence that counts the cells that are worse, and those that are as they were."""
    counts = {kind: len(found.of_kind(kind)) for kind in Change}
    parts = [f"{number} {_HEADINGS[kind][number != 1]}" for kind, number in counts.items() if number]
    if not counts[Change.REGRESSION]:
        parts.insert(0, "no regression")
    same = f"{counted(found.same, 'cell')} as before"
    return f"{', '.join(parts)}; {same}" if found.changes else f"no cell differs: {same}"


def _settings(found: ReportDifference) -> str:
    """The settings that differ, in one sentence; empty where none does."""
    told = [f"{one.setting} {_value(one.before)} -> {_value(one.after)}" for one in found.settings]
    return f"the searches differ, so that changes may be theirs: {'; '.join(told)}" if told else ""


def _value(value: Any) -> str:
    return "none" if value is None else f"{value:,}" if type(value) is int else str(value).lower()


def _verdicts(change: CellChange) -> str:
    return " -> ".join(_verdict(verdict) for verdict in (change.before, change.after) if verdict is not None)


def _verdict(verdict: Verdict) -> str:
    return f"{SYMBOLS[verdict]} {verdict.value}"


def _reading(found: ReportDifference, change: CellChange) -> list[str]:
    """Return the regime of a cell, where there are several readings."""
    return [change.regime.value] if len(found.readings) > 1 else []


def _as_table(found: ReportDifference) -> str:
    readings = "; ".join(f"{one.regime}, {one.domain}" for one in found.readings)
    lines = [f"reading: {readings}", *filter(None, [_settings(found)]), _headline(found)]
    for kind in Change:
        changes = found.of_kind(kind)
        if not changes:
            continue
        lines += ["", _HEADINGS[kind][len(changes) != 1].capitalize()]
        rows = [[one.metric, one.axiom, *_reading(found, one), _verdicts(one)] for one in changes]
        for one, row in zip(changes, aligned_rows(rows), strict=True):
            lines.append(f"  {row.rstrip()}")
            if one.why and kind in (Change.REGRESSION, Change.CHANGED):
                lines += textwrap.wrap(one.why, _WIDTH, initial_indent="      ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"


def _as_markdown(found: ReportDifference) -> str:
    said = [f"**{as_markdown(_headline(found)).capitalize()}.**"]
    if settings := _settings(found):
        said.append(f"{as_markdown(settings[0].upper() + settings[1:])}.")
    if found.changes:
        several = ["Regime"] if len(found.readings) > 1 else []
        rows = [["", "Metric", "Axiom", *several, "Before", "After", "Why"], ["---"] * (6 + len(several))]
        rows += [_markdown_row(found, change) for change in found.changes]
        said.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    readings = "; ".join(f"{one.regime}, {one.domain}" for one in found.readings)
    said.append(f"Reading: {as_markdown(readings)}.")
    return "\n\n".join(said) + "\n"


def _markdown_row(found: ReportDifference, change: CellChange) -> list[str]:
    kind = f"**{change.change}**" if change.change is Change.REGRESSION else change.change.value
    verdicts = [as_markdown(_verdict(one)) if one else "" for one in (change.before, change.after)]
    # A metric's own message may name people, who would be told of it outside of code.
    told = _code if change.after in (Verdict.ERROR, Verdict.UNDECIDED) else as_markdown
    why = told(change.why) if change.why else ""
    return [kind, _code(change.metric), as_markdown(change.axiom), *_reading(found, change), *verdicts, why]


def _code(text: str) -> str:
    return f"<code>{as_markdown(text)}</code>"


def _as_json(found: ReportDifference) -> str:
    regressions = len(found.of_kind(Change.REGRESSION))
    report = DiffReport(
        "axiomcheck/diff", 1, found.readings, found.settings, regressions, found.same, found.changes
    )  # fmt: skip
    return json_text(document_of(report))


_WRITERS: dict[str, Callable[[ReportDifference], str]] = {
    "table": _as_table,
    "json": _as_json,
    "markdown": _as_markdown,
}

"""Metric unanimity (`axiomcheck.runs.unanimity`): as a table, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from axiomcheck.core.counting import counted
from axiomcheck.core.printable import spreadsheet_cell
from axiomcheck.core.writing import json_text
from axiomcheck.reports.aligned import aligned
from axiomcheck.runs.unanimity import LEVEL, Unanimity

_NO_PAIR = "undefined: the other metrics agree on no pair"
_NOTHING = "minus infinity: captures none of the pairs that the others agree on"


@dataclass(frozen=True)
class UnanimityView:
    """What a report was asked for.

    Args:
        scenario: its name.
        words: what it changes.
        seed: of everything random.
        every: whether every variant is shown, or the best of each metric.

    """

    scenario: str
    words: str
    seed: int
    every: bool


def unanimity_text(style: str, found: Unanimity, asked: UnanimityView) -> str:
    """MU of a set of metrics as text.

    Args:
        style: ``"table"``, ``"json"`` or ``"csv"``.
        found: what was measured.
        asked: what was asked for.

    """
    return _WRITERS[style](found, asked)


@dataclass(frozen=True)
class UnanimityRow:
    """One metric: its number in the set, and how many of its variants share its MU, of how many."""

    number: int
    equal: int
    variants: int


def unanimity_rows(found: Unanimity, every: bool) -> list[UnanimityRow]:
    """The metrics by falling MU, those where it is undefined last, equal ones as they were given."""
    values = [-math.inf if math.isnan(value) else value for value in found.values.tolist()]
    undefined = [math.isnan(value) for value in found.values.tolist()]
    numbers = sorted(range(len(values)), key=lambda n: (undefined[n], -values[n]))
    if every:
        return [UnanimityRow(number, 1, 1) for number in numbers]
    members: dict[str, list[int]] = {}
    for number in numbers:
        members.setdefault(found.families[number], []).append(number)
    rows = []
    for family in members.values():
        best = family[0]
        alike = [n for n in family if values[n] == values[best] and undefined[n] == undefined[best]]
        rows.append(UnanimityRow(best, len(alike), len(family)))
    return rows


def _entry(found: Unanimity, row: UnanimityRow) -> dict[str, Any]:
    """What JSON and CSV say of a metric; a number that is none is null, with the reason."""
    number = row.number
    value = float(found.values[number])
    reason = _NO_PAIR if math.isnan(value) else _NOTHING if value == -math.inf else None
    entry: dict[str, Any] = {
        "metric": found.grid.metrics[number],
        "family": found.families[number],
        "mu": value if reason is None else None,
        "reason": reason,
        "unanimous": int(found.counts.unanimous[number].sum()),
        "captured": float(found.counts.captured[number].sum()),
        "rounding": int(found.counts.rounding[number]),
    }
    if found.resamples:
        low, high = float(found.low[number]), float(found.high[number])
        entry |= {
            "low": low if math.isfinite(low) else None,
            "high": high if math.isfinite(high) else None,
            "undefined_samples": int(found.undefined[number]),
            "first": float(found.first[number]),
        }
    return entry


def _as_json(found: Unanimity, asked: UnanimityView) -> str:
    metrics = []
    for row in unanimity_rows(found, asked.every):
        shared = {} if asked.every else {"variants": row.variants, "variants_as_high": row.equal}
        metrics.append(_entry(found, row) | shared)
    document = {
        "schema": "axiomcheck/unanimity",
        "version": 1,
        "scenario": asked.scenario,
        "seed": asked.seed,
        "set": list(found.grid.metrics),
        "runs": list(found.grid.runs),
        "topics": list(found.grid.topics),
        "pairs": found.pairs,
        "tied_by_all": int(found.counts.tied.sum()),
        "bootstrap": found.resamples,
        "level": LEVEL / 100,
        "metrics": metrics,
        "notes": list(found.grid.notes),
    }
    return json_text(document)


def _as_csv(found: Unanimity, asked: UnanimityView) -> str:
    text = io.StringIO()
    entries = [_entry(found, row) for row in unanimity_rows(found, asked.every)]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(entries[0])
    for entry in entries:
        writer.writerow(
            "" if cell is None else spreadsheet_cell(cell) if isinstance(cell, str) else cell for cell in entry.values()
        )
    return text.getvalue()


def _as_table(found: Unanimity, asked: UnanimityView) -> str:
    rows = unanimity_rows(found, asked.every)
    grid = found.grid
    out = [*unanimity_setting(found, asked), ""]
    grouped = any(row.variants > 1 for row in rows)
    intervals = [f"{LEVEL}% interval", "First"] if found.resamples else []
    lines = [["Metric", *(["Variants"] if grouped else []), "MU", *intervals, "Unanimous", "Captured"]]
    for row in rows:
        n = row.number
        value, low, high = (float(part[n]) for part in (found.values, found.low, found.high))
        line = [grid.metrics[n], *([f"{row.equal} of {row.variants}"] if grouped else []), mu_text(value)]
        if found.resamples:
            line += [f"{mu_text(low)} to {mu_text(high)}", f"{found.first[n]:.0%}"]
        lines.append([*line, f"{found.counts.unanimous[n].sum():,}", f"{found.counts.captured[n].sum():,.1f}"])
    return "\n".join([*out, aligned(lines), *unanimity_remarks(found, rows)]) + "\n"


def unanimity_setting(found: Unanimity, asked: UnanimityView) -> list[str]:
    """How large the data are, and what was changed in them, a line each."""
    grid = found.grid
    drawn = "" if asked.scenario == "official" and not found.resamples else f"; seed {asked.seed}"
    return [
        f"{counted(len(grid.metrics), 'metric')}, {counted(len(grid.runs), 'run')}, "
        f"{counted(len(grid.topics), 'topic')}: {counted(found.pairs, 'ordered pair')}",
        f"{asked.scenario}: {asked.words}{drawn}",
    ]


def unanimity_remarks(found: Unanimity, rows: list[UnanimityRow]) -> list[str]:
    """What else the numbers depend on, a line each."""
    out = [f"All metrics tie on {found.counts.tied.sum():,} of the pairs."]
    if count := int(found.counts.rounding.sum()):
        out.append(f"{counted(count, 'tie')} of scores too close for floats to tell apart.")
    values = [float(found.values[row.number]) for row in rows]
    if any(map(math.isnan, values)):
        out.append("undefined: the other metrics agree on no pair.")
    if -math.inf in values:
        out.append("-inf: none of the pairs that the others agree on is captured.")
    if found.resamples and any(found.undefined[row.number] for row in rows):
        out.append("In some samples of the topics MU is undefined; the intervals are those of the others.")
    return out


def mu_text(value: float) -> str:
    """Four digits, or that there is no number."""
    return "undefined" if math.isnan(value) else f"{value:.4f}"


_WRITERS: dict[str, Callable[[Unanimity, UnanimityView], str]] = {"table": _as_table, "json": _as_json, "csv": _as_csv}

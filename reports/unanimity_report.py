"""Render metric unanimity (`axiomcheck.runs.unanimity`) as a table with intervals, as CSV and as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from axiomcheck.core.printable import counted
from axiomcheck.core.writing import json_text
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, table_csv
from axiomcheck.runs.unanimity import LEVEL, Unanimity

_NO_PAIR = "undefined: there is no pair that the other metrics agree on"
_NOTHING = "minus infinity: captures none of the pairs that the others agree on"


def _ordered(measured: Unanimity) -> list[int]:
    """Return the numbers of all metrics by descending MU. Undefined values come last."""
    values = measured.values.tolist()
    return sorted(range(len(values)), key=lambda n: (math.isnan(values[n]), -values[n]))


def unanimity_report(measured: Unanimity, seed: int) -> Report:
    """Return the MU of the best variant of each metric as a table."""
    grid, values = measured.grid, measured.values.tolist()
    families: dict[str, list[int]] = {}
    for number in _ordered(measured):
        families.setdefault(measured.families[number], []).append(number)
    grouped = len(families) < len(values)
    columns = [Column("Metric"), *([Column("Variants")] if grouped else []), Column("MU", ".4f", "descending")]
    if measured.resamples:
        columns += [Column("Lower end", ".4f"), Column("Upper end", ".4f"), Column("First", ".0%")]
    columns += [Column("Unanimous", ","), Column("Captured", ",.1f")]
    shown = []
    for family in families.values():
        n = family[0]
        value, low, high = (float(part[n]) for part in (measured.values, measured.low, measured.high))
        equal = sum(values[other] == value or math.isnan(value) for other in family)  # undefined only if all are
        line: list[Value] = [grid.metrics[n], *([f"{equal} of {len(family)}"] if grouped else []), _mu(value)]
        if measured.resamples:
            line += [_mu(low), _mu(high), float(measured.first[n])]
        shown.append([*line, int(measured.counts.unanimous[n].sum()), float(measured.counts.captured[n].sum())])
    size = f"{counted(len(grid.metrics), 'metric')}, {counted(len(grid.runs), 'run')}, "
    size += f"{counted(len(grid.topics), 'topic')}: {counted(measured.pairs, 'ordered pair')}"
    remarks = _remarks(measured, [family[0] for family in families.values()])
    sections = [Section(table=Table(tuple(columns), shown), notes=remarks)]
    words = (
        "How well each metric captures the improvements that all others agree on: at most 1; 0 for random decisions."
    )
    sections += [Section("What MU says", [words, *grid.notes], place="page")]
    sections += [
        Section(f"{name} ({len(names)})", [", ".join(names)], place="page")
        for name, names in (("Runs", grid.runs), ("Topics", grid.topics))
    ]
    return Report("Metric unanimity", [f"{size}; seed {seed}" if measured.resamples else size], sections)


def _mu(value: float) -> TableEntry:
    """Format MU as a table cell with four digits, or ``undefined``."""
    return TableEntry("undefined" if math.isnan(value) else f"{value:.4f}", value if math.isfinite(value) else None)


def _remarks(measured: Unanimity, numbers: Sequence[int]) -> list[str]:
    """Return notes on the intervals, ties and undefined values, one line each."""
    out = []
    if measured.resamples:
        samples = f"{measured.resamples:,} bootstrap samples of the topics"
        out.append(
            f"Ends: {LEVEL}% intervals from {samples}; first: the share of samples in which no metric has a larger MU."
        )
    out.append(f"All metrics tie on {measured.counts.tied.sum():,} of the pairs.")
    if count := int(measured.counts.rounding.sum()):
        out.append(f"{counted(count, 'tie')} of scores too close for floats to tell apart.")
    values = measured.values[list(numbers)].tolist()
    if any(map(math.isnan, values)):
        out.append("undefined: there is no pair that the other metrics agree on.")
    if -math.inf in values:
        out.append("-inf: none of the pairs that the others agree on is captured.")
    if measured.resamples and measured.undefined[list(numbers)].any():
        out.append("In some samples MU is undefined; the intervals use the other samples.")
    return out


def unanimity_csv(measured: Unanimity) -> str:
    """Return CSV with one line per metric."""
    entries = [_entry(measured, number) for number in _ordered(measured)]
    return table_csv([*entries[0]], [[*entry.values()] for entry in entries])


def unanimity_json(measured: Unanimity, seed: int) -> str:
    """Return the MU for a set of metrics as JSON."""
    document = {
        "schema": "axiomcheck/unanimity",
        "version": 2,
        "seed": seed,
        "set": list(measured.grid.metrics),
        "runs": list(measured.grid.runs),
        "topics": list(measured.grid.topics),
        "pairs": measured.pairs,
        "tied_by_all": int(measured.counts.tied.sum()),
        "bootstrap": measured.resamples,
        "level": LEVEL / 100,
        "metrics": [_entry(measured, number) for number in _ordered(measured)],
        "notes": list(measured.grid.notes),
    }
    return json_text(document)


def _entry(measured: Unanimity, number: int) -> Mapping[str, str | int | float | None]:
    """Return the JSON and CSV fields of a metric. An undefined number is null and comes with the reason."""
    value = float(measured.values[number])
    reason = _NO_PAIR if math.isnan(value) else _NOTHING if value == -math.inf else None
    entry: dict[str, str | int | float | None] = {
        "metric": measured.grid.metrics[number],
        "family": measured.families[number],
        "mu": value if reason is None else None,
        "reason": reason,
        "unanimous": int(measured.counts.unanimous[number].sum()),
        "captured": float(measured.counts.captured[number].sum()),
        "rounding": int(measured.counts.rounding[number]),
    }
    if measured.resamples:
        low, high = float(measured.low[number]), float(measured.high[number])
        entry |= {
            "low": low if math.isfinite(low) else None,
            "high": high if math.isfinite(high) else None,
            "undefined_samples": int(measured.undefined[number]),
            "first": float(measured.first[number]),
        }
    return entry

"""Metric unanimity as a page: the table of the terminal, sortable, with the intervals drawn on one scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.html.plot import Scale
from axiomcheck.reports.unanimity_report import (
    UnanimityRow,
    UnanimityView,
    mu_text,
    unanimity_remarks,
    unanimity_rows,
    unanimity_setting,
)
from axiomcheck.runs.unanimity import LEVEL, Unanimity

_START, _END = 6, 154
"""Of the scale of intervals, in pixels."""


@dataclass(frozen=True)
class UnanimityLine:
    """One metric; numbers that are none are None, and their texts say so.

    Args:
        metric: its name.
        variants: how many of its variants share its MU, of how many.
        mu, mu_text: its MU.
        low, high: the interval, as texts; empty without intervals.
        bar: (from, to, MU) in pixels on the scale of all; None where MU or its interval is undefined.
        first: the share of samples in which no metric has a larger one; None without intervals.
        unanimous, captured: pairs.

    """

    metric: str
    variants: str
    mu: float | None
    mu_text: str
    low: str
    high: str
    bar: tuple[float, float, float] | None
    first: float | None
    unanimous: int
    captured: float


def unanimity_page(found: Unanimity, asked: UnanimityView) -> str:
    """The page of what was measured, as it was asked for."""
    rows = unanimity_rows(found, asked.every)
    scale = _scale(found, rows)
    setting = unanimity_setting(found, asked)
    return render_page(
        "unanimity.html.j2",
        styles=("tables.css", "plots.css"),
        scripts=("sort.js",),
        setting=setting,
        grouped=any(row.variants > 1 for row in rows),
        intervals=bool(found.resamples),
        resamples=found.resamples,
        level=LEVEL,
        scale=scale,
        zero=scale.at(0) if scale and scale.low <= 0 <= scale.high else None,
        lines=[_line(found, row, scale) for row in rows],
        remarks=[*unanimity_remarks(found, rows), *found.grid.notes],
        runs=found.grid.runs,
        topics=found.grid.topics,
    )


def _scale(found: Unanimity, rows: list[UnanimityRow]) -> Scale | None:
    """From the lowest end to the highest; None where nothing is drawn."""
    if not found.resamples:
        return None
    ends = [float(part[row.number]) for row in rows for part in (found.low, found.values, found.high)]
    ends = [end for end in ends if math.isfinite(end)]
    if not ends or min(ends) == max(ends):
        return None
    return Scale(min(ends), max(ends), _START, _END)


def _line(found: Unanimity, row: UnanimityRow, scale: Scale | None) -> UnanimityLine:
    n = row.number
    value, low, high = (float(part[n]) for part in (found.values, found.low, found.high))
    bar = None
    if scale is not None and math.isfinite(value) and math.isfinite(high) and not math.isnan(low):
        bar = (scale.at(max(low, scale.low)), scale.at(high), scale.at(value))
    return UnanimityLine(
        metric=found.grid.metrics[n],
        variants=f"{row.equal} of {row.variants}",
        mu=value if math.isfinite(value) else None,
        mu_text=mu_text(value),
        low=mu_text(low) if found.resamples else "",
        high=mu_text(high) if found.resamples else "",
        bar=bar,
        first=float(found.first[n]) if found.resamples else None,
        unanimous=int(found.counts.unanimous[n].sum()),
        captured=float(found.counts.captured[n].sum()),
    )

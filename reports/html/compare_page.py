"""Runs compared as a page: the tables of the terminal, sortable, with what every topic says drawn beside each run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.reports.compare_report import (
    CORRECTIONS,
    MARK_WORDS,
    RBO_WORDS,
    TAU_WORDS,
    Coefficient,
    baseline_of,
    comparison_setting,
    difference_of,
    mark,
    p_text,
    rbo_of,
    tau_of,
)
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.html.plot import path_of_rectangles
from axiomcheck.runs.comparison import LEVEL, RunComparison

_WIDTH, _HEIGHT = 120, 28
"""Of the bars of one run, in pixels."""
_MOST_DRAWN = 2000
"""Runs, over all metrics: beyond, bars would make the page too large to be opened."""


@dataclass(frozen=True)
class MeanCell:
    """The mean of a run by a metric, and how it stands to the baseline."""

    value: float
    mark: str


@dataclass(frozen=True)
class DifferenceLine:
    """A run less the baseline by a metric.

    Args:
        run: its name.
        difference: of the means.
        counts: on how many topics it is above, equal and below.
        p: (value, text) not corrected and, where there is a correction, corrected.
        mark: ``+`` or ``-`` where it is significantly better or worse, ``=`` for equal means.
        above, below: paths of bars, one per topic, from the largest difference to the smallest; empty where not drawn.

    """

    run: str
    difference: float
    counts: tuple[int, int, int]
    p: tuple[tuple[float, str], ...]
    mark: str
    above: str
    below: str


@dataclass(frozen=True)
class ComparedMetric:
    """All runs by one metric: its number, name, baseline, significant pairs, (corrected, not) and their shares."""

    number: int
    metric: str
    baseline: str
    significant: tuple[tuple[int, float], ...]
    lines: tuple[DifferenceLine, ...]


def comparison_page(found: RunComparison, baseline: str) -> str:
    """The page of a comparison; runs are held against the ``"first"`` or the ``"best"``."""
    several = len(found.runs) > 2 and len(found.metrics) > 1
    matrices = [(TAU_WORDS, _table(found, tau_of(found))), (RBO_WORDS, _table(found, rbo_of(found)))] if several else []
    corrected = CORRECTIONS.get(found.how.correction)
    drawn = len(found.metrics) * (len(found.runs) - 1) <= _MOST_DRAWN
    return render_page(
        "compare.html.j2",
        styles=("tables.css", "plots.css"),
        scripts=("sort.js",),
        setting=comparison_setting(found),
        level=LEVEL,
        pairs=len(found.pairs),
        corrected=corrected,
        metrics=[_metric(found, number, baseline, drawn) for number in range(len(found.metrics))],
        means=_means(found, baseline),
        runs=found.runs,
        mark_words=MARK_WORDS,
        matrices=matrices,
        drawn=drawn,
        width=_WIDTH,
        height=_HEIGHT,
        notes=found.notes,
    )


def _means(found: RunComparison, baseline: str) -> list[tuple[str, list[MeanCell]]]:
    bases = [baseline_of(one, baseline) for one in found.metrics]
    rows = []
    for run, name in enumerate(found.runs):
        cells = [
            MeanCell(float(one.means[run]), "b" if run == base else mark(one, run, base))
            for one, base in zip(found.metrics, bases, strict=True)
        ]
        rows.append((name, cells))
    return rows


def _metric(found: RunComparison, number: int, baseline: str, drawn: bool) -> ComparedMetric:
    one = found.metrics[number]
    base = baseline_of(one, baseline)
    has_correction = found.how.correction in CORRECTIONS
    others = [run for run in range(len(found.runs)) if run != base]
    differences = {run: np.sort(one.differences(run, base))[::-1] for run in others}
    most = max(float(np.abs(each).max()) for each in differences.values())
    lines = []
    for run in others:
        place = one.place(run, base)
        p_values = [float(one.p[place]), *([float(one.corrected[place])] if has_correction else [])]
        above, below = _bars(differences[run], most) if drawn else ("", "")
        lines.append(
            DifferenceLine(
                run=found.runs[run],
                difference=float(difference_of(one, run, base)),
                counts=one.counts(run, base),
                p=tuple((p, p_text(p)) for p in p_values),
                mark=mark(one, run, base),
                above=above,
                below=below,
            )
        )
    significant = [(one.significant(which), one.power(which)) for which in ([True] if has_correction else []) + [False]]
    return ComparedMetric(number + 1, one.metric, found.runs[base], tuple(significant), tuple(lines))


def _bars(differences: Reals, most: float) -> tuple[str, str]:
    """Paths of (bars above the middle, bars below it), the longest of all runs half as high as the picture."""
    width, half = _WIDTH / len(differences), _HEIGHT / 2
    above: list[tuple[float, float, float, float]] = []
    below: list[tuple[float, float, float, float]] = []
    for place, value in enumerate(differences.tolist()):
        height = round(half * abs(value) / most, 2) if most else 0.0
        if height:
            bar = (round(place * width, 2), half - height if value > 0 else half, round(width, 2), height)
            (above if value > 0 else below).append(bar)
    return path_of_rectangles(above), path_of_rectangles(below)


def _table(found: RunComparison, entry: Coefficient) -> list[list[float | None]]:
    several = range(len(found.metrics))
    return [[entry(i, j) for j in several] for i in several]

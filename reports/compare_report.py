"""Render comparisons of runs (`axiomcheck.runs.comparison`) as tables of means, differences and correlations.

A comparison can also be written as CSV and JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.writing import json_text
from axiomcheck.reports.plot import Bars, Plot, PlotAxis, Rule
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, table_csv
from axiomcheck.runs.comparison import LEVEL, MetricComparison, RunComparison

_CORRECTIONS = {"holm": "Holm", "tukey": "Tukey"}
"""Headings of the columns of corrected p-values, by correction."""
_MARKS = {"b": "baseline", "+": "significantly better", "-": "significantly worse", "=": "equal"}
_MOST_DRAWN = 2000
"""Maximum number of bar charts over all metrics; with more, the page would be too large to open."""


def comparison_report(comparison: RunComparison, baseline: str) -> Report:
    """Return a comparison as tables.

    Args:
        comparison: Compared runs.
        baseline: Run that the others are compared with, ``"first"`` or ``"best"``; CSV and JSON have all pairs.

    """
    sections = [_power(comparison), _means(comparison, baseline)]
    sections += [_differences(comparison, number, baseline) for number in range(len(comparison.metrics))]
    if len(comparison.runs) > 2 and len(comparison.metrics) > 1:
        tau, tau_ap = comparison.tau, comparison.tau_ap
        words = "Rank correlation: Kendall's tau-b above, tau-AP below the diagonal"
        sections.append(_matrix(comparison, words, lambda i, j: tau[i][j] if i < j else tau_ap[i][j]))
    if comparison.notes:
        notes = [f"{note}." for note in comparison.notes]
        sections.append(Section("Notes", notes, place="page"))  # the command prints them on stderr
    return Report("Runs compared", _setting(comparison), sections)


def _setting(comparison: RunComparison) -> list[str]:
    """Return two lines on the compared runs, the significance test and its correction."""
    how, topics = comparison.how, len(comparison.topics)
    tried = f"all {2**topics:,} sign flips" if comparison.exact else counted(how.samples, "sample")
    text = f"{counted(len(comparison.runs), 'run')}, {counted(topics, 'topic')}. "
    text += f"Paired randomization test, two-sided, {tried}, seed {how.seed}."
    pairs = f"the {counted(len(comparison.pairs), 'pair')} of runs by a metric"
    corrected = {
        "holm": f"Corrected for {pairs} by Holm.",
        "tukey": f"Corrected for {pairs} by Tukey's randomized test, {counted(how.samples, 'sample')}.",
        "none": f"Not corrected for {pairs}.",
    }[how.correction]
    return [text, corrected]


def _power(comparison: RunComparison) -> Section:
    kinds = {"Corrected": True} if comparison.how.correction in _CORRECTIONS else {}
    kinds |= {"Uncorrected": False}
    rows: list[list[Value]] = []
    for number, one in enumerate(comparison.metrics, 1):
        counts = [(one.significant(corrected), one.power(corrected)) for corrected in kinds.values()]
        shares = [TableEntry(f"{count} ({share:.0%})", count) for count, share in counts]
        rows.append([str(number), TableEntry(one.metric, link=f"metric-{number}"), *shares])
    columns = (Column("Number"), Column("Metric"), *(Column(kind, ",") for kind in kinds))
    words = f"Significant of {counted(len(comparison.pairs), 'pair')} (p <= {LEVEL}), and their share."
    return Section("Discriminative power", [words], Table(columns, rows, sortable=False))


def _means(comparison: RunComparison, baseline: str) -> Section:
    bases = [_base(one, baseline) for one in comparison.metrics]
    rows: list[list[Value]] = []
    for run, name in enumerate(comparison.runs):
        pairs = zip(comparison.metrics, bases, strict=True)
        marks = ["b" if run == base else _mark(one, run, base) for one, base in pairs]
        means = [float(one.means[run]) for one in comparison.metrics]
        rows.append([name, *(TableEntry(f"{mean:.4f}", mean, mark) for mean, mark in zip(means, marks, strict=True))])
    columns = (Column("Run"), *(Column(str(number), ".4f") for number in range(1, len(comparison.metrics) + 1)))
    words = "b baseline, + - significantly better or worse than it, = equal"
    return Section("Means", [], Table(columns, rows, _MARKS, folds=True), notes=[words])


def _base(one: MetricComparison, baseline: str) -> int:
    """Return the number of the baseline run for a metric."""
    return one.best if baseline == "best" else 0


def _mark(one: MetricComparison, run: int, base: int) -> str:
    """Return ``=`` for equal means, ``+`` or ``-`` for a significantly better or worse run, else an empty text."""
    if one.ranked[run] == one.ranked[base]:
        return "="
    if one.corrected[one.place(run, base)] > LEVEL:
        return ""
    return "+" if one.ranked[run] > one.ranked[base] else "-"


def _differences(comparison: RunComparison, number: int, baseline: str) -> Section:
    """Return the table of the differences between each run and the baseline for one metric."""
    one = comparison.metrics[number]
    base = _base(one, baseline)
    corrected = _CORRECTIONS.get(comparison.how.correction)
    plots = _bars_of(comparison, number, base)
    rows: list[list[Value]] = []
    for run, plot in plots.items():
        place, difference = one.place(run, base), _difference(one, run, base)
        p_values = [float(one.p[place]), *([float(one.corrected[place])] if corrected else [])]
        mean = TableEntry(f"{difference:+.4f}", difference, _mark(one, run, base))
        row: list[Value] = [comparison.runs[run], plot, mean, *one.counts(run, base)]
        rows.append([*row, *(TableEntry(p_text(p), p) for p in p_values)])
    columns = [Column("Run"), Column("By topic", drawing=True), Column("Difference", "+.4f")]
    columns += [Column(heading, "d") for heading in ("Won", "Tied", "Lost")]
    columns += [Column(heading, ".4f") for heading in ("p", corrected) if heading]
    drawn = len(comparison.metrics) * len(rows) <= _MOST_DRAWN
    if not drawn:
        columns, rows = [columns[0], *columns[2:]], [[row[0], *row[2:]] for row in rows]
    heading = f"{number + 1} {one.metric}: runs less {comparison.runs[base]}"
    return Section(heading, [], Table(tuple(columns), rows, _MARKS), id=f"metric-{number + 1}")


def _bars_of(comparison: RunComparison, number: int, base: int) -> dict[int, Plot]:
    """Return bar charts of the differences from the baseline by topic, one for each other run, all on one scale."""
    one = comparison.metrics[number]
    others = [run for run in range(len(comparison.runs)) if run != base]
    bars = {run: np.sort(one.differences(run, base))[::-1] for run in others}
    most = max(float(np.abs(each).max()) for each in bars.values()) or 1.0
    plots = {}
    for place, (run, each) in enumerate(bars.items()):
        p = one.corrected[one.place(run, base)]
        title = f"{comparison.runs[run]}\nless {comparison.runs[base]}, p = {p:.2g}"
        across = PlotAxis("", 0, len(each), named=False)
        up = PlotAxis("" if place else one.metric, -most, most, named=not place)
        plots[run] = Plot(title, across, up, [Bars(each.tolist()), Rule("zero", y=0.0)], (120, 28), bare=True)
    return plots


def p_text(p: float) -> str:
    """Format a p-value with four digits, without rounding it to 0."""
    return f"{p:.4f}" if p >= 0.00005 else "<.0001"


def _matrix(comparison: RunComparison, title: str, coefficient: Callable[[int, int], float | None]) -> Section:
    """Return a table of a coefficient for every pair of metrics; a coefficient of None leaves its cell empty."""
    several = range(len(comparison.metrics))
    rows = [
        [f"{i + 1} {comparison.metrics[i].metric}", *(None if i == j else coefficient(i, j) for j in several)]
        for i in several
    ]
    columns = (Column("Metric"), *(Column(str(i + 1), ".2f") for i in several))
    return Section(title, [], Table(columns, rows, sortable=False, folds=True))


def comparison_csv(comparison: RunComparison) -> str:
    """Return CSV with a line per metric and pair of runs."""
    head = ["metric", "first", "second", "first mean", "second mean", "difference", "won", "tied", "lost"]
    rows = []
    for one in comparison.metrics:
        for place, (first, second) in enumerate(comparison.pairs.tolist()):
            names = [one.metric, comparison.runs[first], comparison.runs[second]]
            values = [float(one.means[first]), float(one.means[second]), _difference(one, first, second)]
            p, corrected = float(one.p[place]), float(one.corrected[place])
            significant = "yes" if corrected <= LEVEL else "no"
            rows.append([*names, *values, *one.counts(first, second), p, corrected, significant])
    return table_csv([*head, "p", "corrected p", "significant"], rows)


def _difference(one: MetricComparison, first: int, second: int) -> float:
    """Return the first mean minus the second; 0 if they differ only by rounding errors."""
    return 0.0 if one.ranked[first] == one.ranked[second] else float(one.means[first] - one.means[second])


def comparison_json(comparison: RunComparison, files: Sequence[str]) -> str:
    """Return a comparison of runs as JSON, with the files of the runs."""
    how = comparison.how
    document: dict[str, Any] = {
        "schema": "axiomcheck/compare",
        "version": 2,
        "runs": [{"name": name, "file": file} for name, file in zip(comparison.runs, files, strict=True)],
        "topics": list(comparison.topics),
        "test": {
            "name": "randomization",
            "correction": how.correction,
            "exact": comparison.exact,
            "samples": how.samples,
            "seed": how.seed,
            "level": LEVEL,
        },
        "metrics": [_metric_json(comparison, one) for one in comparison.metrics],
        "rank_correlation": {
            "metrics": [one.metric for one in comparison.metrics],
            "tau_b": comparison.tau,
            "tau_ap": comparison.tau_ap,
        },
        "notes": list(comparison.notes),
    }
    return json_text(document)


def _metric_json(comparison: RunComparison, one: MetricComparison) -> dict[str, Any]:
    pairs = []
    for place, (first, second) in enumerate(comparison.pairs.tolist()):
        won, tied, lost = one.counts(first, second)
        pairs.append(
            {
                "first": comparison.runs[first],
                "second": comparison.runs[second],
                "difference": _difference(one, first, second),
                "won": won,
                "tied": tied,
                "lost": lost,
                "p": float(one.p[place]),
                "corrected_p": float(one.corrected[place]),
                "significant": bool(one.corrected[place] <= LEVEL),
            }
        )
    return {
        "metric": one.metric,
        "means": dict(zip(comparison.runs, one.means.tolist(), strict=True)),
        "discriminative_power": {"corrected": one.power(), "not_corrected": one.power(False)},
        "achieved_significance_levels": one.curve.tolist(),
        "pairs": pairs,
    }

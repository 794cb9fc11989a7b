"""Runs compared (`axiomcheck.runs.comparison`): as tables, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

from axiomcheck.core.counting import counted
from axiomcheck.core.printable import spreadsheet_cell
from axiomcheck.core.writing import json_text
from axiomcheck.reports.aligned import aligned
from axiomcheck.runs.comparison import LEVEL, MetricComparison, RunComparison
from axiomcheck.runs.comparison.correlation import PERSISTENCE

_WIDTH = 80
CORRECTIONS = {"holm": "Holm", "tukey": "Tukey"}
"""What corrected p-values are headed with; without a correction there are none."""
MARK_WORDS = "b baseline, + - significantly better or worse than it, = equal"
TAU_WORDS = "Rank correlation: Kendall's tau-b above, tau-AP below the diagonal"
RBO_WORDS = f"Rank-biased overlap (p = {PERSISTENCE})"


def comparison_text(style: str, found: RunComparison, baseline: str, files: Sequence[str]) -> str:
    """A comparison as text.

    Args:
        style: ``"table"``, ``"json"`` or ``"csv"``.
        found: the comparison.
        baseline: what runs are held against, ``"first"`` or ``"best"``; in CSV and JSON are all pairs.
        files: of each run.

    """
    if style == "table":
        return _as_table(found, baseline)
    return _as_json(found, files) if style == "json" else _as_csv(found)


def baseline_of(one: MetricComparison, baseline: str) -> int:
    """The run that the others are held against by a metric."""
    return one.best if baseline == "best" else 0


def mark(one: MetricComparison, run: int, base: int) -> str:
    """Of a run and the one it is held against: ``=`` equal means, ``+`` or ``-`` significantly better or worse."""
    if one.ranked[run] == one.ranked[base]:
        return "="
    if one.corrected[one.place(run, base)] > LEVEL:
        return ""
    return "+" if one.ranked[run] > one.ranked[base] else "-"


def _as_table(found: RunComparison, baseline: str) -> str:
    parts = ["".join(f"{line}\n" for line in comparison_setting(found)), _power(found), _means(found, baseline)]
    parts += [_differences(found, number, baseline) for number in range(len(found.metrics))]
    if len(found.runs) > 2 and len(found.metrics) > 1:
        parts += [
            _matrix(found, TAU_WORDS, tau_of(found)),
            _matrix(found, RBO_WORDS, rbo_of(found)),
        ]
    return "\n".join(parts)


def comparison_setting(found: RunComparison) -> list[str]:
    """What was compared and tested, and how it was corrected, a line each."""
    tried = f"all {2 ** len(found.topics):,} sign flips" if found.exact else f"{counted(found.how.samples, 'sample')}"
    text = f"{counted(len(found.runs), 'run')}, {counted(len(found.topics), 'topic')}. "
    text += f"Paired {found.how.test} test, two-sided, {tried}, seed {found.how.seed}."
    pairs = f"the {counted(len(found.pairs), 'pair')} of runs by a metric"
    corrected = {
        "holm": f"Corrected for {pairs} by Holm.",
        "tukey": f"Corrected for {pairs} by Tukey's randomized test, {counted(found.how.samples, 'sample')}.",
        "none": f"Not corrected for {pairs}.",
    }[found.how.correction]
    return [text, corrected]


def _power(found: RunComparison) -> str:
    pairs = len(found.pairs)
    rows = []
    for number, one in enumerate(found.metrics, 1):
        alone = [f"{one.significant(False)} ({one.power(False):.0%})"]
        corrected = [f"{one.significant()} ({one.power():.0%})"] if found.how.correction != "none" else []
        rows.append([str(number), one.metric, *corrected, *alone])
    head = ["", f"Significant of {counted(pairs, 'pair')} (p <= {LEVEL})"]
    head += ["corrected", "uncorrected"] if found.how.correction != "none" else ["uncorrected"]
    return aligned([head, *rows], 2)


def _means(found: RunComparison, baseline: str) -> str:
    marked = [[f"{value:.4f}" for value in one.means] for one in found.metrics]
    for one, column in zip(found.metrics, marked, strict=True):
        base = baseline_of(one, baseline)
        for run in range(len(found.runs)):
            column[run] += "b" if run == base else mark(one, run, base) or " "
    head = ["Means", *(f"{number} " for number in range(1, len(found.metrics) + 1))]
    rows = [[name, *(column[run] for column in marked)] for run, name in enumerate(found.runs)]
    return _in_blocks(head, rows) + f"{MARK_WORDS}\n"


def _in_blocks(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of which as many columns stand beside each other as there is room for, and the others below."""
    first = max(len(row[0]) for row in (head, *rows))
    width = 2 + max(len(cell) for row in (head, *rows) for cell in row[1:])
    several = max(1, (_WIDTH - first) // width)
    return "\n".join(
        aligned([[row[0], *row[start : start + several]] for row in (head, *rows)])
        for start in range(1, len(head), several)
    )


def _differences(found: RunComparison, number: int, baseline: str) -> str:
    one = found.metrics[number]
    base = baseline_of(one, baseline)
    corrected = CORRECTIONS.get(found.how.correction)
    rows = []
    for run, name in enumerate(found.runs):
        if run != base:
            place = one.place(run, base)
            p = [p_text(one.p[place]), *([p_text(one.corrected[place])] if corrected else [])]
            rows.append(
                [
                    name,
                    f"{difference_of(one, run, base):+.4f}",
                    *map(str, one.counts(run, base)),
                    *p,
                    mark(one, run, base),
                ]
            )
    head = [f"{number + 1} less {found.runs[base]}", "Difference", "Won", "Tied", "Lost", "p"]
    return aligned([[*head, *([corrected] if corrected else []), ""], *rows])


def p_text(p: float) -> str:
    """Four digits, and never 0."""
    return f"{p:.4f}" if p >= 0.00005 else "<.0001"


Coefficient = Callable[[int, int], float | None]
"""Of two metrics, by their numbers; None where none is shown."""


def tau_of(found: RunComparison) -> Coefficient:
    """Kendall's tau-b above the diagonal, tau-AP below it."""
    return lambda i, j: None if i == j else found.tau[i][j] if i < j else found.tau_ap[i][j]


def rbo_of(found: RunComparison) -> Coefficient:
    """Rank-biased overlap, above the diagonal."""
    return lambda i, j: found.rbo[i][j] if i < j else None


def _matrix(found: RunComparison, title: str, entry: Coefficient) -> str:
    """A coefficient of every two metrics, which go by their numbers."""
    several = range(len(found.metrics))

    def cell(i: int, j: int) -> str:
        value = entry(i, j)
        return "" if value is None else f"{value:.2f}"

    rows = [[str(i + 1), *(cell(i, j) for j in several)] for i in several]
    return f"{title}\n" + _in_blocks(["", *(str(j + 1) for j in several)], rows)


def _as_csv(found: RunComparison) -> str:
    """All pairs of runs by all metrics."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["metric", "first", "second", "first mean", "second mean", "difference", "won", "tied", "lost"]
    writer.writerow([*head, "p", "corrected p", "significant"])
    for one in found.metrics:
        for place, (first, second) in enumerate(found.pairs.tolist()):
            values = [float(one.means[first]), float(one.means[second]), difference_of(one, first, second)]
            names = map(spreadsheet_cell, (one.metric, found.runs[first], found.runs[second]))
            p, corrected = float(one.p[place]), float(one.corrected[place])
            counts = one.counts(first, second)
            writer.writerow([*names, *values, *counts, p, corrected, "yes" if corrected <= LEVEL else "no"])
    return text.getvalue()


def difference_of(one: MetricComparison, first: int, second: int) -> float:
    """The first mean less the second; 0 where they differ by rounding alone."""
    return 0.0 if one.ranked[first] == one.ranked[second] else float(one.means[first] - one.means[second])


def _as_json(found: RunComparison, files: Sequence[str]) -> str:
    how = found.how
    document: dict[str, Any] = {
        "schema": "axiomcheck/compare",
        "version": 1,
        "runs": [{"name": name, "file": file} for name, file in zip(found.runs, files, strict=True)],
        "topics": list(found.topics),
        "test": {
            "name": how.test,
            "correction": how.correction,
            "exact": found.exact,
            "samples": how.samples,
            "seed": how.seed,
            "level": LEVEL,
        },
        "metrics": [_metric_json(found, one) for one in found.metrics],
        "rank_correlation": {
            "metrics": [one.metric for one in found.metrics],
            "tau_b": found.tau,
            "tau_ap": found.tau_ap,
            "rbo": found.rbo,
            "rbo_p": PERSISTENCE,
        },
        "notes": list(found.notes),
    }
    return json_text(document)


def _metric_json(found: RunComparison, one: MetricComparison) -> dict[str, Any]:
    pairs = []
    for place, (first, second) in enumerate(found.pairs.tolist()):
        won, tied, lost = one.counts(first, second)
        pairs.append(
            {
                "first": found.runs[first],
                "second": found.runs[second],
                "difference": difference_of(one, first, second),
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
        "means": dict(zip(found.runs, one.means.tolist(), strict=True)),
        "discriminative_power": {"corrected": one.power(), "not_corrected": one.power(False)},
        "achieved_significance_levels": one.curve.tolist(),
        "pairs": pairs,
    }

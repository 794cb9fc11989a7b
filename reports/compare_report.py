"""Render comparisons of runs (`axiomcheck.runs.comparison`) as tables of means, differences and correlations.

A comparison can also be written as CSV and JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Reals
from axiomcheck.core.writing import json_text
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, table_csv
from axiomcheck.reports.words import WORDS_EXPLAINED
from axiomcheck.runs.comparison import CONFIDENCE, LEVEL, MetricComparison, RunComparison, holm

_CORRECTIONS = {"holm": "Holm", "tukey": "Tukey"}
"""Headings for the columns of corrected p-values, keyed by correction."""
_MARKS = {"b": "baseline", "+": "significantly better", "-": "significantly worse", "=": "equal"}


def comparison_report(comparison: RunComparison, baseline: str) -> Report:
    """Report a comparison of runs as tables.

    Args:
        comparison: Compared runs.
        baseline: Run to compare the other runs with, ``"first"`` or ``"best"``; CSV and JSON contain all pairs.

    """
    sections = [_power(comparison), _means(comparison, baseline)]
    sections += [_differences(comparison, number, baseline) for number in range(len(comparison.metrics))]
    if len(comparison.runs) > 2 and len(comparison.metrics) > 1:
        sections.append(_correlations(comparison))
    if comparison.notes:
        notes = [f"{note}." for note in comparison.notes]
        sections.append(Section("Notes", notes, place="page"))  # the command prints them on stderr
    return Report("Runs compared", _setting(comparison), [*sections, WORDS_EXPLAINED])


def _setting(comparison: RunComparison) -> list[str]:
    """Return the lines above the tables: numbers of runs and topics, tests, corrections, and what columns mean."""
    how, topics = comparison.how, len(comparison.topics)
    tried = f"all {2**topics:,} sign flips" if comparison.exact else counted(how.samples, "sample")
    text = f"{counted(len(comparison.runs), 'run')}, {counted(topics, 'topic')}. "
    text += f"Paired randomization test (p), two-sided, {tried}, seed {how.seed}; Student's t-test (t) and Wilcoxon's "
    text += "signed-rank test."
    pairs = _pairs(comparison)
    metrics = f"for the {counted(len(comparison.metrics), 'metric')}" if len(comparison.metrics) > 1 else ""
    without = f", and not {metrics}" * bool(metrics)
    corrected = {
        "holm": f"All three are corrected by Holm's method for {pairs}{without}.",
        "tukey": f"p is corrected by Tukey's randomized test, {counted(how.samples, 'sample')}, for {pairs}{without}; "
        "the other two are not corrected.",
        "none": f"Not corrected for {pairs}" + f", nor {metrics}" * bool(metrics) + ".",
    }[how.correction]
    columns = (
        f"{CONFIDENCE:.0%} interval: for the mean difference, by Student's t, not corrected. d: Cohen's d for paired "
        "samples, the mean difference divided by the standard deviation of the differences."
    )
    return [text, corrected, columns]


def _pairs(comparison: RunComparison) -> str:
    count = len(comparison.pairs)
    return f"the {'only' if count == 1 else f'{count:,}'} pair{'s' * (count > 1)} of runs"


def _power(comparison: RunComparison) -> Section:
    kinds = {"Corrected": True} if comparison.how.correction in _CORRECTIONS else {}
    kinds |= {"Uncorrected": False}
    rows: list[list[Value]] = []
    for number, one in enumerate(comparison.metrics, 1):
        counts = [(one.significant(corrected), one.power(corrected)) for corrected in kinds.values()]
        shares = [TableEntry(f"{count} ({share:.0%})", count) for count, share in counts]
        rows.append([str(number), one.metric, *shares])
    columns = (Column("Number"), Column("Metric"), *(Column(kind, ",") for kind in kinds))
    words = f"Number and share of significant pairs (p <= {LEVEL}) among {len(comparison.pairs):,}."
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
    words = "b baseline, + - significantly better or worse than the baseline, = equal"
    return Section("Means", [], Table(columns, rows, _MARKS, folds=True), notes=[words])


def _base(one: MetricComparison, baseline: str) -> int:
    """Return the index of the baseline run for a metric: the first run, or the run with the best mean."""
    return one.best if baseline == "best" else 0


def _mark(one: MetricComparison, run: int, base: int) -> str:
    """Mark a mean as equal to the baseline's (``=``), significantly better or worse (``+``, ``-``), or neither ('')."""
    if one.ranked[run] == one.ranked[base]:
        return "="
    if one.corrected[one.place(run, base)] > LEVEL:
        return ""
    return "+" if one.ranked[run] > one.ranked[base] else "-"


def _differences(comparison: RunComparison, number: int, baseline: str) -> Section:
    """Return a table of the differences between each run and the baseline for one metric."""
    one = comparison.metrics[number]
    base = _base(one, baseline)
    corrected = _CORRECTIONS.get(comparison.how.correction)
    tests = [one.p, *([one.corrected] if corrected else []), *_corrected_tests(comparison, one)]
    rows: list[list[Value]] = []
    for run in range(len(comparison.runs)):
        if run == base:
            continue
        difference = _difference(one, run, base)
        entry = TableEntry(f"{difference:+.4f}", difference, _mark(one, run, base))
        rows.append([comparison.runs[run], entry, *_effect(one, run, base), *one.counts(run, base)])
        ps = [float(test[one.place(run, base)]) for test in tests]
        rows[-1] += [TableEntry(p_text(p), None if np.isnan(p) else p) for p in ps]
    columns = [Column("Run"), Column("Difference", "+.4f")]
    columns += [Column(f"{CONFIDENCE:.0%} interval", "+.4f"), Column("d", "+.2f")]
    columns += [Column(heading, "d") for heading in ("Won", "Tied", "Lost")]
    columns += [Column("p", ".4f", breaks=True), *([Column(f"p, {corrected}", ".4f")] if corrected else [])]
    columns += [Column(f"{name}, Holm" if corrected == "Holm" else name, ".4f") for name in ("t", "Wilcoxon")]
    heading = f"{number + 1} {one.metric}: differences from {comparison.runs[base]}"
    return Section(heading, [], Table(tuple(columns), rows, _MARKS, folds=True))


def _effect(one: MetricComparison, run: int, base: int) -> tuple[TableEntry, TableEntry]:
    """Return the confidence interval of the mean difference from the baseline, and Cohen's d, as table cells."""
    place, sign = one.place(run, base), 1 if run < base else -1
    ends = sorted(sign * float(end[place]) for end in (one.tests.low, one.tests.high))
    effect = sign * float(one.tests.effect[place])
    if np.isnan(effect):
        return TableEntry("-"), TableEntry("-")
    return TableEntry(f"{ends[0]:+.4f} to {ends[1]:+.4f}", ends[0]), TableEntry(f"{effect:+z.2f}", effect)


def _corrected_tests(comparison: RunComparison, one: MetricComparison) -> list[Reals]:
    """Return the p-values of the t-test and of Wilcoxon's test, with Holm's correction if it was requested."""
    tests = [one.tests.t, one.tests.wilcoxon]
    return [holm(test) for test in tests] if comparison.how.correction == "holm" else tests


def p_text(p: float) -> str:
    """Format a p-value with four digits, without rounding it to 0; an undefined p-value becomes a dash."""
    return "-" if np.isnan(p) else f"{p:.4f}" if p >= 0.00005 else "<.0001"


def _correlations(comparison: RunComparison) -> Section:
    """Return a section with a table of the rank correlations of every pair of metrics."""
    title = "Rank correlation: Kendall's tau-b above, tau-AP below the diagonal"
    tau, tau_ap, several = comparison.tau, comparison.tau_ap, range(len(comparison.metrics))
    rows: list[list[Value]] = []
    for i in several:
        coefficients = [None if i == j else tau[i][j] if i < j else tau_ap[i][j] for j in several]
        rows.append([f"{i + 1} {comparison.metrics[i].metric}", *coefficients])
    columns = (Column("Metric"), *(Column(str(i + 1), ".2f") for i in several))
    return Section(title, [], Table(columns, rows, sortable=False, folds=True))


def comparison_csv(comparison: RunComparison) -> str:
    """Return CSV with one line per metric and pair of runs."""
    pairs = [{"metric": one.metric} | pair for one in comparison.metrics for pair in _pairs_json(comparison, one)]
    rows = [["yes" if v is True else "no" if v is False else v for v in pair.values()] for pair in pairs]
    return table_csv([name.replace("_", " ") for name in pairs[0]], rows)


def _difference(one: MetricComparison, first: int, second: int) -> float:
    """Return the difference between the mean scores of two runs; 0 if they differ only by rounding errors."""
    return 0.0 if one.ranked[first] == one.ranked[second] else float(one.means[first] - one.means[second])


def comparison_json(comparison: RunComparison, files: Sequence[str]) -> str:
    """Return a comparison of runs as JSON, which also names the file of each run."""
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
        "metrics": [
            {
                "metric": one.metric,
                "means": dict(zip(comparison.runs, one.means.tolist(), strict=True)),
                "discriminative_power": {"corrected": one.power(), "not_corrected": one.power(False)},
                "achieved_significance_levels": one.curve.tolist(),
                "pairs": _pairs_json(comparison, one),
            }
            for one in comparison.metrics
        ],
        "rank_correlation": {
            "metrics": [one.metric for one in comparison.metrics],
            "tau_b": comparison.tau,
            "tau_ap": comparison.tau_ap,
        },
        "notes": list(comparison.notes),
    }
    return json_text(document)


def _pairs_json(comparison: RunComparison, one: MetricComparison) -> list[dict[str, Any]]:
    """Return a dict for each pair of runs, with the fields of JSON and CSV; None for undefined values."""
    tests, (t, wilcoxon) = one.tests, _corrected_tests(comparison, one)
    fields = {
        "t_p": tests.t,
        "t_corrected_p": t,
        "wilcoxon_p": tests.wilcoxon,
        "wilcoxon_corrected_p": wilcoxon,
        "cohen_d": tests.effect,
        "low": tests.low,
        "high": tests.high,
    }
    pairs = []
    for place, (first, second) in enumerate(comparison.pairs.tolist()):
        won, tied, lost = one.counts(first, second)
        pairs.append(
            {
                "first": comparison.runs[first],
                "second": comparison.runs[second],
                "first_mean": float(one.means[first]),
                "second_mean": float(one.means[second]),
                "difference": _difference(one, first, second),
                "won": won,
                "tied": tied,
                "lost": lost,
                "p": float(one.p[place]),
                "corrected_p": float(one.corrected[place]),
                "significant": bool(one.corrected[place] <= LEVEL),
                **{name: None if np.isnan(of[place]) else float(of[place]) for name, of in fields.items()},
            }
        )
    return pairs

"""The t-test, Wilcoxon's test, Cohen's d and intervals of `compare`, against scipy asked about each pair by itself."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from axiomcheck.core.typing import Reals
from axiomcheck.reports.compare_report import comparison_csv, comparison_report
from axiomcheck.reports.latex import report_latex
from axiomcheck.reports.pictures import report_svg
from axiomcheck.reports.table import report_text
from axiomcheck.runs.comparison import MetricComparison, RunComparison, Significance, compare_runs, holm
from axiomcheck.runs.trec import Options, ScoreGrid, metrics_named, score_grid
from tests.runs.trec_data import RUNS, judgments, needs_data, runs

RNG = np.random.default_rng(3)
CONTINUOUS = RNG.random((4, 20))
TIED = RNG.integers(0, 4, (4, 9)) / 10
"""Scores in tenths: differences that are tied or 0 are the rule, and floats do not have them."""


def of_scipy(scores: Reals) -> dict[str, list[float]]:
    """Return the results about each pair of runs as scipy gives them for the two rows of scores."""
    found: dict[str, list[float]] = {name: [] for name in ("t", "wilcoxon", "effect", "low", "high")}
    for one, other in combinations(np.round(scores, 12), 2):
        tested = stats.ttest_rel(one, other)
        found["t"].append(tested.pvalue)
        interval = tested.confidence_interval(0.95)
        found["low"].append(interval.low)
        found["high"].append(interval.high)
        found["effect"].append(tested.statistic / np.sqrt(len(one)))
        found["wilcoxon"].append(stats.wilcoxon(np.round(one - other, 12)).pvalue)
    return found


def ours(scores: Reals) -> dict[str, list[float]]:
    tests = MetricComparison("m", scores, np.zeros(6), np.zeros(6)).tests
    return {name: getattr(tests, name).tolist() for name in ("t", "wilcoxon", "effect", "low", "high")}


def agree(one: dict[str, list[float]], other: dict[str, list[float]]) -> bool:
    return all(np.allclose(one[name], other[name], rtol=1e-7, atol=1e-9) for name in one)


@pytest.mark.parametrize("scores", [CONTINUOUS, TIED], ids=["continuous", "tied"])
def test_the_tests_are_those_of_scipy(scores: Reals) -> None:
    wanted, found = of_scipy(scores), ours(scores)
    assert agree(found, wanted)
    for name, planted in {
        "effect": [value * np.sqrt(20 / 19) for value in found["effect"]],  # N in place of N - 1
        "t": [value / 2 for value in found["t"]],  # one-sided
        "low": [-value for value in found["high"]],  # the other run first
    }.items():
        assert not agree(found | {name: planted}, wanted)


def test_rounding_makes_no_difference_of_ranks() -> None:
    """0.3 - 0.2 and 0.2 - 0.1 are equal in tenths and not in floats: Wilcoxon's test has them tied."""
    by_floats = [stats.wilcoxon(one - other).pvalue for one, other in combinations(TIED, 2)]
    assert not np.allclose(by_floats, ours(TIED)["wilcoxon"])


def test_what_is_undefined_is_a_dash_and_no_number() -> None:
    same = np.array([[0.1, 0.2, 0.7], [0.1, 0.2, 0.7], [0.2, 0.3, 0.8]])
    compared = compare_runs(grid(same), ["a", "b", "c"], Significance())
    tests = compared.metrics[0].tests
    assert np.isnan([tests.t[0], tests.wilcoxon[0], tests.effect[0], tests.t[1], tests.effect[1]]).all()
    assert tests.wilcoxon[1] == 0.25
    text = report_text(comparison_report(compared, "first"))
    assert "b      +0.0000=             -  -" in text
    assert "nan" not in text + comparison_csv(compared)


def grid(scores: Reals) -> ScoreGrid:
    topics = tuple(str(number) for number in range(scores.shape[1]))
    return ScoreGrid(("m",), tuple("abcdefgh"[: len(scores)]), topics, scores[None], ())


def two_by_two(found: RunComparison, baseline: str, name: str) -> dict[str, list[str]]:
    """Read the cells of the table of the first metric, by run."""
    section = next(each for each in comparison_report(found, baseline).sections if each.id == "metric-1")
    headings = [column.heading for column in section.table.columns]
    place = headings.index(name)
    return {str(row[0]): [section.table.columns[place].entry(row[place]).text] for row in section.table.rows}


def test_signs_follow_the_baseline() -> None:
    found = compare_runs(grid(CONTINUOUS), list("abcd"), Significance())
    first = ours(CONTINUOUS)
    assert two_by_two(found, "first", "d")["b"] == [f"{-first['effect'][0]:+.2f}"]
    best = found.metrics[0].best
    worst = int(np.argmin(found.metrics[0].means))
    one, other = CONTINUOUS[worst], CONTINUOUS[best]
    assert two_by_two(found, "best", "d")["abcd"[worst]] == [
        f"{stats.ttest_rel(one, other).statistic / np.sqrt(20):+.2f}"
    ]
    interval = stats.ttest_rel(one, other).confidence_interval(0.95)
    assert two_by_two(found, "best", "95% interval")["abcd"[worst]] == [f"{interval.low:+.4f} to {interval.high:+.4f}"]


@pytest.mark.parametrize(
    ("correction", "said"),
    [
        ("holm", "Holm-corrected for the 6 pairs of runs"),
        ("tukey", "Tukey-corrected for the 6 pairs of runs"),
        ("none", "not corrected for the 6 pairs of runs"),
    ],
)
def test_pictures_name_topics_and_say_what_p_is_corrected_for(correction: Any, said: str) -> None:
    found = compare_runs(grid(CONTINUOUS), list("abcd"), Significance(correction))
    picture = report_svg(comparison_report(found, "first"))
    assert picture.count(said) == 3
    order = np.argsort(CONTINUOUS[0] - CONTINUOUS[1])  # of b less a, from the largest
    places = [picture.index(f'rotate(-90)" text-anchor="end">{topic}<') for topic in order]
    assert places == sorted(places)
    rows = comparison_csv(found).splitlines()
    column = rows[0].split(",").index("t corrected p")
    uncorrected = np.array(ours(CONTINUOUS)["t"])
    wanted = holm(uncorrected) if correction == "holm" else uncorrected
    assert np.allclose([float(row.split(",")[column]) for row in rows[1:]], wanted)


def test_latex_has_the_tables_and_escapes_names() -> None:
    found = compare_runs(grid(CONTINUOUS), ["a_1", "b%", "c", "d"], Significance())
    text = report_latex(comparison_report(found, "first"))
    assert text.count(r"\begin{tabular}") == text.count(r"\end{table}") == 3
    assert r"b\% & " in text
    assert "_1" not in text.replace(r"\_1", "")
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    columns = {line.count(" & ") for line in lines if line.startswith(("Run & Difference", "c & $-$", "c & +"))}
    assert 10 in columns


@needs_data
def test_real_runs_have_the_numbers_of_scipy() -> None:
    metrics = metrics_named(["RBU@20", "ERR-IA@20"])
    scored = score_grid(metrics, judgments(), list(runs()[:4]), Options())
    found = compare_runs(scored, [path.name for path in RUNS[:4]], Significance(samples=100))
    for number, one in enumerate(found.metrics):
        assert agree(ours(one.scores), of_scipy(scored.values[number]))
        assert replace(one, scores=one.scores[::-1]).tests.effect[5] == pytest.approx(-one.tests.effect[0])

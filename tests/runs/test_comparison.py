"""Tests of pairs of runs and rank correlations, against definitions, examples and scipy; the command `compare`."""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from scipy import stats

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Reals
from axiomcheck.reports.compare_report import comparison_csv, comparison_report, p_text
from axiomcheck.reports.table import report_text
from axiomcheck.runs.comparison import (
    MetricComparison,
    RunComparison,
    Significance,
    _tau_ap_against,
    compare_runs,
    holm,
    in_steps,
    kendall,
    p_values,
    step_of,
    tau_ap,
    tukey,
)
from axiomcheck.runs.trec import ScoreGrid
from tests.support.commands import command
from tests.support.suites import each

EQUAL = (1, 3, 0, 7, 7, 2, 9)
TENTHS = (EQUAL, (2, 3, 1, 9, 6, 5, 9), (2, 3, 1, 9, 6, 5, 10), (0, 0, 0, 1, 0, 0, 9), EQUAL)
"""Scores of five runs on seven topics, in tenths, which floats do not have: ties among sums are the rule."""
SCORES = np.array(TENTHS) / 10


def by_all_sign_flips() -> list[Fraction]:
    """Return the share of sign flips by which the mean is as far from 0, in integers."""
    found = []
    for one, other in combinations(TENTHS, 2):
        row = [a - b for a, b in zip(one, other, strict=True)]
        flipped = [abs(sum(s * x for s, x in zip(signs, row, strict=True))) for signs in product((1, -1), repeat=7)]
        found.append(Fraction(sum(total >= abs(sum(row)) for total in flipped), 2**7))
    return found


def without_steps(scores: Reals) -> Reals:
    """Return what sums of floats say by themselves: ties are lost to rounding."""
    flips = np.array(list(product((1, -1), repeat=scores.shape[1])))
    return np.array([(np.abs(flips @ (x - y)) >= abs((x - y).sum())).mean() for x, y in combinations(scores, 2)])


def test_few_topics_are_enumerated_exactly() -> None:
    wanted = [float(p) for p in by_all_sign_flips()]
    assert p_values(SCORES, Significance(samples=128)).tolist() == wanted
    assert Significance(samples=128).exact(7)
    assert not Significance(samples=127).exact(7)
    assert wanted[3] == 1  # two equal runs
    assert np.abs(without_steps(SCORES) - wanted).max() > 0.01
    for scale in (1e-12, 3e8):  # steps are relative to the largest score
        assert p_values(SCORES * scale, Significance(samples=128)).tolist() == wanted
    assert in_steps(np.array([0.1 + 0.2 - 0.3]), step_of(SCORES)) == 0
    assert in_steps(np.array([1e-7]), step_of(SCORES)) != 0


def test_samples_come_near_to_that_and_p_is_never_0() -> None:
    wanted = np.array([float(p) for p in by_all_sign_flips()])
    found = p_values(SCORES, Significance(samples=127))  # one short of all
    assert np.all(np.abs(found - wanted) < 4 * np.sqrt(0.25 / 127))
    assert np.all(np.round(found * 128, 9) % 1 == 0)  # (b + 1) / (B + 1)
    assert found[0] == found[6]  # of equal runs: all pairs have the same resamples
    apart = np.array([np.sin(np.arange(40)) + 100.0, np.zeros(40)])
    assert p_values(apart, Significance(samples=99)).tolist() == [0.01]
    assert tukey(apart, Significance(samples=99)).tolist() == [0.01]


def test_means_that_are_equal_but_for_rounding_differ_by_no_test() -> None:
    scores = np.array([[0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 0.4], [0.0, 0.0, 0.0, 0.6, 0.1, 0.3, 0.0]])
    assert 0 < abs((scores[0] - scores[1]).mean()) < 1e-15
    assert without_steps(scores)[0] < 1
    for how in (Significance(), Significance(samples=99)):
        assert p_values(scores, how).tolist() == [1.0]
    assert tukey(scores, Significance(samples=99)).tolist() == [1.0]


def closed(p: list[float]) -> list[float]:
    """Holm's correction as what it is the shortcut of: every set of hypotheses tested by Bonferroni."""
    several = range(len(p))
    sets = [s for size in range(1, len(p) + 1) for s in combinations(several, size)]
    return [max(min(1.0, len(s) * min(p[j] for j in s)) for s in sets if i in s) for i in several]


def test_holm_is_the_closure_of_bonferroni() -> None:
    for seed in range(20):
        p = np.random.default_rng(seed).beta(0.3, 2, 6)
        p[seed % 6] = p[0]
        assert holm(p) == pytest.approx(closed(p.tolist()), abs=1e-15)
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])
    assert np.minimum(1, 3 * np.array([0.01, 0.04, 0.03])) != pytest.approx([0.03, 0.06, 0.06])  # Bonferroni's


def test_tukeys_is_that_of_all_shuffles() -> None:
    scores = SCORES[[0, 2, 3], 1:5]
    tenths = [row[1:5] for row in (TENTHS[0], TENTHS[2], TENTHS[3])]
    widest = []
    for shuffles in product(permutations(range(3)), repeat=4):
        totals = [sum(tenths[shuffle[run]][topic] for topic, shuffle in enumerate(shuffles)) for run in range(3)]
        widest.append(max(totals) - min(totals))
    observed = [abs(sum(a) - sum(b)) for a, b in combinations(tenths, 2)]
    wanted = np.array([np.mean(np.array(widest) >= difference) for difference in observed])
    found = tukey(scores, Significance(correction="tukey", samples=4000))
    assert np.all(np.abs(found - wanted) < 4 * np.sqrt(0.25 / 4000))
    assert wanted.min() < 0.3
    whole = np.sort(np.random.default_rng(0).permuted(scores, axis=None).reshape(3, 4))  # topics mixed up as well
    assert np.abs(tukey(whole, Significance(samples=4000)) - wanted).max() > 0.1


@pytest.mark.parametrize("found", [p_values, tukey])
def test_seed_decides_the_samples(found: Any) -> None:
    one, same, other = (found(SCORES, Significance(samples=99, seed=seed)).tolist() for seed in (1, 1, 2))
    assert one == same != other


def test_portions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [found(SCORES, Significance(samples=120)).tolist() for found in (p_values, tukey)]
    monkeypatch.setattr("axiomcheck.runs.comparison.CELLS", 500)
    assert [found(SCORES, Significance(samples=120)).tolist() for found in (p_values, tukey)] == whole


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"correction": "bonferroni"}, "correction 'bonferroni': expected holm or tukey or none"),
        ({"samples": 0}, "0 samples"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_unknown_corrections_and_numbers_out_of_range_are_refused(wrong: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Significance(**wrong)  # type: ignore[arg-type]


X = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
Y = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])
"""The example of Urbano and Marrero's own implementation; its results are the numbers below."""


def test_published_examples() -> None:
    assert kendall(X, Y) == pytest.approx(0.7777778, abs=5e-8)
    assert _tau_ap_against(X, Y) == pytest.approx(0.7491182, abs=5e-8)
    assert _tau_ap_against(-X, -Y) != pytest.approx(0.7491182, abs=1e-3)  # the top counts, and where that is
    x, y = np.round(X * 5) / 5, np.round(Y * 5) / 5
    assert kendall(x, y) == pytest.approx(0.75, abs=5e-8)
    assert tau_ap(x, y) == pytest.approx(0.6269841, abs=5e-8)
    assert (_tau_ap_against(X, y) + _tau_ap_against(y, X)) / 2 != pytest.approx(0.6269841, abs=1e-3)


def test_metrics_that_tie_all_systems_have_no_tau() -> None:
    flat = np.ones(10)
    assert kendall(X, flat) is tau_ap(flat, X) is None


def ap(true: list[float], walked: list[float]) -> float:
    """Yilmaz' words, one system after another, by Urbano and Marrero's rule for ties."""
    shares = []
    for i in range(len(walked)):
        above = [j for j in range(len(walked)) if walked[j] > walked[i]]
        if above:
            shares.append(sum(true[j] > true[i] for j in above) / len(above))
    return 2 * sum(shares) / len(shares) - 1


@each("seed", range(12), 4)
def test_definitions_written_out(seed: int) -> None:
    x, y = np.random.default_rng(seed).integers(0, 6, (2, 7)).astype(float)
    assert len(set(x)) < 7  # tied
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
    wanted = (ap(x.tolist(), y.tolist()) + ap(y.tolist(), x.tolist())) / 2
    assert tau_ap(x, y) == pytest.approx(wanted)
    assert tau_ap(y, x) == pytest.approx(wanted)


RNG = np.random.default_rng(3)
CONTINUOUS = RNG.random((4, 20))
TIED = RNG.integers(0, 4, (2, 9)) / 10
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
    pairs = np.zeros(math.comb(len(scores), 2))
    tests = MetricComparison("m", scores, pairs, pairs).tests
    return {name: getattr(tests, name).tolist() for name in ("t", "wilcoxon", "effect", "low", "high")}


def agree(one: dict[str, list[float]], other: dict[str, list[float]]) -> bool:
    return all(np.allclose(one[name], other[name], rtol=1e-7, atol=1e-9) for name in one)


@pytest.mark.parametrize("scores", [CONTINUOUS, TIED], ids=["continuous", "tied"])
def test_the_tests_are_those_of_scipy(scores: Reals) -> None:
    """0.3 - 0.2 and 0.2 - 0.1 are equal in tenths and not in floats: Wilcoxon's test has them tied."""
    wanted, found = of_scipy(scores), ours(scores)
    assert agree(found, wanted)
    by_floats = [stats.wilcoxon(one - other).pvalue for one, other in combinations(scores, 2)]
    assert agree(found | {"wilcoxon": by_floats}, wanted) is (scores is CONTINUOUS)
    for name, planted in {
        "effect": [value * np.sqrt(20 / 19) for value in found["effect"]],  # N in place of N - 1
        "t": [value / 2 for value in found["t"]],  # one-sided
        "low": [-value for value in found["high"]],  # the other run first
    }.items():
        assert not agree(found | {name: planted}, wanted)


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
    section = next(each for each in comparison_report(found, baseline).sections if each.heading.startswith("1 "))
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


@pytest.mark.parametrize("correction", ["holm", "tukey", "none"])
def test_only_holm_corrects_the_other_tests(correction: Any) -> None:
    found = compare_runs(grid(CONTINUOUS), list("abcd"), Significance(correction))
    rows = comparison_csv(found).splitlines()
    column = rows[0].split(",").index("t corrected p")
    uncorrected = np.array(ours(CONTINUOUS)["t"])
    wanted = holm(uncorrected) if correction == "holm" else uncorrected
    assert np.allclose([float(row.split(",")[column]) for row in rows[1:]], wanted)


TOPICS = 8


def ranked(firsts: Sequence[int], tag: str) -> str:
    """Return a run that has its relevant document at these ranks, 0 for nowhere."""
    return "".join(
        f"{topic} Q0 {'r' if rank == first else f'n{rank}'} {rank} {9 - rank} {tag}\n"
        for topic, first in enumerate(firsts, 1)
        for rank in range(1, 5)
    )


FIRST = {
    "base.run": (2, 2, 3, 4, 2, 3, 2, 4),
    "good.run": (1, 1, 1, 1, 1, 1, 1, 1),
    "same.run": (2, 3, 2, 4, 2, 3, 2, 4),
    "late.run": (3, 3, 4, 0, 3, 4, 3, 0),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # SciPy goes through all signs where differences tie, in half a second for each pair of runs.
    monkeypatch.setattr("axiomcheck.runs.comparison.stats.wilcoxon", lambda steps: SimpleNamespace(pvalue=0.5))
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 r 1\n" for topic in range(1, TOPICS + 1)))
    for name, firsts in FIRST.items():
        (tmp_path / name).write_text(ranked(firsts, name.removesuffix(".run")))
    return tmp_path


invoke = partial(command, "compare")


def files(*names: str) -> list[str]:
    return [word for name in names for word in ("--run", name)]


def compared(*words: str) -> Result:
    result = invoke("RR", "P@1", *files(*FIRST), "--qrels", "qrels", *words)
    assert result.exit_code == 0, result.output
    return result


def test_the_table_marks_what_is_better_worse_or_equal(here: Path) -> None:
    """Beside what the page of the command shows."""
    shown = compared("--baseline", "best").stdout
    assert "1 RR: differences from good" in shown
    assert "base  0.3958-  0.0000-\ngood  1.0000b  1.0000b\n" in shown
    two = invoke("RR", "P@1", *files("base.run", "good.run"), "--qrels", "qrels").stdout
    assert "the only pair of runs" in two
    assert "for the 6 pairs of runs, and not for the 2 metrics." in " ".join(shown.split())
    assert "correlation" not in two


def test_without_or_with_another_correction(here: Path) -> None:
    plain = compared("--correction", "none").stdout
    assert "\nNot corrected for the 6 pairs of runs, nor for the 2 metrics.\n" in plain
    assert "1       RR          5 (83%)\n" in plain
    assert "Holm" not in plain
    tukey = compared("--correction", "tukey").stdout
    assert "p is corrected by Tukey's randomized test, 10,000 samples, for the 6 pairs of" in tukey


def test_csv_and_json_have_all_pairs(here: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(compared("-f", "csv").stdout)))
    document = json.loads(compared("-f", "json").stdout)
    assert len(rows) == 2 * 6
    pairs = [pair | {"metric": one["metric"]} for one in document["metrics"] for pair in one["pairs"]]
    for row, pair in zip(rows, pairs, strict=True):
        assert (row["metric"], row["first"], row["second"]) == (pair["metric"], pair["first"], pair["second"])
        for column, number in (("difference", "difference"), ("p", "p"), ("corrected p", "corrected_p")):
            assert float(row[column]) == pair[number]
        assert [int(row[x]) for x in ("won", "tied", "lost")] == [pair["won"], pair["tied"], pair["lost"]]
        assert (row["significant"] == "yes") == pair["significant"] == (pair["corrected_p"] <= 0.05)
        assert float(row["difference"]) == pytest.approx(float(row["first mean"]) - float(row["second mean"]))
    rr = document["metrics"][0]
    assert rr["discriminative_power"] == {"corrected": 5 / 6, "not_corrected": 5 / 6}
    assert rr["achieved_significance_levels"] == sorted((pair["p"] for pair in rr["pairs"]), reverse=True)
    assert document["test"]["exact"] is True
    assert document["runs"][0] == {"name": "base", "file": "base.run"}
    assert document["rank_correlation"]["tau_b"][0][1] == pytest.approx(0.7745966692)
    assert document["topics"] == [str(topic) for topic in range(1, TOPICS + 1)]
    words = ("RR", "P@1", *files("base.run", "same.run", "late.run"), "--qrels", "qrels", "-f", "json")
    tied = json.loads(invoke(*words).stdout)
    assert tied["rank_correlation"]["tau_b"][0][1] is None  # P@1 ties all three
    assert tied["metrics"][1]["discriminative_power"] == {"corrected": 0.0, "not_corrected": 0.0}


def test_too_few_samples_or_topics_for_any_significance_are_said(here: Path) -> None:
    assert "the smallest possible p-value is 0.06, corrected; use more --samples" in compared("--samples", "99").stderr
    assert "no difference can be significant" not in compared("--samples", "199").stderr
    (here / "qrels").write_text("".join(f"{topic} 0 r 1\n" for topic in range(1, 5)))
    assert "the smallest possible p-value is 0.75, corrected; use more topics" in compared().stderr
    assert "the smallest possible p-value is 0.12; use more topics" in compared("--correction", "none").stderr
    assert "p-value is 0.1, corrected; use more --samples" in compared("--correction", "tukey", "--samples", "9").stderr


def test_runs_go_by_tags_or_else_by_files(here: Path) -> None:
    names = lambda: [run["name"] for run in json.loads(compared("-f", "json").stdout)["runs"]]  # noqa: E731
    assert names() == ["base", "good", "same", "late"]
    (here / "good.run").write_text(ranked(FIRST["good.run"], "base"))
    assert names() == list(FIRST)
    (here / "deep").mkdir()
    (here / "deep" / "base.run").write_text(ranked(FIRST["good.run"], "base"))
    result = invoke("RR", *files("base.run", "deep/base.run"), "--qrels", "qrels", "-f", "json")
    assert [run["name"] for run in json.loads(result.stdout)["runs"]] == ["base.run", "deep/base.run"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("RR", *files("base.run")), "only one run was given; expected --run at least twice"),
        (("RR", *files("base.run", "base.run")), "base.run was given twice; expected different runs"),
        (("RR", *files(*FIRST), "--qrels", "one.qrels"), "4 runs and 1 topic; expected at least two of each"),
        (("RR", *files("-", "base.run"), "--weights", "-"), "standard input ('-') is named twice"),
    ],
)
def test_errors_are_one_line(here: Path, words: tuple[str, ...], message: str) -> None:
    (here / "one.qrels").write_text("1 0 r 1\n")
    result = invoke(*words, *(() if "--qrels" in words else ("--qrels", "qrels")))
    assert result.exit_code == 2
    assert message in result.stderr


def random_grid(metrics: int = 3) -> ScoreGrid:
    values = np.random.default_rng(3).beta(1, 2, (metrics, 4, 16))
    values[0, 2] = values[0, 0]
    return ScoreGrid(tuple("ABCDE"[:metrics]), tuple("wxyz"), tuple(map(str, range(16))), values)


def numbers(found: Any) -> list[list[float]]:
    return [[*one.p.tolist(), *one.corrected.tolist()] for one in found.metrics]


def test_the_order_of_metrics_changes_nothing() -> None:
    how = Significance(samples=200, correction="tukey")
    once = numbers(compare_runs(random_grid(), "wxyz", how))
    backwards = replace(random_grid(), metrics=("C", "B", "A"), values=random_grid().values[::-1])
    assert numbers(compare_runs(backwards, "wxyz", how)) == once[::-1]
    assert numbers(compare_runs(random_grid(2), "wxyz", how)) == once[:2]
    heard: list[tuple[int, int]] = []
    compare_runs(random_grid(), "wxyz", how, lambda *done: heard.append(done))
    assert heard == [(0, 3), (1, 3), (2, 3)]
    for other in (Significance(samples=201, correction="tukey"), Significance(samples=200)):
        assert numbers(compare_runs(random_grid(), "wxyz", other)) != once


def test_places_of_pairs_counts_and_ties() -> None:
    found = compare_runs(random_grid(), "wxyz", Significance(samples=50))
    one = found.metrics[0]
    for place, (first, second) in enumerate(found.pairs.tolist()):
        assert one.place(first, second) == one.place(second, first) == place
        won, tied, lost = one.counts(first, second)
        assert one.counts(second, first) == (lost, tied, won)
        assert won + tied + lost == 16
    assert one.counts(0, 2) == (0, 16, 0)
    assert one.ranked[0] == one.ranked[2]
    assert one.p[one.place(0, 2)] == 1


def test_power_counts_pairs_up_to_the_level() -> None:
    one = MetricComparison("m", np.eye(4), np.array([0.05, 0.01, 0.051, 1, 0.04, 0.2]), np.full(6, 0.05))
    assert one.significant(corrected=False) == 3
    assert one.power(corrected=False) == 0.5
    assert one.power() == 1
    assert one.curve.tolist() == [1, 0.2, 0.051, 0.05, 0.04, 0.01]


def test_a_p_value_is_not_shown_as_0() -> None:
    assert [p_text(p) for p in (1.0, 0.00005, 0.00004)] == ["1.0000", "0.0001", "<.0001"]


def test_scores_at_the_ends_of_floats_and_grids_of_one_run() -> None:
    how = Significance(samples=50)
    once = numbers(compare_runs(random_grid(), "wxyz", how))
    for scale in (2.0**498, 2.0**-900):
        assert numbers(compare_runs(replace(random_grid(), values=random_grid().values * scale), "wxyz", how)) == once
    with pytest.raises(InvalidInput, match="1 run and 16 topics; expected at least two"):
        compare_runs(replace(random_grid(), runs=("w",), values=random_grid().values[:, :1]), "w", how)
    tiny = replace(random_grid(), values=random_grid().values * 1e-320)
    assert np.isfinite(numbers(compare_runs(tiny, "wxyz", how))).all()
    with pytest.raises(InvalidInput, match=r"A: a score of 8.83e\+199; expected at most 1e\+150"):
        compare_runs(replace(random_grid(), values=random_grid().values * 1e200), "wxyz", how)

"""`axiomcheck compare`: tables, CSV, JSON and picture; names of runs; what is kept; errors."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.compare_report import p_text
from axiomcheck.runs.comparison import MetricComparison, Significance, compare_runs
from axiomcheck.runs.trec import ScoreGrid
from tests.support.commands import command

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


def grid(metrics: int = 3) -> ScoreGrid:
    values = np.random.default_rng(3).beta(1, 2, (metrics, 4, 16))
    values[0, 2] = values[0, 0]
    return ScoreGrid(tuple("ABCDE"[:metrics]), tuple("wxyz"), tuple(map(str, range(16))), values)


def numbers(found: Any) -> list[list[float]]:
    return [[*one.p.tolist(), *one.corrected.tolist()] for one in found.metrics]


def test_the_order_of_metrics_changes_nothing() -> None:
    how = Significance(samples=200, correction="tukey")
    once = numbers(compare_runs(grid(), "wxyz", how))
    backwards = replace(grid(), metrics=("C", "B", "A"), values=grid().values[::-1])
    assert numbers(compare_runs(backwards, "wxyz", how)) == once[::-1]
    assert numbers(compare_runs(grid(2), "wxyz", how)) == once[:2]
    heard: list[tuple[int, int]] = []
    compare_runs(grid(), "wxyz", how, lambda *done: heard.append(done))
    assert heard == [(0, 3), (1, 3), (2, 3)]
    for other in (Significance(samples=201, correction="tukey"), Significance(samples=200)):
        assert numbers(compare_runs(grid(), "wxyz", other)) != once


def test_places_of_pairs_counts_and_ties() -> None:
    found = compare_runs(grid(), "wxyz", Significance(samples=50))
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
    once = numbers(compare_runs(grid(), "wxyz", how))
    for scale in (2.0**498, 2.0**-900):
        assert numbers(compare_runs(replace(grid(), values=grid().values * scale), "wxyz", how)) == once
    with pytest.raises(InvalidInput, match="1 run and 16 topics; expected at least two"):
        compare_runs(replace(grid(), runs=("w",), values=grid().values[:, :1]), "w", how)
    tiny = replace(grid(), values=grid().values * 1e-320)
    assert np.isfinite(numbers(compare_runs(tiny, "wxyz", how))).all()
    with pytest.raises(InvalidInput, match=r"A: a score of 8.83e\+199; expected at most 1e\+150"):
        compare_runs(replace(grid(), values=grid().values * 1e200), "wxyz", how)

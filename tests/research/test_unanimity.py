"""Metric unanimity: its definition, the paper's properties, ties and intervals; the script as a user runs it."""

import math
import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from axiomcheck import parse, score
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Reals
from axiomcheck.runs.trec import read_qrels, read_run
from research.unanimity import TOLERANCE, ScoreGrid, count_pairs, measure
from research.unanimity.__main__ import SCENARIOS, main, metrics_of_the_paper, scores_of

EXAMPLE = np.array([[[1], [0.5], [0.2]], [[0.8], [0.3], [0.4]], [[1], [0.2], [0.5]]])
"""Section 6.1: three metrics, three systems, one topic."""


def grid(values: Reals) -> ScoreGrid:
    names = tuple(tuple(f"{word}{n}" for n in range(size)) for word, size in zip("mst", values.shape, strict=True))
    return ScoreGrid(*names, values)


def by_definition(values: Reals, metric: int, topic: int) -> tuple[int, float, int]:
    """Return the pairs that all others agree on, those of them that the metric captures, and those that all tie."""
    unanimous, captured, tied = 0, 0.0, 0
    for a, b in permutations(range(values.shape[1]), 2):
        ahead = values[:, a, topic] - values[:, b, topic]
        if (np.delete(ahead, metric) >= 0).all():
            unanimous, captured = unanimous + 1, captured + (1 + np.sign(ahead[metric])) / 2
        tied += not ahead.any()
    return unanimous, captured, tied


def mu_by_definition(pairs: int, unanimous: int, captured: float) -> float:
    """Return MU from probabilities, as the paper has it, half of the pairs being the metric's own; NaN of none."""
    if not unanimous:
        return math.nan
    share = (captured / pairs) / (1 / 2 * (unanimous / pairs))
    return math.log2(share) if share else -math.inf


def all_mu(values: Reals) -> Reals:
    return measure(grid(values), tuple("m" * len(values))).values


SHAPES = st.tuples(st.integers(2, 4), st.integers(2, 4), st.integers(1, 3))
VALUES = SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(0, 2).map(float)))
"""Few different scores, so that pairs tie and agree."""


@settings(max_examples=25)
@given(VALUES)
def test_counts_and_mu_are_those_of_the_definition(values: Reals) -> None:
    metrics, systems, topics = values.shape
    counts, found = count_pairs(values), all_mu(values)
    for metric in range(metrics):
        per_topic = [by_definition(values, metric, topic) for topic in range(topics)]
        columns = (counts.unanimous[metric], counts.captured[metric], counts.tied)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == per_topic
        unanimous, captured, _ = np.sum(per_topic, axis=0)
        expected = mu_by_definition(systems * (systems - 1) * topics, unanimous, captured)
        assert found[metric] == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@settings(max_examples=25)
@given(VALUES, st.integers(0, 99))
def test_the_papers_four_properties(values: Reals, seed: int) -> None:
    # 1: The sum of the others is ahead wherever one of them is and none is behind, and ties only where all tie.
    best, rival = (count_pairs(np.concatenate([own[None], values])) for own in (values.sum(axis=0), values[0]))
    assert best.unanimous[0].tolist() == rival.unanimous[0].tolist()
    assert (best.captured[0] == best.unanimous[0] - best.tied / 2).all()
    assert (best.captured[0] >= rival.captured[0]).all()
    # 2: A constant captures a half, and so does a random metric in expectation: its opposite captures the rest.
    drawn = np.random.default_rng(seed).random(values[:1].shape)
    constant, one, other = (count_pairs(np.concatenate([own, values])) for own in (0 * drawn, drawn, -drawn))
    assert (2 * constant.captured[0] == constant.unanimous[0]).all()
    assert (one.captured[0] + other.captured[0] == constant.unanimous[0]).all()
    # 4: Copies of the last metric change nothing for the others.
    alone, copied = count_pairs(values), count_pairs(np.concatenate([values, values[-1:], values[-1:]]))
    for column in ("unanimous", "captured"):
        assert (getattr(copied, column)[: len(values) - 1] == getattr(alone, column)[:-1]).all()
    # 3: In the paper's example, the other two agree with all others, and the first does not.
    assert all_mu(EXAMPLE).round(3).tolist() == [0.415, 1, 1]


@pytest.mark.parametrize(("apart", "tie"), [(0.9, True), (1.1, False)])
@pytest.mark.parametrize("scale", [1.0, -1e-30, 1e300])
def test_scores_tie_up_to_the_tolerance_whatever_their_size(apart: float, tie: bool, scale: float) -> None:
    values = np.array([[[1.0], [1 - apart * TOLERANCE]], [[1.0], [0.0]]]) * scale
    counts = count_pairs(values)
    assert counts.rounding.tolist() == [2 * tie, 0]
    assert counts.captured[0, 0] == (counts.unanimous[0, 0] / 2 if tie else 1)
    assert count_pairs(np.array([[[1e308], [-1e308]], [[1.0], [0.0]]])).captured.tolist() == [[1], [1]]


@pytest.mark.parametrize("shape", [(1, 3, 2), (3, 1, 2), (3, 2, 0), (3, 3)])
def test_scores_that_cannot_be_compared_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="expected at least two metrics, two systems and one topic"):
        count_pairs(np.zeros(shape))
    with pytest.raises(InvalidInput, match="expected finite numbers"):
        count_pairs(np.full((2, 2, 2), math.nan))
    for resamples, seed in ((-1, 0), (1, -1)):
        with pytest.raises(InvalidInput, match="expected at least 0 for both"):
            measure(grid(EXAMPLE), ("m",) * 3, resamples, seed)


def test_intervals_are_those_of_topics_drawn_again() -> None:
    rng = np.random.default_rng(1)
    common = rng.random((8, 30))
    values = common + rng.random((3, 8, 30)) / 3
    found = measure(grid(values), ("m",) * 3, 100, seed=5)
    times = np.random.default_rng(5).multinomial(30, np.full(30, 1 / 30), size=100)
    drawn = np.array([all_mu(np.repeat(values, row, axis=2)) for row in times])
    np.testing.assert_allclose(found.low, np.quantile(drawn, 0.025, axis=0, method="inverted_cdf"))
    np.testing.assert_allclose(found.high, np.quantile(drawn, 0.975, axis=0, method="inverted_cdf"))
    np.testing.assert_allclose(found.first, (drawn == drawn.max(axis=1, keepdims=True)).mean(axis=0))
    assert ((found.low < found.values) & (found.values < found.high)).all()
    again = measure(grid(values), ("m",) * 3, 100, seed=5)
    assert (again.low == found.low).all()
    assert (measure(grid(values), ("m",) * 3, 100, seed=6).low != found.low).any()
    assert np.isnan(measure(grid(values), ("m",) * 3).low).all()


QRELS = "1 1 a 2\n1 2 a 0\n1 1 b 1\n1 2 b 1\n1 2 c 1\n2 1 d 1\n2 2 e 3\n2 1 f 0\n3 1 g 1\n3 2 g 0\n"
RANKED = {"one": ("abc", "de", "g"), "two": ("bcx", "fd", "xg"), "three": ("xa", "efd", "")}
METRICS = ("RBU(p=0.9)@inf", "RBU(p=0.5)@inf", "P-IA@2", "AP-IA")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    for name, topics in RANKED.items():
        lines = [f"{t} Q0 {d} {i} {9 - i} tag\n" for t, ranked in enumerate(topics, 1) for i, d in enumerate(ranked)]
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str, runs: tuple[str, ...] = tuple(RANKED)) -> list[str]:
    """Return the lines that the script prints about some runs."""
    main([*words, "--qrels", "qrels", *(word for run in runs for word in ("--run", run))])
    return capsys.readouterr().out.splitlines()


def test_scores_are_those_of_the_product_and_missing_topics_count_as_empty_rankings(here: Path) -> None:
    metrics = [parse(name) for name in (*metrics_of_the_paper(), "INST(aggregate=max)")]
    runs, qrels = [read_run(name) for name in RANKED], read_qrels("qrels", "diversity")
    found = scores_of(metrics, qrels, runs, SCENARIOS["official"], 0)
    assert (found.runs, found.topics) == (tuple(RANKED), ("1", "2", "3"))
    assert found.notes == ("three lacks 1 of 3 topics, which count as empty rankings.",)
    for run, values in zip(RANKED, np.moveaxis(found.values, 1, 0), strict=True):
        wanted = score(metrics, "qrels", run, complete=True, qrels_kind="diversity").per_topic
        for topic, row in zip(found.topics, values.T, strict=True):
            assert row.tolist() == pytest.approx([wanted[topic][str(metric)] for metric in metrics], abs=1e-14)


def test_lengths_are_drawn_anew_by_ranking_and_not_by_the_order_of_runs(here: Path) -> None:
    metrics, qrels = [parse("S-Recall"), parse("RBU@inf")], read_qrels("qrels", "diversity")
    (here / "copy").write_text((here / "one").read_text())
    one, two, copy = (read_run(name) for name in ("one", "two", "copy"))
    several, alone = (scores_of(metrics, qrels, runs, SCENARIOS["truncated"], 1) for runs in ([one, two, copy], [two]))
    assert several.values[:, 1].tolist() == alone.values[:, 0].tolist()
    assert several.values[:, 0].tolist() != several.values[:, 2].tolist()


def test_the_script_prints_counts_intervals_and_notes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "three").write_text((here / "three").read_text().replace(" tag", " other"))
    lines = printed(capsys, *METRICS, "--bootstrap", "50", runs=("one", "three"))
    assert lines[0] == "official: judgments and rankings as they are"
    assert lines[1] == "4 metrics, 2 runs, 3 topics: 6 ordered pairs; seed 0"
    columns = ["Metric", "Variants", "MU", "Lower end", "Upper end", "First", "Unanimous", "Captured"]
    assert re.split(" {2,}", lines[3]) == columns
    rows = [re.split(" {2,}", line) for line in lines[5:8]]
    assert {re.sub(r"[(@].*", "", row[0]): row[1] for row in rows} == {
        "RBU": "1 of 2",
        "P-IA": "1 of 1",
        "AP-IA": "1 of 1",
    }
    for _, _, mu, low, high, _, unanimous, captured in rows:
        assert float(mu) == pytest.approx(np.log2(2 * float(captured) / int(unanimous)), abs=1e-4)
        assert float(low) <= float(mu) <= float(high)
    assert lines[-1] == "other lacks 1 of 3 topics, which count as empty rankings."
    without = printed(capsys, *METRICS, "--without", "RBU", "--metric", "RBU(p=0.5)", runs=("one", "three"))
    assert without[1].startswith("3 metrics, ")


def test_undefined_mu_is_said_and_is_no_number(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs of one topic: the one is ahead for RR-IA, the other for both others."""
    (here / "qrels").write_text("1 1 a 1\n1 1 b 1\n")
    (here / "one").write_text("1 Q0 a 1 3 t\n1 Q0 x 2 2 t\n1 Q0 y 3 1 t\n")
    (here / "two").write_text("1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n1 Q0 b 3 1 t\n")
    lines = printed(capsys, "P-IA@3", "AP-IA", "RR-IA", "--bootstrap", "20", runs=("one", "two"))
    assert [line.split()[:2] for line in lines[5:8]] == [
        ["RR-IA", "-inf"],
        ["P-IA@3", "undefined"],
        ["AP-IA", "undefined"],
    ]
    assert "undefined: there is no pair that the other metrics agree on." in lines
    assert "-inf: none of the pairs that the others agree on is captured." in lines
    assert "nan" not in " ".join(lines).split()


def test_one_metric_alone_is_refused(here: Path) -> None:
    with pytest.raises(InvalidInput, match="expected at least two metrics"):
        main(["P-IA@2", "--qrels", "qrels", "--run", "one", "--run", "two"])

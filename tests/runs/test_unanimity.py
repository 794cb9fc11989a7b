"""Metric unanimity: against its definition; ties, intervals, memory; `axiomcheck unanimity` as a user runs it."""

import json
import math
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Reals
from axiomcheck.runs.trec import ScoreGrid
from axiomcheck.runs.unanimity import TOLERANCE, count_pairs, measure
from tests.cli.test_command_conformance import refused
from tests.support.commands import command

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


@settings(max_examples=25)
@given(SHAPES.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(0, 2).map(float))))
def test_counts_and_mu_are_those_of_the_definition(values: Reals) -> None:
    """Few different scores, so that pairs tie and agree; the paper's properties 1, 2 and 4 follow from the counts."""
    metrics, systems, topics = values.shape
    counts, found = count_pairs(values), all_mu(values)
    for metric in range(metrics):
        per_topic = [by_definition(values, metric, topic) for topic in range(topics)]
        columns = (counts.unanimous[metric], counts.captured[metric], counts.tied)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == per_topic
        unanimous, captured, _ = np.sum(per_topic, axis=0)
        expected = mu_by_definition(systems * (systems - 1) * topics, unanimous, captured)
        assert found[metric] == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


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


def invoke(*words: str, runs: tuple[str, ...] = tuple(RANKED), **given: Any) -> Result:
    named = [word for run in runs for word in ("--run", run)]
    return command("unanimity", *words, "--qrels", "qrels", *named, **given)


def printed(*words: str, **given: Any) -> str:
    result = invoke(*words, **given)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_has_the_counts_that_mu_comes_from(here: Path) -> None:
    result = invoke(*METRICS, "-f", "json", "--samples", "50")
    assert result.stderr == "three lacks 1 of 3 topics, which count as empty rankings\n"
    document = json.loads(result.stdout)
    assert (document["schema"], document["version"], document["pairs"]) == ("axiomcheck/unanimity", 2, 18)
    assert document["set"] == ["RBU(p=0.9, e=0.05)@inf", "RBU(p=0.5, e=0.05)@inf", "P-IA@2", "AP-IA"]
    assert document["topics"] == ["1", "2", "3"]
    for entry in document["metrics"]:
        assert entry["mu"] == pytest.approx(np.log2(2 * entry["captured"] / entry["unanimous"]), abs=1e-12)
        assert entry["low"] <= entry["mu"] <= entry["high"]
    assert len(document["metrics"]) == 4


def test_undefined_mu_is_said_and_is_no_number(here: Path) -> None:
    """Two runs of one topic: the one is ahead for RR-IA, the other for both others."""
    (here / "qrels").write_text("1 1 a 1\n1 1 b 1\n")
    (here / "one").write_text("1 Q0 a 1 3 t\n1 Q0 x 2 2 t\n1 Q0 y 3 1 t\n")
    (here / "two").write_text("1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n1 Q0 b 3 1 t\n")
    words = ("P-IA@3", "AP-IA", "RR-IA", "--samples", "20")
    table = printed(*words, runs=("one", "two"))
    assert [line.split()[:2] for line in table.splitlines()[4:7]] == [
        ["RR-IA", "-inf"],
        ["P-IA@3", "undefined"],
        ["AP-IA", "undefined"],
    ]
    assert "undefined: there is no pair that the other metrics agree on." in table
    assert "-inf: none of the pairs that the others agree on is captured." in table
    assert "nan" not in table.split()
    worst, undefined, _ = json.loads(printed(*words, "-f", "json", runs=("one", "two")))["metrics"]
    assert (worst["mu"], worst["low"], worst["undefined_samples"]) == (None, None, 0)
    assert worst["reason"].startswith("minus infinity")
    assert (undefined["mu"], undefined["low"], undefined["undefined_samples"]) == (None, None, 20)
    assert undefined["reason"].startswith("undefined")
    assert not {"nan", "inf", "-inf"} & set(
        printed(*words, "-f", "csv", runs=("one", "two")).replace("\n", ",").split(",")
    )


def test_one_metric_alone_is_refused(here: Path) -> None:
    refused(invoke("P-IA@2"), "only P-IA@2 was given; expected at least two metrics")

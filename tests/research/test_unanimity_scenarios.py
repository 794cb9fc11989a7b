"""Scenarios change what they say, from a seed; the preset has the paper's metrics."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from axiomcheck import parse
from axiomcheck.runs.trec import (
    Options,
    Qrels,
    Run,
    ScoreGrid,
    metrics_named,
    read_qrels,
    read_run,
    score_grid,
    with_weights,
)
from axiomcheck.runs.trec.rankings import JudgedTopic, Ranking
from research.unanimity import SCENARIOS, _first, altered, metrics_of_the_paper
from tests.support.suites import each

TOPICS, DOCUMENTS, RUNS = 12, 14, 4


def read_lines(folder: Path, *runs: list[str]) -> list[Run]:
    for number, lines in enumerate(runs):
        (folder / f"run{number}").write_text("\n".join(lines))
    return [read_run(folder / f"run{number}") for number in range(len(runs))]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng, folder = np.random.default_rng(5), tmp_path_factory.mktemp("runs")
    rows = [(t, a, d) for t in range(TOPICS) for d in range(10) for a in range(3)]
    (folder / "qrels").write_text("".join(f"{t} {a} d{d} {max(0, rng.integers(-3, 4))}\n" for t, a, d in rows))
    return folder


@pytest.fixture(scope="module")
def qrels(files: Path) -> Qrels:
    return read_qrels(files / "qrels")


@pytest.fixture(scope="module")
def runs(files: Path) -> list[Run]:
    rng, found = np.random.default_rng(4), []
    for r in range(RUNS):
        lines = []
        for t in range(TOPICS - 2 * (r == RUNS - 1)):
            placed = rng.permutation(DOCUMENTS)[: rng.integers(6, DOCUMENTS)]
            lines += [f"{t} Q0 d{d} {i} {50 - i} tag" for i, d in enumerate(placed)]
        found.append(lines)
    return read_lines(files, *found)


def ranking(n: int, hits: list[int], first: float = 0.0) -> Ranking:
    others = [place for place in range(n) if place not in hits]
    return Ranking(n, np.array(hits), np.arange(len(hits)), np.array(others[::2]), first - np.arange(n))


def topic(*rankings: Ranking | None, name: bytes = b"7") -> JudgedTopic:
    gains = np.random.default_rng(1).integers(0, 3, (40, 3)) / 2
    return JudgedTopic(name, gains, 60, np.full(3, 1 / 3), rankings)


def grid(names: list[str], qrels: Qrels, runs: list[Run], scenario: str, seed: int = 0) -> ScoreGrid:
    alter = partial(altered, scenario=SCENARIOS[scenario], seed=seed)
    return score_grid(metrics_named(names), qrels, runs, Options(), alter=alter)


def lengths(given: JudgedTopic, seed: int = 0) -> list[int | None]:
    return [one.length if one else None for one in altered(given, SCENARIOS["truncated"], seed).rankings]


def test_grades_and_weights_are_drawn_and_together_as_each_alone() -> None:
    before = topic(ranking(30, [1, 4]), ranking(20, [2]))
    assert altered(before, SCENARIOS["official"], 0) is before
    graded, weighted = (altered(before, SCENARIOS[name], 3) for name in ("graded", "weighted"))
    assert ((graded.gains > 0) == (before.gains > 0)).all()
    shares = graded.gains[before.gains > 0] / before.gains[before.gains > 0]
    assert (shares.min() < 0.1) & (shares.max() > 0.9) & (shares.max() < 1)
    assert abs(shares.mean() - 0.5) < 0.1
    assert weighted.weights.sum() == pytest.approx(1, abs=1e-15)
    assert len(set(weighted.weights.tolist())) == 3
    assert (weighted.weights > 0).all()
    assert (graded.weights is before.weights, weighted.gains is before.gains) == (True, True)
    assert graded.rankings is weighted.rankings is before.rankings
    drawn = [altered(before, SCENARIOS["weighted"], seed).weights for seed in range(200)]
    assert np.abs(np.mean(drawn, axis=0) - 1 / 3).max() < 0.04
    together = altered(before, SCENARIOS["simulated"], 3)
    assert (together.gains == graded.gains).all()
    assert (together.weights == weighted.weights).all()
    assert [one and one.length for one in together.rankings] == lengths(before, 3)


@pytest.mark.parametrize(("scenario", "most"), [("truncated", 20), ("short", 50)])
@each("n", [20, 70], 2)
def test_rankings_are_cut_after_0_to_as_many_as_there_are(scenario: str, most: int, n: int) -> None:
    most = n if scenario == "truncated" else most
    before = topic(ranking(n, [1, 4, 11]))
    lengths = []
    for seed in range(400):
        (after,) = altered(before, SCENARIOS[scenario], seed).rankings
        assert after.scores.tolist() == (-np.arange(after.length)).tolist()
        assert after.hits.tolist() == [hit for hit in (1, 4, 11) if hit < after.length]
        assert after.rows.tolist() == [0, 1, 2][: len(after.hits)]
        assert after.unjudged.tolist() == [place for place in before.rankings[0].unjudged if place < after.length]  # type: ignore[union-attr]
        lengths.append(after.length)
    assert set(lengths) == set(range(min(n, most) + 1))
    uniform = np.minimum(np.arange(most + 1), n)
    assert abs(np.mean(lengths) - uniform.mean()) < 4 * uniform.std() / np.sqrt(400)


def test_the_order_of_runs_changes_nothing(qrels: Qrels, runs: list[Run]) -> None:
    names = ["RBU@inf", "AP-IA", "alpha-nDCG@10", "P(aggregate=max)@10"]
    one, other = (grid(names, qrels, some, "simulated") for some in (runs, runs[::-1]))
    np.testing.assert_allclose(one.values, other.values[:, ::-1], rtol=1e-14)
    assert (one.values != grid(names, qrels, runs, "official").values).any()
    assert (one.values != grid(names, qrels, runs, "simulated", seed=1).values).any()


def test_scores_are_those_of_topics_as_they_are_altered(qrels: Qrels, runs: list[Run], files: Path) -> None:
    """With weights, which judgments may have, and cut rankings, as an option has them."""

    def alter(topic: JudgedTopic) -> JudgedTopic:
        return replace(
            topic, weights=np.array([0.5, 0.25, 0.25]), rankings=[one and _first(one, 3) for one in topic.rankings]
        )

    metrics = metrics_named(["AP-IA", "P-IA@10"])
    found = score_grid(metrics, qrels, runs, Options(), alter=alter)
    weighted = read_qrels(files / "qrels")
    weights = {topic: {b"0": 2.0, b"1": 1.0, b"2": 1.0} for topic in weighted.topics}
    weighted = with_weights(weighted, weights, "weights")
    again = score_grid(metrics, weighted, runs, Options(depth=3))
    np.testing.assert_allclose(found.values, again.values, rtol=1e-12)


def test_the_preset_has_the_papers_grids() -> None:
    metrics = [parse(name) for name in metrics_of_the_paper()]
    assert len({str(metric) for metric in metrics}) == 109
    assert all(metric.applies_to_aspects() for metric in metrics)
    assert all(metric.cutoff is None for metric in metrics if metric.name in ("RBU", "EU", "NRBP", "RBP", "AP"))

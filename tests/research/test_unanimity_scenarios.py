"""Scenarios change what they say, from a seed; the preset has the paper's metrics."""

import numpy as np
import pytest

from axiomcheck import parse
from axiomcheck.runs.trec.rankings import JudgedTopic
from research.unanimity.__main__ import SCENARIOS, ScoredRanking, altered, metrics_of_the_paper
from tests.support.suites import each


def ranking(n: int, hits: list[int], first: float = 0.0) -> ScoredRanking:
    others = [place for place in range(n) if place not in hits]
    return ScoredRanking(n, np.array(hits), np.arange(len(hits)), np.array(others[::2]), first - np.arange(n))


def topic(*rankings: ScoredRanking, name: bytes = b"7") -> JudgedTopic:
    gains = np.random.default_rng(1).integers(0, 3, (40, 3)) / 2
    return JudgedTopic(name, gains, 60, np.full(3, 1 / 3), rankings)


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


def test_the_preset_has_the_papers_grids() -> None:
    metrics = [parse(name) for name in metrics_of_the_paper()]
    assert len({str(metric) for metric in metrics}) == 109
    assert all(metric.applies_to_aspects() for metric in metrics)
    assert all(metric.cutoff is None for metric in metrics if metric.name in ("RBU", "EU", "NRBP", "RBP", "AP"))

"""Many rankings scored at a time: as each alone, and only of what says that it can be."""

from copy import copy
from typing import Any

import numpy as np
import pytest

from axiomcheck import InvalidInput, score
from axiomcheck.core.typing import Reals
from axiomcheck.metrics import CATALOGUE, Metric, parse
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.runs.trec import rankings
from axiomcheck.runs.trec.rankings import JudgedTopic, Ranking, score_all
from axiomcheck.runs.trec.residuals import evaluate_all, is_modelled
from tests.support.suites import each


def _topics(seed: int, runs: int) -> list[JudgedTopic]:
    """Make topics: aspects without relevant documents, rankings without documents, no relevant document."""
    rng = np.random.default_rng(seed)
    out = []
    for number in range(12):
        m, relevant = int(rng.integers(1, 4)), int(rng.integers(0, 6))
        gains = rng.integers(0, 3, (relevant, m)) / 2
        gains[~gains.any(axis=1), 0] = 0.5
        judged = relevant + int(rng.integers(0, 4))
        found: list[Ranking | None] = []
        for _ in range(runs):
            n = int(rng.integers(0, 9))
            rows = rng.permutation(np.concatenate([np.arange(relevant), np.full(n, -1)]))[:n]
            hits = np.flatnonzero(rows >= 0)
            blank = np.flatnonzero(rows < 0)
            unjudged = blank[judged - relevant :]
            found.append(Ranking(n, hits, rows[hits], unjudged, -np.arange(n) / 1.0))
        if number == 5:
            found[0] = None
        weights = rng.random(m) + 0.1
        out.append(JudgedTopic(b"%d" % number, gains, judged, weights / weights.sum(), found))
    return out


def _hold_to_each_alone(metric: Metric, topics: list[JudgedTopic], found: Reals) -> None:
    """Scores: a row per run, a column per topic."""
    for t, topic in enumerate(topics):
        for run, ranking in enumerate(topic.rankings):
            if ranking is None:
                assert np.isnan(found[run, t])
            else:
                assert found[run, t] == pytest.approx(_alone(metric, topic, ranking), abs=1e-12), (t, run)


def _alone(metric: Metric, topic: JudgedTopic, ranking: Ranking) -> float:
    """Return the score of one ranking against the whole pool, without padding."""
    m = topic.gains.shape[1]
    blank = topic.judged - len(topic.gains) + len(ranking.unjudged)
    pool = np.concatenate([topic.gains, np.zeros((blank, m))])
    free = iter(range(len(topic.gains), len(pool)))
    at = dict(zip(ranking.hits.tolist(), ranking.rows.tolist(), strict=True))
    order = np.array([at[k] if k in at else next(free) for k in range(ranking.length)], dtype=np.intp)
    return float(metric.evaluate(pool[None], topic.weights[None], order[None])[0])


def _every_metric() -> list[Metric]:
    found = [parse(name) for name in CATALOGUE]
    found = [
        parse(f"{m.name}(aggregate=max)" + (f"@{m.cutoff}" if m.cutoff else "")) if not m.applies_to_aspects() else m
        for m in found
    ]
    more = ["RBU(e=0.1)@3", "RBU(e=0.1)@inf", "nDCG(aggregate=max)@3", "trec-alpha-nDCG@3", "S-Recall@2", "AP-IA@2"]
    return [m for m in [*found, *map(parse, more)] if not m.partial]


@pytest.mark.parametrize("cells", [1 << 22, 40])
@each("metric", _every_metric(), 8, ids=str)
def test_batches_score_as_one_by_one(metric: Metric, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for all topics at once, and for one at a time."""
    monkeypatch.setattr(rankings, "CELLS", cells)
    topics = _topics(7, 3)
    (found,) = score_all([metric], topics, 3)
    _hold_to_each_alone(metric, topics, found)
    if is_modelled(metric) and metric.name != "INST-upper":  # of which it gives the two parts
        ((base, residual),) = evaluate_all([metric], topics, 3)
        np.testing.assert_allclose(base, found, atol=1e-12)
        assert np.nanmin(residual) >= 0


class Harmonic(Metric):
    """Somebody's own: it says nothing of documents of grade 0, which pay nothing."""

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        """Gains over ranks, in the share of the pool's."""
        gained = (grades.sum(axis=-1) / np.arange(1, grades.shape[-2] + 1)).sum(axis=-1)
        return gained / (pool.sum(axis=(-2, -1)) + 1)


class Quick(Harmonic):
    """It says so."""

    blanks = "nothing"


class Costly(Harmonic):
    """It says how much they are."""

    blanks = "length"

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        """Less a cost per document."""
        return super().kernel(a, grades, weights, pool) - grades.shape[-2] / 100


class Derived(Quick):
    """It costs, which its base denies."""

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        """Less a cost per document."""
        return Costly().kernel(a, grades, weights, pool)


@pytest.mark.parametrize(
    ("metric", "way"),
    [
        (Harmonic(), "alone"),
        (Quick(), "padded"),
        (Quick(2), "padded"),
        (Costly(), "by length"),
        (Derived(), "alone"),
        (parse("trec-NRBP"), "padded"),
        (parse("INST(aggregate=max)"), "by length"),
        (parse("EU"), "by length"),
        (parse("EU(e=0)"), "padded"),
        (parse("nDCG(aggregate=max)"), "padded"),
    ],
    ids=str,
)
def test_a_metric_is_scored_the_way_that_it_declares(metric: Metric, way: str) -> None:
    assert rankings.way_of(metric) == way
    changed = copy(metric)
    changed.cutoff, changed.extra = 3, 1  # type: ignore[attr-defined]
    if type(metric).__module__.startswith("axiomcheck."):
        assert rankings.way_of(changed) == "alone"
    topics = _topics(3, 2)
    _hold_to_each_alone(metric, topics, *score_all([metric], topics, 2))


def test_only_what_says_it_can_is_called_with_many_rankings() -> None:
    calls: list[tuple[int, ...]] = []

    def kernel(self: Metric, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        calls.append(grades.shape[:-2])
        return grades.sum(axis=(-2, -1))

    for words in ({}, {"blanks": "nothing"}):
        calls.clear()
        score_all([type("Noting", (Harmonic,), {"kernel": kernel, **words})()], _topics(3, 2), 2)
        assert (len(calls) <= 3) == bool(words)
        assert (set(calls) == {(1,)}) == (not words)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda grades: 1 / 0, "Quick raised ZeroDivisionError on many rankings at once: division by zero"),
        (lambda grades: grades.sum(axis=-1), r"Quick returned shape .*; expected \(1, 1\), one score per ranking"),
        (lambda grades: np.full(grades.shape[:-2], "x"), "Quick returned an array of str"),
    ],
)
def test_errors_on_many_rankings_at_once_name_the_metric(answer: Any, message: str) -> None:
    kernel = lambda self, a, grades, weights, pool: answer(grades)  # noqa: E731
    quick = type("Quick", (Harmonic,), {"blanks": "nothing", "kernel": kernel})
    with pytest.raises(InvalidInput, match=message):
        score(quick(), {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 0.5}})

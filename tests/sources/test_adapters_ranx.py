"""ranx: scores are those of the library, whatever the batch; what the notes say of it is so."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import parse
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import Case
from axiomcheck.sources.own import FloatTopic
from tests.sources.adapters_topics import assert_batches, assert_same, catalogue_scores, random_cases

if TYPE_CHECKING:  # ranx takes seconds to import, and tests of other files run without it
    from axiomcheck.sources.adapters.ranx_adapter import RanxMetric

pytestmark = [
    pytest.mark.skipif(find_spec("ranx") is None, reason="extra ranx"),
    pytest.mark.filterwarnings("ignore"),
]

METRICS = ["ndcg@5", "ndcg", "ndcg_burges@5", "dcg@5", "map", "map@3-l2", "mrr", "precision@5", "recall@5", "f1@3"]
METRICS += ["hits@5", "r-precision", "rbp.8", "ndcg@5-l2"]


def found(text: str) -> RanxMetric:
    from axiomcheck.sources.adapters.ranx_adapter import RanxMetric

    metric = measure("ranx", text)
    assert isinstance(metric, RanxMetric)
    return metric


def one_by_one(
    metric: RanxMetric, cases: Sequence[Case], judged_zero: bool = True, objects: bool = False
) -> list[float]:
    """ranx asked for one query at a time, without the adapter, by dictionaries or by its own objects.

    For those it compiles for most of a minute, which is left to tests/quality.
    """
    import ranx

    scores = []
    for topic, ranking in cases:
        if not ranking:
            scores.append(0.0)
            continue
        level = int(metric.label.partition("-l")[2] or 1) if metric.binary_only else None
        qrels = {
            name: int(g[0] * 4) if level is None else level * int(g[0] > 0)
            for name, g in topic.pool.items()
            if judged_zero or g[0] > 0
        }
        run = {name: 30.0 - 3 * rank for rank, name in enumerate(ranking)}
        given, made = {"q": qrels}, {"q": run}
        if objects:
            given, made = ranx.Qrels(given), ranx.Run(made)
        scores.append(float(ranx.evaluate(given, made, metric.label.removeprefix("ranx:"))))
    return scores


def assert_is_ranx(text: str, objects: bool) -> None:
    metric = found(text)
    cases = random_cases(metric, 40)
    assert_same(metric.score_rankings(cases), one_by_one(metric, cases, objects=objects))


@pytest.mark.parametrize("text", ["ndcg@5", "map@3-l2"])
def test_is_ranx_itself(text: str) -> None:
    assert_is_ranx(text, objects=False)


@pytest.mark.parametrize("text", ["ndcg@5", "map"])
def test_batches(text: str) -> None:
    metric = found(text)
    assert_batches(metric, random_cases(metric, 30))


def test_no_ranking_at_all() -> None:
    import ranx

    topic = FloatTopic((1.0,), {"d1": (1.0,)})
    assert found("ndcg@5").score_rankings([(topic, []), (topic, [])]) == [0.0, 0.0]
    with pytest.raises(ValueError, match="empty"):  # what ranx itself says of that, as the notes have it
        ranx.Run({"q": {}})


COMPILED = [("ndcg@10", "nDCG@10"), ("map", "AP")]
OTHERS = [("mrr", "RR"), ("precision@10", "P@10"), ("rbp.8", "RBP(p=0.8)")]
"""Each of these is compiled for seconds."""


def assert_agrees(text: str, name: str) -> None:
    metric = found(text)
    cases = random_cases(metric)

    def gain(grades: np.ndarray) -> np.ndarray:
        if text == "rbp.8":
            return grades * 4  # ranx takes the judgment itself
        return (grades > 0).astype(float) if metric.binary_only else grades

    assert_same(metric.score_rankings(cases), catalogue_scores(parse(name), cases, gain), 1e-9)


@pytest.mark.parametrize(("text", "name"), COMPILED)
def test_agrees_with_the_catalogue(text: str, name: str) -> None:
    assert_agrees(text, name)


def test_exponential_gain() -> None:
    metric = found("ndcg_burges@10")
    cases = random_cases(metric)
    expected = catalogue_scores(parse("nDCG@10"), cases, lambda grades: (2 ** (4 * grades) - 1) / 15)
    assert_same(metric.score_rankings(cases), expected, 1e-9)


def test_ascending_scores_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = found("ndcg@5")
    cases = random_cases(metric, 40)
    expected = one_by_one(metric, cases)
    monkeypatch.setattr(
        "axiomcheck.sources.adapters.ranx_adapter.run_scores",
        lambda ranking: {name: float(rank) for rank, name in enumerate(ranking)},
    )
    with pytest.raises(AssertionError, match="case"):
        assert_same(metric.score_rankings(cases), expected)


def test_unjudged_documents_are_as_those_judged_zero() -> None:
    metric = found("ndcg@5")
    cases = [case for case in random_cases(metric, 40) if any(map(any, case[0].pool.values()))]
    assert_same(one_by_one(metric, cases, judged_zero=False), one_by_one(metric, cases))


def test_what_is_declared() -> None:
    graded, binary = found("ndcg@5"), found("map@3-l2")
    assert (graded.cutoff, graded.abilities.levels, graded.binary_only, graded.single_aspect) == (5, 4, False, True)
    assert (binary.cutoff, binary.abilities.levels, binary.binary_only, binary.single_aspect) == (3, None, True, True)
    assert found("r-precision").cutoff is None
    assert found("rbp.95").abilities.levels == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ndgc@5", "did you mean ndcg"),
        ("", "known: "),
        ("ndcg@", "of the form"),
        ("ndcg@0", "above 0"),
        ("ndcg-l0", "above 0"),
        ("rbp", "persistence"),
        ("ndcg.8", "persistence"),
        ("rbp.0", "above 0"),
        ("ndcg@-1", "of the form"),
    ],
)
def test_errors(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        measure("ranx", text)

"""scikit-learn: scores are those of the library; what the notes say of it is so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from axiomcheck.checks.contract import run_contract
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import parse
from axiomcheck.sources.adapters import measure, sklearn_adapter
from axiomcheck.sources.adapters.common import Case
from axiomcheck.sources.adapters.sklearn_adapter import SklearnMetric
from axiomcheck.sources.own import FloatTopic
from tests.sources.adapters_topics import assert_batches, assert_same, catalogue_scores, random_cases

metrics = pytest.importorskip("sklearn.metrics", reason="extra sklearn")


def found(text: str) -> SklearnMetric:
    metric = measure("sklearn", text)
    assert isinstance(metric, SklearnMetric)
    return metric


def completed(case: Case) -> list[str]:
    """The ranking and then the rest of the pool."""
    topic, ranking = case
    return [*ranking, *(name for name in topic.pool if name not in ranking)]


def asked(function, cases: Sequence[Case], flat: bool, binary: bool, **named):  # type: ignore[no-untyped-def]
    """scikit-learn called without the adapter: documents in rank order, scores falling from 1."""
    scores = []
    for case in cases:
        grades = np.array([case[0].pool[name][0] for name in completed(case)])
        truth = (grades > 0).astype(int) if binary else grades
        predicted = 1 / np.arange(1, len(grades) + 1)
        scores.append(function(truth, predicted, **named) if flat else function([truth], [predicted], **named))
    return scores


@pytest.mark.filterwarnings("ignore:No positive class")
@pytest.mark.parametrize(
    ("text", "flat", "binary", "named"),
    [
        ("ndcg_score", False, False, {}),
        ("ndcg_score(k=3)", False, False, {"k": 3}),
        ("dcg_score(k=4, log_base=3)", False, False, {"k": 4, "log_base": 3}),
        ("average_precision_score", True, True, {}),
        ("label_ranking_average_precision_score", False, True, {}),
    ],
)
def test_is_scikit_learn_itself(text: str, flat: bool, binary: bool, named: dict[str, int]) -> None:
    metric = found(text)
    cases = random_cases(metric)
    function = getattr(metrics, text.partition("(")[0])
    assert_same(metric.score_rankings(cases), asked(function, cases, flat, binary, **named), 1e-12)


@pytest.mark.parametrize("text", ["ndcg_score(k=3)", "average_precision_score"])
def test_batches(text: str) -> None:
    metric = found(text)
    assert_batches(metric, random_cases(metric, 30))


@pytest.mark.parametrize(
    ("text", "name"), [("ndcg_score(k=5)", "nDCG@5"), ("ndcg_score", "nDCG"), ("average_precision_score", "AP")]
)
def test_agrees_with_the_catalogue_on_whole_rankings(text: str, name: str) -> None:
    metric = found(text)
    cases = [(topic, completed((topic, ranking))) for topic, ranking in random_cases(metric)]
    gain = (lambda grades: (grades > 0).astype(float)) if metric.binary_only else (lambda grades: grades)
    assert_same(metric.score_rankings(cases), catalogue_scores(parse(name), cases, gain), 1e-9)


def test_ascending_scores_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = found("ndcg_score")
    cases = random_cases(metric)
    expected = asked(metrics.ndcg_score, cases, False, False)
    monkeypatch.setattr(
        sklearn_adapter, "run_scores", lambda ranking: {name: float(rank) for rank, name in enumerate(ranking)}
    )
    with pytest.raises(AssertionError, match="case"):
        assert_same(metric.score_rankings(cases), expected)


def test_documents_left_out_come_last_in_the_order_of_the_pool() -> None:
    metric = found("ndcg_score")
    topic = FloatTopic((1.0,), {"d1": (0.0,), "d2": (0.5,), "d3": (1.0,)})
    assert metric.score_rankings([(topic, ["d1"])]) == metric.score_rankings([(topic, ["d1", "d2", "d3"])])
    assert any("come after it" in note for note in metric.abilities.notes)


def test_ties_are_broken_as_stated() -> None:
    average, share = found("ndcg_score"), found("average_precision_score")
    assert "equal scores average their gains" in average.abilities.notes
    assert metrics.ndcg_score([[1, 0]], [[1, 1]]) == pytest.approx((1 + 1 / np.log2(3)) / 2)
    assert "equal scores share a threshold" in share.abilities.notes
    assert metrics.average_precision_score([1, 0], [1, 1]) == pytest.approx(1 / 2)


def test_nothing_relevant_and_a_single_document() -> None:
    nothing = FloatTopic((1.0,), {"d1": (0.0,), "d2": (0.0,)})
    single = FloatTopic((1.0,), {"d1": (1.0,)})
    for text, score in (
        ("ndcg_score", 0),
        ("average_precision_score", 0),
        ("label_ranking_average_precision_score", 1),
    ):
        metric = found(text)
        assert metric.score_rankings([(nothing, ["d1"])]) == [score]
        assert f"a topic without a relevant document scores {score}" in metric.abilities.notes
    with pytest.raises(ValueError, match="more than 1 document"):
        metrics.ndcg_score([[1.0]], [[1.0]])
    for ranking in (["d1"], []):  # it ranks the whole pool, of which the document that is added comes last
        assert found("ndcg_score").score_rankings([(single, ranking)]) == [metrics.ndcg_score([[1, 0]], [[2, 1]])]
    assert any("pool of one document" in note for note in found("ndcg_score").abilities.notes)


def test_what_is_declared() -> None:
    graded, binary = found("ndcg_score(k=3)"), found("average_precision_score")
    assert (graded.cutoff, graded.abilities.levels, graded.binary_only, graded.single_aspect) == (3, None, False, True)
    assert (binary.cutoff, binary.binary_only) == (None, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ndcg_scor", "did you mean ndcg_score"),
        ("f1_score", "unknown ranking metric"),
        ("ndcg_score(kk=3)", "unknown parameter"),
        ("ndcg_score(sample_weight=3)", "unknown parameter"),
        ("ndcg_score(3)", "parameters are named"),
        ("ndcg_score(k=0)", "cutoff 0 is out of range"),
        ("ndcg_score(k=x)", "literal"),
        ("ndcg_score(k=3", "expected a name"),
        ("ndcg_score(**{'k': 3})", "literal"),
        ("dcg_score(log_base=-1)", "log_base"),
        ("", "expected a name"),
    ],
)
def test_errors(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        measure("sklearn", text)


def test_an_empty_pool_is_refused_as_documented() -> None:
    [outcome] = run_contract(found("ndcg_score(k=10)"), checks=["nothing-judged"])
    assert outcome.status == "admitted", outcome
    assert outcome.cases == 3
    [other] = run_contract(found("average_precision_score"), checks=["nothing-judged"])
    assert (other.status, other.cases) == ("error", 1)  # an IndexError is nothing that is documented

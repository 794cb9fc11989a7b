"""scikit-learn: whole rankings, ties, topics that it refuses, as the notes say."""

import numpy as np
import pytest

from axiomcheck import FloatTopic
from axiomcheck.checks.contract import run_contract
from tests.sources.adapters_topics import found

metrics = pytest.importorskip("sklearn.metrics", reason="needs the extra sklearn")
pytestmark = pytest.mark.extra("sklearn")


def test_ties_are_broken_as_stated() -> None:
    average, share = found("sklearn", "ndcg_score"), found("sklearn", "average_precision_score")
    assert any(note.startswith("documents with equal scores share") for note in average.abilities.notes)
    assert metrics.ndcg_score([[1, 0]], [[1, 1]]) == pytest.approx((1 + 1 / np.log2(3)) / 2)
    assert "documents with equal scores share a threshold" in share.abilities.notes
    assert metrics.average_precision_score([1, 0], [1, 1]) == pytest.approx(1 / 2)


def test_nothing_relevant_and_a_single_document() -> None:
    nothing = FloatTopic((1.0,), {"d1": (0.0,), "d2": (0.0,)})
    single = FloatTopic((1.0,), {"d1": (1.0,)})
    for text, score in (
        ("ndcg_score", 0),
        ("average_precision_score", 0),
        ("label_ranking_average_precision_score", 1),
    ):
        metric = found("sklearn", text)
        assert metric.score_rankings([(nothing, ["d1"])]) == [score]
        assert f"a topic without a relevant document scores {score}" in metric.abilities.notes
    with pytest.raises(ValueError, match="more than 1 document"):
        metrics.ndcg_score([[1.0]], [[1.0]])
    for ranking in (["d1"], []):  # it ranks the whole pool, of which the document that is added comes last
        assert found("sklearn", "ndcg_score").score_rankings([(single, ranking)]) == [
            metrics.ndcg_score([[1, 0]], [[2, 1]])
        ]
    assert any("pool of one document" in note for note in found("sklearn", "ndcg_score").abilities.notes)


def test_an_empty_pool_is_refused_as_documented() -> None:
    [outcome] = run_contract(found("sklearn", "ndcg_score(k=10)"), checks=["nothing-judged"])
    assert outcome.status == "admitted", outcome
    assert outcome.cases == 3
    [other] = run_contract(found("sklearn", "average_precision_score"), checks=["nothing-judged"])
    assert (other.status, other.cases) == ("error", 1)  # an IndexError is nothing that is documented

"""ir_measures: scores are those of the programs behind it; what the notes say of ties and aspects is so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from axiomcheck.core.errors import MetricError
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.own import FloatTopic
from tests.sources.adapter_table import ir_measures_directly, judged
from tests.sources.adapters_topics import assert_same, random_cases
from tests.support.suites import each

ir_measures = pytest.importorskip("ir_measures", reason="needs the extra ir_measures")
pyndeval = pytest.importorskip("pyndeval", reason="needs the extra ir_measures")
pytrec_eval = pytest.importorskip("pytrec_eval", reason="needs the extra ir_measures")
pytest.importorskip("cwl", reason="needs the extra cwl")
adapter = pytest.importorskip("axiomcheck.sources.adapters.ir_measures_adapter")
pytestmark = pytest.mark.extra("ir_measures")

AD_HOC = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "P@5": "P_5",
    "AP": "map",
    "AP@5": "map_cut_5",
    "RR": "recip_rank",
    "R@5": "recall_5",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "Success@3": "success_3",
}
DIVERSITY = {
    "alpha_nDCG@20": "alpha-nDCG@20",
    "alpha_DCG@5": "alpha-DCG@5",
    "ERR_IA@20": "ERR-IA@20",
    "nERR_IA@5": "nERR-IA@5",
    "NRBP": "NRBP",
    "AP_IA": "MAP-IA",
    "P_IA@5": "P-IA@5",
    "StRecall@5": "strec@5",
}


def found(text: str) -> LibraryMetric:
    metric = measure("ir_measures", text)
    assert isinstance(metric, LibraryMetric)
    return metric


@each(("text", "name"), [*AD_HOC.items()], 3)
def test_is_trec_eval_itself(text: str, name: str) -> None:
    metric = found(text)
    cases = random_cases(metric)
    expected = []
    for topic, ranking in cases:
        qrels = {"1": {document: judged(metric, grades[0]) for document, grades in topic.pool.items()}}
        run = {"1": {document: 50.0 - 2 * rank for rank, document in enumerate(ranking)}}
        results = pytrec_eval.RelevanceEvaluator(qrels, [name]).evaluate(run)
        expected.append(results["1"][name] if ranking else 0.0)
    assert_same(metric.score_rankings(cases), expected)


@each(("text", "name"), [*DIVERSITY.items()], 3)
def test_is_ndeval_itself(text: str, name: str) -> None:
    metric = found(text)
    cases = random_cases(metric)
    expected = []
    for topic, ranking in cases:
        qrels = [
            pyndeval.SubtopicQrel("1", str(aspect), document, int(grade > 0))
            for document, grades in topic.pool.items()
            for aspect, grade in enumerate(grades)
        ]
        run = [pyndeval.ScoredDoc("1", document, 50.0 - rank) for rank, document in enumerate(ranking)]
        results = pyndeval.ndeval(qrels, run, [name])
        expected.append(results["1"][name] if results else 0.0)
    assert_same(metric.score_rankings(cases), expected)


def test_aspects_thrown_together_are_caught() -> None:
    metric = found("alpha_nDCG@20")
    cases = random_cases(metric)
    expected = ir_measures_directly(None, metric, cases, Path())
    together = [(FloatTopic((1.0,), {d: (max(g),) for d, g in topic.pool.items()}), r) for topic, r in cases]
    with pytest.raises(AssertionError, match="case"):
        assert_same(metric.score_rankings(together), expected)


@pytest.mark.parametrize(
    ("provider", "text"),
    [
        ("pytrec_eval", "P@1"),
        ("cwl_eval", "P@1"),
        ("pyndeval", "P_IA@1"),
        ("msmarco", "RR@1"),
        ("gdeval", "ERR@1"),
        ("compat", "Compat(normalize=False)"),
        ("judged", "Judged@1"),
        ("accuracy", "Accuracy"),
    ],
)
def test_ties_are_broken_as_stated(provider: str, text: str) -> None:
    parsed = ir_measures.parse_measure(text)
    computes = ir_measures.providers.registry[provider]

    def score(documents: str, scores: Sequence[float]) -> float:
        qrels = [ir_measures.Qrel("1", "m", 1, "1")]
        if text != "Judged@1":
            qrels += [ir_measures.Qrel("1", name, 0, "1") for name in documents if name != "m"]
        run = [ir_measures.ScoredDoc("1", name, value) for name, value in zip(documents, scores, strict=True)]
        return float(next(iter(computes.iter_calc([parsed], qrels, run))).value)

    stated = adapter.TIES[provider]
    for pair in ("am", "ma", "zm", "mz"):
        if stated == "as listed in the run":
            first = pair[0]
        else:
            first = max(pair) if stated.startswith("later") else min(pair)
        by_score = score(pair, [2.0 if name == first else 1.0 for name in pair])
        other_way = score(pair, [1.0 if name == first else 2.0 for name in pair])
        assert by_score != other_way
        assert score(pair, [1.0, 1.0]) == by_score, pair


def test_unjudged_documents_are_treated_apart() -> None:
    metric = found("Bpref")
    assert any("treated apart" in note for note in metric.abilities.notes)
    cases = [case for case in random_cases(metric, 40) if any(map(any, case[0].pool.values()))]
    assert ir_measures_directly(None, metric, cases, Path(), judged_zero=False) != ir_measures_directly(
        None, metric, cases, Path()
    )


def test_the_library_failing_is_a_metric_error() -> None:
    metric = found("Accuracy")
    topic = FloatTopic((1.0,), {"d1": (1.0,), "d2": (0.0,)})
    with pytest.raises(MetricError, match=r"ir_measures [0-9.]+ raised ZeroDivisionError"):
        metric.score_rankings([(topic, ["d1"])])

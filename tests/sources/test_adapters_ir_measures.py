"""ir_measures: scores are those of the library, whatever the batch; what the notes say of it is so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from axiomcheck.core.errors import InvalidInput, MetricError, UnknownName
from axiomcheck.metrics import parse
from axiomcheck.sources.adapters import ir_measures_adapter, measure
from axiomcheck.sources.adapters.common import Case
from axiomcheck.sources.adapters.ir_measures_adapter import TIES, IrMeasure
from axiomcheck.sources.own import FloatTopic
from tests.sources.adapters_topics import assert_batches, assert_same, catalogue_scores, random_cases
from tests.support.suites import few

ir_measures = pytest.importorskip("ir_measures", reason="extra ir_measures")
pyndeval = pytest.importorskip("pyndeval", reason="extra ir_measures")
pytrec_eval = pytest.importorskip("pytrec_eval", reason="extra ir_measures")
pytest.importorskip("cwl", reason="extra cwl")

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
OTHERS = [
    "RBP(rel=1)",
    "INST(max_rel=4)",
    "INST(min_rel=1,max_rel=7)",
    "BPM(max_rel=4)@5",
    "SDCG(max_rel=2)@5",
    "ERR@5",
    "nDCG(dcg='exp-log2')@5",
    "Compat",
    "RR@3",
    "P(rel=2)@5",
    "nDCG(gains={0:0,1:1,2:3,3:7,4:15})@5",
    "IPrec@0.5",
    "cwl_eval:AP",
]


def found(text: str) -> IrMeasure:
    metric = measure("ir_measures", text)
    assert isinstance(metric, IrMeasure)
    return metric


def one_by_one(metric: IrMeasure, cases: Sequence[Case], judged_zero: bool = True) -> list[float]:
    """ir_measures asked for one query at a time, without the adapter."""
    library, _, spelled = metric.label.removeprefix("ir_measures:").rpartition(":")
    provider = ir_measures.providers.registry[library] if library.isidentifier() else ir_measures
    spelled = spelled if library.isidentifier() else metric.label.removeprefix("ir_measures:")
    parsed = ir_measures.parse_measure(spelled)
    scores = []
    for topic, ranking in cases:
        qrels = [
            ir_measures.Qrel("1", name, judged(metric, grade), str(aspect))
            for name, grades in topic.pool.items()
            for aspect, grade in enumerate(grades)
            if judged_zero or grade > 0
        ]
        run = [ir_measures.ScoredDoc("1", name, 100.0 - rank) for rank, name in enumerate(ranking)]
        values = [m.value for m in provider.iter_calc([parsed], qrels, run)]
        scores.append(float(values[0]) if values else 0.0)
    return scores


def judged(metric: IrMeasure, grade: float) -> int:
    params = metric.parsed.params
    if metric.binary_only:
        return int(params.get("rel", 1)) if grade > 0 else 0
    if "max_rel" in params:
        low = params.get("min_rel", 0)
        return int(low + grade * (params["max_rel"] - low))
    return int(grade * 4)


@pytest.mark.parametrize(("text", "name"), AD_HOC.items())
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


@pytest.mark.parametrize(("text", "name"), DIVERSITY.items())
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


def assert_is_ir_measures(text: str) -> None:
    metric = found(text)
    cases = random_cases(metric, 40)
    assert_same(metric.score_rankings(cases), one_by_one(metric, cases))


@pytest.mark.parametrize("text", few(OTHERS, 3))
def test_is_ir_measures_itself(text: str) -> None:
    assert_is_ir_measures(text)


@pytest.mark.parametrize("text", ["nDCG@10", "alpha_nDCG@20", "ERR@20", "INST(max_rel=4)", "Compat", "Bpref"])
def test_batches(text: str) -> None:
    metric = found(text)
    assert_batches(metric, random_cases(metric, 30))


@pytest.mark.parametrize(
    ("text", "name", "tolerance"),
    [
        ("nDCG@10", "nDCG@10", 1e-9),
        ("nDCG", "nDCG", 1e-9),
        ("P@10", "P@10", 1e-9),
        ("AP", "AP", 1e-9),
        ("RR", "RR", 1e-9),
        ("cwl_eval:RBP(rel=1)", "RBP(p=0.8)", 1e-9),
        ("alpha_nDCG@20", "trec-alpha-nDCG@20", 1e-9),
        ("alpha_DCG@10", "trec-alpha-DCG@10", 1e-9),
        ("ERR_IA@20", "trec-ERR-IA@20", 1e-9),
        ("nERR_IA@10", "trec-nERR-IA@10", 1e-9),
        ("NRBP", "trec-NRBP", 1e-9),
        ("AP_IA", "trec-AP-IA", 1e-9),
        ("P_IA@5", "trec-P-IA@5", 1e-9),
        ("StRecall@5", "trec-S-Recall@5", 1e-9),
        ("ERR@20", "ERR@20", 6e-6),
    ],
)
def test_agrees_with_the_catalogue(text: str, name: str, tolerance: float) -> None:
    metric = found(text)
    cases = random_cases(metric)

    def gain(grades):  # type: ignore[no-untyped-def]
        if text == "ERR@20":  # gdeval's probability of an integer judgment, of which the largest is 4
            return (2 ** (4 * grades) - 1) / 16
        return (grades > 0).astype(float) if metric.binary_only else grades

    assert_same(metric.score_rankings(cases), catalogue_scores(parse(name), cases, gain), tolerance)


def test_ascending_scores_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = found("nDCG@10")
    cases = random_cases(metric)
    expected = one_by_one(metric, cases)
    monkeypatch.setattr(
        ir_measures_adapter, "run_scores", lambda ranking: {name: float(rank) for rank, name in enumerate(ranking)}
    )
    with pytest.raises(AssertionError, match="case"):
        assert_same(metric.score_rankings(cases), expected)


def test_aspects_thrown_together_are_caught() -> None:
    metric = found("alpha_nDCG@20")
    cases = random_cases(metric)
    expected = one_by_one(metric, cases)
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

    stated = TIES[provider]
    for pair in ("am", "ma", "zm", "mz"):
        if stated == "as listed in the run":
            first = pair[0]
        else:
            first = max(pair) if stated.startswith("later") else min(pair)
        by_score = score(pair, [2.0 if name == first else 1.0 for name in pair])
        other_way = score(pair, [1.0 if name == first else 2.0 for name in pair])
        assert by_score != other_way
        assert score(pair, [1.0, 1.0]) == by_score, pair


@pytest.mark.parametrize("text", ["nDCG@10", "AP", "alpha_nDCG@20", "ERR@20", "INST(max_rel=4)", "Compat", "P_IA@5"])
def test_unjudged_documents_are_as_those_judged_zero(text: str) -> None:
    metric = found(text)
    assert any("counts as judged 0" in note for note in metric.abilities.notes)
    cases = [case for case in random_cases(metric, 40) if any(map(any, case[0].pool.values()))]
    assert_same(one_by_one(metric, cases, judged_zero=False), one_by_one(metric, cases))


def test_unjudged_documents_are_treated_apart() -> None:
    metric = found("Bpref")
    assert any("treated apart" in note for note in metric.abilities.notes)
    cases = [case for case in random_cases(metric, 40) if any(map(any, case[0].pool.values()))]
    assert one_by_one(metric, cases, judged_zero=False) != one_by_one(metric, cases)


def test_what_is_declared() -> None:
    graded, binary, diverse = found("nDCG@10"), found("P(rel=2)@5"), found("alpha_nDCG@20")
    assert (graded.cutoff, graded.abilities.levels, graded.binary_only, graded.single_aspect) == (10, 4, False, True)
    assert (binary.cutoff, binary.abilities.levels, binary.binary_only, binary.single_aspect) == (5, None, True, True)
    assert (diverse.cutoff, diverse.binary_only, diverse.single_aspect) == (20, True, False)
    assert not diverse.abilities.weights
    assert found("IPrec@0.5").cutoff is None
    assert found("INST(max_rel=6)").abilities.levels == 2
    assert found("nDCG(gains={1:1,7:3})@5").abilities.levels == 4
    assert any("pyndeval" in note for note in diverse.abilities.notes)


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("nDGC@10", UnknownName, "did you mean NDCG"),
        ("foo:P@5", UnknownName, "unknown provider"),
        ("P", InvalidInput, "cutoff=missing"),
        ("P@0", InvalidInput, "cutoff 0 is out of range"),
        ("P@", InvalidInput, "problem parsing"),
        ("", InvalidInput, "problem parsing"),
        ("nDCG(x=1)@5", InvalidInput, "unsupported params"),
        ("P(rel=0)@5", InvalidInput, "rel >= 1"),
        ("RBP", InvalidInput, "no provider"),
        ("INST", InvalidInput, "max_rel=missing"),
        ("INST(min_rel=2,max_rel=2)", InvalidInput, "min_rel < max_rel"),
        ("nDCG(gains={'a':1})@5", InvalidInput, "whole numbers"),
        ("alpha_nDCG", InvalidInput, "cutoffs 1 to 20"),
        ("alpha_nDCG@21", InvalidInput, "cutoffs 1 to 20"),
        ("pyndeval:nDCG@10", InvalidInput, "does not compute"),
        ("trectools:P@5", InvalidInput, "not installed"),
    ],
)
def test_errors(text: str, kind: type[InvalidInput], says: str) -> None:
    with pytest.raises(kind, match=says):
        measure("ir_measures", text)


def test_the_library_failing_is_a_metric_error() -> None:
    metric = found("Accuracy")
    topic = FloatTopic((1.0,), {"d1": (1.0,), "d2": (0.0,)})
    with pytest.raises(MetricError, match=r"ir_measures [0-9.]+ raised ZeroDivisionError"):
        metric.score_rankings([(topic, ["d1"])])


def test_a_grade_between_levels_is_refused() -> None:
    topic = FloatTopic((1.0,), {"d1": (0.3,), "d2": (0.0,)})
    with pytest.raises(MetricError, match="not a multiple of 1/4"):
        found("nDCG@10").score_rankings([(topic, ["d1"])])

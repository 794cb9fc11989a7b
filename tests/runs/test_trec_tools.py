"""Scores of real runs equal those of ndeval, trec_eval and cwl-eval on every topic, with each tool's order of ties."""

from __future__ import annotations

import logging
import math
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from axiomcheck.api.score import score
from axiomcheck.metrics import parse
from axiomcheck.runs.trec import Options, Scores, measures_named, score_runs
from tests.runs.trec_data import QRELS, RUNS, judgments, needs_data, runs

ir_measures = pytest.importorskip("ir_measures")

NDEVAL = {
    "trec-ERR-IA@20": "ERR-IA@20",
    "trec-ERR-IA@5": "ERR-IA@5",
    "trec-nERR-IA@20": "nERR-IA@20",
    "trec-alpha-DCG@20": "alpha-DCG@20",
    "trec-alpha-nDCG@20": "alpha-nDCG@20",
    "trec-alpha-nDCG@10": "alpha-nDCG@10",
    "trec-NRBP": "NRBP",
    "trec-nNRBP": "nNRBP",
    "trec-AP-IA": "MAP-IA",
    "trec-P-IA@20": "P-IA@20",
    "trec-P-IA@10": "P-IA@10",
    "trec-S-Recall@20": "strec@20",
    "trec-S-Recall@5": "strec@5",
}
"""The catalogue's name -> pyndeval's."""

TREC_EVAL = {
    "nDCG(aggregate=max)": "ndcg",
    "nDCG(aggregate=max)@20": "ndcg_cut_20",
    "AP(aggregate=max)": "map",
    "AP(aggregate=max)@100": "map_cut_100",
    "P(aggregate=max)@20": "P_20",
    "RR(aggregate=max)": "recip_rank",
}
"""The catalogue's name -> pytrec_eval's."""

OF_RUNS = {
    "R(aggregate=max)@100": "recall_100",
    "R(aggregate=max)": "set_recall",
    "Rprec(aggregate=max)": "Rprec",
    "Bpref(aggregate=max)": "bpref",
    "Success(aggregate=max)@5": "success_5",
    "infAP(aggregate=max)": "infAP",
    "SetP(aggregate=max)": "set_P",
    "SetF(aggregate=max)": "set_F",
    "SetAP(aggregate=max)": "set_map",
    "AP(aggregate=max)": "map",
    "P(aggregate=max)@20": "P_20",
    "RR(aggregate=max)": "recip_rank",
}
"""Names of measures that have a level of relevance -> pytrec_eval's."""


def largest_differences(ours: Scores, theirs: dict[str, dict[str, float]], names: dict[str, str]) -> dict[str, float]:
    """Metric -> the largest difference on any topic; the topics have to be the same."""
    assert ours.per_topic.keys() == theirs.keys()
    canonical = {str(one): other for one, other in zip(measures_named(names), names.values(), strict=True)}
    return {
        name: max(abs(ours.per_topic[topic][name] - theirs[topic][other]) for topic in theirs)
        for name, other in canonical.items()
    }


def maximum_grades(path: Path) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for qrel in ir_measures.read_trec_qrels(str(path)):
        grades = out.setdefault(qrel.query_id, {})
        grades[qrel.doc_id] = max(grades.get(qrel.doc_id, 0), qrel.relevance)
    return out


def scored(path: Path) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    for document in ir_measures.read_trec_run(str(path)):
        out.setdefault(document.query_id, {})[document.doc_id] = document.score
    return out


@needs_data
def test_trec_forms_are_those_of_ndeval_on_every_topic_of_every_run() -> None:
    pyndeval = pytest.importorskip("pyndeval")
    qrels = [
        pyndeval.SubtopicQrel(q.query_id, q.iteration, q.doc_id, q.relevance)
        for q in ir_measures.read_trec_qrels(str(QRELS))
    ]
    evaluator = pyndeval.RelevanceEvaluator(qrels, sorted(set(NDEVAL.values())))
    found = score_runs([parse(name) for name in NDEVAL], judgments(), runs(), Options(ties="pyndeval"))
    compared = 0
    for ours, path in zip(found, RUNS, strict=True):
        theirs = evaluator.evaluate([tuple(d) for d in ir_measures.read_trec_run(str(path))])
        compared += len(theirs)
        assert max(largest_differences(ours, theirs, NDEVAL).values()) < 1e-9
    assert compared == 400


@needs_data
def test_another_order_of_ties_is_noticed() -> None:
    """So the comparison above rests on the rule."""
    names = ["trec-ERR-IA@20", "trec-AP-IA"]
    first, second = (
        score_runs([parse(name) for name in names], judgments(), runs(), Options(ties=ties))  # type: ignore[arg-type]
        for ties in ("pyndeval", "trec_eval")
    )
    for name in map(str, map(parse, names)):
        pairs = [
            (a.per_topic[topic][name], b.per_topic[topic][name])
            for a, b in zip(first, second, strict=True)
            for topic in a.per_topic
        ]
        assert max(abs(x - y) for x, y in pairs) > 1e-5


@needs_data
def test_ndeval_by_ranks_is_the_order_of_these_files() -> None:
    from axiomcheck.runs.trec import read_run

    names = [parse("trec-ERR-IA@20")]
    (by_rank,) = score_runs(names, judgments(), [read_run(RUNS[0], ranks=True)], Options(ties="ndeval"))
    (by_line,) = score_runs(names, judgments(), [runs()[0]], Options(ties="file"))
    assert by_rank.per_topic == by_line.per_topic


@needs_data
def test_the_largest_grade_over_aspects_scores_as_in_trec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    evaluator = pytrec_eval.RelevanceEvaluator(
        maximum_grades(QRELS), {"ndcg", "ndcg_cut", "map", "map_cut", "P", "recip_rank"}
    )
    found = score_runs([parse(name) for name in TREC_EVAL], judgments(), runs(), Options(ties="trec_eval"))
    for ours, path in zip(found, RUNS, strict=True):
        theirs = evaluator.evaluate(scored(path))
        assert len(theirs) == 50
        assert max(largest_differences(ours, theirs, TREC_EVAL).values()) < 1e-9


@needs_data
@pytest.mark.parametrize("level", [1, 2])
def test_measures_of_runs_and_levels_of_relevance_score_as_in_trec_eval(level: int) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    grades, names = maximum_grades(QRELS), set(OF_RUNS.values())
    evaluator = pytrec_eval.RelevanceEvaluator(grades, names, relevance_level=level)
    leveled = {with_rel(name, level): theirs for name, theirs in OF_RUNS.items()} if level > 1 else OF_RUNS
    found = score_runs(measures_named(OF_RUNS), judgments(), runs()[:3], Options(level=level))
    by_name = score_runs(measures_named(leveled), judgments(), runs()[:3])
    for ours, named, path in zip(found, by_name, RUNS, strict=False):
        theirs = evaluator.evaluate(scored(path))
        assert max(largest_differences(ours, theirs, OF_RUNS).values()) < 1e-9
        assert max(largest_differences(named, theirs, leveled).values()) < 1e-9


def with_rel(name: str, level: int) -> str:
    return name.replace("aggregate=max", f"aggregate=max, rel={level}")


@needs_data
def test_judged_is_that_of_ir_measures() -> None:
    """Which breaks ties by name, the first first, in double precision."""
    found = score_runs(measures_named(["Judged@10", "Judged@5000"]), judgments(), runs()[:3], Options("pyndeval"))
    for ours, path in zip(found, RUNS, strict=False):
        asked = [ir_measures.Judged @ 10, ir_measures.Judged @ 5000]
        theirs = list(ir_measures.iter_calc(asked, maximum_grades(QRELS), scored(path)))
        assert len(theirs) == 2 * len(ours.per_topic)
        for one in theirs:
            assert ours.per_topic[one.query_id][str(one.measure)] == pytest.approx(one.value, abs=1e-12)
        assert 0 < ours.mean["Judged@5000"] < ours.mean["Judged@10"]


@needs_data
@pytest.mark.parametrize("wrong", [Options(ties="pyndeval"), Options(gain="exponential"), Options(unjudged="skip")])
def test_another_reading_than_that_of_trec_eval_is_noticed(wrong: Options) -> None:
    metrics, run = [parse("nDCG(aggregate=max)")], [runs()[1]]
    (right,), (other,) = (score_runs(metrics, judgments(), run, options) for options in (Options(), wrong))
    name = str(metrics[0])
    assert max(abs(right.per_topic[t][name] - other.per_topic[t][name]) for t in right.per_topic) > 1e-5


def single_precision_case() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Two scores that differ in double precision and not in single, and the names the other way round."""
    return {"q": {"a": 0, "z": 1}}, {"q": {"a": 1.00000001, "z": 1.0}}


def test_trec_eval_compares_scores_in_single_precision() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = single_precision_case()
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)["q"]["recip_rank"]
    assert score("RR", qrels, run, ties="trec_eval").mean["RR"] == theirs == 1.0
    assert score("RR", qrels, run, ties="ndeval-traditional").mean["RR"] == 0.5


def test_a_topic_without_relevant_documents_scores_as_in_trec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels = {"q": {"a": 0, "b": -1}, "p": {"a": -1, "b": 2, "c": 1}, "gone": {"a": 1}}
    run = {"q": {"a": 2.0, "b": 1.0}, "p": {"c": 1.0, "a": 0.5, "b": 0.25}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", "map"}).evaluate(run)
    ours = score(["nDCG", "AP"], qrels, run)
    assert set(ours.per_topic) == set(theirs) == {"q", "p"}
    for topic, values in theirs.items():
        assert ours.per_topic[topic] == pytest.approx({"nDCG": values["ndcg"], "AP": values["map"]}, abs=1e-12)


def test_the_rule_of_pyndeval_puts_the_first_name_first() -> None:
    pyndeval = pytest.importorskip("pyndeval")
    rows = [("q", "1", "a", 1), ("q", "1", "b", 0), ("q", "2", "b", 0), ("q", "2", "a", 0)]
    run = [("q", "a", 1.0), ("q", "b", 1.0)]
    theirs = pyndeval.ndeval(rows, run, ["NRBP"])["q"]["NRBP"]
    qrels = [ir_measures.Qrel(q, d, g, aspect) for q, aspect, d, g in rows]
    documents = [ir_measures.ScoredDoc(*row) for row in run]
    assert score("trec-NRBP", qrels, documents, ties="pyndeval").mean == {str(parse("trec-NRBP")): theirs}
    assert score("trec-NRBP", qrels, documents, ties="ndeval-traditional").mean != {str(parse("trec-NRBP")): theirs}


def test_the_greedy_ideal_takes_the_last_name_first() -> None:
    """The names decide the ideal, and with it the score: the two cases differ by them alone."""
    pyndeval = pytest.importorskip("pyndeval")
    cover = {"a": {0, 1}, "b": {1, 2}, "c": {0, 3}}
    for names in (cover, {"c": {0, 1}, "b": {1, 2}, "a": {0, 3}}):
        rows = [("q", str(t), d, int(t in aspects)) for d, aspects in names.items() for t in range(4)]
        first = next(iter(names))
        theirs = pyndeval.ndeval(rows, [("q", first, 1.0)], ["alpha-nDCG@2"])["q"]["alpha-nDCG@2"]
        qrels = [ir_measures.Qrel(q, d, g, aspect) for q, aspect, d, g in rows]
        (ours,) = score("trec-alpha-nDCG@2", qrels, {"q": {first: 1.0}}).mean.values()
        assert ours == pytest.approx(theirs, abs=1e-12)


# ------------------------------------------------------------------------------------------------------- cwl-eval

CWL_RANKS = 1000
"""Where cwl-eval cuts every ranking, its tail included."""


@pytest.fixture
def cwl() -> Any:
    ruler = pytest.importorskip("cwl.ruler.cwl_ruler")
    logging.getLogger("cwl").disabled = True
    return ruler


Array = Any


def cwl_gains(path: Path) -> dict[str, Array]:
    """Topic -> gains in the order of trec_eval, NaN for documents without a judgment."""
    grades = maximum_grades(QRELS)
    highest = max(grade for topic in grades.values() for grade in topic.values())
    out = {}
    for topic, documents in scored(path).items():
        placed = sorted(documents, key=lambda d: (np.float32(documents[d]), d.encode()), reverse=True)
        judged = grades[topic]
        out[topic] = np.array([max(judged[d], 0) / highest if d in judged else math.nan for d in placed])
    return out


def measured(metric: Any, gains: Array) -> tuple[float, float]:
    """cwl-eval's score and residual."""
    ranking = pytest.importorskip("cwl.ruler.ranking")
    metric.residuals = True
    base = metric.measure(ranking.Ranking("", gains, np.full(len(gains), math.nan)))
    return base, metric.residual_expected_utility


def cut(metric: Any, gains: Array, fill: Literal[0, 1]) -> float:
    """Our user model's score with unjudged documents of one gain, and no user beyond the rank of cwl-eval's cut."""
    filled = np.full(CWL_RANKS, float(fill))
    filled[: len(gains)] = np.where(np.isnan(gains), fill, gains)[:CWL_RANKS]
    continuation, _ = metric.user_model().follow(filled, fill)
    reached = np.concatenate([[1.0], np.cumprod(continuation[:-1])])
    return float((reached * filled).sum() / reached.sum())


@needs_data
def test_inst_is_that_of_cwl_eval_cut_where_it_cuts(cwl: Any) -> None:
    metric = parse("INST(T=3, aggregate=max)")
    found = score_runs([metric], judgments(), runs())
    ended = score_runs([metric], judgments(), runs(), Options(depth=CWL_RANKS))
    beyond = 0.0
    for ours, depth, path in zip(found, ended, RUNS, strict=True):
        for topic, gains in cwl_gains(path).items():
            base, residual = measured(cwl.INSTCWLMetric(3.0), gains)
            assert depth.per_topic[topic][str(metric)] == pytest.approx(base, abs=1e-9)
            assert depth.residual_per_topic[topic][str(metric)] == pytest.approx(residual, abs=1e-9)
            low, high = cut(metric, gains, 0), cut(metric, gains, 1)
            assert abs(low - base) < 1e-9
            assert abs(high - low - residual) < 1e-9
            # what cwl-eval leaves out is all that the two differ by
            uncut: Any = metric.user_model().evaluate(gains)  # type: ignore[attr-defined]
            assert ours.per_topic[topic][str(metric)] == pytest.approx(float(uncut.score), abs=1e-12)
            assert ours.residual_per_topic[topic][str(metric)] == pytest.approx(float(uncut.residual), abs=1e-12)
            beyond = max(beyond, abs(ours.per_topic[topic][str(metric)] - base))
    assert 1e-6 < beyond < 1e-2  # cwl-eval's cut is small and can be told


def rbp_is_that_of_cwl_eval(cwl: Any, p: str) -> None:
    """Beyond rank 1,000 is a weight of 0.95^1000 at most, less than 1e-22."""
    metric = parse(f"RBP(p={p}, aggregate=max)")
    found = score_runs([metric], judgments(), runs())
    for ours, path in zip(found, RUNS, strict=True):
        for topic, gains in cwl_gains(path).items():
            base, residual = measured(cwl.RBPCWLMetric(float(p)), gains)
            assert abs(cut(metric, gains, 0) - base) < 1e-9
            assert ours.per_topic[topic][str(metric)] == pytest.approx(base, abs=1e-12)
            assert ours.residual_per_topic[topic][str(metric)] == pytest.approx(residual, abs=1e-12)


@needs_data
def test_rbp_is_that_of_cwl_eval(cwl: Any) -> None:
    rbp_is_that_of_cwl_eval(cwl, "0.8")


# ----------------------------------------------------------------------------------------------- RBU as released


def released_rbu(ranked: list[str], grades: dict[str, dict[str, int]], p: float, e: float) -> float:
    """The formula of the program released with RBU, step by step: grades of one topic are aspect -> document -> grade.

    Its gains are (2^g - 1) / 2^gmax with the largest grade of the aspect, its weights uniform, its rankings uncut.
    """
    value = 0.0
    for judged in grades.values():
        top, unsatisfied = 2.0 ** max(judged.values()), 1.0
        for place, document in enumerate(ranked):
            gain = (2.0 ** judged.get(document, 0) - 1) / top
            value += p**place * gain * unsatisfied / len(grades)
            unsatisfied *= 1 - gain
    return (1 - p) * (value - e * sum(p**place for place in range(len(ranked))))


@needs_data
def test_rbu_as_released_on_every_topic() -> None:
    grades: dict[str, dict[str, dict[str, int]]] = {}
    for qrel in ir_measures.read_trec_qrels(str(QRELS)):
        judged = grades.setdefault(qrel.query_id, {}).setdefault(qrel.iteration, {})
        judged[qrel.doc_id] = max(qrel.relevance, 0)
    name = "RBU-program(p=0.8, e=0.03)"
    options = Options(gain="exponential", highest="aspect")
    (ours,) = score_runs(measures_named([name]), judgments(), runs()[:1], options)
    (other,) = score_runs(measures_named([name]), judgments(), runs()[:1], Options(gain="exponential"))
    documents, differ = scored(RUNS[0]), 0
    for topic, judged_topic in grades.items():
        scores = documents[topic]
        ranked = sorted(scores, key=lambda d, s=scores: (np.float32(s[d]), d.encode()), reverse=True)
        wanted = released_rbu(ranked[:300], judged_topic, 0.8, 0.03)  # what is left out is less than 0.8^300 < 1e-29
        assert ours.per_topic[topic][name] == pytest.approx(wanted, abs=1e-12)
        differ += abs(other.per_topic[topic][name] - wanted) > 1e-6
    assert differ >= 5  # topics with an aspect whose largest grade is not that of the file

"""cwl-eval: scores are those of the library; what the notes say of it is so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from axiomcheck.checks.contract import run_contract
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import parse
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import Case
from axiomcheck.sources.adapters.cwl_adapter import CwlMetric
from tests.sources.adapters_topics import assert_batches, assert_same, catalogue_scores, random_cases

ruler = pytest.importorskip("cwl.ruler.cwl_ruler", reason="extra cwl")

METRICS = {
    "Precision(5)": ("PrecisionCWLMetric", {"k": 5}),
    "RBPCWLMetric(0.8)": ("RBPCWLMetric", {"theta": 0.8}),
    "INST(T=3)": ("INSTCWLMetric", {"T": 3}),
    "INSQ(3.0)": ("INSQCWLMetric", {"T": 3.0}),
    "NDCG(5)": ("NDCGCWLMetric", {"k": 5}),
    "RR": ("RRCWLMetric", {}),
    "BPM(T=1.5, K=5)": ("BPMCWLMetric", {"T": 1.5, "K": 5}),
    "NERReq8(5)": ("NERReq8CWLMetric", {"k": 5}),
    "NERReq11(T=2)": ("NERReq11CWLMetric", {"T": 2}),
    "IFTGoal(2, 0.9, 1)": ("IFTGoalCWLMetric", {"T": 2, "b1": 0.9, "R1": 1}),
    "TBG(halflife=10)": ("TBGCWLMetric", {"halflife": 10}),
}


def found(text: str) -> CwlMetric:
    metric = measure("cwl", text)
    assert isinstance(metric, CwlMetric)
    return metric


def from_files(
    kind: str, named: dict[str, float], cases: Sequence[Case], folder: Path, depth: int = 1000
) -> list[float]:
    """The library's own way from a judgments file to a score, one topic at a time."""
    from cwl.ruler.ranking import RankingMaker
    from cwl.seeker.trec_qrel_handler import TrecQrelHandler

    scores = []
    for topic, ranking in cases:
        file = folder / "gains.txt"
        file.write_text("".join(f"q 0 {name} {grades[0]}\n" for name, grades in topic.pool.items()))
        maker = RankingMaker("q", TrecQrelHandler(str(file)), max_n=depth)
        for name in ranking:
            maker.add(name, "_")
        scores.append(float(getattr(ruler, kind)(**named).measure(maker.get_ranking())))
    return scores


@pytest.mark.parametrize("text", METRICS)
def test_is_cwl_eval_itself(text: str, tmp_path: Path) -> None:
    metric = found(text)
    cases = random_cases(metric, 30)
    kind, named = METRICS[text]
    assert_same(metric.score_rankings(cases), from_files(kind, named, cases, tmp_path))


def test_average_precision_at_a_depth(tmp_path: Path) -> None:
    metric = found("AP(max_depth=20)")
    cases = random_cases(metric, 30)
    assert_same(metric.score_rankings(cases), from_files("APCWLMetric", {}, cases, tmp_path, depth=20))
    assert metric.cutoff == 20


def test_batches() -> None:
    assert_batches(found("INST(T=3)"), random_cases(found("INST(T=3)"), 20))


@pytest.mark.parametrize(("text", "name"), [("RBP(0.8)", "RBP(p=0.8)"), ("NDCG(5)", "D-nDCG@5"), ("RR", "RR")])
def test_agrees_with_the_catalogue(text: str, name: str) -> None:
    metric = found(text)
    cases = random_cases(metric, 40)
    if text == "RR":  # where gains are 0 and 1 only: its RR is the gain over the rank
        cases = [(type(t)(t.weights, {d: (float(g[0] > 0),) for d, g in t.pool.items()}), r) for t, r in cases]
    expected = catalogue_scores(parse(name), cases)
    if text == "NDCG(5)":  # it is divided by five documents of gain 1, and not by the pool's ideal
        full = sum(1 / np.log2(i + 1) for i in range(1, 6))
        for number, (topic, _) in enumerate(cases):
            best = sorted((g[0] for g in topic.pool.values()), reverse=True)[:5]
            expected[number] *= sum(g / np.log2(i + 1) for i, g in enumerate(best, start=1)) / full
    assert_same(metric.score_rankings(cases), expected, 1e-9)


def test_a_reversed_ranking_is_caught(tmp_path: Path) -> None:
    metric = found("RBP(0.8)")
    cases = random_cases(metric, 30)
    expected = from_files("RBPCWLMetric", {"theta": 0.8}, cases, tmp_path)
    with pytest.raises(AssertionError, match="case"):
        assert_same(metric.score_rankings([(topic, ranking[::-1]) for topic, ranking in cases]), expected)


def test_what_is_declared() -> None:
    metric = found("NDCG(5)")
    assert (metric.cutoff, metric.abilities.levels, metric.binary_only, metric.single_aspect) == (5, None, False, True)
    assert found("Precision").cutoff == 10
    assert found("NDCG(10, max_depth=4)").cutoff == 4
    assert found("RBP").cutoff is None
    assert found("BPM(K=2.5)").cutoff is None
    assert found("BPMD").cutoff is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("RPB(0.8)", "did you mean RBP"),
        ("RBP(2, 3)", "takes"),
        ("RBP('a')", "not a number"),
        ("RBP(True)", "not a number"),
        ("NERReq8", "missing a required argument"),
        ("AP(max_depth=1)", "max_depth"),
        ("TBG(halflife=0)", "ZeroDivisionError"),
        ("Precision(0)", "cutoff 0 is out of range"),
        ("Precision(10, max_depth=4)", "cwl-eval [0-9.]+ raised ValueError"),
        ("TrAP", "cwl-eval [0-9.]+ raised AttributeError"),
        ("", "expected a name"),
    ],
)
def test_errors(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        measure("cwl", text)


def test_gains_without_names_cannot_be_of_the_same_document() -> None:
    [outcome] = run_contract(found("RBP(0.8)"), checks=["document-twice"])
    assert outcome.status == "not-applicable"

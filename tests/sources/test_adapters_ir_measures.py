"""ir_measures: ties, aspects and documents without a judgment are as the notes say."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from axiomcheck import parse
from tests.sources.adapter_table import ir_measures_directly
from tests.sources.adapters_topics import assert_same, catalogue_scores, found, random_cases
from tests.support.suites import each
from tests.support.transcripts import ROOT

ir_measures = pytest.importorskip("ir_measures", reason="needs the extra ir_measures")
adapter = pytest.importorskip("axiomcheck.sources.adapters.ir_measures_adapter")
pytestmark = pytest.mark.extra("ir_measures")


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

    stated = adapter.PROVIDERS[provider].ties
    for pair in ("am", "ma", "zm", "mz"):
        if stated == "as listed in the run":
            first = pair[0]
        else:
            first = max(pair) if "descending order" in stated.partition("(")[0] else min(pair)
        by_score = score(pair, [2.0 if name == first else 1.0 for name in pair])
        other_way = score(pair, [1.0 if name == first else 2.0 for name in pair])
        assert by_score != other_way
        assert score(pair, [1.0, 1.0]) == by_score, pair


def test_nnrbp_is_no_number_where_nothing_is_relevant() -> None:
    cases = random_cases(metric := found("ir_measures", "nNRBP"), 30)
    scores = metric.score_rankings(cases)
    assert np.isnan(scores).any()
    assert_same(np.nan_to_num(scores).tolist(), catalogue_scores(parse("trec-nNRBP"), cases), 1e-9)


def test_unjudged_documents_are_treated_apart() -> None:
    metric = found("ir_measures", "Bpref")
    assert any("unjudged documents differ from documents judged 0" in note for note in metric.abilities.notes)
    cases = [case for case in random_cases(metric, 40) if any(map(any, case[0].pool.values()))]
    assert ir_measures_directly(None, metric, cases, Path(), judged_zero=False) != ir_measures_directly(
        None, metric, cases, Path()
    )


OF_CWL = {
    "RBPCWLMetric(0.8)": "RBP(p=0.8, rel=1)",
    "INSTCWLMetric(2)": "INST(T=2.0, max_rel=4)",
    "INSQCWLMetric(2)": "INSQ(T=2.0, max_rel=4)",
    "BPMCWLMetric(T=2, K=10)": "BPM(T=2.0, max_rel=4)@10",
    "NDCGCWLMetric(10)": "SDCG(max_rel=4)@10",
    "NERReq8CWLMetric(10)": "NERR8(max_rel=4)@10",
    "NERReq9CWLMetric(10)": "NERR9(max_rel=4)@10",
    "NERReq10CWLMetric(0.9)": "NERR10(p=0.9, max_rel=4)",
    "NERReq11CWLMetric(2)": "NERR11(T=2.0, max_rel=4)",
    "PrecisionCWLMetric(5)": "cwl_eval:P@5",
    "RRCWLMetric()": "cwl_eval:RR",
    "APCWLMetric()": "cwl_eval:AP",
}
"""A class of cwl-eval -> the measure of ir_measures that has its scores."""


@pytest.mark.extra("cwl")
@each("made", OF_CWL, 3)
def test_classes_of_cwl_eval_have_the_scores_of_the_measures_that_the_page_names(made: str, tmp_path: Path) -> None:
    from cwl.ruler import cwl_ruler
    from cwl.ruler.ranking import RankingMaker
    from cwl.seeker.trec_qrel_handler import TrecQrelHandler

    page = (ROOT / "docs/reference/libraries.md").read_text(encoding="utf-8")
    assert f"`{made}`" in page
    assert f"`ir_measures:{OF_CWL[made]}`" in page
    metric, expected = found("ir_measures", OF_CWL[made]), []
    cases = [case for case in random_cases(metric, 30) if case[1]]  # an empty ranking is not called for
    for topic, ranking in cases:
        gains = {name: float(g > 0) if metric.binary_only else g for name, (g,) in topic.pool.items()}
        (tmp_path / "gains").write_text("".join(f"q 0 {name} {gain}\n" for name, gain in gains.items()))
        maker = RankingMaker("q", TrecQrelHandler(str(tmp_path / "gains")), max_n=1000)
        for name in ranking:
            maker.add(name, "_")
        expected.append(float(eval(made, vars(cwl_ruler)).measure(maker.get_ranking())))
    assert_same(metric.score_rankings(cases), expected)

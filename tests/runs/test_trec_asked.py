"""What may be asked of runs: names of metrics and of measures of runs, levels of relevance, gains of one metric."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from axiomcheck.api.score import score
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import parse
from axiomcheck.metrics.run_measures import RUN_MEASURES
from axiomcheck.metrics.spelling import spelled
from axiomcheck.runs.trec import measures_named
from axiomcheck.runs.trec.measures import _KINDS, Seen, run_measure
from axiomcheck.runs.trec.rankings import MOST_EXPONENTIAL

Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
QRELS = {"q": {"a": 1, "b": 2, "c": 0, "m": -1}}
RUN = {"q": {"c": 6.0, "a": 5.0, "u": 4.0, "b": 3.0}}


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("ap( rel = 2 )", "AP(rel=2)"),
        ("AP(rel=1)", "AP(rel=1)"),
        ("RBP(rel=2, p=0.9)", "RBP(p=0.9, rel=2)"),
        ("trec-alpha-nDCG(rel=2)@5", "trec-alpha-nDCG(alpha=0.5, rel=2)@5"),
        ("nDCG(gain=exponential)@10", "nDCG(gain=exponential)@10"),
        ("r@10", "R@10"),
        ("R(aggregate=max, rel=3)@10", "R(aggregate=max, rel=3)@10"),
        ("BPREF", "Bpref"),
        ("infAP(rel=2)", "infAP(rel=2)"),
        ("Judged@10", "Judged@10"),
        ("Success@inf", "Success"),
        ("nDCG@20", "nDCG@20"),
    ],
)
def test_names(typed: str, name: str) -> None:
    assert [str(one) for one in measures_named([typed])] == [name]
    assert measures_named([name]) == measures_named([typed])


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("AP(rel=0)", r"rel=0; expected a whole number, 1 or more"),
        ("AP(rel=1.5)", r"rel=1.5; expected a whole number"),
        ("nDCG(gain=square)", "gain=square; expected linear or exponential"),
        ("P(gain=exponential)@5", "asks no more than whether a document is relevant; expected it without gain"),
        ("nDCG(rel=2, gain=linear)", "expected it without gain"),
        ("Judged(rel=2)@5", "asks whether documents were judged, not how; expected it without rel"),
        ("R(gain=linear)@5", "expected it without gain"),
        ("nDCG(dcg='exp-log2')@10", "dcg='exp-log2' of ir_measures is gain=exponential here"),
        ("R@0", "R: cutoff 0; expected a whole number k >= 1"),
        ("Rprec@5", "Rprec: cutoff 5; expected Rprec without one"),
        ("R(depth=3)", "unknown parameter of R 'depth'"),
        ("Judged(aggregate=max)@5", "Judged has no parameter 'aggregate'; it takes none"),
        ("R(aggregate=mean)", "R: aggregate=mean; expected none or max"),
        ("AP(rel=2, rel=3)", "parameter 'rel' is given twice"),
        ("nosuch(rel=2)", "unknown metric 'nosuch'"),
    ],
)
def test_names_that_are_refused(typed: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        measures_named([typed])


def test_every_measure_of_runs_says_why_it_has_no_axiom_row() -> None:
    assert RUN_MEASURES.keys() == _KINDS.keys()
    for name, reason in RUN_MEASURES.items():
        with pytest.raises(
            InvalidInput, match=f"{name} is a measure of runs, which `axiomcheck score` computes; {reason}"
        ):
            parse(f"{name.lower()}@10")


def test_a_level_makes_grades_binary() -> None:
    found = score(["RBP(rel=2, p=0.5)", "RBP(p=0.5)", "nDCG(rel=1)", "AP(rel=2)", "AP"], QRELS, RUN).mean
    assert found["RBP(p=0.5, rel=2)"] == 1 / 16
    assert found["RBP(p=0.5)"] == 1 / 16 + 1 / 8
    assert found["nDCG(rel=1)"] == pytest.approx((1 / np.log2(3) + 1 / np.log2(5)) / (1 + 1 / np.log2(3)))
    assert (found["AP(rel=2)"], found["AP"]) == (1 / 4, 1 / 2)


def test_the_level_of_all_is_that_of_binary_metrics_without_their_own() -> None:
    found = score(["AP", "AP(rel=1)", "R@2", "R(rel=1)@2", "nDCG", "RBP"], QRELS, RUN, level=2).mean
    plain = score(["nDCG", "RBP"], QRELS, RUN).mean
    assert (found["AP"], found["AP(rel=1)"], found["R@2"], found["R(rel=1)@2"]) == (1 / 4, 1 / 2, 0, 1 / 2)
    assert {name: found[name] for name in plain} == plain
    with pytest.raises(InvalidInput, match="level 2 is of binary metrics; expected one, such as AP, among the metrics"):
        score(["nDCG", "AP(rel=1)", "Judged@3"], QRELS, RUN, level=2)
    with pytest.raises(InvalidInput, match="level 0: expected a whole number, 1 or more"):
        score("AP", QRELS, RUN, level=0)


def test_a_gain_of_one_metric() -> None:
    found = score(["nDCG(gain=exponential)", "nDCG", "ERR(gain=linear)@5"], QRELS, RUN).mean
    turned = score(["nDCG(gain=linear)", "nDCG", "ERR(gain=linear)@5"], QRELS, RUN, gain="exponential").mean
    assert found["nDCG(gain=exponential)"] == turned["nDCG"] != found["nDCG"] == turned["nDCG(gain=linear)"]
    assert found["ERR(gain=linear)@5"] == turned["ERR(gain=linear)@5"]


def test_gains_too_small_for_floats_make_no_document_irrelevant() -> None:
    deep = {"q": {"a": 1, "b": MOST_EXPONENTIAL + 100}}
    for gain in ("linear", "exponential"):
        assert score(["P@1", "R@1"], deep, {"q": {"a": 1.0}}, gain=gain).mean == {"P@1": 1.0, "R@1": 0.5}
    with pytest.raises(InvalidInput, match=f"gmax 1100 .*; expected one of at most {MOST_EXPONENTIAL}"):
        score("ERR(gain=exponential)", deep, {"q": {"a": 1.0}})


def test_a_depth_cuts_every_ranking() -> None:
    found = score(["AP", "SetP", "Judged@5", "RBP(p=0.5)"], QRELS, RUN, max_results=2)
    assert found.mean == {"AP": 1 / 4, "SetP": 1 / 2, "Judged@5": 1.0, "RBP(p=0.5)": pytest.approx(1 / 6)}
    # the document without a judgment is further down
    assert found.notes == ("no user goes beyond rank 2, as in cwl-eval (RBP(p=0.5))",)
    assert found.residual == {"RBP(p=0.5)": 0.0}
    cut = score(["RBP(p=0.5)", "P@4"], QRELS, RUN, max_results=4)
    assert cut.mean == {"RBP(p=0.5)": pytest.approx((1 / 4 + 1 / 8) / (15 / 8)), "P@4": 1 / 2}
    assert cut.residual == {"RBP(p=0.5)": pytest.approx(1 / 4 / (15 / 8)), "P@4": 1 / 4}
    assert score("AP", QRELS, RUN, max_results=3, unjudged="skip").mean == {"AP": 1 / 4}  # cut first, as trec_eval -J
    with pytest.raises(InvalidInput, match="max_results 0: expected a whole number, 1 or more"):
        score("AP", QRELS, RUN, max_results=0)


def test_several_aspects_need_lifting() -> None:
    given = [Qrel(*row) for row in (("q", "a", 1, "1"), ("q", "a", 0, "2"), ("q", "b", 2, "2"))]
    with pytest.raises(InvalidInput, match=r"R\(rel=2\)@5 knows one aspect .*: R\(aggregate=max, rel=2\)@5"):
        score("R(rel=2)@5", given, {"q": {"a": 1.0}})
    found = score(["R(aggregate=max)@5", "R(aggregate=max, rel=2)@5", "Judged@5"], given, {"q": {"a": 1.0}})
    assert found.mean == {"R(aggregate=max)@5": 0.5, "R(aggregate=max, rel=2)@5": 0.0, "Judged@5": 1.0}


def test_a_metric_of_ones_own_with_a_parameter_of_that_name_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import axiomcheck\n"
        "from axiomcheck.metrics import Real\n"
        "def first(grades, weights):\n    return grades[..., 0, 0]\n"
        "class Own(axiomcheck.Metric):\n"
        "    declared = (Real('rel', 1, 'its own', high=9),)\n    summary = source = 'test'\n"
        "    def kernel(self, a, grades, weights, pool):\n"
        "        return grades[..., 0, 0] * 0 + float(self.values['rel'])\n"
    )
    file = tmp_path / "mine.py"
    run = {"q": {"a": 2.0}}
    assert list(score([f"{file}:Own(rel=3)"], QRELS, run).mean.values()) == [3.0]
    assert score([f"{file}:first", f"{file}:first(rel=1)"], QRELS, run).mean == {
        f"{file}:first": 0.5,
        f"{file}:first(rel=1)": 1.0,
    }


def slow_bpref(ranked: list[int | None], grades: list[int], level: int) -> float:
    """The mean over relevant documents of the share of the first R judged nonrelevant ones that are not above."""
    relevant, others = [g for g in grades if g >= level], [g for g in grades if 0 <= g < level]
    total, above = 0.0, 0
    for grade in ranked:
        if grade is None or grade < 0:
            continue
        if grade < level:
            above += 1
        else:
            total += 1 - min(above, len(relevant)) / min(len(others), len(relevant)) if above else 1
    return total / len(relevant) if relevant else 0.0


def slow_infap(ranked: list[int | None], grades: list[int], level: int) -> float:
    """Expected precision at every relevant document, estimated from the judged part of the pool above it."""
    total = 0.0
    for place, grade in enumerate(ranked):
        if grade is None or grade < level:
            continue
        above = ranked[:place]
        pool = [g for g in above if g is not None]
        hits, judged = sum(g >= level for g in pool), sum(g >= 0 for g in pool)
        inside = len(pool) / place * (hits + 1e-5) / (judged + 2e-5) if place else 0
        total += 1 / (place + 1) + place / (place + 1) * inside
    number = sum(g >= level for g in grades)
    return total / number if number else 0.0


@pytest.mark.parametrize("level", [1, 2])
def test_bpref_and_infap_are_what_their_definitions_say(level: int) -> None:
    rng = np.random.default_rng(level)
    for _ in range(60):
        grades = rng.integers(-1, 4, 9).tolist()
        ranked = [grades[d] if d < 9 else None for d in rng.permutation(14)[: rng.integers(1, 14)]]
        places = list(range(9))
        qrels = {"q": {f"d{d}": grades[d] for d in places}}
        names = iter(rng.permutation(5).tolist())
        left = {g: [d for d in places if grades[d] == g] for g in set(grades)}
        documents = [f"u{next(names)}" if g is None else f"d{left[g].pop()}" for g in ranked]
        run = {"q": {document: -float(place) for place, document in enumerate(documents)}}
        found = score(["Bpref", "infAP"], qrels, run, level=level).mean
        assert found["Bpref"] == pytest.approx(slow_bpref(ranked, grades, level), abs=1e-12)
        assert found["infAP"] == pytest.approx(slow_infap(ranked, grades, level), abs=1e-12)


def test_an_empty_ranking_scores_nothing() -> None:
    none = np.zeros(0, dtype=np.intp)
    for name in _KINDS:
        said = spelled(name)
        assert said is not None
        measure = run_measure(said)
        assert measure is not None
        assert measure.score(Seen(0, none, none, none, none, 3, 2)) == 0
        assert measure.score(Seen(0, none, none, none, none, 0, 0)) == 0


def test_gmax_of_the_file_the_topic_or_the_aspect() -> None:
    rows = [("q", "a", 1, "1"), ("q", "b", 2, "2"), ("q", "b", 0, "1"), ("p", "a", 4, "1"), ("p", "a", 0, "2")]
    given = [Qrel(*row) for row in rows]
    run = {"q": {"a": 2.0, "b": 1.0}, "p": {"a": 1.0}}
    name = "RBP(p=0.5, aggregate=max)"
    found = {
        gmax: {topic: row[name] for topic, row in score(name, given, run, gmax=gmax).per_topic.items()}
        for gmax in ("file", "topic", "aspect", 8)
    }
    assert found["file"] == {"q": 1 / 8 + 1 / 8, "p": 1 / 2}
    assert found["topic"] == {"q": 1 / 4 + 1 / 4, "p": 1 / 2}
    assert found["aspect"] == {"q": 1 / 2 + 1 / 4, "p": 1 / 2}
    assert found[8] == {"q": 1 / 16 + 1 / 16, "p": 1 / 4}
    exponential = score(name, given, run, gmax="aspect", gain="exponential").per_topic
    assert exponential["q"][name] == 1 / 2 * 1 / 2 + 1 / 4 * 3 / 4
    with pytest.raises(InvalidInput, match="gmax 'run': expected file, topic, aspect, or a whole number from 1 to"):
        score(name, given, run, gmax="run")  # type: ignore[arg-type]

"""Scoring: ties, documents without a judgment, gains, weights, topics that are missing, shapes of input, notes."""

import re
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from axiomcheck import InvalidInput, Metric, parse, score
from axiomcheck.runs.trec import TIES, measures_named
from axiomcheck.runs.trec.runs import Ties
from axiomcheck.runs.trec.scoring import TOGETHER
from axiomcheck.sources.function_metrics import metric as own_metric
from tests.runs.trec_data import Doc, Qrel
from tests.support import transcripts

# a is equal to b and d in single precision only
TIED = "\n".join(f"q Q0 {row} tag" for row in ("b 5 1.0", "d 4 1.0", "a 1 1.00000001", "e 3 0.5", "c 2 0.5"))


@pytest.mark.parametrize(
    ("old", "new", "ties", "message"),
    [
        (" 5 ", " 4 ", "ndeval", "line 2: rank 4 of topic 'q' is used again, after line 1; expected every rank once"),
        (" 1 ", " 0 ", "msmarco", "rank 0 of topic 'q', which has no rank 1.*; expected ranks 1, 2, 3 and so on"),
        (" 3 ", " 6 ", "msmarco", "rank 4.*; expected ranks 1, 2, 3 and so on"),
    ],
)
def test_ranks_are_given_once_and_to_ms_marco_without_gaps(
    old: str, new: str, ties: Ties, message: str, tmp_path: Path
) -> None:
    """A document stands at the place of its rank there, so that RR is 1/3 of a run whose only rank is 3."""
    qrels, run = {"q": {"a": 1}}, str(tmp_path / "run")
    (tmp_path / "run").write_text(TIED.replace(old, new))
    with pytest.raises(InvalidInput, match=message):
        score("RR", qrels, run, ties=ties)
    assert score("RR", qrels, run).mean["RR"] == 1 / 3  # ranks are nothing to trec_eval
    if ties == "msmarco":
        assert score("RR", {"q": {"d": 1}}, run, ties="ndeval").mean["RR"] in (1 / 4, 1 / 3)
    with pytest.raises(InvalidInput, match="run has no ranks, but the tie rule ndeval needs the rank column"):
        score("RR", qrels, {"q": {"a": 1}}, ties="ndeval")


def test_documents_without_a_judgment() -> None:
    qrels, run = {"q": {"a": 1, "n": 0}}, {"q": {"u": 3.0, "n": 2.0, "a": 1.0}}
    counted = score(["RR", "RBP(p=0.5)"], qrels, run)
    assert counted.mean["RR"] == 1 / 3
    assert counted.notes == ("1 of 3 documents without a judgment, counted as not relevant",)
    assert counted.mean["RBP(p=0.5)"] == 1 / 8
    assert counted.residual == {"RBP(p=0.5)": 1 / 2 + 1 / 8}  # rank 1, and all from rank 4 on
    assert counted.upper == {"RBP(p=0.5)": 3 / 4}
    skipped = score(["RR", "RBP(p=0.5)"], qrels, run, unjudged="skip")
    assert skipped.mean["RR"] == 1 / 2
    assert skipped.residual == {"RBP(p=0.5)": 1 / 4}
    assert skipped.notes == ("1 of 3 documents without a judgment, removed from the rankings",)


def test_precision_has_a_residual_down_to_its_cutoff() -> None:
    found = score("P@4", {"q": {"a": 3, "n": 0}}, {"q": {"a": 3.0, "n": 2.0, "u": 1.0, "v": 0.5, "w": 0.4}})
    assert found.mean["P@4"] == 1 / 4
    assert found.residual["P@4"] == 2 / 4
    short = score("P@4", {"q": {"a": 3, "n": 0}}, {"q": {"a": 3.0}})
    assert (short.mean["P@4"], short.residual["P@4"]) == (1 / 4, 3 / 4)
    assert score(["RBP@10", "INST-upper"], {"q": {"a": 1}}, {"q": {"a": 1}}).residual == {}  # nor has another cutoff


def test_grades_become_gains() -> None:
    qrels, run = {"q": {"a": 1, "b": 4}}, {"q": {"a": 1.0}}
    assert score("ERR", qrels, run).mean["ERR@20"] == 1 / 4
    assert score("ERR", qrels, run, gain="exponential").mean["ERR@20"] == 1 / 16
    assert score("ERR", {"q": {"a": 0}}, run).mean["ERR@20"] == 0
    with pytest.raises(InvalidInput, match="qrels has a grade of 4; expected at most gmax 3"):
        score("ERR", qrels, run, gmax=3)
    found = score("nDCG", {"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}, gain="exponential")
    assert found.mean["nDCG"] == pytest.approx((1 + 7 / np.log2(3)) / (7 + 1 / np.log2(3)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"gain": "square"}, "score: gain is 'square'; expected one of 'exponential', 'linear'"),
        ({"gmax": "run"}, "gmax 'run': expected file, topic, aspect, or an integer from 1 to"),
        ({"level": 0}, "score: level is 0; expected an integer >= 1"),
        ({"ties": "random"}, "score: ties is 'random'; expected one of 'file', 'gdeval'.*'trec_eval'"),
    ],
)
def test_options_say_what_they_take(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        score("AP", {"q": {"a": 1}}, {"q": {"a": 1}}, **given)


def _diversity() -> list[Any]:
    return [Qrel("q", "a", 1, "1"), Qrel("q", "a", 0, "2"), Qrel("q", "b", 0, "1"), Qrel("q", "b", 2, "2")]


def test_seed_forms_use_all_aspects_and_trec_forms_the_judged_ones() -> None:
    qrels = [*_diversity(), Qrel("q", "a", 0, "3")]
    found = score(["S-Recall@1", "trec-S-Recall@1"], qrels, {"q": {"a": 1.0}})
    assert found.mean == {"S-Recall@1": 1 / 3, "trec-S-Recall@1": 1 / 2}


def test_weights_change_weighted_metrics_only() -> None:
    run = {"q": {"a": 1.0}}
    given = score(["RR-IA", "trec-P-IA@1"], _diversity(), run, weights={"q": {"1": 3, "2": 1}})
    assert given.mean == {"RR-IA": 0.75, "trec-P-IA@1": 0.5}
    assert score("RR-IA", _diversity(), run).mean == {"RR-IA": 0.5}
    wrong = {
        "no weight for aspect '2' of topic 'q'": {"q": {"1": 1}},
        "weights of topic 'q': .* expected positive numbers": {"q": {"1": 1, "2": 0}},
        "weights is {.q.: 1}; expected": {"q": 1},
        "weights is 3; expected": 3,
    }
    for message, weights in wrong.items():
        with pytest.raises(InvalidInput, match=message):
            score("RR-IA", _diversity(), run, weights=weights)


@pytest.mark.parametrize(
    ("name", "lifted"),
    [("nDCG@5", r"nDCG\(aggregate=max\)@5"), ("AP(rel=2)@5", r"AP\(aggregate=max, rel=2\)@5")],
)
def test_several_aspects_need_a_metric_that_knows_them(name: str, lifted: str) -> None:
    with pytest.raises(InvalidInput, match=rf"{re.escape(name)} supports only one aspect, but .*: {lifted}$"):
        score(name, _diversity(), {"q": {"a": 1.0}})
    (found,) = score(lifted.replace("\\", ""), _diversity(), {"q": {"b": 1.0}}).mean.values()
    assert found > 0


@pytest.mark.extra("ir_measures")
@pytest.mark.extra("pytrec_eval")
def test_of_ir_measures_only_what_asks_for_no_grade_takes_several_aspects() -> None:
    assert score("Judged@5", _diversity(), {"q": {"a": 1.0}}).mean == {"Judged@5": 1.0}
    with pytest.raises(InvalidInput, match=r"R@5 supports only one aspect, but topic 'q' has 2$"):
        score("R@5", _diversity(), {"q": {"a": 1.0}})


def test_topics_that_are_missing_on_either_side_are_said() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {}}
    run = {"q1": {"a": 1.0}, "q8": {"a": 1.0}, "q9": {"a": 1.0}}
    found = score("RR", qrels, run)
    assert (found.mean, found.per_topic) == ({"RR": 1.0}, {"q1": {"RR": 1.0}})
    assert (found.unscored, found.missing) == (("q8", "q9"), ("q2",))
    unscored, missing = found.notes
    assert unscored == "no scores for 2 topics without judgments: q8, q9"
    assert missing == "1 topic judged but not in the run, omitted from the mean: q2"
    all_of_them = score(["RR", "RBP", "EU"], qrels, run, complete=True)
    assert all_of_them.mean["RR"] == 0.5
    assert all_of_them.per_topic["q2"]["EU(alpha=0.5, e=0.05, log=2)"] == 0.0
    assert all_of_them.residual_per_topic["q2"] == pytest.approx({"RBP(p=0.8)": 1.0})
    assert "counted as 0 in the mean: q2" in all_of_them.notes[1]
    empty = score(["RR", "nDCG@5"], {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {}, "q2": {"a": 1.0}})
    assert empty.per_topic == {"q1": {"RR": 0.0, "nDCG@5": 0.0}, "q2": {"RR": 1.0, "nDCG@5": 1.0}}


@pytest.mark.extra("pandas")
def test_every_shape_gives_the_same_scores(tmp_path: Path) -> None:
    from pandas import DataFrame

    qrels, run = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}, {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0}}
    rows = [Qrel(q, d, g) for q, inner in qrels.items() for d, g in inner.items()]
    docs = [Doc(q, d, s) for q, inner in run.items() for d, s in inner.items()]
    (tmp_path / "qrels").write_text("".join(f"{r.query_id} 0 {r.doc_id} {r.relevance}\n" for r in rows))
    (tmp_path / "run").write_text("".join(f"{d.query_id} Q0 {d.doc_id} 0 {d.score} t\n" for d in docs))
    judged, ranked = DataFrame(rows), DataFrame(docs)
    of_pyterrier = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    more = (judged, judged.astype({"query_id": int}), judged.rename(columns=of_pyterrier).drop(columns="iteration"))
    expected = {"1": {"RR": 0.5}, "2": {"RR": 1.0}}
    for shape in (qrels, rows, iter(rows), *more, str(tmp_path / "qrels"), tmp_path / "qrels"):
        assert score("RR", shape, run).per_topic == expected
    frames = (ranked, ranked.rename(columns=of_pyterrier))
    for shape in (run, docs, iter(docs), *frames, str(tmp_path / "run"), tmp_path / "run"):
        assert score("RR", qrels, shape).per_topic == expected
    assert score("RR", qrels, ranked.assign(rank=[1, 2, 1]).iloc[::-1], ties="ndeval").per_topic == expected
    best = {"1": {"a": 1.0}}
    assert [found.mean["RR"] for found in score("RR", qrels, [ranked, best])] == [0.75, 1.0]
    assert score("RR", qrels, {"x": ranked})["x"].mean["RR"] == 0.75
    for shape in (_diversity(), DataFrame(_diversity())):  # whose aspects come from the iteration
        assert score("S-Recall@1", shape, {"q": {"a": 1.0}}).mean == {"S-Recall@1": 0.5}


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        (3, {"q": {}}, "qrels is of type int; expected a file name, a dict of dicts, named tuples or a DataFrame"),
        ([("q", "a", 1)], {"q": {}}, "qrels: 'tuple' object has no attribute 'query_id'; expected named tuples"),
        ({"q": {"a": 0.5}}, {"q": {}}, "qrels, row 1: relevance 0.5; expected an integer"),
        ({"q": {"a": 1}}, {}, "run contains no retrieved documents"),
        ({"1": {"a": 1}}, {"wt09-1": {"a": 1.0}}, r"none of the topics in .*'wt09-1', the first judged topic is '1'"),
        # even where the lines of a topic are apart
        ({"q": {"a": 1}}, [Doc(t, "a", 1.0) for t in "qpq"], "line 3: document 'a' of topic 'q' is listed again"),
    ],
)
def test_unusable_shapes(qrels: Any, run: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        score("RR", qrels, run)


@pytest.mark.extra("pandas")
def test_frame_without_its_columns_is_refused() -> None:
    import pandas

    with pytest.raises(InvalidInput, match="run has no column score; its columns are question, doc_id"):
        score("RR", {"q": {"a": 1}}, pandas.DataFrame([["q", "a"]], columns=["question", "doc_id"]))
    with pytest.raises(InvalidInput, match="run has two columns with the same name: qid, qid, docno, score"):
        score("RR", {"q": {"a": 1}}, pandas.DataFrame([["q", "a", "b", 1.0]], columns=["qid", "qid", "docno", "score"]))


@pytest.mark.extra("pandas")
def test_the_result_becomes_a_frame() -> None:
    found = score(["RR", "RBP(p=0.5)"], {"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert repr(found) == "<Scores of run over 1 topic: RR: 1.0000, RBP(p=0.5): 0.5000>"
    frame = found.to_frame()
    assert frame.columns.tolist() == ["query_id", "measure", "value", "residual"]
    assert frame["value"].tolist() == [1.0, 0.5]
    assert np.isnan(frame["residual"][0])
    assert frame["residual"][1] == 0.5
    assert "residual" not in score("RR", {"q": {"a": 1}}, {"q": {"a": 1.0}}).to_frame()


def hits(topic: Any, ranking: Any) -> float:
    return sum(topic.pool[d][0] for d in ranking)


def hits_of_arrays(grades: Any, weights: Any) -> Any:
    return grades[:, :, 0].sum(axis=1)


class Hits:
    def __call__(self, topic: Any, ranking: Any) -> float:
        return hits(topic, ranking)


@pytest.mark.parametrize("metric", [hits, Hits(), own_metric()(hits), (hits_of_arrays,)])
def test_functions_are_metrics_too(metric: Any) -> None:
    found = score(metric, {"q": {"a": 1, "c": 1}}, {"q": {"a": 3, "b": 2, "c": 1}})
    assert list(found.mean.values()) == [2.0]


def test_every_metric_is_scored_once_and_under_a_name_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def firsts(topic, ranking):\n    return float(len(ranking)) / 10\n")
    given = [hits, hits, hits_of_arrays, "RR", parse("RR"), f"{tmp_path / 'own.py'}:firsts"]
    found = score(given, {"q": {"a": 1}}, {"q": {"a": 1, "b": 0.5}})
    assert list(found.mean.items())[:3] == [("hits", 1.0), ("hits_of_arrays", 1.0), ("RR", 1.0)]
    assert list(found.mean.values())[3:] == [0.2]
    with pytest.raises(InvalidInput, match="two metrics are called <lambda>; rename one of them"):
        score([lambda topic, ranking: 1.0, lambda topic, ranking: 2.0], {"q": {"a": 1}}, {"q": {"a": 1}})
    with pytest.raises(InvalidInput, match="ir_measures:nDCG is a library measure"):
        measures_named(["ir_measures:nDCG"])
    with pytest.raises(InvalidInput, match="no metric was given; expected at least one"):
        measures_named([])


@pytest.mark.parametrize("metric", [3, None, [3], [None], b"RR", ["RR", ["AP"]], len, object()])
def test_objects_that_are_no_metric_are_refused(metric: Any) -> None:
    with pytest.raises(InvalidInput, match="expected a"):
        score(metric, {"q": {"a": 1}}, {"q": {"a": 1}})


class Nowhere(type(parse("RR"))):  # type: ignore[misc]
    name = "nowhere"

    def kernel(self, *arrays: Any) -> Any:
        return super().kernel(*arrays) * np.nan


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda topic, ranking: int("odd"), "<lambda> raised ValueError on topic 'q': invalid literal.*'odd'"),
        (lambda topic, ranking: sys.exit(0), "<lambda> raised SystemExit on topic 'q': 0"),
        (Nowhere(), "nowhere does not give a finite score for topic 'q' of run"),
        (lambda grades, weights: 1.0, "shape.*'q'"),
    ],
)
def test_errors_of_a_metric_name_the_topic(function: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        score(function, {"q": {"a": 1}}, {"q": {"a": 1}})


@pytest.mark.parametrize("overridden", ["kernel", "score"])
@pytest.mark.parametrize("base", ["RBP", "nDCG@10", "INST"])
def test_a_class_derived_from_the_catalogues_scores_as_it_says(base: str, overridden: str) -> None:
    """And not as the class that it inherits from, whose user model and whose place for padding it need not share."""

    def counts(self: Metric, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
        return grades.shape[-2] + 10 * pool.shape[-2] + 0 * grades.sum(axis=(-2, -1))

    derived = type("Derived", (type(parse(base)),), {"name": "counting", overridden: counts})(parse(base).cutoff)
    found = score(derived, {"q": {"a": 1, "z": 0}}, {"q": {"a": 4, "b": 3, "c": 2, "d": 1}})
    assert list(found.mean.values()) == [4 + 10 * 5]
    assert not found.residual
    its_name = {"name": type(parse(base)).name}
    namesake = type("Namesake", (type(parse(base)),), {overridden: counts} | its_name)(parse(base).cutoff)
    with pytest.raises(InvalidInput, match="which is a metric in the catalogue; rename it"):
        score(namesake, {"q": {"a": 1, "z": 0}}, {"q": {"a": 4}})


def test_more_topics_than_fit_at_a_time() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(TOGETHER + 5)}
    run = {topic: {"b": 2.0, "a": 1.0} for topic in qrels}
    assert score("RR", qrels, run).per_topic == {topic: {"RR": 0.5} for topic in qrels}


def notes(metrics: Any, qrels: Any, run: Any, **options: Any) -> list[str]:
    return list(score(metrics, qrels, run, **options).notes)


def test_topics_without_a_relevant_document() -> None:
    qrels = {"q": {"a": 1}, "none": {"a": 0, "b": -1}, "gone": {"a": 0}}
    run = {"q": {"a": 1.0}, "none": {"a": 1.0}}
    without = "without a relevant document, counted in the mean:"
    assert f"1 topic {without} none" in notes("AP", qrels, run)
    assert f"2 topics {without} none, gone" in notes("AP", qrels, run, complete=True)
    assert f"2 topics {without} q, none" in notes("AP", qrels, run, level=2)
    assert notes("AP", {"q": {"a": 1}}, {"q": {"a": 1.0}}) == []
    named = notes(["AP(rel=3)", "AP"], {"q": {"a": 2}}, {"q": {"a": 1.0}})
    assert named[0] == "1 topic without a document of grade 3 or more, counted in the mean: q"


def test_weights_of_what_nobody_judged() -> None:
    qrels = [Qrel("q", "a", 1, "1"), Qrel("q", "a", 1, "2")]
    weights = {"q": {"1": 1, "2": 1, "3": 2}, "p": {"1": 1}}
    run = {"q": {"a": 1.0}}
    found = notes("RBU", qrels, run, weights=weights)
    assert "weights given for 1 topic without judgments: p" in found
    assert "weights given for 1 aspect without judgments, which still count as aspects" in found
    assert notes("RBU", qrels, run, weights={"q": {"1": 1, "2": 3}}) == []


PAGE = transcripts.ROOT / "docs" / "how-to" / "score.md"


def test_the_page_says_what_every_rule_of_ties_does() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert set(TIES) == set(get_args(Ties))
    for rule, order in TIES.items():
        shown = f"`{rule}` (default)" if rule == "trec_eval" else f"`{rule}`"
        assert f"| {shown} | {order} |" in text

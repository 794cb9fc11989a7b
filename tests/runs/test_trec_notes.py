"""Notes: what the numbers depend on is said, where it makes a difference; the page says what each rule of ties does."""

from typing import Any

from axiomcheck.api.score import score
from axiomcheck.runs.trec import TIES
from tests.runs.trec_data import Qrel
from tests.support import transcripts

QRELS = {"q": {"a": 1, "b": 0, "c": 2}}
APART = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}


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
    for rule, order in TIES.items():
        shown = f"`{rule}` (default)" if rule == "trec_eval" else f"`{rule}`"
        assert f"| {shown} | {order} |" in text

"""Notes: what the numbers depend on is said, where it makes a difference, and not where it makes none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiomcheck.api.score import score
from axiomcheck.runs.trec.notes import first_undecided
from axiomcheck.runs.trec.rankings import Ranking
from tests.runs.trec_data import Qrel
from tests.support.suites import each

QRELS = {"q": {"a": 1, "b": 0, "c": 2}}
TIED = {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}
APART = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}


def notes(metrics: Any, qrels: Any, run: Any, **options: Any) -> list[str]:
    return list(score(metrics, qrels, run, **options).notes)


def test_ties_that_the_metrics_own_tool_orders_otherwise() -> None:
    tied = "equal scores in 1 topic, ordered as trec_eval does; "
    ndeval = f"{tied}ndeval goes by rank: --ties ndeval (trec-ERR-IA(alpha=0.5)@5)"
    assert notes(["trec-ERR-IA@5", "nDCG"], QRELS, TIED) == [ndeval]
    assert notes(["RBP", "INST"], QRELS, TIED) == [f"{tied}cwl-eval goes by line: --ties file (RBP(p=0.8), INST(T=3))"]
    assert len(notes(["RBP", "trec-NRBP"], QRELS, TIED)) == 2


@pytest.mark.parametrize(
    ("metrics", "run", "options"),
    [
        (["nDCG", "AP", "P@3"], TIED, {}),  # trec_eval's own
        pytest.param(["R@3"], TIED, {}, marks=pytest.mark.extra("ir_measures")),
        (["trec-ERR-IA@5"], APART, {}),
        (["trec-ERR-IA@1"], TIED, {}),  # the tie is below its cutoff
        (["trec-ERR-IA@5"], {"q": {"a": 1.0, "c": 1.0, "b": 0.5}}, {}),  # it sees no difference between 1 and 2
        (["trec-ERR-IA@5"], TIED, {"ties": "trec_eval-9"}),  # asked for
        (["trec-ERR-IA@5"], TIED, {"ties": "pyndeval"}),
        (["trec-ERR-IA@5"], {"q": {"a": 2.0, "b": 1.0, "x": 1.0}}, {"unjudged": "skip"}),
    ],
)
def test_nothing_is_said_where_nothing_depends_on_it(metrics: list[str], run: Any, options: Any) -> None:
    assert not any("equal scores" in note for note in notes(metrics, QRELS, run, **options))


@each("seed", range(5), 3)
def test_the_first_undecided_rank_is_the_first_of_equals_judged_differently(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(40):
        n = int(rng.integers(1, 9))
        scores, grades = -np.sort(rng.integers(0, 4, n)), rng.integers(0, 3, n)
        hits = np.flatnonzero(grades)
        ranking = Ranking(n, hits, np.arange(len(hits)), np.zeros(0, dtype=np.intp), scores.astype(np.float64))
        undecided = [k for k in range(n) if len(set(grades[scores == scores[k]])) > 1]
        assert first_undecided(ranking, grades[hits][:, None]) == (min(undecided) if undecided else None)


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


def test_weights_and_targets_of_what_nobody_judged() -> None:
    qrels = [Qrel("q", "a", 1, "1"), Qrel("q", "a", 1, "2")]
    weights = {"q": {"1": 1, "2": 1, "3": 2}, "p": {"1": 1}}
    run = {"q": {"a": 1.0}}
    found = notes("RBU", qrels, run, weights=weights)
    assert "weights of 1 topic without judgments: p" in found
    assert "weights of 1 aspect without judgments, which count as aspects" in found
    assert notes("RBU", qrels, run, weights={"q": {"1": 1, "2": 3}}) == []
    targets = notes("INST", QRELS, APART, targets={"q": 2, "z": 1, "y": 3})
    assert targets == ["INST with a T per topic", "targets of 2 topics without judgments: z, y"]

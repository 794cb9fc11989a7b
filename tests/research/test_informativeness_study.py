"""Which lists there are, what is inferred from their fits, and that none is used that did not end well."""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from axiomcheck.runs.trec import Options
from axiomcheck.runs.trec.qrels import as_qrels
from axiomcheck.runs.trec.runs import as_run
from research.informativeness import (
    MEASURES,
    Informativeness,
    ListSettings,
    Selection,
    curve_errors,
    outcomes,
    predictions,
    select,
    study,
)
from research.informativeness.lists import JudgedList
from research.informativeness.study import Basis, curve, curve_error
from tests.runs.trec_data import Qrel

QRELS = [
    Qrel(topic, document, grade, intent)
    for topic, intent, judged in (
        *(("1", "i", {"a": 1, "b": 2}), ("1", "ii", {"b": 1, "c": 1}), ("1", "iii", {"a": 0})),
        *(("2", "i", {"d": 2}), ("2", "ii", {"d": 0}), ("3", "i", {"a": 0}), ("4", "i", {"a": 1, "b": 1})),
    )
    for document, grade in judged.items()
]
"""Topic 1 has three relevant documents, 2 one, 3 none, 4 two; intent iii of topic 1 has none."""


RUNS = [{"1": "xbyac", "2": "xd", "3": "a", "4": "x"}, {"1": "ab", "4": "ab"}, {"1": "xyzb"}]


def selection(depth: int = 4, topics: int = 25, best: int = 30, options: Options | None = None) -> Selection:
    read = [
        as_run({topic: {name: -float(rank) for rank, name in enumerate(ranking)} for topic, ranking in run.items()})
        for run in RUNS
    ]
    return select(as_qrels(QRELS), read, options or Options(), depth, topics, best)


def test_lists() -> None:
    found = selection()
    assert found.topics == ("1", "2", "4")
    assert [(one.run, one.topic) for one in found.lists] == [(0, "1"), (0, "2"), (0, "4"), (1, "1"), (1, "4"), (2, "1")]
    first = found.lists[0]
    assert first.by_intent.relevant.tolist() == [[0, 0], [1, 1], [0, 0], [1, 0]]
    assert first.by_intent.totals.tolist() == [2, 2]
    assert first.by_intent.counts.tolist() == [2, 1]
    assert first.by_intent.weights.tolist() == [0.5, 0.5]
    assert first.single.relevant.tolist() == [[0], [1], [0], [1]]
    assert (first.single.totals.tolist(), first.single.weights.tolist()) == ([3], [1])
    assert found.lists[1].by_intent.relevant.tolist() == [[0], [1]]
    assert found.notes[0] == "3 of 4 topics, 3 of 3 runs"
    assert "nothing for 1 topic, left out" in found.notes[1]
    assert "nothing for 2 topics, left out" in found.notes[2]


def one_list(relevant: Iterable[Iterable[int]], totals: list[int]) -> JudgedList:
    rows = np.array(list(relevant), dtype=np.float64)
    return JudgedList(rows, np.array(totals), np.full(rows.shape[1], 1 / rows.shape[1]))


def test_curves_by_hand() -> None:
    judged = one_list([[0], [1], [0], [1]], [4])
    assert curve(judged.relevant, judged).recall.tolist() == [0, 0.25, 0.25, 0.5]
    assert curve(judged.relevant, judged).precision.tolist() == [0, 1 / 2, 1 / 3, 1 / 2]
    error = curve_error(np.array([[1.0], [0.5], [0.5], [0.0]]), judged)
    # Precision 1 at recall 1/4, against 1/2; at 1/2, reached at rank 3, 2/3 against 1/2.
    assert error == pytest.approx(math.sqrt((1 / 4 + 1 / 36) / 2))
    assert curve_error(np.zeros((3, 1)), one_list([[0]] * 3, [2])) is None


@cache
def small() -> Informativeness:
    return study(selection(), ListSettings(depth=4), ["ERR", "AP-IA"])


def test_every_fit_is_counted_and_those_that_did_not_end_well_are_not_used() -> None:
    good = small()
    assert [sum(counts.values()) for counts in outcomes(good).values()] == [6, 6]
    spoiled = list(good.fits)
    # The list of run 0 and topic 1: probabilities that would show.
    wrong = replace(spoiled[0]["ERR"], status="not stationary", p=np.full((4, 1), 7.0))
    spoiled[0] = spoiled[0] | {"ERR": wrong}
    bad = replace(good, fits=tuple(spoiled))
    assert outcomes(bad)["ERR"]["not stationary"] == 1
    lists = {one.basis: one.lists for one in curve_errors(good)}
    less = {one.basis: one.lists for one in curve_errors(bad)}
    err = Basis("ERR", by_intent=False)
    assert less == lists | {err: lists[err] - 1}
    for before, after in zip(predictions(good), predictions(bad), strict=True):
        if before.basis != err:
            assert after.expected.tolist() == before.expected.tolist()
            continue
        rest = good.selection.lists[1:3]
        actual = [MEASURES[after.predicted].value(one.single, good.settings) for one in rest]
        assert after.actual[0] == pytest.approx(np.mean(actual))
        assert after.expected.max() < 2


def test_predictions() -> None:
    found = {(one.basis.target, one.predicted): one for one in predictions(small())}
    assert set(found) == {
        *(("AP-IA", other) for other in ("ERR-IA", "NRBP", "alpha-DCG")),
        *(("ERR", other) for other in ("RBP", "AP", "nDCG")),
        *((None, other) for other in MEASURES),
    }
    one = found["ERR", "AP"]
    # Run 0 has topics 1 (0, 1, 0, 1 of 3), 2 (0, 1 of 1) and 4 (0 of 2).
    assert one.actual[0] == pytest.approx(((1 / 2 + 2 / 4) / 3 + 1 / 2 + 0) / 3)
    # Run 1 has its relevant documents in front, so that nothing is left to be inferred.
    assert one.expected[1] == pytest.approx(one.actual[1], abs=1e-15) == pytest.approx((2 / 3 + 1) / 2)
    alone = found[None, "nDCG"]
    assert alone.expected[2] == pytest.approx(0.25 * sum(1 / math.log2(i + 1) for i in range(1, 5)) / 2.1309297535)

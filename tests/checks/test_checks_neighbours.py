"""The rows that metrics are compared with are those that the matrix gives."""

from __future__ import annotations

import json

from axiomcheck.checks.neighbours import (
    CellDifference,
    Violated,
    catalogue_rows,
    neighbours,
    violations_beside,
    yardstick,
)
from axiomcheck.decide.search import Settings
from axiomcheck.metrics import Metric, paper_rows
from tests.support.catalogue_rows import FILE, derived
from tests.support.suites import each

ROWS = paper_rows()


@each("metrics", [ROWS[::20], ROWS], 2)
def test_the_catalogue_rows_are_what_the_matrix_finds(metrics: list[Metric]) -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))["rows"]
    assert set(kept) == {metric.canonical for metric in ROWS}
    found = derived(Settings(proofs=False, seed=1, examples=60), 1, metrics)
    assert found == {metric.canonical: kept[metric.canonical] for metric in metrics}


def test_a_row_is_its_own_neighbour_under_another_name() -> None:
    row = catalogue_rows()["NRBP(p=0.8, alpha=0.5)"]
    nearest = neighbours(row, besides="mine")[0]
    assert (nearest.metric, nearest.differences) == ("NRBP(p=0.8, alpha=0.5)", ())
    assert neighbours(row, besides="NRBP(p=0.8, alpha=0.5)")[0].metric != "NRBP(p=0.8, alpha=0.5)"


def test_a_changed_answer_is_named() -> None:
    row = dict(catalogue_rows()["AP-IA"])
    row["finite", "Pri"] = not row["finite", "Pri"]
    nearest = next(n for n in neighbours(row, besides="mine", most=20) if n.metric == "AP-IA")
    assert nearest.differences == (CellDifference("finite", "Pri", row["finite", "Pri"]),)
    assert nearest.compared == len(row)


def test_nothing_in_common_is_no_neighbour() -> None:
    assert neighbours({("stated", "Pri"): True}, besides="", most=1)[0].compared == 1
    assert neighbours({}, besides="") == []


def test_violations_that_ndcg_shares_are_set_apart_from_a_mistake() -> None:
    row = dict(catalogue_rows()["nDCG@20"])
    assert yardstick(row, "mine") == "nDCG@20"
    row["stated", "Pri"] = False
    beside = violations_beside(row, "nDCG@20")
    assert [v for v in beside if not v.shared] == [Violated("stated", "Pri", False)]
    assert {v.axiom for v in beside if v.shared} == {"Conf"}


def test_the_yardstick_is_of_the_same_kind_and_not_the_metric_itself() -> None:
    rows = catalogue_rows()
    assert yardstick(rows["AP-IA"], "AP-IA") == "nDCG-IA@20"
    assert yardstick(rows["AP-IA"], "AP-IA", reference="ERR-IA@20") == "ERR-IA@20"
    assert yardstick(rows["AP-IA"], "AP-IA", reference="own.py:it") == "nDCG-IA@20"
    assert yardstick(rows["nDCG@20"], "nDCG@20") == ""
    unknown = violations_beside({("stated", "Red"): False}, "nDCG@20")
    assert unknown == [Violated("stated", "Red", None)]

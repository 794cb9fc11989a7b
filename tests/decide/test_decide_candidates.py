"""Counterexamples beside the smallest: a reversal where that one is a tie, and a large margin."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import cache

import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.core.documents import UNSET
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.candidates import margin_of
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_witness
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.matrix import from_document
from axiomcheck.records.witnesses import Further
from axiomcheck.replay.cells import check_cell
from axiomcheck.reports import to_json
from axiomcheck.reports.check_report import told_further
from tests.support.suites import each, quality
from tests.support.tampering import Change, Document, put

READING = Reading(Regime.FINITE)


@cache
def ledger(further: bool = True) -> Ledger:
    metrics, axioms = [parse("S-Recall@20"), parse("NRBP")], [find_axiom("AspRel"), find_axiom("AspDiv")]
    settings = Settings(examples=400, proofs=False, further=further)
    return run_matrix(metrics, axioms, READING, settings)


def cell(metric: str, axiom: str) -> Cell:
    (found,) = (c for c in ledger().cells if c.metric.startswith(metric) and c.axiom == axiom)
    return found


def test_further_witnesses_are_the_largest_margin_and_beside_a_tie_a_reversal() -> None:
    found = cell("NRBP", "AspRel")
    assert found.witness is not None
    assert found.further is not None
    assert found.witness.kind == "tie"
    assert set(found.further.each) == {"reversal", "largest"}
    margins = []
    for record in found.further.each.values():
        witness = read_witness(record)  # scored again, exactly
        assert (witness.kind, witness.record()) == ("reversal", record)
        margins.append(margin_of(witness.judgement))
    assert 0 < margins[0] < margins[1]
    assert found.violations is not None
    assert float(margins[1]) >= 0.9 * found.violations.largest_relative_margin
    reversal = cell("NRBP", "AspDiv")
    assert (reversal.witness and reversal.witness.kind) == "reversal"
    assert set(reversal.further.each if reversal.further else ()) == {"largest"}


@quality
def test_cells_that_only_tie_and_runs_that_do_not_ask_have_no_further_witnesses() -> None:
    settings = Settings(examples=200, proofs=False, further=True)
    (ties,) = run_matrix([parse("RBP")], [find_axiom("Conf")], READING, settings).cells
    assert (ties.verdict, ties.further) == (Verdict.REFUTED, None)
    assert [one.further for one in ledger(False).cells] == [None] * 4
    assert '"further"' not in to_json(ledger(False))


def test_further_witnesses_do_not_depend_on_the_other_metrics() -> None:
    settings = Settings(examples=400, proofs=False, further=True)
    (alone,) = run_matrix([parse("NRBP")], [find_axiom("AspRel")], READING, settings).cells
    assert alone == cell("NRBP", "AspRel")


def _swap(document: Document, one: str, other: str) -> None:
    document[one], document[other] = document[other], document[one]


ALTERED: list[Change] = [
    lambda cell: _swap(cell["further"]["largest"], "worse", "better"),
    lambda cell: _swap(cell["further"], "reversal", "largest"),
    put("further.reversal.metric", "RBP"),
    lambda cell: cell["further"].update(reversal=cell["witness"]),  # a tie
    lambda cell: cell.update(witness=cell["further"]["largest"]),  # beside a reversal
    lambda cell: cell["further"]["reversal"].update(minimal=cell["witness"]["minimal"]),
]


def _check(document: Document, place: int) -> None:
    again = from_document(document).cells[place]
    check_cell(again, find_axiom(again.axiom), parse(again.metric), READING, Settings(examples=400, proofs=False))


@each("alter", ALTERED, 3)
def test_altered_further_witnesses_are_turned_down(alter: Change) -> None:
    document = json.loads(to_json(ledger()))
    place = next(k for k, c in enumerate(document["cells"]) if len(c.get("further", {})) == 2)
    _check(copy.deepcopy(document), place)
    alter(document["cells"][place])
    with pytest.raises(InvalidInput, match="further"):
        _check(document, place)


def test_the_report_tells_each_further_witness_once() -> None:
    found = cell("NRBP", "AspRel")
    assert found.further is not None
    [reversal, large] = told_further(found)
    assert reversal.startswith("a reversal: ")
    assert found.further.largest is not UNSET
    margin = 100 * float(margin_of(found.further.largest.scores))
    assert large.startswith(f"a large margin ({margin:.3g}% of the score): ")
    one = replace(found, further=Further(found.further.reversal, found.further.reversal))
    [sentence] = told_further(one)
    assert sentence.startswith("a reversal, a large margin (")
    assert "must score above" in sentence
    assert told_further(replace(found, further=None)) == []

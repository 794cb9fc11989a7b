"""Two reports held against each other: what is worse, what is better, what is neither, and what cannot be compared."""

import copy
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from axiomcheck import AXIOMS, Cell, InvalidInput, parse
from axiomcheck.core.documents import document_of
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.matrix import cell_record, to_json
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.diff_report import diff_report
from axiomcheck.reports.table import report_text
from axiomcheck.studies.difference import Change, ReportDifference, compare_reports
from tests.reports.reports_ledgers import bounded, compared_by_dominance, made_up, of_axiom
from tests.support.commands import command
from tests.support.made_records import because, pair_evidence

EXPECTED = """
                 proved bounded held refuted incomparable not-applicable undecided error
proved           .      r       r    r       r            r              r         r
bounded          i      .       r    r       r            r              r         r
held             i      i       .    r       r            r              r         r
refuted          i      i       i    .       c            c              r         r
incomparable     i      i       i    c       .            c              r         r
not-applicable   c      c       c    c       c            .              c         c
undecided        i      i       i    c       c            c              .         c
error            i      i       i    c       c            c              c         .
"""
"""By the verdict before (down) and after (across)."""
LETTERS = {"r": Change.REGRESSION, "i": Change.IMPROVEMENT, "c": Change.CHANGED, ".": None}


@pytest.fixture(scope="module")
def cells() -> dict[Verdict, Cell]:
    """Return a cell of the same metric and axiom with every verdict."""
    few = Settings(examples=50, exhaustive=False)
    bare = Cell("m", None, "Deep", Verdict.UNDECIDED, None, because("why"))
    proved, refuted = run_matrix([parse("RBP"), parse("P@10")], [AXIOMS["Deep"]], settings=few).cells
    found = [
        proved,
        of_axiom(bounded().cells[0], proved),
        replace(bare, verdict=Verdict.HELD, evidence=pair_evidence()),
        refuted,
        *compared_by_dominance().cells,
        replace(bare, verdict=Verdict.NOT_APPLICABLE),
        bare,
        replace(bare, verdict=Verdict.ERROR, failure=Failure.METRIC),
    ]
    assert {cell.verdict for cell in found} == set(Verdict)
    return {cell.verdict: replace(cell.of_metric("m"), row=None, published=None) for cell in found}


def document(*cells: Cell, **more: str) -> Any:
    return json.loads(to_json(made_up(*cells, **more)))


def compared(old: Any, new: Any) -> ReportDifference:
    return compare_reports(("old", old), ("new", new))


def test_every_change_of_a_verdict_is_of_its_kind(cells: dict[Verdict, Cell]) -> None:
    header, *lines = EXPECTED.strip().splitlines()
    wrong = []
    for line in lines:
        before, *letters = line.split()
        for after, letter in zip(header.split(), letters, strict=True):
            pair = (Verdict(before), Verdict(after))
            found = compared(*(document(cells[verdict]) for verdict in pair))
            kinds = [change.change for change in found.changes]
            if kinds != [one for one in [LETTERS[letter]] if one] or found.same != (letter == "."):
                wrong.append(pair)
    assert not wrong


def test_the_worst_comes_first_and_says_why(cells: dict[Verdict, Cell]) -> None:
    old = {"a": "proved", "b": "proved", "c": "proved", "d": "undecided", "e": "held"}
    new = {"a": "bounded", "b": "refuted", "c": "proved", "d": "held", "f": "refuted"}
    found = compared(
        *(document(*(cells[Verdict(verdict)].of_metric(m) for m, verdict in one.items())) for one in (old, new))
    )
    assert [(one.metric, one.change) for one in found.changes] == [
        ("b", Change.REGRESSION),
        ("a", Change.REGRESSION),
        ("e", Change.REMOVED),
        ("d", Change.IMPROVEMENT),
        ("f", Change.ADDED),
    ]
    assert found.same == 1
    assert "must score above" in found.changes[0].why
    text = report_text(diff_report(found), width=200)
    assert text.splitlines()[1] == ("2 regressions, 1 removed cell, 1 improvement, 1 new cell; 1 cell as before")


def test_another_counterexample_is_a_change(cells: dict[Verdict, Cell]) -> None:
    cell = cells[Verdict.REFUTED]
    witness = cell.witness
    assert isinstance(witness, PairWitness)
    scores = structs.replace(witness.scores, worse="1/7", better="1/9")
    other = replace(cell, witness=structs.replace(witness, scores=scores, kind="reversal"))
    (change,) = compared(document(cell), document(other)).changes
    assert change.change is Change.CHANGED
    assert "a reversal, 1/9 against 1/7 now" in change.why
    elsewhere = replace(cell, witness=structs.replace(witness, minimal=None))
    assert compared(document(cell), document(elsewhere)).changes == ()


def test_a_proof_that_covers_less_is_a_change(cells: dict[Verdict, Cell]) -> None:
    old = document(cells[Verdict.BOUNDED])
    new = copy.deepcopy(old)
    new["cells"][0]["evidence"]["proof"]["scope"] = "rankings of up to 2 documents"
    (change,) = compared(old, new).changes
    assert change.change is Change.CHANGED
    assert change.why.startswith("the proof now covers rankings of up to 2 documents; before, it covered ")


def _on(cell: Cell, **evidence: Any) -> Cell:
    """Return the cell, decided on other instances."""
    assert cell.pairs is not None
    return replace(cell, evidence=structs.replace(cell.pairs, **evidence))


def _verdict_and_why(old: Cell, new: Cell) -> tuple[Change, str]:
    (change,) = compared(document(old), document(new)).changes
    assert change.before is change.after
    return change.change, change.why


def test_fewer_kinds_of_instances_under_the_same_verdict_are_a_regression(cells: dict[Verdict, Cell]) -> None:
    graded = cells[Verdict.PROVED]
    binary = _on(graded, binary=True)
    to_five, to_nine = (_on(graded, undeclared_cutoff=rank) for rank in (5, 9))
    fewer = {
        "decided on binary instances only; before, on graded ones": (graded, binary),
        "decided on rankings of up to 5 documents; before, of any length": (graded, to_five),
        "decided on rankings of up to 5 documents; before, of up to 9 documents": (to_nine, to_five),
    }
    for why, (old, new) in fewer.items():
        assert _verdict_and_why(old, new) == (Change.REGRESSION, why)
        assert _verdict_and_why(new, old)[0] is Change.IMPROVEMENT
    kind, why = _verdict_and_why(_on(to_five, binary=False), binary)
    assert kind is Change.CHANGED
    assert why.startswith("decided on binary instances only; before, on graded ones; on rankings of any length")


def test_settings_that_differ_are_said_first(cells: dict[Verdict, Cell]) -> None:
    old, new = document(cells[Verdict.PROVED]), document(cells[Verdict.HELD])
    new["settings"] |= {"seed": 8, "examples": 100_000, "budget": 2.5}
    found = compared(old, new)
    assert [(one.setting, one.before, one.after) for one in found.settings] == [
        ("seed", 7, 8),
        ("examples", 1200, 100_000),
        ("budget", None, 2.5),
    ]
    said = (
        "the searches differ, which may explain the changes: seed 7 -> 8; examples 1,200 -> 100,000; budget none -> 2.5"
    )
    assert report_text(diff_report(found), width=200).splitlines()[1] == said
    assert compared(old, old).settings == ()


def _check(*parts: tuple[str, Cell], **settings: Any) -> Any:
    readings = [
        {"regime": regime, "domain": "graded", "cells": [document_of(cell_record(cell))]} for regime, cell in parts
    ]
    budget = {"seed": 0, "examples": 500, "exhaustive": True} | settings
    entry = {"metric": "m", "settings": budget, "readings": readings, "contract": [], "notes": ["ignored"]}
    return {"schema": "axiomcheck/check", "version": 1, "metrics": [entry]}


def test_reports_of_check_are_compared_by_reading(cells: dict[Verdict, Cell]) -> None:
    good, bad = cells[Verdict.HELD], cells[Verdict.UNDECIDED]
    found = compared(_check(("stated", good), ("finite", good)), _check(("stated", good), ("finite", bad), examples=9))
    assert [(one.regime, one.change) for one in found.changes] == [("finite", Change.REGRESSION)]
    assert found.same == 1
    assert [one.setting for one in found.settings] == ["examples"]
    assert "m       Deep   finite  ◐ held  ? undecided" in report_text(diff_report(found), width=200)
    twice = _check(("stated", good), ("stated", good))
    with pytest.raises(InvalidInput, match="new: duplicate cell for m and Deep"):
        compared(_check(("stated", good)), twice)


def test_reports_that_cannot_be_compared_are_refused(cells: dict[Verdict, Cell]) -> None:
    report = document(cells[Verdict.HELD])
    for other, message in (
        (document(cells[Verdict.HELD], regime="finite"), "stated, graded; new has the reading finite, graded"),
        (document(cells[Verdict.HELD].of_metric("other")), "old and new have no cell in common"),
        ({"schema": "axiomcheck/gate"}, "new is not a report; expected the JSON output of axiomcheck matrix or check"),
        (report | {"version": 9}, "new: matrix: version is 9"),
        ({"schema": "axiomcheck/check", "version": 1}, "new: Object missing required field `metrics`"),
        (_check(("stated", cells[Verdict.HELD])) | {"version": 2}, "new: version 2; expected 1"),
    ):
        with pytest.raises(InvalidInput) as raised:
            compared(report, other)
        assert message in str(raised.value)


run = partial(command, "diff")


def test_the_command_and_its_exit_codes(cells: dict[Verdict, Cell], tmp_path: Path) -> None:
    old, new, other = (tmp_path / f"{name}.json" for name in ("old", "new", "other"))
    old.write_text(json.dumps(document(cells[Verdict.PROVED])))
    new.write_text(json.dumps(document(cells[Verdict.BOUNDED])))
    other.write_text(json.dumps(document(cells[Verdict.HELD], regime="limit")))
    assert run(old, old).exit_code == 0
    assert "no cell differs: 1 cell as before" in run(old, old).stdout
    assert run(new, old).exit_code == 0
    worse = run(old, new)
    assert worse.exit_code == 1
    assert "● proved  ◑ bounded" in worse.stdout
    assert run(old, new, "-f", "markdown").stdout.startswith("**1 regression; 0 cells as before**\n")
    assert run(old, other).exit_code == 2

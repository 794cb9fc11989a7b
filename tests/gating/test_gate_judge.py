"""One cell at a time; and the gate's cache, which saves time and decides nothing, whatever is wrong in an entry."""

import copy
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from axiomcheck import Cell, Metric, Reading, Regime, find_axiom
from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.core.documents import document_of
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.memory import Remembered
from axiomcheck.engine.tasks import External, Task
from axiomcheck.gating.config import Expectation, Expected
from axiomcheck.gating.judge import CellFound, Judged, check_outcomes, compare_cell, compare_check, judge_cell
from axiomcheck.gating.run import GateResult
from axiomcheck.metrics import parse
from axiomcheck.processes.isolation import Workers
from axiomcheck.processes.limits import Limits
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.function_metrics import FunctionMetric
from tests.gating.gate_projects import CONTRACT, LEDGER, NO_DISCOUNT, cell, gated, leave_checks_out, project
from tests.support.made_records import because, pair_evidence

FINITE = Reading(Regime.FINITE)
FEW = Settings(proofs=False, examples=100)


def test_a_search_that_time_cut_short_is_no_change() -> None:
    metric = parse("RBP")
    cell = judge_cell(metric, find_axiom("Pri"), None, FINITE, FEW).cell
    assert cell.pairs is not None
    short = replace(cell, evidence=structs.replace(cell.pairs, few=15))
    for expect, whole, few in (("violated", "better", "error"), ("holds", "as-expected", "as-expected")):
        expectation = Expectation(expect, "because")  # type: ignore[arg-type]
        assert compare_cell(CellFound(cell), expectation).status == whole
        assert compare_cell(CellFound(short), expectation).status == few
    fewer = replace(cell, evidence=structs.replace(cell.pairs, few=15, instances=24))
    assert compare_cell(CellFound(fewer), Expectation("holds")).status == "error"
    undecided = replace(short, verdict=Verdict.UNDECIDED)
    assert compare_cell(CellFound(undecided), Expectation("holds")).status == "error"
    refuted = judge_cell(metric, find_axiom("Conf"), None, FINITE, FEW).cell
    assert refuted.pairs is not None
    shown = replace(refuted, evidence=structs.replace(refuted.pairs, few=15))
    assert compare_cell(CellFound(shown), Expectation("holds")).status == "worse"


@pytest.mark.parametrize(
    ("verdict", "expect", "status"),
    [
        (Verdict.HELD, "holds", "as-expected"),
        (Verdict.REFUTED, "holds", "worse"),
        (Verdict.UNDECIDED, "holds", "worse"),
        (Verdict.NOT_APPLICABLE, "holds", "worse"),
        (Verdict.ERROR, "holds", "error"),
        (Verdict.HELD, "violated", "better"),
        (Verdict.REFUTED, "violated", "as-expected"),
        (Verdict.UNDECIDED, "violated", "worse"),
        (Verdict.NOT_APPLICABLE, "violated", "better"),
        (Verdict.UNDECIDED, "undecided", "as-expected"),
        (Verdict.REFUTED, "undecided", "worse"),
        (Verdict.NOT_APPLICABLE, "not-applicable", "as-expected"),
        (Verdict.REFUTED, "not-applicable", "worse"),
        (Verdict.REFUTED, None, "unrecorded"),
        (Verdict.ERROR, None, "error"),
    ],
)
def test_every_verdict_against_every_expectation(verdict: Verdict, expect: Expected | None, status: str) -> None:
    failure = Failure.METRIC if verdict is Verdict.ERROR else None
    cell = Cell("m", None, "Pri", verdict, None, because("because of this"), failure)
    judged = compare_cell(CellFound(cell), Expectation(expect, "known since May") if expect else None)
    assert judged.status == status
    if status not in ("as-expected",):
        assert "because of this" in judged.message
    if status in ("better", "worse"):
        assert "known since May" in judged.message


HALVED = parse("RBP(p=0.5)")


def _powers(base: float, single_aspect: bool = True) -> Metric:
    """Return a metric of the first aspect, of which rank i counts base^i: all the same at 1, later ones more above."""

    def function(grades: Any, weights: Any) -> Any:
        return grades[..., 0] @ base ** np.arange(grades.shape[1])

    return FunctionMetric(function, "powers", single_aspect=single_aspect)


@pytest.fixture(scope="module")
def conf() -> dict[str, Any]:
    judged = _judged(HALVED, "Conf", None)
    assert judged.cell.witness is not None
    return document_of(judged.cell.witness)


def _judged(metric: Metric, axiom: str, witness: dict[str, Any] | None, reading: Reading = FINITE) -> Judged:
    return judge_cell(metric, find_axiom(axiom), Expectation("violated", "free", witness), reading, FEW)


def test_a_pinned_witness_is_none_where_declarations_exclude_it() -> None:
    before = _judged(_powers(0.5, single_aspect=False), "Red", None)
    assert before.cell.witness is not None
    judged = _judged(_powers(0.5), "Red", document_of(before.cell.witness))
    assert judged.status == "better"
    assert "but does not apply" in judged.message


def test_other_scores_of_the_same_violation_are_remarked_upon(conf: dict[str, Any]) -> None:
    pinned = copy.deepcopy(conf)
    pinned["topic"]["pool"]["d1"] = ["1/2"]  # still a tie, and no longer of 0
    judged = _judged(HALVED, "Conf", pinned)
    assert (judged.status, judged.replayed) == ("as-expected", True)
    assert "scores.worse" in judged.remark
    assert judged.cell.witness.scores.worse == "1/4"
    assert _judged(HALVED, "Conf", document_of(judged.cell.witness)).remark == ""


def test_a_violation_that_moved_is_found_again() -> None:
    pri = _judged(_powers(1), "Pri", None)
    reversed_only = _judged(_powers(2), "Pri", document_of(pri.cell.witness))
    assert reversed_only.status == "as-expected"
    assert "kind" in reversed_only.remark or "scores" in reversed_only.remark


def test_a_pin_of_another_reading_is_searched_anew(conf: dict[str, Any]) -> None:
    judged = _judged(HALVED, "Conf", conf, Reading(Regime.LIMIT))
    assert (judged.status, judged.replayed) == ("as-expected", False)
    assert "reading" in judged.remark


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"metric": "other"}, "metric is 'other'; expected 'RBP(p=0.5)'"),
        ({"topic": {"weights": ["1/2"], "pool": {"d1": ["0"], "x": ["1/2"]}}}, "sum to 1"),
        ({"topic": {"weights": ["1"], "pool": {"d1": ["0"], "x": ["1/2"]}}}, "premises"),
        ({}, "schema is missing"),
    ],
)
def test_a_tampered_witness_is_an_error_and_says_where(conf: dict[str, Any], change: dict[str, Any], said: str) -> None:
    judged = _judged(HALVED, "Conf", conf | change if change else {})
    assert judged.status == "error"
    assert "the pinned witness cannot be used" in judged.message
    assert said in judged.message


def test_the_witness_of_a_threshold_is_replayed() -> None:
    metric = parse("RR")
    cell = _judged(metric, "CloseTh", None).cell
    assert cell.witness is not None
    pinned = document_of(cell.witness)
    again = _judged(metric, cell.axiom, pinned)
    assert (again.status, again.replayed, again.remark) == ("as-expected", True, "")
    edited = _judged(metric, cell.axiom, pinned | {"argument": "because"})
    assert (edited.status, edited.replayed) == ("as-expected", False)
    assert "argument" in edited.remark


@pytest.mark.parametrize(
    ("status", "reason", "judged"),
    [
        ("passed", None, "as-expected"),
        ("failed", None, "worse"),
        ("failed", "known", "as-expected"),
        ("passed", "known", "better"),
        ("not-applicable", "known", "better"),
        ("admitted", None, "as-expected"),
        ("admitted", "known", "better"),
    ],
)
def test_contract_checks_against_what_is_expected(status: Any, reason: str | None, judged: str) -> None:
    found = compare_check("m", Outcome("finite", "values", status, "because", 3, None), reason)
    assert (found.status, found.asked) == (judged, "finite")


def told(result: GateResult) -> list[tuple[str, str, str]]:
    return [(judged.asked, judged.status, judged.message) for judged in result.judged]


@pytest.fixture
def violated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a contract that its metric violates, and have it judged, so that everything about it is in the cache."""
    path = project(tmp_path, CONTRACT.replace("gain.py:gain", "P@2").replace("300", "50"))
    leave_checks_out(monkeypatch)
    assert cell(gated(path), "Pri", "P@2").status == "worse"
    return path


def forged(content: Any) -> Any:
    """Return an entry's content with nothing wrong: no violation."""
    held = {"verdict": "held", "witness": None, "cause": {"code": "no-violation"}}
    evidence = document_of(pair_evidence(instances=21_247))
    return [
        answer | {"sent": answer["sent"] | {"document": answer["sent"]["document"] | held | {"evidence": evidence}}}
        for answer in content
    ]


def test_a_forged_entry_turns_no_violated_contract_green(violated: Path) -> None:
    before = gated(violated)
    assert (before.exit_code, before.cached) == (1, len(before.cells))
    with sqlite3.connect(violated.parent / LEDGER) as base:
        for key, body in base.execute("SELECT key, content FROM entries").fetchall():
            content = json.dumps(forged(json.loads(body))).encode()
            base.execute("UPDATE entries SET content = ? WHERE key = ?", (content, key))
    after = gated(violated)
    assert (after.exit_code, after.cached) == (1, 0)
    assert told(after) == told(before)


def test_a_witness_from_the_cache_is_scored_again(violated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Remembered.before

    def lying(self: Remembered, task: Task, metric: Metric | External) -> Cell | None:
        found = real(self, task, metric)
        if found is None or not isinstance(found.witness, PairWitness):
            return found
        return replace(found, witness=structs.replace(found.witness, worse=found.witness.better))

    known = gated(violated).cached
    monkeypatch.setattr(Remembered, "before", lying)
    result = gated(violated)
    assert (result.exit_code, result.cached) == (1, known - 2)
    assert cell(result, "Pri", "P@2").status == "worse"


def test_checks_that_a_metric_keeps_from_coming_back_are_missed(tmp_path: Path) -> None:
    gain = "from axiomcheck.checks.contract import CHECKS\nCHECKS.popitem()\n" + NO_DISCOUNT.lstrip()
    path = project(tmp_path, CONTRACT.split("Conf =")[0], gain=gain)
    result = gated(path)
    assert ("contract", "error") in [(judged.asked, judged.status) for judged in result.checks]
    missed = f"only {len(CHECKS) - 1} of {len(CHECKS)} contract checks had an outcome"
    # its file runs twice, and may take one of them away while they run
    assert missed in result.checks[0].message or "KeyError" in result.checks[0].message


DECLARED = """
import numpy as np
import axiomcheck

@axiomcheck.metric(single_aspect=True, reference="RBP(p=0.6)")
def half(grades, weights):
    return (0.5 * grades[:, :, 0] * 0.5 ** np.arange(grades.shape[1])).sum(axis=1)
"""


def test_a_reference_that_a_metric_declares_is_compared(tmp_path: Path) -> None:
    file = tmp_path / "half.py"
    file.write_text(DECLARED, encoding="utf-8")
    with Workers(1, Limits(60, 1024)) as workers:
        declared, given = (
            {
                outcome.check: outcome.status
                for outcome in check_outcomes(External(f"{file}:half"), 0, workers, reference, 1e-9)
            }["reference"]
            for reference in (None, "RBP(p=0.5)")
        )
    assert (declared, given) == ("failed", "passed")

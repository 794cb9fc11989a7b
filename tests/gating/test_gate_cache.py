"""The gate's cache saves time and decides nothing: whatever is wrong in an entry, it is as if it were not there."""

import json
import sqlite3
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from axiomcheck import Cell, Metric, matrix
from axiomcheck.checks.contract import CHECKS
from axiomcheck.checks.metric import ContractMemory
from axiomcheck.core.documents import document_of
from axiomcheck.engine.memory import Remembered
from axiomcheck.engine.tasks import External, Task
from axiomcheck.gating.run import GateResult
from axiomcheck.ledger import LedgerFile
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.fingerprint import Fingerprint
from tests.gating.gate_projects import CONTRACT, LEDGER, NO_DISCOUNT, PASSED, cell, gated, leave_checks_out, project
from tests.support.made_records import pair_evidence
from tests.support.suites import quality

KNOWN = Fingerprint("1", {})
OUTCOMES: list[dict[str, Any]] = json.loads(json.dumps([asdict(outcome) for outcome in PASSED]))


@pytest.mark.parametrize(
    "content",
    [
        {},
        OUTCOMES[1:],
        [*OUTCOMES, OUTCOMES[0]],
        [OUTCOMES[0] | {"status": "splendid"}, *OUTCOMES[1:]],
        [OUTCOMES[0] | {"cases": True}, *OUTCOMES[1:]],
        [OUTCOMES[0] | {"group": "purity"}, *OUTCOMES[1:]],
        None,
    ],
)
def test_sealed_outcomes_of_another_form_are_not_there_either(content: Any, tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path / LEDGER)
    memory = ContractMemory(ledger, "gain.py:gain", KNOWN, 0, None, 1e-9)
    memory.keep(PASSED)
    assert memory.outcomes() == tuple(PASSED)
    (entry,) = ledger.entries()
    whole = json.loads(entry.content)
    for changed in (whole | {"contract": content}, content):
        ledger.put(entry.key, changed, about={})
        assert ledger.get(entry.key) == changed
        assert memory.outcomes() is None
    ledger.put(entry.key, whole | {"more": 0}, about={})
    assert memory.outcomes() is None
    ledger.put(entry.key, whole, about={})
    assert memory.outcomes() == tuple(PASSED)


@pytest.mark.parametrize(
    "other",
    [
        ("other.py:gain", KNOWN, 0, None, 1e-9),
        ("gain.py:gain", replace(KNOWN, code="2"), 0, None, 1e-9),
        ("gain.py:gain", replace(KNOWN, unkept="it reads the clock"), 0, None, 1e-9),
        ("gain.py:gain", KNOWN, 1, None, 1e-9),
        ("gain.py:gain", KNOWN, 0, ("RBP", KNOWN), 1e-9),
    ],
)
def test_outcomes_of_other_metrics_seeds_and_references_are_not_read(other: Any, tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path / LEDGER)
    ContractMemory(ledger, "gain.py:gain", KNOWN, 0, None, 1e-9).keep(PASSED)
    assert ContractMemory(ledger, *other).outcomes() is None


def told(result: GateResult) -> list[tuple[str, str, str]]:
    return [(judged.asked, judged.status, judged.message) for judged in result.judged]


@pytest.fixture(scope="module", params=["P@2", pytest.param("gain.py:gain", marks=quality)])
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Make a contract that its metric violates."""
    contract = CONTRACT.replace("gain.py:gain", request.param)
    return project(tmp_path_factory.mktemp("violated"), contract, gain=NO_DISCOUNT), request.param


@pytest.fixture
def violated(judged: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have it judged, so that everything about it is in the cache."""
    path, metric = judged
    if metric == "P@2":
        leave_checks_out(monkeypatch)
    assert cell(gated(path), "Pri", metric).status == "worse"
    return path


def forged(content: Any) -> Any:
    """Return an entry's content with nothing wrong: no violation, and no checks to fail."""
    if isinstance(content, dict):
        return content | {"contract": []}
    held = {"verdict": "held", "witness": None, "cause": {"code": "no-violation"}}
    evidence = document_of(pair_evidence(instances=21_247))
    return [
        answer | {"sent": answer["sent"] | {"document": answer["sent"]["document"] | held | {"evidence": evidence}}}
        for answer in content
    ]


def test_a_forged_entry_turns_no_violated_contract_green_and_drops_no_check(violated: Path) -> None:
    before = gated(violated)
    assert (before.exit_code, before.cached, len(before.checks)) == (1, len(before.judged), len(CHECKS))
    with sqlite3.connect(violated.parent / LEDGER) as base:
        for key, body in base.execute("SELECT key, content FROM entries").fetchall():
            content = json.dumps(forged(json.loads(body))).encode()
            base.execute("UPDATE entries SET content = ? WHERE key = ?", (content, key))
    after = gated(violated)
    assert (after.exit_code, after.cached) == (1, 0)
    assert told(after) == told(before)


def test_a_witness_from_the_cache_is_scored_again(violated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = gated(violated).cells[0].metric
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
    assert cell(result, "Pri", metric).status == "worse"


def test_checks_that_a_metric_keeps_from_coming_back_are_missed(tmp_path: Path) -> None:
    gain = "from axiomcheck.checks.contract import CHECKS\nCHECKS.popitem()\n" + NO_DISCOUNT.lstrip()
    path = project(tmp_path, CONTRACT.split("Conf =")[0], gain=gain)
    result = gated(path)
    assert ("contract", "error") in [(judged.asked, judged.status) for judged in result.checks]
    missed = f"only {len(CHECKS) - 1} of {len(CHECKS)} contract checks had an outcome"
    # its file runs twice, and may take one of them away while they run
    assert missed in result.checks[0].message or "KeyError" in result.checks[0].message


@quality
def test_the_gate_searches_nothing_that_the_matrix_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix tried more instances, and looked for proofs, which the gate does not ask for."""
    leave_checks_out(monkeypatch)
    path = project(tmp_path, CONTRACT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / LEDGER))
    decided = matrix("gain.py:gain", ["Pri", "Conf"], regime="finite", examples=400, jobs=1, ledger=True)
    found = gated(path)
    assert found.cached == len(found.cells) == 2
    searched = gated(path, cache=False)
    assert searched.cached == 0
    assert [(c.axiom, c.status) for c in found.cells] == [(c.axiom, c.status) for c in searched.cells]
    assert {cell(found, "Pri").instances} == {decided["gain.py:gain", "Pri"].instances}
    (tmp_path / "gain.py").write_text(NO_DISCOUNT, encoding="utf-8")
    edited = gated(path)
    assert (edited.cached, cell(edited, "Pri").status) == (0, "worse")

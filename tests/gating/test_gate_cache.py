"""The gate's cache saves time and decides nothing: whatever is wrong in an entry, it is as if it were not there."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from axiomcheck.checks.contract import CHECKS
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.core.verdict import Verdict
from axiomcheck.gating import GateResult
from axiomcheck.gating.cache import Cache
from axiomcheck.ledger import LedgerFile
from axiomcheck.records.cells import Cell
from axiomcheck.records.matrix import cell_record
from axiomcheck.records.witnesses import PairWitness
from tests.gating.gate_projects import CONTRACT, LEDGER, NO_DISCOUNT, PASSED, cell, gated, leave_checks_out, project
from tests.support.made_records import pair_evidence
from tests.support.suites import quality

KEY = "0" * 64
EVIDENCE = pair_evidence(instances=21_247)
HELD = Cell(
    "gain.py:gain", None, "Pri", Verdict.HELD, None, "no violation in 21,247 distinct instances", evidence=EVIDENCE
)


def read(cache: Cache, key: str = KEY) -> Any:
    """Return what the cache makes of an entry, as whatever it was asked for."""
    found = cache.cell(key, HELD.metric, HELD.axiom, Reading())
    return found if found is not None else cache.outcomes(key)


CELL: dict[str, Any] = document_of(cell_record(HELD))
OUTCOMES: list[dict[str, Any]] = json.loads(json.dumps([asdict(outcome) for outcome in PASSED]))


@pytest.mark.parametrize(
    "content",
    [
        CELL | {"metric": "other.py:gain"},
        CELL | {"axiom": "Conf"},
        CELL | {"verdict": "splendid"},
        CELL | {"verdict": "error"},
        CELL | {"evidence": {"instances": -1}},
        CELL | {"evidence": {"instances": True}},
        CELL | {"evidence": []},
        CELL | {"certificate": {}},
        CELL | {"failure": "metric"},
        CELL | {"more": 0},
        {key: CELL[key] for key in CELL if key != "witness"},
        [],
        OUTCOMES[1:],
        OUTCOMES[::-1],
        [*OUTCOMES, OUTCOMES[0]],
        [OUTCOMES[0] | {"status": "splendid"}, *OUTCOMES[1:]],
        [OUTCOMES[0] | {"cases": -1}, *OUTCOMES[1:]],
        [OUTCOMES[0] | {"cases": True}, *OUTCOMES[1:]],
        [OUTCOMES[0] | {"group": "purity"}, *OUTCOMES[1:]],
        [OUTCOMES[0] | {"more": 0}, *OUTCOMES[1:]],
        [None, *OUTCOMES[1:]],
        {"outcomes": OUTCOMES},
    ],
)
def test_a_sealed_entry_of_another_form_is_not_there_either(content: Any, tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path / LEDGER)
    ledger.put(KEY, content, about={})
    assert ledger.get(KEY) == content
    assert read(Cache(ledger)) is None


def test_an_error_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(LedgerFile(tmp_path / LEDGER))
    cache.keep_cell(KEY, replace(HELD, verdict=Verdict.ERROR, evidence=None))
    assert LedgerFile(tmp_path / LEDGER).get(KEY) is None
    cache.keep_cell(KEY, HELD)
    assert read(cache) == HELD


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
    if isinstance(content, list):
        return []
    return content | {"verdict": "held", "witness": None, "reason": HELD.reason, "evidence": CELL["evidence"]}


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
    real = Cache.cell

    def lying(self: Cache, key: str, metric: str, axiom: str, reading: Reading) -> Cell | None:
        found = real(self, key, metric, axiom, reading)
        if found is None or not isinstance(found.witness, PairWitness):
            return found
        return replace(found, witness=structs.replace(found.witness, worse=found.witness.better))

    known = gated(violated).cached
    monkeypatch.setattr(Cache, "cell", lying)
    result = gated(violated)
    assert (result.exit_code, result.cached) == (1, known - 2)
    assert cell(result, "Pri", metric).status == "worse"


def test_checks_that_a_metric_keeps_from_coming_back_are_missed(tmp_path: Path) -> None:
    gain = "from axiomcheck.checks.contract import CHECKS\nCHECKS.popitem()\n" + NO_DISCOUNT.lstrip()
    path = project(tmp_path, CONTRACT.split("Conf =")[0], gain=gain)
    result = gated(path)
    assert ("contract", "error") in [(judged.asked, judged.status) for judged in result.checks]
    assert f"of {len(CHECKS)} contract checks {len(CHECKS) - 1} came back" in result.checks[0].message

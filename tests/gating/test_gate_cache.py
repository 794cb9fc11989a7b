"""The gate's cache saves time and decides nothing: whatever is wrong in an entry, it is as if it were not there."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.core.verdict import Verdict
from axiomcheck.gating import GateResult
from axiomcheck.gating.cache import Cache
from axiomcheck.ledger import LedgerFile
from axiomcheck.records.cells import Cell
from axiomcheck.records.matrix import cell_record
from axiomcheck.records.witnesses import PairWitness
from tests.gating.gate_projects import CONTRACT, LEDGER, NO_DISCOUNT, cell, gated, project
from tests.support.made_records import pair_evidence
from tests.support.suites import quality

KEY = "0" * 64
SEAL = 32
EVIDENCE = pair_evidence(instances=21_247)
HELD = Cell(
    "gain.py:gain", None, "Pri", Verdict.HELD, None, "no violation in 21,247 distinct instances", evidence=EVIDENCE
)
PASSED = [Outcome(check.name, check.group, "passed", "", 12, None) for check in CHECKS.values()]


def read(cache: Cache, key: str = KEY) -> Any:
    """What the cache makes of an entry, as whatever it was asked for."""
    found = cache.cell(key, HELD.metric, HELD.axiom, Reading())
    return found if found is not None else cache.outcomes(key)


class Entry:
    """A ledger with one entry, whose seal and content can be changed behind its back."""

    def __init__(self, folder: Path, keep: Callable[[Cache], None]) -> None:
        self.path = folder / LEDGER
        self.cache = Cache(LedgerFile(self.path))
        keep(self.cache)
        assert read(self.cache) is not None

    @property
    def content(self) -> bytes:
        """The seal, of 32 bytes, and what it is for."""
        with sqlite3.connect(self.path) as base:
            ((seal, content),) = base.execute("SELECT seal, content FROM entries").fetchall()
        return bytes(seal + content)

    def write(self, changed: bytes) -> None:
        with sqlite3.connect(self.path) as base:
            base.execute("UPDATE entries SET seal = ?, content = ?", (changed[:SEAL], changed[SEAL:]))


def other_secret(folder: Path, keep: Callable[[Cache], None], patch: pytest.MonkeyPatch) -> bytes:
    """The very entry, as somebody else's gate would have sealed it."""
    (folder / "theirs").mkdir()
    with patch.context() as context:
        context.setenv("XDG_CONFIG_HOME", str(folder / "theirs"))
        return Entry(folder / "theirs", keep).content


def mutants(good: bytes) -> dict[str, bytes]:
    """A hundred entries that differ from a good one: torn, flipped, edited, in other clothes."""
    seal, body = good[:SEAL], good[SEAL:]
    rng, content = random.Random(0), json.loads(body)
    one = content if isinstance(content, dict) else content[0]

    def of(changed: Any) -> bytes:
        return seal + json.dumps(changed).encode()

    found = {f"cut after {size}": good[:size] for size in (0, 1, 31, 32, 33, 75, 100, len(good) - 1)}
    for k in range(44):
        at, bit = rng.randrange(len(good)), rng.randrange(8)
        found[f"bit {bit} of byte {at}, {k}"] = good[:at] + bytes([good[at] ^ 1 << bit]) + good[at + 1 :]
    for key in one:
        rest = {name: value for name, value in one.items() if name != key}
        found[f"without {key}"] = of(rest if one is content else [rest, *content[1:]])
        for value in (None, [], -1, "held", True):
            changed = one | {key: value}
            if changed != one:
                found[f"{key} {value}"] = of(changed if one is content else [changed, *content[1:]])
    found |= {
        "one key more": of(one | {"trusted": True} if one is content else [*content, one]),
        "seal alone": seal,
        "body alone": body,
        "empty list": of([]),
        "empty object": of({}),
        "null": of(None),
        "spelt otherwise": seal + json.dumps(content, indent=1).encode(),
        "a line more": good + b"\n",
        "byte order mark": seal + b"\xef\xbb\xbf" + body,
        "not UTF-8": seal + b"\xff" + body,
        "a number of 5,000 digits": seal + b"9" * 5000,
        "arrays 3,000 deep": seal + b"[" * 3000 + b"]" * 3000,
        "a seal of zeros": bytes(SEAL) + body,
        "a seal and a half": seal + seal[:16] + body,
        "zeros": bytes(len(good)),
    }
    assert good not in found.values()
    return found


@pytest.mark.parametrize("kept", [HELD, PASSED], ids=["cell", "checks"])
def test_a_hundred_mutated_entries_are_not_there(kept: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(cache: Cache) -> None:
        if isinstance(kept, Cell):
            cache.keep_cell(KEY, kept)
        else:
            cache.keep_outcomes(KEY, HELD.metric, kept)

    theirs = other_secret(tmp_path, keep, monkeypatch)
    entry = Entry(tmp_path, keep)
    good = entry.content
    assert read(entry.cache) == kept
    changed = mutants(good) | {"sealed by somebody else": theirs}
    assert len(changed) >= 100
    for name, content in changed.items():
        entry.write(content)
        assert read(entry.cache) is None, name
    entry.write(good)
    assert read(entry.cache) == kept


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
        monkeypatch.setattr("axiomcheck.gating.run.check_outcomes", lambda *_: PASSED)
    assert cell(gated(path), "Pri", metric).status == "worse"
    return path


def forged(content: Any) -> Any:
    """An entry's content with nothing wrong: no violation, and no checks to fail."""
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

"""Check that measured times add up: stages of a search, and work of tests by kind and by test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import speed

from tests.support.suites import quality
from tests.support.transcripts import ROOT


def test_every_stage_of_the_search_is_measured_and_the_parts_make_up_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "PAIR_AXIOMS", [axiom for axiom in speed.PAIR_AXIOMS if axiom.name == "Red"])
    monkeypatch.setattr(speed, "rows_of", lambda axiom: [speed.parse("NRBP"), speed.parse("RBP-IA")])
    found = speed.search(200)
    assert {"Red: search / bare kernels, x", "Red: instances per second and cell, /s"} <= found.keys()
    parts = [name for name in found if name.startswith("search: ") and "in all" not in name]
    assert len(parts) == 6
    assert all(found[name] >= 0 for name in parts)
    assert found["search: in all, s"] <= sum(found[name] for name in parts) * 1.05
    assert found["search / bare kernels, x"] > 1


TESTS = """
import subprocess, sys, time
from axiomcheck.checks.contract import run_contract
from axiomcheck.metrics import parse

BUSY = "import time\\nend = time.process_time() + 0.5\\nwhile time.process_time() < end: pass"

def test_own():
    exec(BUSY)

def test_started():
    subprocess.run([sys.executable, "-c", BUSY], check=True)

def test_checked():
    for _ in range(20):
        run_contract(parse("RBP"), checks=["in-range"])
"""


@quality
def test_each_kind_of_work_is_charged_to_the_test_that_had_it_done(tmp_path: Path) -> None:
    (tmp_path / "test_costs.py").write_text(TESTS, encoding="utf-8")
    words = [sys.executable, ROOT / "benchmarks" / "suite.py", "--by", "test", "--json", "costs.json", "--", "-n0", "."]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    costs = {row["test"].partition("::")[2]: row for row in json.loads((tmp_path / "costs.json").read_text("utf-8"))}
    largest = {name: max(row["kinds"], key=row["kinds"].get) for name, row in costs.items()}
    assert largest == {
        "test_own": "other work of the tests' own process",
        "test_started": "interpreters that tests start",
        "test_checked": "contract checks",
    }
    assert [costs[name]["started"] for name in ("test_own", "test_started")] == [0, 1]
    assert all(costs[name]["kinds"][largest[name]] > 0.4 for name in ("test_own", "test_started"))
    assert "3 tests" in done.stdout

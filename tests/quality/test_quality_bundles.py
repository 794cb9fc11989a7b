"""Every bundle of the paper's rows against the tool, and the tables on many more instances drawn at random."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from axiomcheck.axioms import AXIOMS
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import paper_rows, parse
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.bundle import bundle_of
from axiomcheck.reports.bundle.calls import tool_calls
from tests.reports.bundles_in_tool import differences, drawn, written
from tests.reports.test_reports_bundle import NAMES, SETTINGS

pytest.importorskip("ir_measures")

WITHOUT = {
    *(("NRBP(p=0.8, alpha=0.5)", axiom) for axiom in ("Pri", "AspDiv")),
    *(("alpha-nDCG(alpha=0.5)@20", axiom) for axiom in ("Pri", "AspDiv")),
    *(("EU(alpha=0.5, e=0.05, log=2)", axiom) for axiom in ("Pri", "CloseTh", "AspDiv", "AspRel")),
    *(("RBU(p=0.8, e=0.05)@20", axiom) for axiom in ("Red", "AspRel")),
}
"""Findings that no measure of ir_measures shows: graded novelty, and metrics that it does not have."""


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """The metrics and axioms of the default matrix that have findings, so that every refuted one is there."""
    axioms = [AXIOMS[name] for name in ("Pri", "CloseTh", "AspDiv", "Red", "AspRel")]
    return run_matrix([*paper_rows(), parse("RBP(p=0.612)")], axioms, settings=SETTINGS)


def test_every_bundle_is_what_the_tool_prints(ledger: Ledger, tmp_path: Path) -> None:
    found, without = 0, set()
    for number, cell in enumerate(ledger.cells):
        if cell.witness is None:
            continue
        bundle = bundle_of(cell.witness)
        if cell.finding and not bundle.calls:
            without.add((cell.metric, cell.axiom))
        assert differences(bundle.calls, written(bundle, tmp_path / str(number))) == [], (cell.metric, cell.axiom)
        found += bool(bundle.calls)
    assert without == WITHOUT
    assert sum(cell.finding and cell.witness is not None for cell in ledger.cells) == len(WITHOUT) + 9
    assert found > 30


def test_the_folders_of_the_findings_pass_pytest_and_a_shell(ledger: Ledger, tmp_path: Path) -> None:
    findings = [cell for cell in ledger.cells if cell.finding and cell.witness is not None]
    for cell in findings:
        assert cell.witness is not None
        name = f"{cell.metric.partition('(')[0]}-{cell.axiom}"
        bundle = bundle_of(cell.witness)
        folder = written(bundle, tmp_path / name)
        (folder / "test_witness.py").rename(tmp_path / f"test_{len(list(tmp_path.iterdir()))}.py")
        if cell.axiom == "CloseTh":
            assert_typed(bundle.commands, folder)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST")},
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert f"{len(findings)} passed, {len(findings)} xfailed" in done.stdout


def assert_typed(commands: tuple[str, ...], folder: Path) -> None:
    """The commands as they stand on the page, in processes of their own."""
    page = (folder / "README.md").read_text(encoding="utf-8")
    for command in commands:
        words = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
        assert f"$ {command}\n{done.stdout}" in page


@pytest.mark.parametrize("name", NAMES)
def test_the_tool_prints_what_is_said_of_many_more(name: str, tmp_path: Path) -> None:
    metric, found = parse(name), 0
    for shown in drawn(metric, 20, 11):
        calls = tool_calls(metric, shown)
        for call in calls:
            for file, content in call.files.files.items():
                (tmp_path / file).write_text(content, encoding="utf-8")
        assert differences(calls, tmp_path) == [], (name, shown)
        found += bool(calls)
    assert found

"""Small projects with a metric and a contract, for the tests of the gate."""

from pathlib import Path

import pytest

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.gating.config import load_contract
from axiomcheck.gating.judge import Judged
from axiomcheck.gating.record import record
from axiomcheck.gating.run import GateResult, Listener, run_gate

GAIN = """
def gain(grades, weights):
    total = 0 * weights[:, 0]
    for k in range(grades.shape[1]):
        total = total + (grades[:, k] * weights).sum(axis=1) / 2 ** (k + 1){cost}
    return total
"""
GOOD = GAIN.format(cost="")
"""Pri holds; Conf is violated, since a trailing document of grade 0 is free."""
NO_DISCOUNT = GOOD.replace("2 ** (k + 1)", "2")
"""Pri is violated: the order of documents has no effect."""
COSTLY = GAIN.format(cost=" - 0.125")
"""Conf holds: every document costs something."""

LEDGER = "ledger.sqlite"

PASSED = [Outcome(check.name, check.group, "passed", "", 12, None) for check in CHECKS.values()]
"""List one passed outcome for every contract check."""

CONTRACT = """
# what we promise
examples = 300

[metrics."gain.py:gain"]
regime = "finite"

[metrics."gain.py:gain".axioms]
Pri = "holds"
Conf = {expect = "violated", reason = "trailing documents are free"}  # settled in March
"""


def project(directory: Path, contract: str = CONTRACT, **files: str) -> Path:
    """Write a contract and Python files (name -> text); return the contract's path."""
    directory.mkdir(exist_ok=True)
    for name, text in ({"gain": GOOD} | files).items():
        (directory / f"{name}.py").write_text(text, encoding="utf-8")
    path = directory / "axiomcheck.toml"
    path.write_text(contract, encoding="utf-8")
    return path


def leave_checks_out(patch: pytest.MonkeyPatch, outcomes: list[Outcome] = PASSED) -> None:
    """Have this come of the contract checks where they are beside the point: they take seconds."""
    patch.setattr("axiomcheck.gating.run.check_outcomes", lambda *_: outcomes)


def gated(path: Path, cache: bool = True, jobs: int = 1, listen: Listener = lambda event: None) -> GateResult:
    """Run the gate with its ledger beside the contract: a copy of the project knows what was found of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AXIOMCHECK_LEDGER", str(path.parent / LEDGER))
        return run_gate(load_contract(path), jobs, cache, listen)


def updated(path: Path) -> GateResult:
    result = gated(path)
    record(result)
    return result


def cell(result: GateResult, axiom: str, metric: str = "gain.py:gain") -> Judged:
    (found,) = [j for j in result.cells if (j.metric, j.axiom) == (metric, axiom)]
    return found


def statuses(result: GateResult) -> dict[str, str]:
    return {j.axiom: j.status for j in result.cells}

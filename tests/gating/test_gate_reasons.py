"""Contracts that begin, and the reasons that what is violated is recorded with."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.gating import load_contract, record
from axiomcheck.gating.record import unexplained, write_first
from tests.gating.gate_projects import LEDGER, PASSED, gated, leave_checks_out, project

METRIC = "P@2"
"""Violates Pri, since the order of documents has no effect, and Conf."""
BARE = f'examples = 300\n[metrics."{METRIC}"]\nregime = "finite"\n[metrics."{METRIC}".axioms]\nPri = "holds"\n'
REASON = 'Conf = {expect = "violated", reason = "trailing documents are free"}\n'


@pytest.fixture(autouse=True)
def one_check_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all contract checks pass but one, without running them."""
    leave_checks_out(monkeypatch, [replace(PASSED[0], status="failed", reason="it is above 1"), *PASSED[1:]])


FAILING = PASSED[0].check


def gate(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["gate", "-j", "1", *words], input=typed)


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axiomcheck.cli.gate.can_ask", lambda: True)


def test_nothing_new_is_recorded_without_a_reason(tmp_path: Path) -> None:
    path = project(tmp_path, BARE)
    before = path.read_bytes()
    done = gate("--contract", str(path), "--update")
    assert done.exit_code == 2
    assert f"{METRIC}, Pri: [1, 0] must score above [0, 1] but both score" in done.stderr
    assert f"{METRIC}, {FAILING}: it is above 1" in done.stderr
    assert "--reason" in done.stderr
    assert path.read_bytes() == before
    assert not (tmp_path / "axiomcheck-witnesses").exists()


def test_a_reason_is_kept_and_shown(tmp_path: Path) -> None:
    path = project(tmp_path, BARE)
    done = gate("--contract", str(path), "--update", "--reason", "order is no matter here")
    assert done.exit_code == 0, done.output
    assert "must score above [0, 1]" in done.stdout
    said = tomllib.loads(path.read_text(encoding="utf-8"))["metrics"][METRIC]
    assert said["axioms"]["Pri"] == {"expect": "violated", "reason": "order is no matter here"}
    assert said["checks"][FAILING] == {"expect": "fails", "reason": "order is no matter here"}
    again = gate("--contract", str(path))
    assert again.exit_code == 0
    assert "Pri is violated as expected: order is no matter here" in again.stdout
    assert f"{FAILING} fails as expected: order is no matter here" in again.stdout


def test_a_reason_that_is_there_is_not_asked_for(tmp_path: Path) -> None:
    recorded = BARE.replace('Pri = "holds"\n', REASON)
    path = project(tmp_path, f'{recorded}[metrics."{METRIC}".checks]\n{FAILING} = {{expect = "fails", reason = "r"}}\n')
    assert not unexplained(gated(path))
    done = gate("--contract", str(path), "--update")
    assert done.exit_code == 0, done.output
    assert 'reason = "trailing documents are free"' in path.read_text(encoding="utf-8")


def test_on_a_terminal_each_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    path = project(tmp_path, BARE)
    done = gate("--contract", str(path), "--update", typed="\n   \nlike this\nand that\n")
    assert done.exit_code == 0, done.output
    said = tomllib.loads(path.read_text(encoding="utf-8"))["metrics"][METRIC]
    assert said["axioms"]["Pri"]["reason"] == "like this"
    assert said["checks"][FAILING]["reason"] == "and that"
    assert done.stderr.index("must score above") < done.stderr.index("Why is that all right?")


def test_who_gives_no_answer_has_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    path = project(tmp_path, BARE)
    before = path.read_bytes()
    assert gate("--contract", str(path), "--update", typed="").exit_code == 130
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [("--reason", "x"), ("--update", "--reason", "  "), ("--update", "--budget", "5s"), ("--contract", "none.toml")],
)
def test_options_that_do_not_go_together_are_turned_down(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, BARE)
    monkeypatch.chdir(tmp_path)
    assert gate(*words).exit_code == 2


def test_a_first_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / LEDGER))  # what one run finds the next one knows
    assert gate("--init", METRIC).exit_code == 2  # no reason
    assert not (tmp_path / "axiomcheck.toml").exists()
    done = gate("--init", METRIC, "--reason", "so it is")
    assert done.exit_code == 0, done.output
    contract = load_contract(tmp_path / "axiomcheck.toml")
    assert [metric.name for metric in contract.metrics] == [METRIC]
    assert contract.metrics[0].axioms["Conf"].reason == "so it is"
    assert gate().exit_code == 0
    kept = (tmp_path / "axiomcheck.toml").read_bytes()
    again = gate("--init", METRIC, "--reason", "so it is")
    assert again.exit_code == 2
    assert "is not overwritten" in again.stderr
    assert (tmp_path / "axiomcheck.toml").read_bytes() == kept


def test_errors_leave_no_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for metric, code in (("missing.py:gain", 1), ("nDCX", 2)):
        assert gate("--init", metric, "--reason", "x").exit_code == code
        assert not (tmp_path / "axiomcheck.toml").exists()


def test_a_contract_in_a_shared_file_is_not_doubled(tmp_path: Path) -> None:
    shared = tmp_path / "pyproject.toml"
    shared.write_text('[tool.axiomcheck.metrics."RBP"]\n', encoding="utf-8")
    for path in (shared, tmp_path / "axiomcheck.toml"):
        with pytest.raises(InvalidInput, match="belongs there"):
            write_first(["gain.py:gain"], path)
    assert not (tmp_path / "axiomcheck.toml").exists()


def test_a_file_is_named_from_where_the_contract_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lab").mkdir()
    monkeypatch.chdir(tmp_path)
    path = write_first(["lab/gain.py:gain", "RBU(p=0.9)@10"], tmp_path / "lab" / "c.toml")
    assert list(tomllib.loads(path.read_text(encoding="utf-8"))["metrics"]) == ["gain.py:gain", "RBU(p=0.9)@10"]


def test_without_reasons_the_sentence_stands_in(tmp_path: Path) -> None:
    path = project(tmp_path, BARE)
    result = gated(path)
    record(result)
    reason = load_contract(path).metrics[0].axioms["Pri"].reason
    assert reason == unexplained(result)[METRIC, "Pri"]

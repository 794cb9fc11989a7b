"""Contracts that begin, and the reasons that what is violated is recorded with."""

import tomllib
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.gating.config import load_contract
from axiomcheck.gating.record import write_first
from tests.gating.gate_projects import LEDGER, PASSED, leave_checks_out, project
from tests.support.commands import command

METRIC = "P@2"
"""Violates Pri, since the order of documents has no effect, and Conf."""
BARE = f'examples = 300\n[metrics."{METRIC}"]\nregime = "finite"\n[metrics."{METRIC}".axioms]\nPri = "holds"\n'


@pytest.fixture(autouse=True)
def one_check_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all contract checks pass but one, without running them."""
    leave_checks_out(monkeypatch, [replace(PASSED[0], status="failed", reason="it is above 1"), *PASSED[1:]])


FAILING = PASSED[0].check


gate = partial(command, "gate", "-j", "1", input="")


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axiomcheck.cli.gate.can_ask", lambda: True)


def test_without_a_terminal_the_reason_is_to_do_and_the_next_run_names_its_line(tmp_path: Path) -> None:
    path = project(tmp_path, BARE)
    done = gate("--contract", str(path), "--update")
    assert done.exit_code == 0, done.output
    lines = [n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if 'reason = "TODO"' in line]
    assert len(lines) == 2
    assert f"Next: replace TODO with a reason in axiomcheck.toml, lines {lines[0]}, {lines[1]}." in done.stderr
    refused = gate("--contract", str(path))
    assert refused.exit_code == 2
    assert f"{path}:{lines[0]}: the reason is still TODO" in refused.stderr
    assert f"(also on line {lines[1]}); replace it with why this is acceptable:\nPri = {{expect" in refused.stderr
    with pytest.raises(InvalidInput, match="still TODO"):
        load_contract(path)
    done = gate("--contract", str(path), "--update")
    assert done.exit_code == 0, done.output
    assert path.read_text(encoding="utf-8").count("TODO") == 2


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ('Conf = {expect = "violated", reason = "TODO"}', True),
        ("Conf = {expect = 'violated', 'reason' = 'TODO: ask Ann'}", True),
        ('[metrics."P@2".axioms.Conf]\nexpect = "violated"\nreason = "TODO"', True),
        ('Conf.reason = """\nTODO"""\nConf.expect = "violated"', False),
    ],
)
def test_a_reason_that_is_to_do_is_found_however_it_is_written(line: str, named: bool, tmp_path: Path) -> None:
    path = project(tmp_path, f'[metrics."P@2".axioms]\n# reason = "TODO"\n{line}\n')
    with pytest.raises(InvalidInput) as refused:
        load_contract(path)
    number = 2 + len(line.splitlines())
    assert (f"{path}:{number}: " if named else "the reason for P@2, Conf is still TODO") in str(refused.value)
    assert load_contract(path, unfinished=True).metrics[0].unexplained == ["Conf"]


def test_on_a_terminal_each_kind_of_failure_is_asked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    path = project(tmp_path, BARE + BARE.partition("\n")[2].replace(METRIC, "P@3"))
    done = gate("--contract", str(path), "--update", input="like this\n\n")
    assert done.exit_code == 0, done.output
    for said in tomllib.loads(path.read_text(encoding="utf-8"))["metrics"].values():
        assert said["axioms"]["Pri"]["reason"] == "like this"
        assert said["checks"][FAILING]["reason"] == "TODO"
    first, second, _ = done.stderr.split("Why is this acceptable?")
    assert (first.count("must score above"), second.count("it is above 1")) == (2, 2)


def test_who_gives_no_answer_has_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    path = project(tmp_path, BARE)
    before = path.read_bytes()
    assert gate("--contract", str(path), "--update").exit_code == 130
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
        with pytest.raises(InvalidInput, match="belongs here"):
            write_first(["gain.py:gain"], path)
    assert not (tmp_path / "axiomcheck.toml").exists()


def test_a_file_is_named_from_where_the_contract_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lab").mkdir()
    monkeypatch.chdir(tmp_path)
    path = write_first(["lab/gain.py:gain", "RBU(p=0.9)@10"], tmp_path / "lab" / "c.toml")
    assert list(tomllib.loads(path.read_text(encoding="utf-8"))["metrics"]) == ["gain.py:gain", "RBU(p=0.9)@10"]

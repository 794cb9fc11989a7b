"""`axiomcheck check` as a user runs it; the option --budget, and what is told and drawn while a run is at work."""

import json
import re
import threading
from functools import partial
from io import StringIO
from pathlib import Path

import click
import pytest
from rich.console import Console

import axiomcheck.checks.metric as checks_of_metric
from axiomcheck import AXIOMS, Reading, Regime, Verdict, find_axiom, parse
from axiomcheck.cli import progress
from axiomcheck.cli.console import say
from axiomcheck.cli.options import duration
from axiomcheck.cli.progress import VerdictsSoFar
from axiomcheck.core.documents import document_of
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import cell_of
from axiomcheck.engine.events import CellDecided, CellSoFar, Progress, Said
from axiomcheck.engine.run import run_matrix
from tests.support.commands import command
from tests.support.suites import quality

FAST = ["--examples", "50", "-j", "1"]
invoke = partial(command, "check")


@pytest.fixture
def no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the contract checks out where they are beside the point."""
    monkeypatch.setattr(checks_of_metric, "run_contract", lambda *_, **__: [])


@quality
@pytest.mark.usefixtures("no_checks")
def test_rows_are_those_of_the_matrix_in_each_regime() -> None:
    axioms = [AXIOMS[name] for name in ("Pri", "CloseTh")]
    done = invoke("RBU@3", "-a", "Pri", "-a", "CloseTh", "--format", "json", *FAST)
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)["metrics"]
    assert [r["regime"] for r in found["readings"]] == [r.value for r in Regime]
    for reading in found["readings"]:
        ledger = run_matrix([parse("RBU@3")], axioms, Reading(Regime(reading["regime"])), Settings(examples=50))
        for cell, other in zip(reading["cells"], ledger.cells, strict=True):
            assert (cell["axiom"], cell["verdict"]) == (other.axiom, other.verdict.value)
            assert cell["evidence"] == document_of(other.evidence)
            assert cell["witness"] == (other.witness and document_of(other.witness))


def test_in_full_a_check_has_shares_margins_and_the_contract() -> None:
    whole = " ".join(invoke("NRBP@3", "-a", "Pri", *FAST, "-v").output.split())
    assert re.search(r"violated in [\d.]+% of the sampled instances", whole)
    assert "by up to" in whole
    assert re.search("0 of [0-9]+ contract checks failed", whole)


@pytest.mark.usefixtures("no_checks")
def test_the_rows_of_regimes_that_differ_stand_apart_and_all_are_counted(tmp_path: Path) -> None:
    done = invoke("RBU@3", "-a", "Pri", "-a", "CloseTh", "-a", "Conf", *FAST, "--witnesses", str(tmp_path / "found"))
    rows = [line.split()[0] for line in done.stdout.splitlines() if re.match("(stated|limit|finite|all)", line)]
    assert rows == ["stated,", "finite"]
    assert "\n○ CloseTh: refuted for every n" in done.stdout
    assert "○ Pri (finite): [1, 1, 0] must score above [1, 0, 1] but both score" in done.stdout
    assert "1 of 3 axioms hold wherever they apply" in done.stdout
    written = [str(path) for path in (tmp_path / "found").iterdir()]
    assert [name.count("-Pri") for name in written].count(1) == 1
    assert len(written) == 4, "CloseTh is refuted under each reading"
    assert command("replay", *written).exit_code == 0


@pytest.mark.usefixtures("no_checks")
@pytest.mark.parametrize("option", [("--axiom", "Pri"), ("--witnesses", "found"), ("--domain", "binary")])
def test_options_about_axioms_do_not_go_with_the_contract_alone(option: tuple[str, str], tmp_path: Path) -> None:
    name, value = option
    done = invoke("RBP", "--contract-only", name, str(tmp_path / value) if name == "--witnesses" else value)
    assert done.exit_code == 2
    assert f"omit {name} or --contract-only" in " ".join(done.stderr.split())


def test_axioms_that_do_not_apply_are_not_counted(tmp_path: Path) -> None:
    done = invoke("P@3", "-a", "Red", "-a", "Pri", *FAST)
    assert "0 of 1 axiom holds" in done.stdout
    assert "– Red: it scores only one aspect" in done.stdout
    assert done.stdout.index("○ Pri: ") < done.stdout.index("– Red: "), "what fails is first"


READS = """
import os
def gain(grades, weights):
    total = (grades.sum(axis=1) * weights).sum(axis=1) / 2
    return 1 - total if os.environ.get("REVERSED") else total
"""


def test_what_was_decided_before_is_loaded_from_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["RBP@3", "-a", "Pri", "-a", "Conf", "-a", "Sat", *FAST, "--format", "json"]
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / "ledger.sqlite"))
    first, second = invoke(*words), invoke(*words)
    assert (first.stdout, first.exit_code) == (second.stdout, second.exit_code)
    assert "from the ledger" not in first.stderr
    assert "loaded from the ledger (see: axiomcheck ledger -h)" in second.stderr
    assert "5 searches loaded from the ledger" in second.stderr  # of Sat there is one, whatever the regime


@pytest.mark.parametrize("name", ["check", "matrix"])
def test_a_change_outside_the_source_of_a_metric_changes_its_verdict_at_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gain.py").write_text(READS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / "ledger.sqlite"))
    words = [name, "gain.py:gain", "-a", "AspDiv", *FAST, "--format", "json"]
    first = command(*words)
    monkeypatch.setenv("REVERSED", "1")
    second = command(*words)
    assert "from the ledger" not in second.stderr
    assert '"verdict": "bounded"' in first.stdout
    assert '"verdict": "bounded"' not in second.stdout
    assert '"verdict": "refuted"' in second.stdout


@pytest.mark.parametrize(("text", "seconds"), [("2m", 120), ("500ms", 0.5), ("90", 90), ("1.5 s", 1.5), ("1h", 3600)])
def test_times(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["0", "0s", "-1s", "5parsecs", "", "s", "1e3", "nan", "inf", "9" * 400, "٣s"])
def test_other_texts_are_no_times(text: str) -> None:
    with pytest.raises(click.BadParameter, match="expected 60s"):
        duration(text)


def test_answers_come_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    cell = cell_of(parse("RBP"), find_axiom("Pri"), Verdict.HELD)
    with progress.progress_bar(60.0) as listen:
        for event in (Said("10 ms a call"), Progress(0.5, "Pri"), CellSoFar(cell, True), CellDecided(cell)):
            listen(event)
    assert capsys.readouterr() == (
        "",
        "10 ms a call\nRBP(p=0.8), Pri where r << 1: so far held\nRBP(p=0.8), Pri: held\n",
    )


def test_without_a_budget_only_what_is_said_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_bar() as listen:
        for event in (Said("no workers"), Progress(0.5, "Pri"), CellDecided(cell_of(parse("RBP"), find_axiom("Pri")))):
            listen(event)
    assert capsys.readouterr().err == "no workers\n"


def test_without_a_terminal_a_line_now_and_then_says_how_far_the_work_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heard, threads = threading.Event(), threading.active_count()
    said = "0 s: 60% done, now 3 of 5 topics\n"
    monkeypatch.setattr(progress, "PERIOD", 0.001)
    monkeypatch.setattr(progress, "say", lambda text: (say(text), f"{text}\n" == said and heard.set()))
    with progress.progress_bar() as listen:
        progress.parts_done(listen, "topics")(3, 5)
        assert heard.wait(60)  # the first lines may be from before
    assert capsys.readouterr().err.endswith(said)
    assert threading.active_count() == threads


def test_a_log_that_cannot_be_written_ends_the_command_in_its_own_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = threading.Event()

    def lost(text: str) -> None:
        tried.set()
        raise BrokenPipeError(text)

    monkeypatch.setattr(progress, "PERIOD", 0.001)
    monkeypatch.setattr(progress, "say", lost)
    with pytest.raises(BrokenPipeError, match="at work"), progress.progress_bar():
        tried.wait()


def test_a_check_that_decides_nothing_in_time_names_a_longer_one(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import time\n\ndef it(topic, ranking):\n    time.sleep(2)\n    return 0.0\n", encoding="utf-8")
    done = invoke(f"{file}:it", "-a", "Pri", "--budget", "1s")
    assert done.exit_code == 4
    told = " ".join(done.stdout.split())
    assert "No axiom was decided within the budget of 1 s. To give it more time: axiomcheck check" in told
    assert told.endswith("--budget 4s")


def test_a_metric_that_ends_its_process_is_not_given_more_time(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import os\n\ndef it(topic, ranking):\n    os._exit(1)\n", encoding="utf-8")
    done = invoke(f"{file}:it", "-a", "Pri")
    assert done.exit_code == 4
    assert "more time" not in done.stdout
    assert "its process died (exit code 1)" in done.stdout


DRAWN = [AXIOMS["Pri"], AXIOMS["Red"], AXIOMS["Sat"]]


def drawn(verdicts: VerdictsSoFar) -> dict[str, list[str]]:
    """Draw the table, and return its rows by their first word."""
    console = Console(file=StringIO(), width=100)
    console.print(verdicts.table())
    assert isinstance(console.file, StringIO)
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    return {first: rest for first, *rest in filter(None, lines)}


def test_rows_grow_as_cells_come_in_and_begin_anew_with_the_next_metric() -> None:
    verdicts = VerdictsSoFar(DRAWN)
    assert drawn(verdicts)["stated"] == ["·"] * 3
    rbp, other = parse("RBP"), parse("P@10")
    verdicts.add(CellDecided(cell_of(rbp, AXIOMS["Pri"], Verdict.PROVED), small=True))
    verdicts.add(CellSoFar(cell_of(rbp, AXIOMS["Red"], Verdict.HELD), small=True))
    verdicts.add(CellDecided(cell_of(rbp, AXIOMS["Red"], Verdict.REFUTED)))
    found = drawn(verdicts)
    assert found["limit"] == ["●", "◐", "·"]
    assert found["finite"] == ["·", "○", "·"]
    assert found["stated"] == [
        "●" if AXIOMS["Pri"].states_small else "·",
        "◐" if AXIOMS["Red"].states_small else "○",
        "·",
    ]
    verdicts.add(CellDecided(cell_of(other, AXIOMS["Sat"], Verdict.ERROR)))
    found = drawn(verdicts)
    assert found["finite"] == ["·", "·", "!"]
    assert "P@10" in found

"""The option --budget: times as people write them, and what is told and drawn while a run is at work."""

import contextlib
import json
import threading
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from rich.console import Console

from axiomcheck import AXIOMS, Verdict, find_axiom, parse
from axiomcheck.cli import progress
from axiomcheck.cli.console import say
from axiomcheck.cli.options import duration
from axiomcheck.cli.program import main
from axiomcheck.cli.progress import VerdictsSoFar
from axiomcheck.engine.cells import cell_of
from axiomcheck.engine.events import CellDecided, CellSoFar, Progress, Said
from tests.support.suites import quality


@pytest.mark.parametrize(
    ("text", "seconds"), [("60s", 60), ("2m", 120), ("500ms", 0.5), ("90", 90), ("1.5 s", 1.5), ("1h", 3600)]
)
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


@pytest.mark.parametrize(
    ("begin", "said"),
    [
        (lambda: progress.progress_bar(), "0 s: 50% done, now Pri\n"),
        (lambda: progress.Counted(), "0 s: 3 of 5 topics\n"),
    ],
)
def test_without_a_terminal_a_line_now_and_then_says_how_far_the_work_is(
    begin: Callable[[], contextlib.AbstractContextManager[Any]],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    heard, threads = threading.Event(), threading.active_count()
    monkeypatch.setattr(progress, "PERIOD", 0.001)
    monkeypatch.setattr(progress, "say", lambda text: (say(text), f"{text}\n" == said and heard.set()))
    with begin() as work:
        if isinstance(work, progress.Counted):
            work.of("topics")(3, 5)
        else:
            work(Progress(0.5, "Pri"))
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


@quality
def test_a_report_says_that_it_had_a_budget(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def it(topic, ranking):\n    return 1.0 * len(ranking)\n", encoding="utf-8")
    words = [f"{tmp_path / 'own.py'}:it", "-a", "Pri", "--budget", "60s", "--examples", "100", "-f", "json"]
    done = CliRunner().invoke(main, ["check", *words])
    (found,) = json.loads(done.stdout)["metrics"]
    assert found["settings"]["budget"] == 60
    assert {cell["verdict"] for reading in found["readings"] for cell in reading["cells"]} == {"refuted"}


def test_a_check_that_decides_nothing_in_time_names_a_longer_one(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import time\n\ndef it(topic, ranking):\n    time.sleep(2)\n    return 0.0\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["check", f"{file}:it", "-a", "Pri", "--budget", "1s"])
    assert done.exit_code == 4
    told = " ".join(done.stdout.split())
    assert "No axiom was decided within the budget of 1 s. To give it more time: axiomcheck check" in told
    assert told.endswith("--budget 4s")


def test_a_metric_that_ends_its_process_is_not_given_more_time(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import os\n\ndef it(topic, ranking):\n    os._exit(1)\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["check", f"{file}:it", "-a", "Pri"])
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

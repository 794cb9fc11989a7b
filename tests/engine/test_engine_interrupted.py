"""Runs that are ended at some moment, here or on a cluster, lose nothing that was finished: the next run loads it.

`benchmarks/interrupted.py` tries more moments, and what becomes of damaged ledgers.
"""

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import psutil
import pytest

from tests.support.forked import axiomcheck_command
from tests.support.suites import quality
from tests.support.transcripts import ROOT
from tests.support.waiting import interrupt, started, until

pytestmark = quality

COMMAND = "matrix RBP NRBP RBU -a Pri -a Deep --examples 50 --no-proofs -f json"


def run(folder: Path, ledger: str) -> str:
    """Return the report of a run in one process, whose bytes are those of any number of workers."""
    done = axiomcheck_command([*COMMAND.split(), "-j", "1"], folder, AXIOMCHECK_LEDGER=ledger)
    assert done.code in (0, 1, 4, 5), done.stderr
    return done.stdout


def entries(ledger: Path) -> dict[bytes, bytes]:
    """Return what is kept of searches in a ledger, by its keys, read by other means than axiomcheck's.

    The seconds that each took are part of it, so that what was done again is seen.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True, timeout=30)) as base:
        rows = base.execute("SELECT key, about, content FROM entries").fetchall()
        return {key: content for key, about, content in rows if json.loads(about)["kind"] in ("cell", "block")}
    return {}  # it is not there, or being made


def test_what_was_finished_is_not_done_again(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    process = started([*COMMAND.split(), "-j", "2"], tmp_path, AXIOMCHECK_LEDGER=str(ledger))
    until(lambda: len(entries(ledger)) >= 2 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    process.communicate(timeout=60)
    finished = entries(ledger)
    assert len(finished) >= 2
    out = run(tmp_path, str(ledger))
    assert finished.items() <= entries(ledger).items()
    expected = run(tmp_path, "off")
    assert re.sub(r",\s+\d+\s+of\s+them\s+from\s+the\s+ledger", "", out).split() == expected.split()


def test_ctrl_c_ends_a_campaign_in_workers_which_reports_every_cell(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = "matrix RBP RBP(p=0.5) -a Pri --no-proofs --examples 500 -j 2 --until 1h -f json -o"
    with started([*words.split(), str(report)], tmp_path) as process:
        assert process.stderr is not None
        told_open = (line for line in process.stderr if line.startswith("2 cells open; "))
        for _ in range(2):  # after the ordinary run, and once both have had further blocks
            assert next(told_open, "")
        _, told = interrupt(process)  # and not after an hour
    assert told.endswith("interrupted; every cell was decided\n"), told
    found = json.loads(report.read_text(encoding="utf-8"))
    assert [cell["verdict"] for cell in found["cells"]] == ["held"] * 2
    assert all(cell["evidence"]["blocks"] > 1 for cell in found["cells"])


PAGE = ROOT / "docs" / "how-to" / "cluster.md"
COMMANDS = [shlex.split(command) for command in re.findall(r"^```sh\n(.*?)\n```$", PAGE.read_text("utf-8"), re.M)]
METRICS = ["RBP", "P@5", "mine.py:gain", "mine.py:crashes"]
ASKED = shlex.split("-a Pri -a Deep -a DeepTh -a Conf -a Red --no-proofs --examples 1500 -f json")

MINE = """
import os
import numpy as np

def gain(grades, weights):
    return grades[:, :, 0].sum(axis=1)

def crashes(grades, weights):
    if grades.shape[1] > 2:
        os._exit(7)
    return grades[:, :, 0].sum(axis=1)
"""


class Processes:
    def __init__(self, folder: Path, ends: ExitStack) -> None:
        self.folder, self.ends = folder, ends
        self.scheduler = self.start([*COMMANDS[0][:-1], "0", "--host", "127.0.0.1", "--no-dashboard"], "scheduler")
        until(lambda: "Scheduler at:" in self.text("scheduler"))
        (self.address,) = re.findall(r"Scheduler at: +(tcp://\S+)", self.text("scheduler"))
        self.worker = self.start([*self.here(COMMANDS[1]), "--no-dashboard"], "worker")

    def start(self, words: list[str], name: str, ledger: str = "off") -> subprocess.Popen[bytes]:
        words = [str(Path(sys.executable).parent / words[0]), *words[1:]]
        out, err = (self.ends.enter_context((self.folder / f"{name}.{end}").open("wb")) for end in ("out", "err"))
        environment = os.environ | {"AXIOMCHECK_LEDGER": ledger, "DASK_TEMPORARY_DIRECTORY": str(self.folder)}
        process = subprocess.Popen(words, stdout=out, stderr=err, cwd=self.folder, env=environment)
        self.ends.callback(end_all, process)
        return process

    def here(self, words: list[str]) -> list[str]:
        return [self.address if word.startswith("tcp://") else word for word in words]

    def command(self, name: str, ledger: str = "off") -> subprocess.Popen[bytes]:
        return self.start([*self.here(COMMANDS[2]), *METRICS, *ASKED], name, ledger)

    def text(self, name: str, end: str = "err") -> str:
        return (self.folder / f"{name}.{end}").read_text("utf-8")


def end_all(process: subprocess.Popen[bytes]) -> None:
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            child.kill()
    process.kill()
    process.wait()


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    (tmp_path / "mine.py").write_text(MINE)
    with ExitStack() as ends:
        yield Processes(tmp_path, ends)


def tasks_there(address: str) -> int:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return int(client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))


def test_the_bytes_are_those_of_one_process_whatever_is_killed(processes: Processes) -> None:
    ledger = processes.folder / "ledger"
    first = processes.command("first", str(ledger))
    until(lambda: len(entries(ledger)) > 2)
    below = psutil.Process(processes.worker.pid).children()
    (worker,) = (process for process in below if "spawn_main" in " ".join(process.cmdline()))
    worker.kill()
    known = len(entries(ledger))
    until(lambda: len(entries(ledger)) > known + 3 or first.poll() is not None)
    assert first.poll() is None
    first.kill()
    until(lambda: tasks_there(processes.address) == 0)

    second = processes.command("second", str(ledger))
    assert second.wait(120) == 4  # of the crashes
    told = [line for line in processes.text("second").splitlines() if not re.match(r"\d+ s: \d+% done", line)]
    assert len(told) == 1  # and nothing of Dask's
    assert re.match(r"\d+ searches loaded from the ledger", told[0])

    alone = axiomcheck_command(["matrix", "-j", "1", *METRICS, *ASKED], processes.folder)
    assert (alone.code, alone.stdout) == (4, processes.text("second", "out"))
    assert "exit code 7" in alone.stdout

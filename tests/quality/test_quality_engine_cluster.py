"""A scheduler and a worker as docs/how-to/cluster.md starts them: killed one after the other, and the same bytes."""

import os
import re
import shlex
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
from tests.support.waiting import until

pytestmark = quality
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


def entries(ledger: Path) -> int:
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as base:
        return int(base.execute("SELECT count(*) FROM entries").fetchone()[0])
    return 0  # it is not there, or being made


def tasks_there(address: str) -> int:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return int(client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))


def test_the_bytes_are_those_of_one_process_whatever_is_killed(processes: Processes) -> None:
    ledger = processes.folder / "ledger"
    first = processes.command("first", str(ledger))
    until(lambda: entries(ledger) > 2)
    below = psutil.Process(processes.worker.pid).children()
    (worker,) = (process for process in below if "spawn_main" in " ".join(process.cmdline()))
    worker.kill()
    known = entries(ledger)
    until(lambda: entries(ledger) > known + 3 or first.poll() is not None)
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

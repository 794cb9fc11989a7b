"""Sends a signal to a command at some moment, and looks at what it left: its exit code, processes, files."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.faults.beside import left_behind, marked
from tests.support.waiting import until

__all__ = ["SIGNALS", "Stopped", "signalled"]

SIGNALS = {
    signal.SIGINT: 130,
    signal.SIGTERM: -signal.SIGTERM,
    signal.SIGHUP: -signal.SIGHUP,
    signal.SIGKILL: -signal.SIGKILL,
}
"""Signal -> the exit code of a command that it ended."""

_BREEDING = """
import pathlib, subprocess, time

def it(topic, ranking):
    subprocess.Popen(["sleep", "4321"], start_new_session=True)
    pathlib.Path(__file__).with_name("bred").touch()
    time.sleep(0.05)
    return float(len(ranking))
"""
_PROGRAM = """
from axiomcheck.processes.interrupts import take_over
take_over()
import os
os.write(1, b"!")
from axiomcheck.__main__ import run
run()
"""
_COMMAND = """
matrix RBP ERR-IA@20 breeding.py:it good.py:dcg -a Pri -a Conf --examples 60 --timeout 2 -j 2
-f json -o report.json --witnesses witnesses
"""
_REGULAR = 4
"""The exit code of that command when it is left alone: cells of the breeding metric run past their limit."""


@dataclass(frozen=True)
class Stopped:
    code: int
    stderr: str
    wrong: str
    seconds: float


def _hears_signals() -> None:
    """In the background of a shell, or under nohup, signals are ignored from birth on."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def signalled(number: signal.Signals | None, moment: float, folder: Path, good: str) -> Stopped:
    """Run a command on metrics of the catalogue and of files, over a report that is there, and sends it a signal.

    Args:
        number: the signal; None for none.
        moment: seconds after the first line of the program: what comes before is the start of Python.
        folder: to run it in.
        good: the source of an honest metric, ``dcg``.

    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "good.py").write_text(good, encoding="utf-8")
    (folder / "breeding.py").write_text(_BREEDING, encoding="utf-8")
    (folder / "report.json").write_text('"old"', encoding="utf-8")
    mark = marked()
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *_COMMAND.split()],
        cwd=folder,
        env=os.environ | mark,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_hears_signals,
    )
    process.stdout.read(1)
    if number is not None:
        time.sleep(moment)
        if number is signal.SIGKILL:  # which only tells something once there are processes to be left
            until((folder / "bred").exists)
        if number is signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
    _, stderr = process.communicate(timeout=120)
    seconds = time.monotonic() - start
    said = stderr.decode(errors="replace")
    wrong = (
        []
        if number is None or process.returncode in (SIGNALS[number], _REGULAR)
        else [f"exit code {process.returncode}"]
    )
    wrong += ["a traceback"] if "Traceback" in said else []
    wrong += [f"left behind: {line}" for line in left_behind(mark)]
    wrong += _wrong_files(folder)
    return Stopped(process.returncode, said, "; ".join(wrong), seconds)


def _wrong_files(folder: Path) -> list[str]:
    wrong = [f"a part of a file: {path.name}" for path in folder.rglob("*.tmp")]
    for path in (folder / "report.json", *folder.glob("witnesses/*.json")):
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            wrong.append(f"half of a file: {path.name}")
    return wrong

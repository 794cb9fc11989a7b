"""Runs commands on misbehaving metrics beside honest ones; what became of the honest ones, and what was left behind."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import psutil

from tests.faults.misbehaving import GOOD, HONEST, Fault

__all__ = ["COMMANDS", "Command", "Ran", "beside", "left_behind", "marked", "write_files"]

Command = Literal["matrix", "check", "gate"]
COMMANDS: tuple[Command, ...] = ("matrix", "check", "gate")

Ended = tuple[int | None, str, str]
"""An exit code, standard output and standard error."""
Runs = Callable[[Sequence[str], Path, Mapping[str, str], float], Ended]

_MARK = "AXIOMCHECK_FAULTS"
_MEMORY = 1024
_PER_FAULT = 48.0
"""Seconds after which a command is taken not to end, for each misbehaving metric."""


@dataclass(frozen=True)
class Ran:
    code: int | None
    stderr: str
    honest: str
    others: dict[str, str]
    left: tuple[str, ...]

    def lost(self, clean: Ran) -> str:
        """Say what went wrong, next to a run without misbehaving metrics; empty if nothing did."""
        if self.code is None:
            return "did not end"
        if self.honest != clean.honest:
            return "honest cells are missing or others"
        if "Traceback" in self.stderr:
            return "a traceback"
        if self.left:
            return f"left behind: {'; '.join(self.left)}"
        return "" if self.code in (0, 1, 4, 5) else f"exit code {self.code}"


def started(words: Sequence[str], folder: Path, environ: Mapping[str, str], seconds: float) -> Ended:
    command, all_environ = [sys.executable, "-m", "axiomcheck", *words], os.environ | environ
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=all_environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return None, "", (late.stderr or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def beside(
    command: Command,
    faults: Sequence[Fault],
    folder: Path,
    honest: Sequence[str] = HONEST,
    run: Runs = started,
    limit: int = 60,
) -> Ran:
    """Run a command on one or two honest metrics, and on misbehaving ones before, between and after them.

    Args:
        limit: seconds for each piece of work. A metric that hangs takes them all, and an honest one on a busy machine
            must not reach them.

    """
    names = write_files(folder, faults)
    third = -(-len(names) // 3)
    good = [f"good.py:{name}" for name in honest]
    metrics = [*names[:third], good[0], *names[third : 2 * third], *good[1:], *names[2 * third :]]
    mark = marked()
    code, stdout, stderr = run(
        [*_words(command, metrics, folder, limit), "-j", "2"], folder, mark, 60 + _PER_FAULT * len(faults)
    )
    found = _found(command, stdout)
    kept = json.dumps([found.get(name) for name in good], indent=1)
    others = {fault.name: _said(found.get(name)) for fault, name in zip(faults, names, strict=True)}
    return Ran(code, stderr, kept, others, left_behind(mark))


def write_files(folder: Path, faults: Sequence[Fault]) -> list[str]:
    """Writes the honest metrics and a file for each fault; the names of the latter's metrics."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "good.py").write_text(GOOD, encoding="utf-8")
    for number, fault in enumerate(faults):
        (folder / f"bad{number}.py").write_text(fault.source, encoding="utf-8")
    return [f"bad{number}.py:it" for number in range(len(faults))]


def _words(command: Command, metrics: Sequence[str], folder: Path, limit: int) -> list[str]:
    limits = ["--timeout", str(limit), "--memory", str(_MEMORY)]
    if command == "matrix":
        words = list(metrics)
        more = "-a Pri --examples 50 --no-proofs -f json"
        return ["matrix", *words, *more.split(), *limits]
    if command == "check":
        return ["check", *metrics, "-a", "Pri", "--examples", "100", "--format", "json", *limits]
    lines = ["examples = 100", f"timeout = {limit}", f"memory = {_MEMORY}"]
    for name in metrics:
        lines += [f'[metrics."{name}".axioms]', 'Pri = "holds"', 'Conf = "holds"']
    (folder / "axiomcheck.toml").write_text("\n".join(lines), encoding="utf-8")
    return ["gate", "--format", "json"]


def _found(command: Command, stdout: str) -> dict[str, Any]:
    """Metric -> what was found of it."""
    try:
        document = json.loads(stdout)
    except ValueError:
        return {}
    if command == "check":
        return {entry["metric"]: entry for entry in document["metrics"]}
    found: dict[str, Any] = {}
    for part in ("cells", "checks"):
        for entry in document.get(part, []):
            found.setdefault(entry["metric"], []).append(entry)
    return found


def _said(entry: Any) -> str:
    """The first reason that is given in what was found of a metric."""
    if isinstance(entry, list):
        return next(filter(None, map(_said, entry)), "")
    if isinstance(entry, dict):
        own = entry.get("reason") or entry.get("message") or (entry.get("cause") or {}).get("text")
        return str(own) if own else next(filter(None, map(_said, entry.values())), "")
    return ""


def marked() -> dict[str, str]:
    return {_MARK: secrets.token_hex(8)}


def left_behind(mark: dict[str, str], seconds: float = 5.0) -> tuple[str, ...]:
    """The command lines of marked processes that are still there after some seconds; they are killed."""
    deadline = time.monotonic() + seconds
    while (found := _marked_processes(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in found:
        process.kill()
    return tuple(" ".join(process.info["cmdline"] or [])[:100] for process in found)


def _marked_processes(mark: dict[str, str]) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline", "environ", "status"]):
        environ = process.info["environ"] or {}
        if process.info["status"] != psutil.STATUS_ZOMBIE and mark.items() <= environ.items():
            found.append(process)
    return found

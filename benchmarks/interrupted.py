"""Runs that are killed, and ledgers that are damaged: a table of what became of the verdicts and of finished work.

    python benchmarks/interrupted.py [--kills N] [--examples N] [--seed N]

Every run is `axiomcheck matrix` as users type it, with a ledger of its own; afterwards the same command is run once
more, to its end, and its JSON report has to be that of a run without a ledger, byte for byte. Exits with 1 if one is
not, or if finished work was lost. docs/how-to/ledger.md has its table.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

METRICS = ("RBP", "RR", "ERR-IA@20", "NRBP", "RBU@20")
FULL_KILOBYTES = 160
"""Of the small disk: a ledger without its log, and no more."""


@dataclass(frozen=True)
class Trial:
    """A run that something happened to, and the one after it.

    Args:
        kept: searches whose outcome could still be read when it was over.
        again: searches that the next run did not do again.
        same: whether the next run's report is what it should be.
        told: what the run said of its ledger on stderr.

    """

    kept: int
    again: int
    same: bool
    told: str = ""


class Laboratory:
    """Runs one command again and again.

    Args:
        folder: to work in.
        examples: of each cell.
        jobs: worker processes.

    """

    def __init__(self, folder: Path, examples: int, jobs: int = 2) -> None:
        self.folder, self._made = folder, 0
        chosen = list(METRICS)
        asked = ["matrix", *chosen, "--examples", str(examples), "-j", str(jobs), "-f", "json"]
        self.command = [sys.executable, "-m", "axiomcheck", *asked]
        began = time.monotonic()
        self.expected = self.run(None).stdout
        self.seconds = time.monotonic() - began

    def new_ledger(self) -> Path:
        """The path of a ledger that is not there yet."""
        self._made += 1
        return self.folder / f"ledger{self._made}.sqlite"

    def environment(self, ledger: Path | None) -> dict[str, str]:
        """Of a command with that ledger, or without one."""
        secret = {name: str(self.folder / "home") for name in ("HOME", "XDG_CONFIG_HOME")}
        return {**os.environ, **secret, "AXIOMCHECK_LEDGER": "off" if ledger is None else str(ledger)}

    def begin(self, ledger: Path | None, prelude: str = "") -> subprocess.Popen[bytes]:
        """Starts the command, in a process group of its own; the prelude is Python that runs in it before."""
        command = self.command
        if prelude:
            code = f"{prelude}\nimport sys\nsys.argv = {['axiomcheck', *command[3:]]!r}\n"
            code += "from axiomcheck.__main__ import run\nsys.exit(run())"
            command = [sys.executable, "-c", code]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment(ledger),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def run(self, ledger: Path | None, prelude: str = "") -> subprocess.CompletedProcess[bytes]:
        """The command, to its end."""
        process = self.begin(ledger, prelude)
        out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def after(self, ledger: Path, kept: int, told: str = "") -> Trial:
        """The next run with that ledger."""
        then = self.run(ledger)
        found = re.search(rb"([\d,]+) search(?:es)? loaded from the ledger", then.stderr)
        again = int(found[1].replace(b",", b"")) if found else 0
        return Trial(kept, again, then.stdout == self.expected, told or _told(then.stderr))


def kept_in(ledger: Path) -> int:
    """How many searches a ledger holds, read by other means than axiomcheck's."""
    with contextlib.closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True, timeout=30)) as base:
        try:
            (count,) = base.execute("SELECT count(*) FROM entries").fetchone()
        except sqlite3.DatabaseError:
            return 0
    return int(count)


def _told(stderr: bytes) -> str:
    said = [line for line in stderr.decode(errors="replace").splitlines() if line.startswith("ledger: ")]
    return said[0] if said else ""


def killed(laboratory: Laboratory, rng: random.Random, number: int) -> Trial:
    """SIGKILL at a random moment: to the command, to one of its workers, or to all of them."""
    ledger = laboratory.new_ledger()
    process = laboratory.begin(ledger)
    time.sleep(rng.uniform(0.05, laboratory.seconds))
    with contextlib.suppress(ProcessLookupError):
        if number % 3 == 0:
            os.killpg(process.pid, signal.SIGKILL)
        elif number % 3 == 1:
            process.kill()
        else:
            os.kill(rng.choice(workers_of(process.pid) or [process.pid]), signal.SIGKILL)
    process.communicate()
    return laboratory.after(ledger, kept_in(ledger) if ledger.exists() else 0)


def workers_of(parent: int) -> list[int]:
    """The processes that a process started."""
    found = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(text) for text in found.read_text().split()] if found.exists() else []


def full_disk(laboratory: Laboratory) -> Trial | None:
    """A ledger on a disk that is full before the run is half done; None where none can be mounted."""
    disk = laboratory.folder / "disk"
    disk.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={FULL_KILOBYTES}k", "tmpfs", str(disk)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        return None
    try:
        ledger = disk / "ledger.sqlite"
        first = laboratory.run(ledger)
        trial = laboratory.after(ledger, kept_in(ledger), _told(first.stderr))
        return Trial(trial.kept, trial.again, trial.same and first.stdout == laboratory.expected, trial.told)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def damaged(laboratory: Laboratory, whole: Path, rng: random.Random, how: str) -> Trial:
    """A finished run's ledger, cut off at a random place, or with random bits flipped."""
    ledger = laboratory.new_ledger()
    content = bytearray(whole.read_bytes())
    if how == "truncated":
        del content[rng.randrange(1, len(content)) :]
    else:
        for _ in range(30):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    ledger.write_bytes(content)
    return laboratory.after(ledger, 0)


def together(laboratory: Laboratory) -> Trial:
    """Two runs at once with one ledger."""
    ledger = laboratory.new_ledger()
    both = [laboratory.begin(ledger) for _ in range(2)]
    outs = [process.communicate()[0] for process in both]
    trial = laboratory.after(ledger, kept_in(ledger))
    return Trial(trial.kept, trial.again, trial.same and outs == [laboratory.expected] * 2)


def jumping(laboratory: Laboratory) -> Trial:
    """A clock that jumps by up to ten years, back and forth, whenever it is looked at."""
    ledger = laboratory.new_ledger()
    prelude = (
        "import itertools, time\nreal = time.time\n"
        "jumps = itertools.cycle([0, 3e8, -3e8, 86400, -86400])\ntime.time = lambda: real() + next(jumps)"
    )
    first = laboratory.run(ledger, prelude)
    trial = laboratory.after(ledger, kept_in(ledger))
    return Trial(trial.kept, trial.again, trial.same and first.stdout == laboratory.expected)


def trials(laboratory: Laboratory, kills: int, damages: int, seed: int) -> Iterator[tuple[str, list[Trial]]]:
    """Every fault with what became of its runs."""
    rng = random.Random(seed)
    yield "SIGKILL at a random moment", [killed(laboratory, rng, number) for number in range(kills)]
    whole = laboratory.new_ledger()
    laboratory.run(whole)
    for how in ("truncated", "bits flipped"):
        yield f"ledger: {how}", [damaged(laboratory, whole, rng, how) for _ in range(damages)]
    full = full_disk(laboratory)
    if full is not None:
        yield "full disk", [full]
    yield "two runs at once", [together(laboratory)]
    yield "clock that jumps", [jumping(laboratory)]


def lost(fault: str, trial: Trial) -> bool:
    """Tell a trial that went wrong: another report, or finished work done again although the ledger was sound."""
    return not trial.same or (not fault.startswith("ledger") and trial.again < trial.kept)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--damages", type=int, default=5)
    parser.add_argument("--examples", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder), asked.examples)
        print(f"{len(METRICS) * 10} cells, some {laboratory.seconds:.0f} s a run\n")
        print("| fault | runs | reports that differ | searches kept | of these loaded again | said |")
        print("| --- | --: | --: | --: | --: | --- |")
        for fault, found in trials(laboratory, asked.kills, asked.damages, asked.seed):
            differ = sum(not trial.same for trial in found)
            kept, again = sum(trial.kept for trial in found), sum(trial.again for trial in found)
            bad += sum(lost(fault, trial) for trial in found)
            said = next((re.sub(r"^ledger: \S+", "...", trial.told) for trial in found if trial.told), "")
            print(f"| {fault} | {len(found)} | {differ} | {kept or ''} | {again} | {said} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

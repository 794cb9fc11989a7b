"""Runs that are ended at some moment lose nothing that was finished: the next run loads it, and ends as one alone does.

`benchmarks/interrupted.py` tries more moments, and what becomes of damaged ledgers.
"""

import json
import os
import re
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tests.support.forked import axiomcheck_command
from tests.support.suites import quality
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

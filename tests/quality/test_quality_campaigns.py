"""A campaign in workers, which Ctrl-C ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path


def test_ctrl_c_ends_a_campaign_in_workers_which_reports_every_cell(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = "matrix -m RBP -m RBP(p=0.5) -a Pri --no-proof --examples 1000 -j 2 --until 1h -f json -o"
    command = [sys.executable, "-m", "axiomcheck", *words.split(), str(report)]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("wave 1: 2 cells open; ")
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=300)  # and not after an hour
    assert process.returncode == 130
    assert told.endswith("interrupted; every cell was decided\n"), told
    found = json.loads(report.read_text(encoding="utf-8"))
    assert [cell["verdict"] for cell in found["cells"]] == ["held"] * 2
    assert all(cell["evidence"]["blocks"] > 1 for cell in found["cells"])

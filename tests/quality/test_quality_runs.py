"""RBP with a longer reach than that of the everyday tests, and unanimity in processes of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from axiomcheck.runs.trec import Options, read_qrels, read_run
from axiomcheck.runs.unanimity import SCENARIOS, ScoringTask, score_task
from tests.runs.test_trec_tools import cwl, rbp_is_that_of_cwl_eval
from tests.runs.trec_data import needs_data

__all__ = ["cwl"]  # a fixture


@needs_data
def test_rbp_is_that_of_cwl_eval(cwl: Any) -> None:
    rbp_is_that_of_cwl_eval(cwl, "0.95")


def test_processes_score_as_one_does_a_file_s_metric_too(tmp_path: Path) -> None:
    # Eleven topics, so that there are two parts to share out.
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{d} {(t + d) % 2}\n" for t in range(11) for d in range(4)))
    (tmp_path / "own.py").write_text("def mine(grades, weights):\n    return grades.sum(axis=(1, 2))\n")
    for r in range(3):
        lines = [f"{t} Q0 d{(d * 3 + r * t) % 5} {d} {9 - d} tag\n" for t in range(11) for d in range(4)]
        (tmp_path / f"run{r}").write_text("".join(lines))
    runs = [read_run(tmp_path / f"run{r}") for r in range(3)]
    names = (f"{tmp_path / 'own.py'}:mine", "RBP", "P@2")
    task = ScoringTask(names, read_qrels(tmp_path / "qrels"), runs, Options(), SCENARIOS["simulated"], 0)
    one, two = score_task(task), score_task(task, jobs=2)
    assert (one.values == two.values).all()
    assert (one.metrics, one.topics, one.notes) == (two.metrics, two.topics, two.notes)


def test_ctrl_c_ends_unanimity_with_130(tmp_path: Path) -> None:
    slow = "import time\n\n\ndef mine(grades, weights):\n    open('begun', 'w').close()\n    time.sleep(20)\n"
    (tmp_path / "own.py").write_text(slow)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 tag\n")
    words = ["unanimity", "own.py:mine", "RBP", "--qrels", "qrels", "--run", "run", "--run", "run"]
    process = subprocess.Popen(
        [sys.executable, "-m", "axiomcheck", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until = time.monotonic() + 20
    while not (tmp_path / "begun").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in stderr
    assert "Traceback" not in stderr

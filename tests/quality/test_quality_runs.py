"""RBP with a longer reach than that of the everyday tests, and unanimity in processes of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from test_trec_tools import cwl, rbp_is_that_of_cwl_eval
from trec_data import needs_data

from axiomcheck.runs.trec import Options, read_qrels, read_run
from axiomcheck.runs.unanimity import SCENARIOS, Task, score_task

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
    task = Task(names, read_qrels(tmp_path / "qrels"), runs, Options(), SCENARIOS["simulated"], 0)
    one, two = score_task(task), score_task(task, jobs=2)
    assert (one.values == two.values).all()
    assert (one.metrics, one.topics, one.notes) == (two.metrics, two.topics, two.notes)

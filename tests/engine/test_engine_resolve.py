"""Metrics in files: each has the helpers of its own folder, now and when it is called."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from axiomcheck import check
from axiomcheck.axioms import find_axiom
from axiomcheck.contract import Outcome
from axiomcheck.engine import Foreign, Interrupted, Limits
from axiomcheck.errors import InvalidInput
from axiomcheck.isolation import Workers
from axiomcheck.metrics import parse
from axiomcheck.resolve import resolve
from axiomcheck.search import Settings

EAGER = "from helpers import gain\n"
LAZY = """
def gain(grades, weights):
    from helpers import gain
    return gain(grades, weights)
"""
DEEP = "from between import gain\n"
BETWEEN = LAZY
HELPER = "def gain(grades, weights):\n    return {} * grades.sum(axis=(1, 2))\n"

PROGRAM = """
import json, sys
import numpy as np
from axiomcheck.resolve import resolve
one = np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64)
metrics = [resolve(name) for name in sys.argv[1:]]
scores = [[float(m.evaluate(*one)[0]) for m in metrics] for again in range(2)]
print(json.dumps(scores))
"""


def _project(tmp_path: Path, metric: str) -> list[str]:
    """Two folders, whose helpers weigh by 1 and by 2."""
    for weight, folder in enumerate(("old", "new"), start=1):
        (tmp_path / folder).mkdir()
        for name, text in {"metric": metric, "between": BETWEEN, "helpers": HELPER.format(weight)}.items():
            (tmp_path / folder / f"{name}.py").write_text(text, encoding="utf-8")
    return [f"{tmp_path}/{folder}/metric.py:gain" for folder in ("old", "new")]


def _run(program: str, *args: str, cwd: Path | None = None) -> Any:
    done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("metric", [EAGER, LAZY, DEEP], ids=["on-loading", "when-called", "by-a-helper-when-called"])
def test_helpers_of_the_same_name_stay_apart(metric: str, tmp_path: Path) -> None:
    assert _run(PROGRAM, *_project(tmp_path, metric)) == [[1, 2], [1, 2]]


def test_a_helper_that_is_missing_is_not_taken_from_another_folder(tmp_path: Path) -> None:
    old, new = _project(tmp_path, EAGER)
    (tmp_path / "new" / "helpers.py").unlink()
    program = PROGRAM.replace("metrics = ", "import axiomcheck\ntry:\n    metrics = ").split("scores")[0]
    program += "except axiomcheck.InvalidInput as error:\n    print(json.dumps(str(error)))\n"
    assert "No module named 'helpers'" in _run(program, old, new)


def test_files_of_the_same_folder_share_their_helpers(tmp_path: Path) -> None:
    old, _ = _project(tmp_path, EAGER)
    (tmp_path / "old" / "second.py").write_text(EAGER, encoding="utf-8")
    program = PROGRAM.split("scores")[0] + "print(json.dumps(metrics[0].function is metrics[1].function))\n"
    assert _run(program, old, f"{tmp_path}/old/second.py:gain") is True


def test_a_dataclass_and_a_pickle_find_their_module(tmp_path: Path) -> None:
    text = """
from __future__ import annotations
import pickle
from dataclasses import dataclass
from typing import ClassVar
@dataclass
class Weigh:
    by: float
    kind: ClassVar[str] = "x"
def gain(grades, weights):
    return pickle.loads(pickle.dumps(Weigh(3))).by * grades.sum(axis=(1, 2))
"""
    old, new = _project(tmp_path, EAGER)
    (tmp_path / "old" / "metric.py").write_text(text, encoding="utf-8")
    assert _run(PROGRAM, old, new) == [[3, 2], [3, 2]]


def test_a_reference_with_helpers_of_the_same_name_is_another_metric(tmp_path: Path) -> None:
    old, new = _project(tmp_path, EAGER)
    with Workers(1, Limits()) as workers:
        outcomes, _ = check.check_contract(Foreign(new), 0, workers, old)
    assert {outcome.check: outcome.status for outcome in outcomes}["reference"] == "failed"


def test_an_interrupted_contract_is_an_interrupted_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> tuple[tuple[Outcome, ...], tuple[str, ...]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "check_contract", interrupted)
    with pytest.raises(Interrupted) as caught:
        check.check_metric(parse("RBP"), [find_axiom("Pri")], settings=Settings(proofs=False, examples=10))
    ledger = caught.value.ledger
    assert (ledger.regime, [cell.axiom for cell in ledger.cells]) == ("stated", ["Pri"])


def test_what_a_file_raises_is_told(tmp_path: Path) -> None:
    (tmp_path / "metric.py").write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="ZeroDivisionError"):
        resolve(f"{tmp_path}/metric.py:gain")

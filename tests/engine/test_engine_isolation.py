"""A hanging, a crashing, a memory-eating and a printing metric cost their own cells and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.domain import Reading, Regime
from axiomcheck.engine import Foreign, Limits, run_matrix
from axiomcheck.errors import InvalidInput, MetricError
from axiomcheck.isolation import Workers, outcome_of
from axiomcheck.metrics import parse
from axiomcheck.search import Settings
from axiomcheck.verdict import Verdict

METRICS = """
import math, os, time

def good(topic, ranking):
    return sum(topic.pool[name][0] / math.log2(rank + 2) for rank, name in enumerate(ranking))

def hanging(topic, ranking):
    time.sleep(1000)

def crashing(topic, ranking):
    os._exit(3)

def segfault(topic, ranking):
    import ctypes
    ctypes.string_at(0)

def eating(topic, ranking):
    hoard = []
    while True:
        hoard.append(bytearray(10**8))

def printing(topic, ranking):
    print("debug", flush=True)
    return good(topic, ranking)

def printing_below(topic, ranking):
    os.write(1, b"from C")
    return good(topic, ranking)

def raising(topic, ranking):
    raise KeyError("grade")

def slowly_failing(topic, ranking):
    if len(ranking) > 3:
        os._exit(7)
    return good(topic, ranking)
"""

EXPECTED = {
    "hanging": "past the limit of 15 s",
    "crashing": "exit code 3",
    "segfault": "SIGSEGV",
    "eating": "Memory",
    "printing": "standard output, which belongs to reports: 'debug'",
    "printing_below": "'from C'",
    "raising": "KeyError",
    "slowly_failing": "exit code 7",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "metrics_of_mine.py"
    path.write_text(METRICS, encoding="utf-8")
    return path


def test_all_good_cells_are_decided(file: Path) -> None:
    bad = [Foreign(f"{file}:{name}") for name in EXPECTED]
    good = Foreign(f"{file}:good")
    metrics = [parse("RBP"), bad[0], good, *bad[1:], parse("P@10")]
    axioms = [find_axiom("Pri"), find_axiom("Conf")]
    ledger = run_matrix(metrics, axioms, Reading(Regime.FINITE), Settings(examples=500), jobs=2, limits=Limits(15, 512))
    found = {(cell.metric, cell.axiom): cell for cell in ledger.cells}
    assert [c.metric for c in ledger.cells[::2]] == [m.canonical for m in metrics]
    for name, reason in EXPECTED.items():
        for axiom in axioms:
            cell = found[f"{file}:{name}", axiom.name]
            assert cell.verdict is Verdict.ERROR
            assert reason in cell.reason, (name, cell.reason)
    assert found[good.canonical, "Pri"].verdict is Verdict.HELD
    assert found[good.canonical, "Conf"].verdict is Verdict.REFUTED
    assert found["P@10", "Pri"].verdict is Verdict.REFUTED
    assert found["RBP(p=0.8)", "Pri"].verdict is Verdict.HELD


def _allocate(megabytes: int) -> int:
    return len(bytearray(megabytes * 2**20))


def test_a_worker_goes_on_after_its_limits_were_passed() -> None:
    limits = Limits(30, 200)
    with Workers(1, limits) as workers:
        asked = [workers.submit(_allocate, size) for size in (50, 1000, 50)]
        assert outcome_of(asked[0], limits) == 50 * 2**20
        with pytest.raises(MetricError, match="200 MB"):
            outcome_of(asked[1], limits)
        assert outcome_of(asked[2], limits) == 50 * 2**20


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("{file}:goood", "did you mean good"),
        ("{file}x.py:good", "there is no file"),
        ("{file}:math", "not a metric"),
        ("no_such_package.metrics:good", "no module"),
        ("json:dumps", "takes"),
    ],
)
def test_what_cannot_be_loaded_is_refused_before_the_work(file: Path, name: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        run_matrix([Foreign(name.format(file=file))], [find_axiom("Pri")])


def test_the_same_bytes_whatever_the_jobs(file: Path) -> None:
    words = ["matrix", "-m", f"{file}:good", "-m", "RBP", "-a", "Pri", "-a", "Conf", "--examples", "300", "-f", "json"]
    outputs = [
        subprocess.run(
            [sys.executable, "-m", "axiomcheck", *words, "-j", jobs], capture_output=True, text=True, check=True
        ).stdout
        for jobs in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert len(json.loads(outputs[0])["cells"]) == 4


def test_a_report_does_not_get_to_load_a_file(file: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "axiomcheck", *words], capture_output=True, text=True, check=False)

    name = f"{file}:good"
    run("matrix", "-m", name, "-a", "Conf", "--examples", "300", "-f", "json", "-o", str(report))
    refused = run("replay", str(report))
    assert refused.returncode == 2
    assert "would load code" in refused.stderr
    named = run("replay", str(report), "--metric", name)
    assert named.returncode == 0, named.stderr
    assert "1 witnesses confirmed" in named.stdout

"""Tasks decided by the workers of a Dask scheduler: the same bytes, and nothing of a worker that has other code."""

import importlib
import logging
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from axiomcheck import AXIOMS, Cell, InvalidInput, Ledger, Metric, Reading, matrix, parse
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine import cluster as cluster_module
from axiomcheck.engine.cluster import Cluster
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix, work_through
from axiomcheck.engine.tasks import External, Found, Report, Task
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.reports.formats import render
from tests.engine.campaigns import Asked
from tests.support.planted import PriFlatAtSeven

needs_dask = pytest.mark.extra("distributed")
METRICS: list[Metric] = [parse("P@10"), parse("RBP")]
ASKED = [AXIOMS["Pri"], AXIOMS["Deep"], AXIOMS["Red"]]
SETTINGS = Settings(examples=300, exhaustive=False)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a scheduler with two workers, all of them in this process."""
    from distributed import LocalCluster

    asked = {"processes": False, "protocol": "tcp", "host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(n_workers=2, threads_per_worker=1, silence_logs=logging.CRITICAL, **asked) as running:
        yield running.scheduler_address


@pytest.fixture
def place(address: str) -> Iterator[Cluster]:
    with Cluster(address) as entered:
        yield entered


@cache
def here() -> Ledger:
    return decide(None)


def decide(place: Cluster | None) -> Ledger:
    return run_matrix(METRICS, ASKED, settings=SETTINGS, machine=Machine(cluster=place))


@needs_dask
def test_a_cluster_gives_the_report_of_this_process(place: Cluster) -> None:
    assert place.jobs == 2
    there = decide(place)
    assert render(there, "json") == render(here(), "json")
    assert {cell.verdict for cell in there.cells} >= {Verdict.PROVED, Verdict.REFUTED, Verdict.NOT_APPLICABLE}
    assert all(cell.seconds for cell in there.cells if cell.evidence)


@needs_dask
def test_nothing_is_used_of_a_worker_with_other_packages(place: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    here, known = threading.current_thread(), cluster_module.circumstances()

    def circumstances() -> dict[str, str]:
        return dict(known) if threading.current_thread() is here else {**known, "numpy": "0.1"}

    monkeypatch.setattr(cluster_module, "circumstances", circumstances)
    with pytest.raises(InvalidInput, match=r"worker tcp://.*its results are not used: numpy 0\.1 there, \d\S+ here$"):
        decided(place, [Task(AXIOMS["Pri"], (METRICS[0],), Reading(), SETTINGS)])


def decided(place: Cluster, tasks: list[Task]) -> list[Cell]:
    """Return the cells of tasks, in any order."""
    reports: list[Report] = []
    waiting = tasks[::-1]
    queue: Any = SimpleNamespace(next=lambda: waiting.pop() if waiting else None, hear=reports.append)
    work_through(queue, place)
    return [report.cell for report in reports if isinstance(report, Found)]


class OneAtATime(Cluster):
    """Has both metrics in one task."""

    jobs = 1


READS = """
from pathlib import Path
BASE = float(Path(__file__).with_suffix(".base").read_text())
def gain(grades, weights):
    return BASE * grades[:, :, 0].sum(axis=1)
"""


def test_other_code_and_other_values_of_a_metric_on_a_worker_are_told(tmp_path: Path) -> None:
    file, base = tmp_path / "gain.py", tmp_path / "gain.base"
    found = []
    with Workers(1, Limits()) as workers:
        for code, value in ((READS, "1"), (READS, "1"), (READS.replace("0]", "-1]"), "1"), (READS, "2")):
            file.write_text(code, encoding="utf-8")
            base.write_text(value, encoding="utf-8")
            found.append(cluster_module.code_of_metric(External(f"{file}:gain"), workers))
    first, same, other_code, other_value = found
    cluster_module._compare("here", first, same)
    for changed, said in ((other_code, "the code of"), (other_value, "the values that")):
        with pytest.raises(InvalidInput, match=rf"its results are not used: {said} \S+gain.py:gain "):
            cluster_module._compare("there", first, changed)


@needs_dask
def test_an_answer_to_another_question_is_a_disagreement(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    decided_there = cluster_module._decided

    def of_another(task: Task, limits: Limits) -> list[Cell]:
        cells = decided_there(task, limits)
        return cells[::-1] if task.axiom.name == "Pri" else cells[:1] if task.axiom.name == "Deep" else cells

    monkeypatch.setattr(cluster_module, "_decided", of_another)
    with OneAtATime(address) as place:
        found = {(cell.metric, cell.axiom): cell for cell in decide(place).cells}
    for metric, other in (("P@10", "RBP(p=0.8)"), ("RBP(p=0.8)", "P@10")):
        assert found[metric, "Pri"].failure is Failure.DISAGREEMENT
        assert f"it sent the cell of {other} and Pri for {metric} and Pri" in found[metric, "Pri"].reason
        assert found[metric, "Red"].failure is None
    assert found["P@10", "Deep"].failure is None
    assert "fewer cells" in found["RBP(p=0.8)", "Deep"].reason


class Killing(OneAtATime):
    """Has workers that die of any task with P@10 and Pri."""

    def _result(self, future: Any) -> list[Cell]:
        from distributed.scheduler import KilledWorker, WorkerState

        cells = super()._result(future)
        if any((cell.metric, cell.axiom) == ("P@10", "Pri") for cell in cells):
            raise KilledWorker(future.key, object.__new__(WorkerState), 3)
        return cells


@needs_dask
def test_only_the_cell_that_kills_its_workers_is_in_error(address: str) -> None:
    """A task that waits on a worker which dies is charged with it; by itself each is seen for what it is."""
    with Killing(address) as place:
        for one, other in zip(here().cells, decide(place).cells, strict=True):
            if (one.metric, one.axiom) == ("P@10", "Pri"):
                assert (other.verdict, other.reason) == (Verdict.ERROR, "its worker process died")
            else:
                assert one == other


DIES = """
import os
from pathlib import Path

loads = Path(__file__).with_suffix(".loads")
with loads.open("a") as file:
    file.write("x")
if loads.stat().st_size > 1:
    os._exit(7)

def gain(grades, weights):
    return grades[:, :, 0].sum(axis=1)
"""


@needs_dask
def test_a_metric_whose_loading_ends_its_process_is_in_error_alone(
    place: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(DIES)
    foreign = External(f"{path}:gain")
    with Workers(1, place.limits) as workers:
        monkeypatch.setattr(cluster_module, "_keepers", lambda limits: workers)
        tasks = [Task(axiom, (metric,), Reading(), SETTINGS) for metric in (METRICS[0], foreign) for axiom in ASKED[:2]]
        cells = decided(place, tasks)
    assert {cell.axiom for cell in cells if cell.metric == "P@10" and cell.failure is None} == {"Pri", "Deep"}
    own = [cell for cell in cells if cell.metric == foreign.canonical]
    assert [cell.verdict for cell in own] == [Verdict.ERROR] * 2
    assert all("its worker process" in cell.reason or "exit code 7" in cell.reason for cell in own)


class Cancelling(Cluster):
    """Takes back what it asks for."""

    def _submit(self, *asked: Any, **how: Any) -> None:
        super()._submit(*asked, **how)
        self._client.cancel([*self._at_work], force=True)


@needs_dask
def test_missing_packages_a_cancelled_task_and_a_closed_client_are_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Cancelling(address) as place:
        with pytest.raises(InvalidInput, match=r"scheduler at tcp://\S+ is no longer available.*are in the ledger"):
            decide(place)
        place._client.close()
        with pytest.raises(InvalidInput, match="is no longer available"):
            place._workers()
    monkeypatch.setattr(cluster_module, "_decided", lambda task, limits: importlib.import_module("no_such_module"))
    with (
        Cluster(address) as place,
        pytest.raises(InvalidInput, match=r"cluster at tcp://.*No module named.*its scheduler and workers need"),
    ):
        decide(place)


def test_objects_are_decided_here() -> None:
    place, own = Asked(), PriFlatAtSeven()
    cells = run_matrix([own, METRICS[0]], [AXIOMS["Pri"]], settings=SETTINGS, machine=Machine(cluster=place)).cells
    assert place.asked == [("P@10", "Pri")]
    assert [cell.verdict for cell in cells] == [Verdict.REFUTED, Verdict.ERROR]


@needs_dask
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("tcp://127.0.0.1:1", "Timed out.*expected the address that 'dask scheduler' prints"),
        ("", "string of length >= 1"),
    ],
)
def test_no_scheduler_at_the_address_is_told(asked: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_PATIENCE", 0.1)
    with pytest.raises(InvalidInput, match=said):
        matrix("P@10", "Pri", scheduler=asked)


@pytest.mark.parametrize("both", [{"jobs": 2}, {"budget": 10.0}])
def test_jobs_and_budgets_are_refused_with_a_scheduler(both: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=f"matrix: {next(iter(both))} only applies to runs on this machine"):
        matrix("P@10", "Pri", scheduler="tcp://127.0.0.1:1", **both)


def test_without_dask_the_command_that_gets_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InvalidInput, match=r"a run on a cluster needs distributed.*pip install '?distributed"):
        matrix("P@10", "Pri", scheduler="tcp://127.0.0.1:1")

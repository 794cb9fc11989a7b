"""Define executors, which decide tasks in this process or in worker processes of this machine.

`axiomcheck.engine.cluster` has an executor for other machines. The result of a task depends neither on the executor nor
on the executor's other tasks.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import Protocol, TypeAlias

from axiomcheck.core.errors import OverLimit
from axiomcheck.decide.search import BLOCK
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.external import SentCell, begin_isolated, finished_cell
from axiomcheck.engine.tasks import External, Found, Plan, Report, Task, TaskShare
from axiomcheck.metrics import Metric
from axiomcheck.processes.interpreters import WorkerDied
from axiomcheck.processes.isolation import Limits, Work, Workers
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.provenance import Origin, is_genuine

_ATTEMPTS = 3
"""Number of times in a row that a worker may die before its task fails. Lack of memory may be temporary."""


@dataclass(frozen=True)
class TaskEnded:
    """Reported when a task has ended, after all its cells have been reported."""

    task: Task


Say: TypeAlias = Callable[[Report | TaskEnded | BaseException], None]
"""Callback for reports about a task, from any thread. An error of axiomcheck or of its environment ends the run."""


class Place(Protocol):
    """Executor that decides tasks: this machine's processes or a cluster."""

    @property
    def jobs(self) -> int:
        """Number of tasks that the executor decides at the same time."""

    @property
    def most(self) -> int:
        """Maximum number of tasks that may be waiting or running on the executor."""

    def begin(self, task: Task, say: Say) -> None:
        """Start a task. The executor then reports the task's cells to `say` in any order, followed by a `TaskEnded`.

        If the workers of a task die repeatedly, its remaining cells are the errors that `died` returns.
        """

    def look(self) -> None:
        """Check that the executor still works. This method is called after some time without reports."""


def died(task: Task, metric: Metric | External) -> Found:
    """Return a report with an error cell for a metric in a task whose workers died repeatedly."""
    return Found(task, failed(missing(metric, task.axiom), OverLimit("its worker process died")))


class ThisMachine:
    """Executor that decides tasks in this process or in worker processes of this machine.

    External metrics always run in worker processes.

    Args:
        workers: Worker processes, which the caller starts and ends.
        jobs: Number of processes that decide metric objects; 1 means this process.
        most: Maximum number of tasks that may be waiting or running.
        cluster: Executor for the tasks that can be sent to it.
        sends_axioms: True if the cluster decides catalogue metrics too, because the axioms can be sent to it.

    """

    def __init__(
        self,
        workers: Workers,
        jobs: int = 1,
        most: int = 1,
        cluster: Place | None = None,
        sends_axioms: bool = False,
    ) -> None:
        self._jobs, self._workers, self._most = jobs, workers, most
        self._cluster, self._sends_axioms = cluster, sends_axioms

    @property
    def jobs(self) -> int:
        """Number of tasks that the executor decides at the same time. See `Place`."""
        return self._jobs if self._cluster is None else self._cluster.jobs

    @property
    def most(self) -> int:
        """Maximum number of tasks that may be waiting or running. See `Place`."""
        return self._most if self._cluster is None else self._cluster.most

    def begin(self, task: Task, say: Say) -> None:
        """Start a task. See `Place`.

        If there is a cluster, either all or none of the task's metrics must belong to the catalogue.
        """
        metric = task.metrics[0]
        if self._cluster is not None and (isinstance(metric, External) or (self._sends_axioms and is_genuine(metric))):
            self._cluster.begin(task, say)
        elif task.seconds is not None or not task.own:
            begin_isolated(task, self._workers).add_done_callback(partial(self._ended, task, say))
        elif self._jobs > 1:
            self._workers.begin(self._decide, task, say)
        else:
            _cells_and_shares(task, lambda said: say(_report(task, said)))
            say(TaskEnded(task))

    def _ended(self, task: Task, say: Say, future: Future[Work[SentCell]]) -> None:
        """Report the cell of a task that was decided in an isolated process."""
        if future.cancelled():
            return
        try:
            say(finished_cell(task, future))
            say(TaskEnded(task))
        except BaseException as error:
            say(error)

    def _decide(self, task: Task, say: Say) -> None:
        """Run a task in a worker. If the worker dies, retry the remaining cells in another worker."""
        remaining, lives = {metric.canonical: metric for metric in task.metrics}, _ATTEMPTS

        def hear(said: Cell | float) -> None:
            nonlocal lives
            if isinstance(said, Cell):
                remaining.pop(said.metric, None)
                lives = _ATTEMPTS
            say(_report(task, said))

        try:
            while lives:
                try:
                    self._workers.call(_cells_and_shares, replace(task, metrics=tuple(remaining.values())), hear=hear)
                    break
                except WorkerDied:  # killed, or out of memory
                    lives -= 1
            else:
                for metric in remaining.values():
                    say(died(task, metric))
            say(TaskEnded(task))
        except BaseException as error:
            say(error)

    def look(self) -> None:
        """Check that the cluster, if there is one, still answers. See `Place`."""
        if self._cluster is not None:
            self._cluster.look()


def _cells_and_shares(task: Task, say: Callable[[Cell | float], None]) -> None:
    """Decide a task in this process, and report each cell and the progress as soon as they are known."""
    say(0.0)
    for cell in decide(task, say):
        say(cell)


def _report(task: Task, said: Cell | float) -> Found | TaskShare:
    return Found(task, said) if isinstance(said, Cell) else TaskShare(task, said)


@dataclass(frozen=True)
class Machine:
    """Description of the processes that decide the cells: those of this machine, and a cluster if there is one.

    Args:
        jobs: Number of worker processes; 1 means this process. This process is also used if a metric object cannot be
            sent to workers, for example because it is made from a lambda or a function in the running script.
        limits: Limits of each cell of an external metric.
        workers: Existing workers to use, with their own limits; None to start `jobs` new ones.
        cluster: Executor that decides the cells instead; the caller enters and leaves it. Metric objects from outside
            the catalogue are decided on this machine nevertheless.

    """

    jobs: int = 1
    limits: Limits = Limits()  # noqa: RUF009 - immutable
    workers: Workers | None = None
    cluster: Place | None = None

    @contextmanager
    def entered(self, plan: Plan) -> Iterator[tuple[Place, Workers]]:
        """Start the processes for a plan, and end them afterwards.

        The context manager yields the executor for the plan's tasks, and the workers for loading and checking metrics.
        """
        metrics = [metric for metric in plan.metrics if isinstance(metric, Metric)]
        sent = self.cluster is not None and _can_be_sent(plan.axioms)
        here = [metric for metric in metrics if not (sent and plan.origins[id(metric)] is Origin.CATALOGUE)]
        cells = sum(any(question.metric is metric for metric in here) for question in plan.questions)
        several = plan.until is not None or plan.settings.examples > BLOCK  # several blocks of a cell can run at once
        jobs = self.jobs if several else min(self.jobs, cells)
        if jobs > 1 and not _can_be_sent((here, plan.axioms)):
            jobs = 1
        with nullcontext(self.workers) if self.workers else Workers(self.jobs, self.limits) as workers:
            # One more task than processes keeps all processes busy. With a budget, a waiting task would lose time.
            most = self.jobs + (plan.budget is None)
            yield ThisMachine(workers, max(1, jobs), most, self.cluster, sent), workers


_sending = threading.Lock()  # all threads share sys.modules


def _can_be_sent(work: object) -> bool:
    """Return whether an object can be pickled and loaded in worker processes.

    Objects whose class or function is defined in the running script or notebook cannot be sent.
    """
    with _sending:
        program = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            pickle.dumps(work)
        except Exception:  # the class of the exception depends on the object
            return False
        finally:
            sys.modules["__main__"] = program
        return True

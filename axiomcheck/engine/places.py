"""Places where tasks are decided: this process, or worker processes of this machine; `cluster.py` has other machines.

What comes of a task does not depend on the place, nor on what else is decided there, before or at the same time.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, TypeAlias

from axiomcheck.core.errors import OverLimit
from axiomcheck.decide.search import BLOCK
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.external import SentCell, begin_isolated, found_in
from axiomcheck.engine.tasks import External, Found, Plan, Report, Task, TaskShare
from axiomcheck.metrics import Metric
from axiomcheck.processes.interpreters import WorkerDied
from axiomcheck.processes.isolation import Limits, Work, Workers
from axiomcheck.processes.workers import travels
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.provenance import Origin, is_genuine

_ATTEMPTS = 3
"""Times that a worker may die of a task without a cell in between: want of memory may pass."""

_OFTEN = 0.2
"""Seconds between two looks at a place from which nothing is heard."""


@dataclass(frozen=True)
class TaskEnded:
    """A task has come to its end, and all its cells were told."""

    task: Task


Say: TypeAlias = Callable[[Report | TaskEnded | BaseException], None]
"""Takes what is known of a task, from any thread; an error of axiomcheck or of its surroundings ends the run."""


class Queue(Protocol):
    """Pieces of work in the order of their priority, and what it hears of them."""

    def next(self) -> Task | None:
        """Return the next task; None where there is none at the moment.

        It is asked again when a task has ended. There is no more once there is none and none is at work.
        """

    def hear(self, report: Report) -> None:
        """Take what is known of a task; what this raises ends the work."""


class Place(Protocol):
    """A place where tasks are decided."""

    @property
    def jobs(self) -> int:
        """Return how many tasks it decides at a time."""

    @property
    def most(self) -> int:
        """Return how many tasks may wait or be at work there."""

    def begin(self, task: Task, say: Say) -> None:
        """Begin to decide a task: say its cells, in any order, and a `TaskEnded` last.

        The cells of a task whose worker died again and again are errors, see `died`.
        """

    def look(self) -> None:
        """Look whether the place is still there; nothing was heard from it for a while."""


def died(task: Task, metric: Metric | External) -> Found:
    """Return a cell in error, of a task whose worker died again and again."""
    return Found(task, failed(missing(metric, task.axiom), OverLimit("its worker process died")))


def work_through(tasks: Queue, place: Place) -> None:
    """Have tasks decided until there are no more, and pass on what is known of them.

    Raises:
        BaseException: what `Queue.hear` raises, or the place says. It may still be at work then.

    """
    here = threading.current_thread()
    said: queue.SimpleQueue[Report | TaskEnded | BaseException] = queue.SimpleQueue()
    at_work: dict[int, Task] = {}

    def hear(report: Report | TaskEnded | BaseException) -> None:
        if isinstance(report, BaseException):
            raise report
        if isinstance(report, TaskEnded):
            del at_work[id(report.task)]
            report = TaskShare(report.task, 1.0)
        tasks.hear(report)

    def say(report: Report | TaskEnded | BaseException) -> None:
        if threading.current_thread() is here:
            hear(report)
        else:
            said.put(report)

    while True:
        while len(at_work) < place.most and (task := tasks.next()) is not None:
            at_work[id(task)] = task
            place.begin(task, say)
        if not at_work:
            return
        try:
            hear(said.get(timeout=_OFTEN))
        except queue.Empty:
            place.look()
            for task in [*at_work.values()][:1]:
                tasks.hear(TaskShare(task, 0.0))


class ThisMachine:
    """Decides tasks in this process, or in worker processes of this machine; external metrics always in the latter.

    Args:
        workers: the processes, which somebody else begins and ends.
        jobs: how many decide metrics that are objects; 1 is this process.
        most: how many tasks may wait or be at work.
        beside: other work that the workers are at, each of which takes the place of a task; fewer than ``most``.
        cluster: has the tasks that can be sent there.
        sends_axioms: whether the axioms can be sent with catalogue metrics.

    """

    def __init__(
        self,
        workers: Workers,
        jobs: int = 1,
        most: int = 1,
        beside: Sequence[Future[Any]] = (),
        cluster: Place | None = None,
        sends_axioms: bool = False,
    ) -> None:
        self._jobs, self._workers, self._most, self._beside = jobs, workers, most, beside
        self._cluster, self._sends_axioms = cluster, sends_axioms

    @property
    def jobs(self) -> int:
        """See `Place`."""
        return self._jobs if self._cluster is None else self._cluster.jobs

    @property
    def most(self) -> int:
        """See `Place`."""
        if self._cluster is not None:
            return self._cluster.most
        return self._most - sum(not future.done() for future in self._beside)

    def begin(self, task: Task, say: Say) -> None:
        """See `Place`; with a cluster, of tasks whose metrics are all of the catalogue, or none."""
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
        """Say the cell of a task that was decided in a process of its own."""
        if future.cancelled():
            return
        try:
            say(found_in(task, future, self._workers))
            say(TaskEnded(task))
        except BaseException as error:
            say(error)

    def _decide(self, task: Task, say: Say) -> None:
        """Have a task decided in a worker, and in another one each time that one dies of it."""
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
                except WorkerDied:  # out of memory, killed
                    lives -= 1
            else:
                for metric in remaining.values():
                    say(died(task, metric))
            say(TaskEnded(task))
        except BaseException as error:
            say(error)

    def look(self) -> None:
        """See `Place`."""
        if self._cluster is not None:
            self._cluster.look()


def _cells_and_shares(task: Task, say: Callable[[Cell | float], None]) -> None:
    """Decide a task in this process, and say its cells as they come, and the share of it that is done."""
    say(0.0)
    for cell in decide(task, say):
        say(cell)


def _report(task: Task, said: Cell | float) -> Found | TaskShare:
    return Found(task, said) if isinstance(said, Cell) else TaskShare(task, said)


@dataclass(frozen=True)
class Machine:
    """Processes of this machine, and of others where there is a cluster.

    Args:
        jobs: worker processes; 1 works in this one, and so does any number if a metric object cannot be sent there,
            such as one made of a lambda, or of a function of the script or notebook at work.
        limits: on each cell of an external metric.
        workers: to decide in, within their limits; None starts as many as jobs.
        cluster: where cells are decided instead, entered and left by the caller. Metric objects that are not the
            catalogue's are decided on this machine all the same.
        beside: other work that the workers are at, each of which takes the place of a cell; fewer than ``jobs``.

    """

    jobs: int = 1
    limits: Limits = Limits()  # noqa: RUF009 - immutable
    workers: Workers | None = None
    cluster: Place | None = None
    beside: Sequence[Future[Any]] = ()

    @contextmanager
    def entered(self, plan: Plan) -> Iterator[tuple[Place, Workers]]:
        """Start what a plan needs, and end it: the place of all its tasks, and workers for what is asked besides."""
        metrics = [metric for metric in plan.metrics if isinstance(metric, Metric)]
        sent = self.cluster is not None and travels(plan.axioms)
        here = [metric for metric in metrics if not (sent and plan.origins[id(metric)] is Origin.CATALOGUE)]
        cells = sum(any(question.metric is metric for metric in here) for question in plan.questions)
        several = plan.until is not None or plan.settings.examples > BLOCK  # blocks of a cell at a time
        jobs = self.jobs if several else min(self.jobs, cells)
        if jobs > 1 and not travels((here, plan.axioms)):
            jobs = 1
        with nullcontext(self.workers) if self.workers else Workers(self.jobs, self.limits) as workers:
            # One more than there are processes, so that none waits for its next task; it would lose time of a budget.
            most = self.jobs + (plan.budget is None)
            yield ThisMachine(workers, max(1, jobs), most, self.beside, self.cluster, sent), workers

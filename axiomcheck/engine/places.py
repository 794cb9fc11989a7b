"""Where tasks are decided: in this process, or in worker processes of this machine; `cluster.py` has other machines.

What comes of a task does not depend on the place, nor on what else is decided there, before or at the same time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing.queues import SimpleQueue
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from axiomcheck.engine.cells import decide
from axiomcheck.engine.tasks import Task
from axiomcheck.processes.workers import begin_worker, births, end_pool
from axiomcheck.records.cells import Cell

_ATTEMPTS = 3
"""How often a task is begun whose worker dies: others may be to blame, or want of memory that passes."""

_OFTEN = 0.2
"""Seconds between two looks at what workers have said."""


@dataclass(frozen=True)
class Found:
    """A cell of a task, as its search left it.

    Args:
        number: of the task.
        cell: itself.

    """

    number: int
    cell: Cell


@dataclass(frozen=True)
class TaskShare:
    """So much of a task is done, from 0 to 1."""

    number: int
    share: float


Report: TypeAlias = Found | TaskShare
Hear: TypeAlias = Callable[[Report], None]


class Place(Protocol):
    """A place where tasks are decided."""

    @property
    def jobs(self) -> int:
        """How many tasks it decides at a time."""

    def decide(self, tasks: Sequence[Task], hear: Hear) -> None:
        """Tells the cells of tasks as they come, in any order; none of a task whose worker died again and again."""


class ThisProcess:
    """Decides one task after the other, here."""

    jobs = 1

    def decide(self, tasks: Sequence[Task], hear: Hear) -> None:
        """See `Place`."""
        for number, task in enumerate(tasks):
            _decide(number, task, hear)


class Pool:
    """Decides tasks in worker processes of this machine, which end when it is left.

    Args:
        jobs: how many processes.

    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._team: _Team | None = None

    def decide(self, tasks: Sequence[Task], hear: Hear) -> None:
        """See `Place`."""
        left = dict(enumerate(tasks))

        def heard(report: Report) -> None:
            hear(report)
            if isinstance(report, Found):  # which is not asked for again
                task, name = left[report.number], report.cell.metric
                others = tuple(metric for metric in task.metrics if metric.canonical != name)
                left[report.number] = replace(task, metrics=others)

        for _ in range(_ATTEMPTS):
            if not left:
                return
            self._team = self._team or _Team(self.jobs)
            try:
                self._team.decide(left, heard)
            except BrokenProcessPool:  # out of memory, killed
                self._team.end()
                self._team = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._team is not None:
            self._team.end(at_once=kind is not None)


@dataclass(frozen=True)
class _TaskEnded:
    """All that there is to say of a task was said."""

    number: int


class _Team:
    """Worker processes that live and die together, and what they say."""

    def __init__(self, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._said: SimpleQueue[Report | _TaskEnded] = context.SimpleQueue()
        self._heard: queue.SimpleQueue[Report | _TaskEnded] = queue.SimpleQueue()
        self._executor = ProcessPoolExecutor(jobs, context, _start_worker, (self._said,))
        # Of a worker that is killed while it speaks, the last word never ends: who listens is not to be waited for.
        threading.Thread(target=self._listen, daemon=True).start()

    def decide(self, left: dict[int, Task], hear: Hear) -> None:
        """Takes out of what is left what is decided.

        Raises:
            BrokenProcessPool: a worker died.

        """
        with births():
            running = {number: self._executor.submit(_decide_in_worker, number, task) for number, task in left.items()}
        while running:
            try:
                report = self._heard.get(timeout=_OFTEN)
            except queue.Empty:
                for future in running.values():
                    if future.done():
                        future.result()
                continue
            if isinstance(report, _TaskEnded):
                del running[report.number], left[report.number]
            else:
                hear(report)

    def end(self, at_once: bool = False) -> None:
        if at_once:
            end_pool(self._executor)
        self._executor.shutdown(cancel_futures=True)

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):  # the queue is gone with everybody who spoke
            while True:
                self._heard.put(self._said.get())


_said: SimpleQueue[Report | _TaskEnded] | None = None
"""In a worker: where its reports go."""


def _start_worker(said: SimpleQueue[Report | _TaskEnded]) -> None:
    global _said
    _said = said
    begin_worker()


def _decide_in_worker(number: int, task: Task) -> None:
    assert _said is not None
    _decide(number, task, _said.put)
    _said.put(_TaskEnded(number))


def _decide(number: int, task: Task, hear: Hear) -> None:
    hear(TaskShare(number, 0.0))
    for cell in decide(task, lambda share: hear(TaskShare(number, share))):
        hear(Found(number, cell))
    hear(TaskShare(number, 1.0))

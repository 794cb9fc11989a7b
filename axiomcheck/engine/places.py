"""Where tasks are decided: in this process, or in worker processes of this machine; `cluster.py` has other machines.

What comes of a task does not depend on the place, nor on what else is decided there, before or at the same time.
"""

from __future__ import annotations

import multiprocessing
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Lock
from types import TracebackType
from typing import Any, Protocol, Self, TypeAlias

from axiomcheck.engine.cells import decide
from axiomcheck.engine.tasks import Task
from axiomcheck.processes.workers import begin_worker, births, end_pool
from axiomcheck.records.cells import Cell

_ATTEMPTS = 3
"""How often workers may die, one after the other, without a cell in between: want of memory may pass."""

OFTEN = 0.2
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
        """Tells the cells of tasks as they come, in any order; none of a task whose worker died again and again.

        It says how far a task is as often as it can, even if that is no further: what `hear` raises ends the work and
        is passed on, and the place may then be left.
        """


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

        lives = _ATTEMPTS
        while left and lives:
            cells = sum(len(task.metrics) for task in left.values())
            self._team = self._team or _Team(self.jobs)
            try:
                self._team.decide(left, heard)
            except BrokenProcessPool:  # out of memory, killed
                self._team.end()
                self._team = None
                came = sum(len(task.metrics) for task in left.values()) < cells
                lives = _ATTEMPTS if came else lives - 1

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
        reader, writer = context.Pipe(duplex=False)
        self._said: queue.SimpleQueue[Report | _TaskEnded] = queue.SimpleQueue()
        self._executor = ProcessPoolExecutor(jobs, context, _start_worker, (writer, context.Lock()))
        self._over = threading.Event()
        # Of a worker that is killed while it speaks, the last word never ends: who listens is not to be waited for.
        threading.Thread(target=_listen, args=(reader, self._said, self._over), daemon=True).start()

    def decide(self, left: dict[int, Task], hear: Hear) -> None:
        """Takes out of what is left what is decided.

        Raises:
            BrokenProcessPool: a worker died.

        """
        with births():
            running = {number: self._executor.submit(_decide_in_worker, number, task) for number, task in left.items()}
        latest = TaskShare(min(running, default=0), 0.0)
        while running:
            try:
                report = self._said.get(timeout=OFTEN)
            except queue.Empty:
                for future in running.values():
                    if future.done():
                        future.result()
                hear(latest)
                continue
            if isinstance(report, _TaskEnded):
                del running[report.number], left[report.number]
                continue
            if isinstance(report, TaskShare):
                latest = report
            hear(report)

    def end(self, at_once: bool = False) -> None:
        self._over.set()
        if at_once:
            end_pool(self._executor)
        self._executor.shutdown(cancel_futures=True)


def _listen(reader: Connection[Any, Any], said: queue.SimpleQueue[Report | _TaskEnded], over: threading.Event) -> None:
    """Hands on what workers say, until all is over."""
    with suppress(EOFError, OSError):  # of a worker that is ended while it speaks the last word is never whole
        while not over.is_set():
            if reader.poll(OFTEN):
                said.put(reader.recv())
    reader.close()


_line: tuple[Connection[Any, Any], Lock] | None = None
"""In a worker: where its reports go, one at a time."""


def _start_worker(writer: Connection[Any, Any], lock: Lock) -> None:
    global _line
    _line = writer, lock
    begin_worker()


def _say(report: Report | _TaskEnded) -> None:
    assert _line is not None
    writer, lock = _line
    with lock:
        writer.send(report)


def _decide_in_worker(number: int, task: Task) -> None:
    _decide(number, task, _say)
    _say(_TaskEnded(number))


def _decide(number: int, task: Task, hear: Hear) -> None:
    hear(TaskShare(number, 0.0))
    for cell in decide(task, lambda share: hear(TaskShare(number, share))):
        hear(Found(number, cell))
    hear(TaskShare(number, 1.0))

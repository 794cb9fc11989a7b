"""Where tasks are decided: in this process, or in worker processes of this machine; `cluster.py` has other machines.

What comes of a task does not depend on the place, nor on what else is decided there, before or at the same time.
"""

from __future__ import annotations

import multiprocessing
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Lock
from types import TracebackType
from typing import Any, Protocol, Self, TypeAlias

from axiomcheck.core.errors import OverLimit
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.workers import begin_worker, births, end_pool
from axiomcheck.records.cells import Cell, failed

_ATTEMPTS = 3
"""How often workers may die, one after the other, without a cell in between: want of memory may pass."""

OFTEN = 0.2
"""Seconds between two looks at what workers have said."""


@dataclass(frozen=True)
class Found:
    """A cell of a task, as its search left it.

    Args:
        task: as it was handed out.
        cell: itself.
        seconds: that all of the task took, for a task of one cell in a process of its own.

    """

    task: Task
    cell: Cell
    seconds: float = 0.0


@dataclass(frozen=True)
class TaskShare:
    """So much of a task is done, from 0 to 1."""

    task: Task
    share: float


@dataclass(frozen=True)
class OutOfTime:
    """A task with a limit on its time came to nothing in it."""

    task: Task


Report: TypeAlias = Found | TaskShare | OutOfTime


def died(task: Task, metric: Metric | Foreign) -> Found:
    """Return a cell in error, of a task whose worker died again and again."""
    return Found(task, failed(missing(metric, task.axiom), OverLimit("its worker process died")))


class Queue(Protocol):
    """Pieces of work in the order of their priority, which places take from it, and what it hears of them."""

    def next(self) -> Task | None:
        """Return the next task; None where there is none at the moment.

        A place asks again when a task has ended. There is no more once there is none and none is at work.
        """

    def hear(self, report: Report) -> None:
        """Take what is known of a task; what this raises ends the work."""


class Place(Protocol):
    """A place where tasks are decided."""

    @property
    def jobs(self) -> int:
        """Return how many tasks it decides at a time."""

    def decide(self, tasks: Queue) -> None:
        """Decide tasks until there are no more, and tell their cells as they come, in any order.

        The cells of a task whose worker died again and again are errors, see `died`. It says how far a task is as often
        as it can, even if that is no further: what `Queue.hear` raises ends the work and is passed on, and the place
        may then be left.
        """


class ThisProcess:
    """Decides one task after the other, here."""

    jobs = 1

    def decide(self, tasks: Queue) -> None:
        """See `Place`."""
        while (task := tasks.next()) is not None:
            self._decide(task, tasks)

    def _decide(self, task: Task, tasks: Queue) -> None:
        def share(done: float) -> None:
            tasks.hear(TaskShare(task, done))

        def found(cell: Cell) -> None:
            tasks.hear(Found(task, cell))

        _decide(task, share, found)


class Pool:
    """Decides tasks in worker processes of this machine, which end when it is left.

    Args:
        jobs: how many processes.

    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._team: _Team | None = None

    def decide(self, tasks: Queue) -> None:
        """See `Place`."""
        at_work: dict[int, _AtWork] = {}
        lives = _ATTEMPTS
        while True:
            cells = sum(len(one.left) for one in at_work.values())
            self._team = self._team or _Team(self.jobs)
            try:
                self._team.decide(tasks, at_work)
            except BrokenProcessPool:  # out of memory, killed
                self.end_workers()
                came = sum(len(one.left) for one in at_work.values()) < cells
                lives = _ATTEMPTS if came else lives - 1
                if not lives:
                    for one in at_work.values():  # others may not end their workers
                        for metric in one.left:
                            tasks.hear(died(one.task, metric))
                    at_work.clear()
                    lives = _ATTEMPTS
                continue
            return

    def end_workers(self, at_once: bool = False) -> None:
        """End the processes; what is decided after that has others."""
        if self._team is not None:
            self._team.end(at_once)
            self._team = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end_workers(at_once=kind is not None)


@dataclass
class _AtWork:
    """A task that a worker has, and its metrics whose cells are not there yet."""

    task: Task
    left: tuple[Metric | Foreign, ...]


_Said: TypeAlias = "tuple[int, float | Cell | None]"
"""The number of a task, and its share, one of its cells, or None at its end."""


class _Team:
    """Worker processes that live and die together, and what they say."""

    def __init__(self, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")
        reader, writer = context.Pipe(duplex=False)
        self._ahead = 2 * jobs  # so that no worker waits for its next task
        self._said: queue.SimpleQueue[_Said] = queue.SimpleQueue()
        self._executor = ProcessPoolExecutor(jobs, context, _start_worker, (writer, context.Lock()))
        self._over = threading.Event()
        # Of a worker that is killed while it speaks, the last word never ends: who listens is not to be waited for.
        threading.Thread(target=_listen, args=(reader, self._said, self._over), daemon=True).start()

    def decide(self, tasks: Queue, at_work: dict[int, _AtWork]) -> None:
        """Decide what is at work, as far as it is left, and what else there is.

        Raises:
            BrokenProcessPool: a worker died.

        """
        running: dict[int, Future[None]] = {}
        for number, one in at_work.items():
            running[number] = self._submit(number, replace(one.task, metrics=one.left))
        latest: TaskShare | None = None
        while True:
            while len(running) < self._ahead and (task := tasks.next()) is not None:
                number = max(at_work, default=-1) + 1
                at_work[number] = _AtWork(task, task.metrics)
                running[number] = self._submit(number, task)
            if not running:
                return
            try:
                number, said = self._said.get(timeout=OFTEN)
            except queue.Empty:
                for future in running.values():
                    if future.done():
                        future.result()
                tasks.hear(latest or TaskShare(next(iter(at_work.values())).task, 0.0))
                continue
            one = at_work[number]
            if said is None:
                del running[number], at_work[number]
            elif isinstance(said, Cell):
                tasks.hear(Found(one.task, said))
                one.left = tuple(metric for metric in one.left if metric.canonical != said.metric)
            else:
                latest = TaskShare(one.task, said)
                tasks.hear(latest)

    def _submit(self, number: int, task: Task) -> Future[None]:
        with births():
            return self._executor.submit(_decide_in_worker, number, task)

    def end(self, at_once: bool = False) -> None:
        self._over.set()
        if at_once:
            end_pool(self._executor)
        self._executor.shutdown(cancel_futures=True)


def _listen(reader: Connection[Any, Any], said: queue.SimpleQueue[_Said], over: threading.Event) -> None:
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


def _say(said: _Said) -> None:
    assert _line is not None
    writer, lock = _line
    with lock:
        writer.send(said)


def _decide_in_worker(number: int, task: Task) -> None:
    def tell(said: float | Cell | None) -> None:
        _say((number, said))

    _decide(task, tell, tell)
    tell(None)


def _decide(task: Task, share: Callable[[float], None], found: Callable[[Cell], None]) -> None:
    share(0.0)
    for cell in decide(task, share):
        found(cell)
    share(1.0)

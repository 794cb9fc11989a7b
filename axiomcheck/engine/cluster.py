"""A place for tasks on other machines: the workers of a scheduler of Dask's."""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import uuid
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import TracebackType
from typing import Any, Self

from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.extras import not_installed
from axiomcheck.core.printable import printable
from axiomcheck.engine.cells import missing
from axiomcheck.engine.places import Found, Queue, TaskShare, died
from axiomcheck.engine.received import as_sent
from axiomcheck.engine.remote import (
    Answer,
    Circumstances,
    circumstances,
    code_of_axiom,
    code_of_metric,
    decide_on_worker,
)
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.records.cells import Cell, failed

_PATIENCE = 10.0
"""Seconds for a scheduler to answer."""

_AHEAD = 3
"""Tasks per worker that the scheduler has, so that none waits for its next one."""

_OFTEN = 1.0
"""Seconds between two looks at whether the scheduler and workers are there, while nothing else is heard."""

_LOGGERS = ("distributed", "tornado", "asyncio")
"""Who would write on standard error what is told otherwise here."""


@dataclass(frozen=True)
class _Sent:
    """A task that a worker is to decide.

    Args:
        asked: the task as it was handed out.
        task: what of it is to be decided.
        expected: the circumstances under which its cells count.

    """

    asked: Task
    task: Task
    expected: Circumstances


class Cluster:
    """Decides tasks on the workers of a scheduler; whichever they are, and whichever fail, the cells are the same.

    Metrics are the catalogue's, or foreign ones, which are isolated on the worker as they are here.

    Args:
        address: of the scheduler, such as ``"tcp://10.0.0.1:8786"``.
        limits: on each cell of a foreign metric.
        say: is told, a line each, what somebody who waits should know.

    Raises:
        InvalidInput: (of any method) Dask is not installed, nothing answers there, or no longer; a worker has other
            code than this process.

    """

    def __init__(self, address: str, limits: Limits = Limits(), say: Callable[[str], None] = lambda text: None) -> None:  # noqa: B008 - immutable
        self.address, self.limits, self._say = address, limits, say
        self._open = contextlib.ExitStack()
        self._client: Any = None
        self._waiting = False
        self._keepers = Workers(1, limits)
        self._code: dict[Foreign, Circumstances] = {}

    def __enter__(self) -> Self:
        try:
            from distributed import Client
        except ImportError:
            raise not_installed("a run on a cluster", "distributed", "dask") from None
        with contextlib.ExitStack() as opened:
            opened.enter_context(self._keepers)
            opened.enter_context(_silenced())
            try:
                _check_address(self.address)
                client = Client(self.address, timeout=_PATIENCE, set_as_default=False, name="axiomcheck")
            except (OSError, ValueError) as error:
                raise InvalidInput(
                    f"no scheduler answers at {self.address} ({printable(str(error))}); expected the address that "
                    "'dask scheduler' prints, such as tcp://10.0.0.1:8786"
                ) from None
            opened.callback(client.close, _PATIENCE)
            self._client = client
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What was asked for and is not decided yet is taken back."""
        self._open.close()

    @cached_property
    def jobs(self) -> int:
        """How many cells the workers decide at a time; waits for the first worker."""
        while not (threads := self._workers()):
            self._wait_a_moment()
        self._check_workers()
        if several := [worker for worker, count in threads.items() if count > 1]:
            self._say(
                f"{several[0]} has several threads, of which one at a time decides cells of the catalogue's metrics: "
                "better workers have --nthreads 1"
            )
        return len(threads)

    def decide(self, tasks: Queue) -> None:
        """See `axiomcheck.engine.places.Place`; of tasks of one foreign metric each, or of the catalogue's."""
        killing = self._decide(tasks.next, tasks)
        # Tasks that wait on a worker which dies are charged with it, too: alone it is seen whose fault it is.
        for task in killing:
            for metric in task.metrics:
                if self._decide(partial(next, iter([task]), None), tasks, (metric,)):
                    tasks.hear(died(task, metric))

    def _decide(
        self, further: Callable[[], Task | None], tasks: Queue, only: tuple[Metric | Foreign, ...] = ()
    ) -> list[Task]:
        """Decide tasks, or a few cells only of them; return those whose workers died again and again."""
        from distributed.scheduler import KilledWorker

        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running: dict[str, tuple[_Sent, Any]] = {}
        ahead = _AHEAD * self.jobs  # no worker is asked anything before its code was looked at
        killing: list[Task] = []
        while True:
            while len(running) < ahead and (task := further()) is not None:
                try:
                    sent = _Sent(task, replace(task, metrics=only or task.metrics), self._circumstances(task))
                except MetricError as error:
                    for metric in task.metrics:
                        tasks.hear(Found(task, failed(missing(metric, task.axiom), error)))
                    tasks.hear(TaskShare(task, 1.0))
                    continue
                future = self._submit(sent)
                running[future.key] = sent, future
                future.add_done_callback(ended.put)
            if not running:
                return killing
            try:
                future = ended.get(timeout=_OFTEN)
            except queue.Empty:
                ahead = max(ahead, _AHEAD * len(self._workers()))
                if not self._workers():
                    self._wait_a_moment()
                waiting, _ = next(iter(running.values()))
                tasks.hear(TaskShare(waiting.asked, 0.0))
                continue
            sent, _ = running[future.key]
            try:
                answer = self._result(future)
            except TimeoutError:  # the worker went before it handed it over: another one decides it again
                ended.put(future)
                continue
            except KilledWorker:
                killing.append(sent.asked)
            else:
                for cell in _read(sent, answer):
                    tasks.hear(Found(sent.asked, cell))
                tasks.hear(TaskShare(sent.asked, 1.0))
            del running[future.key]

    def _circumstances(self, task: Task) -> Circumstances:
        """Those under which the cells of a task count."""
        foreign = [metric for metric in task.metrics if isinstance(metric, Foreign)]
        for metric in foreign:
            if metric not in self._code:
                self._code[metric] = code_of_metric(metric, self._keepers)
        parts = [circumstances(), code_of_axiom(task.axiom), *(self._code[metric] for metric in foreign)]
        return {name: has for part in parts for name, has in part.items()}

    def _submit(self, sent: _Sent) -> Any:
        return self._client.submit(
            decide_on_worker,
            dict(sent.expected),
            pickle.dumps((sent.task, self.limits)),
            key=f"axiomcheck-{uuid.uuid4()}",
            pure=False,
        )

    def _result(self, future: Any) -> Answer:
        """What came of a task.

        Raises:
            TimeoutError: it is not there any more.
            KilledWorker: workers died of it.
            InvalidInput: see `Cluster`.

        """
        if future.status == "cancelled":
            raise self._lost()
        if future.status != "error":
            with self._reached():
                answer: Answer = future.result(timeout=_PATIENCE)
            return answer
        error = future.exception()
        if isinstance(error, RuntimeError) and "deserialization of the task graph" in str(error):
            raise InvalidInput(
                f"the scheduler at {self.address} cannot read a task of axiomcheck's: it is not installed there, or in "
                "another version; give it the packages that the workers have"
            )
        self._check_workers()
        raise error

    def _workers(self) -> dict[str, int]:
        """Address -> threads."""
        with self._reached():
            if self._client.status != "running":
                raise self._lost()
            return dict(self._client.nthreads())

    def _wait_a_moment(self) -> None:
        """Waits for a worker, and says so the first time."""
        if not self._waiting:
            self._say(f"no workers at {self.address}: waiting; 'dask worker {self.address} --nthreads 1' starts one")
        self._waiting = True
        with self._reached(), contextlib.suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=_OFTEN)

    def _check_workers(self) -> None:
        """Looks at the code of every worker that is there."""
        with self._reached():
            found = self._client.run(circumstances, on_error="return")
        for worker, there in found.items():
            if isinstance(there, OSError):  # it went while it was asked
                continue
            if isinstance(there, Exception):
                raise InvalidInput(
                    f"worker {worker} has no axiomcheck that can be used ({printable(str(there))}); expected "
                    f"{circumstances()['axiomcheck']}"
                )
            _compare(worker, circumstances(), there)

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        """Says that the scheduler is lost where asking it fails."""
        from distributed.utils import CancelledError

        try:
            yield
        except TimeoutError:
            raise
        except (OSError, CancelledError, RuntimeError) as error:
            raise self._lost() from error

    def _lost(self) -> InvalidInput:
        return InvalidInput(
            f"the scheduler at {self.address} is gone, or has forgotten this run; what was decided before is in the "
            "ledger, if there is one: once the scheduler is back, the same command goes on from there"
        )


def _check_address(address: str) -> None:
    """Looks at what a client would fail at in a way that leaves its threads behind.

    Raises:
        ValueError: it is no address, or one for encrypted connections, of which Dask's configuration knows nothing.

    """
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    get_address_host_port(address, strict=True)
    encrypted = address.startswith(("tls:", "wss:"))
    if encrypted and Security().get_connection_args("client")["ssl_context"] is None:
        raise ValueError("Dask's configuration names no certificates: distributed.comm.tls")


def _read(sent: _Sent, answer: Answer) -> list[Cell]:
    """The cells of an answer; those that are not what was asked for are in error.

    Raises:
        InvalidInput: the worker has other code than this process.

    """
    worker, found, cells = answer
    _compare(worker, sent.expected, found)
    metrics, axiom = sent.task.metrics, sent.task.axiom
    read: list[Cell] = []
    for metric, cell in zip(metrics, [*cells, *[None] * len(metrics)], strict=False):
        try:
            if cell is None:
                raise InternalDisagreement("it sent fewer cells than it was asked for")
            read.append(as_sent(cell, metric.canonical, axiom.name, sent.task.reading))
        except InternalDisagreement as error:
            told = InternalDisagreement(f"worker {worker}: {error}")
            read.append(failed(missing(metric, axiom), told))
    return read


def _compare(worker: str, expected: Circumstances, found: Circumstances) -> None:
    """Holds a worker's code to this process's.

    Raises:
        InvalidInput: it is other code.

    """
    names = [*expected, *(name for name in found if name not in expected)]
    other = [name for name in names if expected.get(name) != found.get(name)]
    if other:
        said = "; ".join(f"{name} {found.get(name, 'none')} there, {expected.get(name, 'none')} here" for name in other)
        raise InvalidInput(
            f"worker {worker} has other code than this process, and nothing of it is used: {printable(said)}"
        )


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """Nothing that Dask logs, or warns of, goes to standard error."""
    from distributed.versions import VersionMismatchWarning

    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _LOGGERS]
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # what matters is compared here
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)

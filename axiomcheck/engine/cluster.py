"""A place for tasks on other machines: the workers of a scheduler of Dask's, and what they do there."""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import pickle
import platform
import queue
import threading
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias

from axiomcheck.axioms import Axiom
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.own_code import engine_digest, is_own_class
from axiomcheck.core.packages import not_installed
from axiomcheck.core.printable import printable
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.external import decide_isolated
from axiomcheck.engine.places import Say, TaskEnded, died
from axiomcheck.engine.received import SentCell, as_sent
from axiomcheck.engine.tasks import External, Found, OutOfTime, Task, TaskShare
from axiomcheck.ledger.keys import decisive_versions
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.digest import digest
from axiomcheck.sources.fingerprint import fingerprints

if TYPE_CHECKING:  # of an extra
    from distributed import Client, Future

_PATIENCE = 10.0
"""Seconds for a scheduler to answer."""

_AHEAD = 3
"""Tasks per worker that the scheduler has, so that none waits for its next one."""

_A_MOMENT = 1.0
"""Seconds to wait for a worker, before the scheduler is looked at again."""

_LOGGERS = ("distributed", "tornado", "asyncio")
"""Names of those who would write on standard error what is told otherwise here."""

Circumstances: TypeAlias = Mapping[str, str]
"""Python, a package or a piece of code by name -> its version or digest: all that verdicts depend on beside a task."""

Answer: TypeAlias = tuple[str, dict[str, str], list[SentCell]]
"""The worker's address, its circumstances, and the cells in the order of the task's metrics, as they left its search.

No cells where the circumstances are not those that were asked for. Plain values but for the cells: a worker of another
version sends none.
"""


@dataclass
class _Sent:
    """A task that workers are to decide.

    Args:
        task: itself.
        expected: the circumstances under which its cells count.
        say: takes what is known of it.
        remaining: how many of its cells did not come yet.

    """

    task: Task
    expected: Circumstances
    say: Say
    remaining: int

    def tell(self, cells: Sequence[Found]) -> None:
        """Tell some of its cells, and the end after the last one."""
        for cell in cells:
            self.say(cell)
        self.remaining -= len(cells)
        if not self.remaining:
            self.say(TaskShare(self.task, 1.0))
            self.say(TaskEnded(self.task))


class Cluster:
    """Decides tasks on the workers of a scheduler; whichever they are, and whichever fail, the cells are the same.

    Metrics are the catalogue's, or external ones, which are isolated on the worker as they are here. A task whose
    worker goes is begun again by the scheduler, on another one.

    Args:
        address: of the scheduler, such as ``"tcp://10.0.0.1:8786"``.
        limits: on each cell of an external metric.
        say: is told, a line each, what somebody who waits should know.

    Raises:
        InvalidInput: (of any method) Dask is not installed, nothing answers there, or no longer; a worker has other
            code than this process.

    """

    def __init__(self, address: str, limits: Limits = Limits(), say: Callable[[str], None] = lambda text: None) -> None:  # noqa: B008 - immutable
        self.address, self.limits, self._say = address, limits, say
        self._open = contextlib.ExitStack()
        self._client: Client
        self._is_told = False
        self._keepers = Workers(1, limits)
        self._code: dict[External, Circumstances] = {}
        self._at_work: dict[str, Future] = {}
        self._suspects: list[tuple[_Sent, Metric | External]] = []

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
        """Take back what was asked for and is not decided yet."""
        self._open.close()

    @cached_property
    def jobs(self) -> int:
        """Return how many cells the workers decide at a time; wait for the first worker, and look at their code."""
        while not (threads := self._workers()):
            self.look()
        self._check_workers()
        if several := [worker for worker, count in threads.items() if count > 1]:
            self._say(
                f"{several[0]} has several threads, of which one at a time decides cells of the catalogue's metrics: "
                "better workers have --nthreads 1"
            )
        return len(threads)

    @property
    def most(self) -> int:
        """See `axiomcheck.engine.places.Place`."""
        return _AHEAD * max(self.jobs, len(self._workers()))

    def begin(self, task: Task, say: Say) -> None:
        """See `axiomcheck.engine.places.Place`; of tasks of one external metric each, or of the catalogue's."""
        sent = _Sent(task, {}, say, len(task.metrics))
        try:
            sent.expected = self._circumstances(task)
        except MetricError as error:
            sent.tell([Found(task, failed(missing(metric, task.axiom), error)) for metric in task.metrics])
        else:
            self._submit(sent, task.metrics)

    def look(self) -> None:
        """Look whether the scheduler is there, and wait for a worker if none is, which is said the first time."""
        if self._workers():
            return
        if not self._is_told:
            self._say(f"no workers at {self.address}: waiting; 'dask worker {self.address} --nthreads 1' starts one")
        self._is_told = True
        with self._reached(), contextlib.suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=_A_MOMENT)

    def _circumstances(self, task: Task) -> Circumstances:
        """Return the circumstances under which the cells of a task count."""
        external = [metric for metric in task.metrics if isinstance(metric, External)]
        for metric in external:
            if metric not in self._code:
                self._code[metric] = code_of_metric(metric, self._keepers)
        parts = [circumstances(), code_of_axiom(task.axiom), *(self._code[metric] for metric in external)]
        return {name: has for part in parts for name, has in part.items()}

    def _submit(self, sent: _Sent, metrics: tuple[Metric | External, ...], *, alone: bool = False) -> None:
        """Have some cells of a task decided."""
        work = pickle.dumps((replace(sent.task, metrics=metrics), self.limits))
        key = f"axiomcheck-{uuid.uuid4()}"
        future = self._client.submit(decide_on_worker, dict(sent.expected), work, key=key, pure=False)
        self._at_work[key] = future
        future.add_done_callback(partial(self._ended, sent, metrics, alone))

    def _ended(self, sent: _Sent, metrics: tuple[Metric | External, ...], alone: bool, future: Future) -> None:
        """Take what came of some cells; in the thread of Dask's that calls back.

        Tasks that wait on a worker which dies are charged with it, too. Those that workers died of are decided once
        more when nothing else is at work, each cell by itself: then it is seen whose fault it is.
        """
        from distributed.scheduler import KilledWorker

        try:
            cells = _read(sent, metrics, self._result(future))
        except KilledWorker:
            if alone:
                sent.tell([died(sent.task, metrics[0])])
            else:
                self._suspects += [(sent, metric) for metric in metrics]
        except BaseException as error:
            sent.say(error)
        else:
            sent.tell([Found(sent.task, cell) for cell in cells])
        del self._at_work[future.key]
        if self._suspects and not self._at_work:
            suspect, metric = self._suspects.pop()
            self._submit(suspect, (metric,), alone=True)

    def _result(self, future: Future) -> Answer:
        """Return what came of a task.

        Raises:
            KilledWorker: workers died of it.
            InvalidInput: see `Cluster`.

        """
        if future.status == "cancelled":
            raise self._lost()
        error = future.exception() if future.status == "error" else None
        if error is None:
            with self._reached():
                answer: Answer = future.result()
            return answer
        if isinstance(error, RuntimeError) and "deserialization of the task graph" in str(error):
            raise InvalidInput(
                f"the scheduler at {self.address} cannot read a task of axiomcheck's: it is not installed there, or in "
                "another version; give it the packages that the workers have"
            )
        self._check_workers()
        raise error

    def _workers(self) -> dict[str, int]:
        """Return how many threads each worker has, by its address."""
        with self._reached():
            if self._client.status != "running":
                raise self._lost()
            return dict(self._client.nthreads())

    def _check_workers(self) -> None:
        """Look at the code of every worker that is there."""
        with self._reached():
            answers = self._client.run(circumstances, on_error="return")
        for worker, there in answers.items():
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
        """Say that the scheduler is lost where asking it fails."""
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
    """Look at what a client would fail at in a way that leaves its threads behind.

    Raises:
        ValueError: it is no address, or one for encrypted connections, of which Dask's configuration knows nothing.

    """
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    get_address_host_port(address, strict=True)
    encrypted = address.startswith(("tls:", "wss:"))
    if encrypted and Security().get_connection_args("client")["ssl_context"] is None:
        raise ValueError("Dask's configuration names no certificates: distributed.comm.tls")


def _read(sent: _Sent, metrics: Sequence[Metric | External], answer: Answer) -> list[Cell]:
    """Return the cells of an answer; those that are not what was asked for are in error.

    Raises:
        InvalidInput: the worker has other code than this process.

    """
    worker, there, cells = answer
    _compare(worker, sent.expected, there)
    axiom, read = sent.task.axiom, list[Cell]()
    for metric, cell in zip(metrics, [*cells, *[None] * len(metrics)], strict=False):
        try:
            if cell is None:
                raise InternalDisagreement("it sent fewer cells than it was asked for")
            read.append(as_sent(cell, metric.canonical, axiom.name, sent.task.reading))
        except InternalDisagreement as error:
            read.append(failed(missing(metric, axiom), InternalDisagreement(f"worker {worker}: {error}")))
    return read


def _compare(worker: str, expected: Circumstances, there: Circumstances) -> None:
    """Hold a worker's code to this process's.

    Raises:
        InvalidInput: it is other code.

    """
    names = [*expected, *(name for name in there if name not in expected)]
    other = [name for name in names if expected.get(name) != there.get(name)]
    if other:
        said = "; ".join(f"{name} {there.get(name, 'none')} there, {expected.get(name, 'none')} here" for name in other)
        raise InvalidInput(
            f"worker {worker} has other code than this process, and nothing of it is used: {printable(said)}"
        )


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """Keep what Dask logs, or warns of, from standard error."""
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


@cache
def circumstances() -> Circumstances:
    """Return the circumstances in this process, of every task."""
    return {
        "Python": f"{platform.python_version()} ({platform.system()} {platform.machine()})",
        "axiomcheck": f"{importlib.metadata.version('axiomcheck')} ({engine_digest()[:16]})",
        "msgspec": importlib.metadata.version("msgspec"),
        **decisive_versions(),
    }


def code_of_axiom(axiom: Axiom) -> Circumstances:
    """Return what an axiom adds to them; nothing, where it is axiomcheck's own."""
    return {} if is_own_class(type(axiom)) else {f"the code of {axiom.name}": digest(axiom)}


def code_of_metric(metric: External, workers: Workers) -> Circumstances:
    """Return what an external metric adds to them: its code, and the packages that it loads.

    Args:
        metric: itself.
        workers: to load it in.

    Raises:
        MetricError: it hangs, crashes or raises as it is loaded, which says nothing of its code.

    """
    name = metric.canonical
    known = fingerprints([name], workers)[name]
    if isinstance(known, MetricError):
        raise known
    if isinstance(known, InvalidInput):
        return {f"the code of {name}": f"none ({known})"}
    return {f"the code of {name}": known.code, **known.packages}


def decide_on_worker(expected: Circumstances, work: bytes) -> Answer:
    """Decide the cells of a task, if all that verdicts depend on is here as it is where it was asked; on a worker.

    Args:
        expected: the circumstances under which they are to be decided.
        work: the task, and the limits on each cell of an external metric, pickled.

    """
    from distributed import get_worker

    where, here = get_worker().address, dict(circumstances())
    if any(expected.get(name) != has for name, has in here.items()):
        return where, here, []
    try:
        task, limits = pickle.loads(work)
    except (ImportError, AttributeError) as error:  # code from outside
        return where, here | {"the code of the task": f"none ({error})"}, []
    here |= code_of_axiom(task.axiom)
    for metric in task.metrics:
        try:
            here |= code_of_metric(metric, _keepers(limits)) if isinstance(metric, External) else {}
        except MetricError as error:  # which says nothing of its code
            return where, dict(expected), [SentCell.of(failed(missing(metric, task.axiom), error))]
    return where, here, _decided(task, limits) if here == expected else []


_ALONE = threading.Lock()
"""Held while this process decides a cell: the precision of exact numbers and what is remembered of them are its own."""


@cache
def _keepers(limits: Limits) -> Workers:
    """Start where this process has external metrics run, until it ends: that takes longer than a cell."""
    return Workers(usable_cpus(), limits)


def _decided(task: Task, limits: Limits) -> list[SentCell]:
    """Return the cells of a task in the order of its metrics."""
    if not task.own:
        told: queue.SimpleQueue[Found | OutOfTime | BaseException] = queue.SimpleQueue()
        decide_isolated(task, _keepers(limits), told.put)
        report = told.get()
        if isinstance(report, BaseException):
            raise report
        assert isinstance(report, Found)
        return [SentCell.of(report.cell)]
    with _ALONE:
        cells = {cell.metric: SentCell.of(cell) for cell in decide(task, lambda share: None)}
    return [cells[metric.canonical] for metric in task.metrics]

"""Execute tasks on the workers of a Dask scheduler, which may run on other machines."""

from __future__ import annotations

import logging
import pickle
import platform
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache, cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias

from axiomcheck.axioms import Axiom
from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.own_code import engine_digest, is_own_class
from axiomcheck.core.packages import not_installed
from axiomcheck.core.printable import printable
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.external import begin_isolated, finished_cell
from axiomcheck.engine.places import Say, TaskEnded, died
from axiomcheck.engine.tasks import External, Found, Task
from axiomcheck.ledger.keys import decisive_versions
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.limits import usable_cpus
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.digest import digest
from axiomcheck.sources.fingerprint import fingerprints

if TYPE_CHECKING:  # an optional dependency
    from distributed import Client, Future

_PATIENCE = 10.0
"""Timeout, in seconds, for an answer from the scheduler."""

_AHEAD = 3
"""Number of queued tasks per worker, which keeps workers from waiting for their next task."""

_A_MOMENT = 1.0
"""Time, in seconds, to wait for a worker before the scheduler is checked again."""

_LOGGERS = ("distributed", "tornado", "asyncio")
"""Names of loggers to silence, because their messages would repeat those of this module."""

Circumstances: TypeAlias = Mapping[str, str]
"""Versions of Python and packages, and digests of code, by name. Verdicts depend on them as well as on the task."""

Tell: TypeAlias = Callable[[Cell], None]


class Cluster:
    """Executor that sends tasks to the workers of a Dask scheduler.

    It decides cells of catalogue metrics and of external metrics, which each worker isolates in processes as on this
    machine. If a worker disappears, the scheduler restarts its task on another one. The results do not depend on which
    workers there are, or on whether workers fail.

    Args:
        address: Address of the scheduler, such as ``"tcp://10.0.0.1:8786"``.
        limits: Limits of each cell of an external metric.
        say: Callback for messages to the user, one line each.

    Raises:
        InvalidInput: Dask is not installed, the scheduler does not answer or is gone, or the code of a worker differs
            from that of this process. Any method may raise this error.

    """

    def __init__(self, address: str, limits: Limits = Limits(), say: Callable[[str], None] = lambda text: None) -> None:  # noqa: B008 - immutable
        self.address, self.limits, self._say = address, limits, say
        self._client: Client
        self._is_told = False
        self._keepers = Workers(1, limits)
        self._code: dict[External, Circumstances] = {}
        self._at_work: set[Future] = set()
        self._suspects: list[tuple[Task, Say, Tell]] = []

    def __enter__(self) -> Self:
        try:
            from distributed import Client
        except ImportError:
            raise not_installed("a run on a cluster", "distributed", "dask") from None
        with ExitStack() as opened:
            opened.enter_context(self._keepers)
            opened.enter_context(_silenced())
            try:
                _check_address(self.address)
                self._client = Client(self.address, timeout=_PATIENCE, set_as_default=False, name="axiomcheck")
            except (OSError, ValueError) as error:
                raise InvalidInput(
                    f"no scheduler answers at {self.address} ({printable(str(error))}); expected the address that "
                    "'dask scheduler' prints, such as tcp://10.0.0.1:8786"
                ) from None
            opened.callback(self._client.close, _PATIENCE)
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel the tasks that have not finished."""
        self._open.close()

    @cached_property
    def jobs(self) -> int:
        """Number of cells that the workers decide at the same time. The first access waits for a worker."""
        while not (workers := self._workers()):
            self.look()
        return len(workers)

    @property
    def most(self) -> int:
        """Maximum number of tasks on the executor. See `axiomcheck.engine.places.Place`."""
        return _AHEAD * max(self.jobs, len(self._workers()))

    def begin(self, task: Task, say: Say) -> None:
        """Start a task. See `axiomcheck.engine.places.Place`.

        The task has either a single external metric or only metrics in the catalogue.
        """
        remaining = len(task.metrics)

        def tell(cell: Cell) -> None:
            nonlocal remaining
            remaining -= 1
            say(Found(task, cell))
            if not remaining:
                say(TaskEnded(task))

        try:
            for metric in task.external:
                if metric not in self._code:
                    self._code[metric] = code_of_metric(metric, self._keepers)
        except MetricError as error:
            tell(failed(missing(metric, task.axiom), error))
        else:
            self._submit(task, say, tell)

    def look(self) -> None:
        """Check that the scheduler answers.

        If the scheduler has no workers, the user is told once, and the method waits briefly for a worker.
        """
        if self._workers():
            return
        if not self._is_told:
            self._say(
                f"there are no workers at {self.address} yet; to start one, run: dask worker {self.address} "
                f"--nthreads 1"
            )
        self._is_told = True
        with self._reached(), suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=_A_MOMENT)

    def _submit(self, task: Task, say: Say, tell: Tell, *, is_alone: bool = False) -> None:
        """Submit a task to the scheduler, and pass its cells to `tell` once they are decided."""
        expected = {**circumstances(), **code_of_axiom(task.axiom)}
        for metric in task.external:
            expected |= self._code[metric]
        work = pickle.dumps((task, self.limits))
        future = self._client.submit(decide_on_worker, expected, work, pure=False)
        self._at_work.add(future)
        future.add_done_callback(partial(self._ended, task, say, tell, is_alone))

    def _ended(self, task: Task, say: Say, tell: Tell, is_alone: bool, future: Future) -> None:
        """Report the cells of a task that has ended, or retry the task. Dask calls this method in one of its threads.

        If a worker dies, Dask also blames the tasks that waited for it. These tasks are retried one cell at a time
        while no other task is running, which reveals the cell at fault.
        """
        from distributed.scheduler import KilledWorker

        try:
            cells = self._result(future)
        except KilledWorker:
            if is_alone:
                tell(died(task, task.metrics[0]).cell)
            else:
                self._suspects += [(replace(task, metrics=(metric,)), say, tell) for metric in task.metrics]
        except BaseException as error:
            say(error)
        else:
            for number, metric in enumerate(task.metrics):
                tell(_cell_sent_for(task, metric, cells[number : number + 1]))
        self._at_work.discard(future)
        if self._suspects and not self._at_work:
            self._submit(*self._suspects.pop(), is_alone=True)

    def _result(self, future: Future) -> list[Cell]:
        """Return the cells of a finished task.

        Raises:
            KilledWorker: Workers died while they ran the task.
            InvalidInput: The scheduler is gone, or a worker's code differs from this process's.

        """
        from distributed.scheduler import KilledWorker

        if future.status == "cancelled":
            raise self._lost()
        error = future.exception() if future.status == "error" else None
        if error is None:
            with self._reached():
                cells: list[Cell] = future.result()
            return cells
        if isinstance(error, AxiomcheckError | KilledWorker):
            raise error
        raise InvalidInput(
            f"the cluster at {self.address} cannot run a task ({printable(str(error))}); its scheduler and "
            "workers need the same packages as this process"
        )

    def _workers(self) -> list[str]:
        """Return the addresses of the workers."""
        with self._reached():
            if self._client.status != "running":
                raise self._lost()
            return list(self._client.nthreads())

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Raise `InvalidInput` for a lost scheduler if a request to it fails in the ``with`` block."""
        from distributed.utils import CancelledError

        try:
            yield
        except TimeoutError:
            raise
        except (OSError, CancelledError, RuntimeError) as error:
            raise self._lost() from error

    def _lost(self) -> InvalidInput:
        return InvalidInput(
            f"the scheduler at {self.address} is no longer available or has dropped this run. The decided cells are "
            f"in the ledger, if you use one. Once the scheduler is back, repeat the command to continue"
        )


def _check_address(address: str) -> None:
    """Check an address before a Dask client uses it, since a client that cannot connect leaves its threads running.

    Raises:
        ValueError: The text is not an address, or Dask's configuration has no certificates for encrypted connections.

    """
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    get_address_host_port(address, strict=True)
    encrypted = address.startswith(("tls:", "wss:"))
    if encrypted and Security().get_connection_args("client")["ssl_context"] is None:
        raise ValueError("Dask's configuration does not name any certificates (distributed.comm.tls)")


def _cell_sent_for(task: Task, metric: Metric | External, sent: list[Cell]) -> Cell:
    """Return the cell that a worker sent for a metric, or an error cell if it sent a different one or none."""
    wrong = "it sent fewer cells than requested"
    for cell in sent:
        if (cell.metric, cell.axiom) == (metric.canonical, task.axiom.name):
            return cell
        wrong = f"it sent the cell of {cell.metric} and {cell.axiom} for {metric.canonical} and {task.axiom.name}"
    return failed(missing(metric, task.axiom), InternalDisagreement(f"a cluster worker: {wrong}"))


def _compare(worker: str, expected: Circumstances, there: Circumstances) -> None:
    """Check that a worker has the expected code and package versions.

    Raises:
        InvalidInput: A version or digest differs. The message lists every difference.

    """
    other = [name for name in {**expected, **there} if expected.get(name) != there.get(name)]
    if other:
        said = "; ".join(f"{name} {there.get(name, 'none')} there, {expected.get(name, 'none')} here" for name in other)
        raise InvalidInput(
            f"worker {worker} does not run the code of this process, so its results are not used: {printable(said)}"
        )


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep Dask's log messages and warnings off standard error while a cluster is in use."""
    from distributed.versions import VersionMismatchWarning

    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _LOGGERS]
    levels = {logging.getLogger(name): logging.getLogger(name).level for name in names}
    for logger in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # `_compare` checks the versions that matter
            yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


@cache
def circumstances() -> Circumstances:
    """Return the versions of Python and packages, and the digest of axiomcheck's code, that every task depends on."""
    from importlib.metadata import version  # lazy: few commands have workers elsewhere

    return {
        "Python": f"{platform.python_version()} ({platform.system()} {platform.machine()})",
        "axiomcheck": f"{version('axiomcheck')} ({engine_digest()[:16]})",
        "msgspec": version("msgspec"),
        **decisive_versions(),
    }


def code_of_axiom(axiom: Axiom) -> Circumstances:
    """Map a label that names the axiom to the digest of its code; return {} for axiomcheck's own axioms."""
    return {} if is_own_class(type(axiom)) else {f"the code of {axiom.name}": digest(axiom)}


def code_of_metric(metric: External, workers: Workers) -> Circumstances:
    """Map labels that name the metric to the digests in its fingerprint, and each package that it loads to its version.

    Raises:
        MetricError: The metric hangs, crashes or raises an error while it is loaded.

    """
    name = metric.canonical
    known = fingerprints([name], workers)[name]
    if isinstance(known, MetricError):
        raise known
    if isinstance(known, InvalidInput):
        return {f"the code of {name}": f"none ({known})"}
    values = {} if known.identity is None else {f"the values that {name} uses": known.identity}
    return {f"the code of {name}": known.code, **values, **known.packages}


def decide_on_worker(expected: Circumstances, work: bytes) -> list[Cell]:
    """Decide the cells of a task on a worker, in the order of its metrics.

    Args:
        expected: Versions and code digests that the worker must have.
        work: Pickled task, and limits for each cell of an external metric.

    Raises:
        InvalidInput: The worker's code or packages differ from the expected ones.

    """
    from distributed import get_worker

    where, here = get_worker().address, dict(circumstances())
    _compare(where, {name: expected.get(name, "none") for name in here}, here)
    try:
        task, limits = pickle.loads(work)
    except (ImportError, AttributeError) as error:  # the worker lacks code from elsewhere
        raise InvalidInput(f"worker {where} cannot load the code of a task: {printable(str(error))}") from None
    here |= code_of_axiom(task.axiom)
    for metric in task.external:
        try:
            here |= code_of_metric(metric, _keepers(limits))
        except MetricError as error:  # the metric's code is unknown
            return [failed(missing(metric, task.axiom), error)]
    _compare(where, expected, here)
    return _decided(task, limits)


_ALONE = threading.Lock()
"""Lock that is held while this process decides a cell, because exact arithmetic has global state."""


@cache
def _keepers(limits: Limits) -> Workers:
    """Return this process's workers for external metrics. They are kept because starting them takes a long time."""
    return Workers(usable_cpus(), limits)


def _decided(task: Task, limits: Limits) -> list[Cell]:
    """Return the cells of a task in the order of its metrics."""
    if task.own:
        with _ALONE:
            cells = {cell.metric: cell for cell in decide(task, lambda share: None)}
        return [cells[metric.canonical] for metric in task.metrics]
    workers = _keepers(limits)
    return [finished_cell(task, begin_isolated(task, workers)).cell]

"""Foreign metrics run in worker processes, with a limit on time and memory per piece of work.

A hang, a crash, memory without end, or output where none belongs costs one cell and not the run.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from axiomcheck.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError
from axiomcheck.printable import printable

__all__ = ["Limits", "Printed", "Workers", "outcome_of", "printable"]

_RECYCLE = 40
"""Pieces of work after which a worker is replaced: some libraries leak."""

_MOST_MEGABYTES = 2**40
"""In bytes, with the size of any process added, this is still a number that the system takes as a limit."""


class Printed(MetricError):
    """The work wrote to standard output, which belongs to reports."""


@dataclass(frozen=True)
class Limits:
    """What one piece of foreign work may take.

    Args:
        seconds: wall clock.
        megabytes: address space beyond what the worker has to begin with (where the system can limit it).

    Raises:
        InvalidInput: more megabytes than a system can have, or no time.

    """

    seconds: float = 120.0
    megabytes: int = 2048

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise InvalidInput(f"timeout is {self.seconds} s; expected a number above 0")
        if self.megabytes > _MOST_MEGABYTES:
            raise InvalidInput(f"memory is {self.megabytes} MB; expected at most {_MOST_MEGABYTES}")


class _Worker(SpawnProcess):
    """A worker that leads a group of processes; when it has ended, what it has started and left behind is killed."""

    def is_alive(self) -> bool:
        alive = super().is_alive()  # the pool asks until the answer is no, whatever the worker ended by
        if not alive and self.pid is not None and hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # as a rule there is nothing left
                os.killpg(self.pid, signal.SIGKILL)
        return alive


class _Context(SpawnContext):
    Process = _Worker


class Workers:
    """Worker processes for foreign metrics.

    Args:
        jobs: how many.
        limits: of each piece of work.

    """

    def __init__(self, jobs: int, limits: Limits) -> None:
        self.limits = limits
        self._pool = ProcessPool(jobs, max_tasks=_RECYCLE, initializer=_start, context=_Context())

    def submit(self, function: Callable[..., Any], *args: Any) -> ProcessFuture[Any]:
        """Schedules ``function(*args)``, both picklable; see `outcome_of` for what comes of it."""
        return self._pool.schedule(_guarded, args=[self.limits.megabytes, function, *args], timeout=self.limits.seconds)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._pool.close()  # type: ignore[no-untyped-call]
        else:
            self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


def outcome_of(future: Future[Any], limits: Limits) -> Any:
    """What the work returned.

    Raises:
        MetricError: it ran past its limits, its process died, or it raised anything but the two below.
        Printed: it wrote to standard output, whatever came of it otherwise.
        InvalidInput, InternalDisagreement: the work itself raised that.

    """
    # Asked for rather than raised: what is raised here is of this process, such as a Ctrl-C while it waits.
    failure = future.exception()
    if failure is not None:
        raise MetricError(_why(failure, limits)) from None
    result, raised, printed = future.result()
    if raised is not None and raised[0] is not MetricError:
        kind, message = raised
        raise kind(message)
    if printed:
        first = printed.strip().splitlines()[0] if printed.strip() else printed
        raise Printed(f"wrote to standard output, which belongs to reports: {first[:80]!r}")
    if raised is not None:
        raise MetricError(raised[1])
    return result


def _why(failure: BaseException, limits: Limits) -> str:
    """Why a piece of work did not come to its end."""
    if isinstance(failure, FutureTimeout):
        return f"ran past the limit of {limits.seconds:g} s"
    if isinstance(failure, ProcessExpired):
        return f"its process died ({_death(failure.exitcode)})"
    if isinstance(failure, MemoryError):
        return f"needed more than the limit of {limits.megabytes} MB"
    if isinstance(failure, BrokenProcessPool):
        return f"no worker process could be started for it ({printable(str(failure))})"
    return f"raised {_named(failure)}"


def _named(error: BaseException) -> str:
    """An error's class and message; of a foreign class, which may fail at telling its own."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return printable(f"{type(error).__name__}: {message}" if message else type(error).__name__)


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def _start() -> None:
    # Ctrl-C is for the parent to act on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        # What the work starts is in this worker's group, and ends with it; what ends the parent's group no longer
        # reaches the worker, which therefore watches the parent.
        os.setsid()
        threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os.killpg(0, signal.SIGKILL)


_Raised = tuple[type[AxiomcheckError], str] | None


def _guarded(megabytes: int, function: Callable[..., Any], *args: Any) -> tuple[Any, _Raised, str]:
    """In a worker: the result, or the kind and message of the error, and what was written to standard output."""
    result: Any = None
    raised: _Raised = None
    with _memory_limit(megabytes), _captured() as printed:
        try:
            result = function(*args)
        except MemoryError:
            raised = (MetricError, f"needed more than the limit of {megabytes} MB")
        except InternalDisagreement as error:
            raised = (InternalDisagreement, printable(str(error)))
        except InvalidInput as error:
            raised = (InvalidInput, printable(str(error)))
        except MetricError as error:
            raised = (MetricError, printable(str(error)))
        except BaseException as error:  # whatever foreign code raises, to exit too; its class may not be in the parent
            raised = (MetricError, f"raised {_named(error)}")
    return result, raised, printed()


@contextlib.contextmanager
def _memory_limit(megabytes: int) -> Iterator[None]:
    try:
        import resource

        with open("/proc/self/statm") as pages:
            size = int(pages.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):  # no such limit on this system
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = size + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextlib.contextmanager
def _captured() -> Iterator[Callable[[], str]]:
    """Catches what goes to standard output, from Python or from below; standard error is dropped."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as file, open(os.devnull, "wb") as nowhere:
        kept = os.dup(1), os.dup(2)
        os.dup2(file.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        text = ""

        def printed() -> str:
            return text

        try:
            yield printed
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
            for descriptor in kept:
                os.close(descriptor)
            file.seek(0)
            text = file.read(4096).decode(errors="replace")

"""Foreign metrics run in worker processes, with a limit on time and memory per piece of work.

A hang, a crash, memory without end, or output where none belongs costs one cell and not the run.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from axiomcheck.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError

__all__ = ["Limits", "Workers", "outcome_of"]

_RECYCLE = 40
"""Pieces of work after which a worker is replaced: some libraries leak."""


@dataclass(frozen=True)
class Limits:
    """What one piece of foreign work may take.

    Args:
        seconds: wall clock.
        megabytes: address space beyond what the worker has to begin with (where the system can limit it).

    """

    seconds: float = 120.0
    megabytes: int = 2048


class Workers:
    """Worker processes for foreign metrics.

    Args:
        jobs: how many.
        limits: of each piece of work.

    """

    def __init__(self, jobs: int, limits: Limits) -> None:
        self.limits = limits
        self._pool = ProcessPool(jobs, max_tasks=_RECYCLE, initializer=_start, context=get_context("spawn"))

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
        MetricError: it ran past its limits, its process died, or it wrote to standard output.
        InvalidInput, InternalDisagreement: the work itself raised that.

    """
    try:
        result, raised, printed = future.result()
    except FutureTimeout:
        raise MetricError(f"ran past the limit of {limits.seconds:g} s") from None
    except ProcessExpired as error:
        raise MetricError(f"its process died ({_death(error.exitcode)})") from None
    except MemoryError:
        raise MetricError(f"needed more than the limit of {limits.megabytes} MB") from None
    except BrokenProcessPool as error:
        raise MetricError(f"no worker process could be started for it ({error})") from None
    if raised is not None:
        kind, message = raised
        raise kind(message)
    if printed:
        first = printed.strip().splitlines()[0] if printed.strip() else printed
        raise MetricError(f"wrote to standard output, which belongs to reports: {first[:80]!r}")
    return result


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def _start() -> None:
    # Ctrl-C reaches the whole process group; only the parent is to act on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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
            raised = (InternalDisagreement, str(error))
        except InvalidInput as error:
            raised = (InvalidInput, str(error))
        except MetricError as error:
            raised = (MetricError, str(error))
        except Exception as error:  # whatever foreign code raises; its class may not exist in the parent
            raised = (MetricError, f"{type(error).__name__}: {error}")
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

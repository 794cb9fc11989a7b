"""Run foreign metrics in isolated worker processes.

Each piece of foreign work has its own process, timeout and memory limit. If a metric hangs, crashes, prints output,
uses too much memory, or damages its process in any other way, only one cell is lost and the run continues.
docs/how-to/isolation.md describes what is isolated and what is not.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

from axiomcheck.core.errors import MetricError, OverLimit
from axiomcheck.core.printable import printable
from axiomcheck.processes.descendants import end_descendants
from axiomcheck.processes.interpreters import Calling, Keeping, NoWorker, interpreter
from axiomcheck.processes.interrupts import ignored
from axiomcheck.processes.keeper import PRINTED, TIMED_OUT, Ended
from axiomcheck.processes.limits import Limits as Limits
from axiomcheck.processes.piece import MOST_BYTES, Piece, named, unpack

_T = TypeVar("_T")

_PATIENCE = 4
"""Longest wall-clock time of a piece of work, as a multiple of its timeout. Waiting for a CPU does not count as
work."""

_FORKS = sys.platform.startswith("linux")
"""True if pieces of work are forked. On other systems, a process with numerical libraries may not fork reliably, or at
all."""


class TimedOut(OverLimit):
    """Raised when a piece of work runs past its timeout.

    Attributes:
        partial: Last result that was passed to `axiomcheck.processes.piece.answer_so_far`, or None. It is also None if
            the work wrote to standard output.
        option: Name of the option that sets the timeout.

    """

    partial: Any = None
    option = ""


class Printed(MetricError):
    """Raised when a piece of work writes to standard output, which is reserved for reports."""


@dataclass(frozen=True)
class Work(Generic[_T]):
    """Finished piece of work, whose result `outcome_of` returns.

    Args:
        ended: Exit code, output and answer of the process in which the work ran.
        promised: Type that the return value must have.
        seconds: Duration in seconds, including the startup of its process.
        limits: Limits on the work, for error messages.

    """

    ended: Ended
    promised: object
    seconds: float
    limits: Limits


class Spawning:
    """Runner that starts a new interpreter for each piece of work, used where fork is less reliable than on Linux."""

    needs = ""

    def __init__(self) -> None:
        self._command = interpreter("from axiomcheck.processes.keeper import serve_one; serve_one()")
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def run(self, piece: Piece) -> Ended:
        """Run a piece of work in a new interpreter."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            answer, printed = Path(folder, "answer"), Path(folder, "printed")
            answer.touch()
            with open(printed, "wb") as out:
                process = subprocess.Popen(
                    [*self._command, str(answer)],
                    stdin=subprocess.PIPE,
                    stdout=out,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            self._process = process
            code = TIMED_OUT
            assert process.stdin is not None
            try:
                with contextlib.suppress(BrokenPipeError):
                    pickle.dump(piece, process.stdin)
                    process.stdin.flush()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = process.wait(0 if self._closed else piece.seconds)
            finally:
                _end(process)
                process.stdin.close()
            with open(printed, "rb") as text, open(answer, "rb") as data:
                return Ended(code, text.read(PRINTED), data.read(MOST_BYTES))

    def close(self) -> None:
        """End the running piece of work, if there is one."""
        self._closed = True
        if self._process is not None:
            _end(self._process)

    def release(self) -> None:
        """Do nothing, because there are no resources to release."""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all its descendants that can still be found."""
    end_descendants(process.pid)
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):  # usually no process is left
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


_Place = Keeping | Spawning | Calling


class Workers:
    """Pool of a run's worker processes, for isolated foreign work and for trusted work.

    Each piece of foreign work runs in a process in which no foreign code has run before.

    Args:
        jobs: Maximum number of concurrent pieces of work.
        limits: Limits on each piece of foreign work.

    """

    def __init__(
        self,
        jobs: int,
        limits: Limits = Limits(),  # noqa: B008 - immutable
    ) -> None:
        self.limits, self._jobs = limits, jobs
        self._threads = ThreadPoolExecutor(jobs, "axiomcheck-worker")
        self._lock = threading.Lock()
        self._idle: list[_Place] = []
        self._all: list[_Place] = []
        self._stopped = False

    def submit(
        self,
        function: Callable[..., _T],
        *args: object,
        needs: str = "",
        seconds: float | None = None,
        prepare: tuple[Callable[..., bool], tuple[object, ...]] | None = None,
    ) -> Future[Work[_T]]:
        """Schedule ``function(*args)`` in isolation, and return a future for `outcome_of`.

        The function and its arguments must be picklable. The return value must have the annotated type, which consists
        of plain values and of axiomcheck's data classes and enumerations.

        Args:
            function: Function to call.
            args: Arguments of the function.
            needs: Module of an installed library that the function imports. It is imported once for several pieces of
                work.
            seconds: Limit on the wall-clock time of this piece of work that a budget sets, if it is below the timeout.
            prepare: Another function with its arguments. It is called once for several pieces of work, in a process
                that is then forked for each of them; see `axiomcheck.processes.keeper.Host`.

        """
        work = pickle.dumps((function, args))
        limits = self.limits
        if seconds is not None and seconds < limits.seconds:
            limits = replace(limits, seconds=seconds, option="--budget")
        patience = _PATIENCE if seconds is None else 1
        host = b"" if prepare is None else pickle.dumps(prepare)
        most = limits.seconds
        piece = Piece(work, most, most * patience, limits.megabytes, function.__module__, needs, host)
        return self.begin(self._run, piece, get_type_hints(function).get("return", Any), limits)

    def _run(self, piece: Piece, promised: object, limits: Limits) -> Work[_T]:
        began = time.monotonic()
        place = self._take(lambda idle: idle.needs in ("", piece.needs), Keeping if _FORKS else Spawning)
        assert not isinstance(place, Calling)
        ended = place.run(piece)
        if ended.code is not None:
            self._give_back(place)
        return Work(ended, promised, time.monotonic() - began, limits)

    def begin(self, function: Callable[..., _T], *args: object) -> Future[_T]:
        """Call a function in a thread of this process as soon as one of the pool's threads is free."""
        return self._threads.submit(function, *args)

    def call(self, function: Callable[..., None], *args: object, hear: Callable[[Any], None]) -> None:
        """Call ``function(*args, say)`` in a process for trusted work, and pass its messages to `hear`.

        This method must be called in a thread of the pool; see `begin`.

        Raises:
            WorkerDied: The process ended before the call returned.
            BaseException: The function raised this exception.

        """
        place = self._take(lambda idle: isinstance(idle, Calling), Calling)
        assert isinstance(place, Calling)
        place.call(pickle.dumps((function, args)), hear)
        self._give_back(place)

    def _take(self, fits: Callable[[_Place], bool], start: Callable[[], _Place]) -> _Place:
        """Return an idle process for which ``fits`` returns True, or else start a new process.

        If there are already as many idle processes as jobs, all of them are ended before a new one is started.
        """
        with self._lock:
            if self._stopped:
                raise NoWorker("the run ended")
            place = next(filter(fits, self._idle), None)
            if place is not None:
                self._idle.remove(place)
                return place
            if len(self._idle) >= self._jobs:
                for other in self._idle:
                    other.close()
                self._idle.clear()
            place = start()
            self._all.append(place)
            return place

    def _give_back(self, place: _Place) -> None:
        with self._lock:
            self._idle.append(place)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """End the processes when all work has finished, or at once after an error."""
        if kind is None:
            self._threads.shutdown()
        with ignored():
            with self._lock:
                self._stopped = True
                for place in self._all:
                    place.close()
            self._threads.shutdown(cancel_futures=True)
            for place in self._all:
                place.release()


def seconds_of(future: Future[Work[_T]]) -> float:
    """Return the duration of a finished piece of work in seconds, or 0 if the work never began."""
    return 0.0 if future.exception() is not None else future.result().seconds


def outcome_of(future: Future[Work[_T]]) -> _T:
    """Wait for a piece of work, and return its result or raise its error.

    Raises:
        OverLimit: The work exceeded its limits (`TimedOut` for the timeout), or its process died.
        MetricError: The work raised any error other than InvalidInput and InternalDisagreement.
        Printed: The work wrote to standard output, whatever its result.
        InvalidInput, InternalDisagreement: The work itself raised that error.

    """
    # `exception` returns the future's error. An error raised here, such as Ctrl-C, belongs to this process.
    failure = future.exception()
    if isinstance(failure, NoWorker):
        raise MetricError(f"no worker process could be started for it ({printable(str(failure))})")
    if failure is not None:
        raise MetricError(f"raised {named(failure)}")
    work = future.result()
    ended = work.ended
    if ended.code != 0 or not ended.answer:
        why = _why(ended.code, work.limits)
        if ended.code != TIMED_OUT:
            raise OverLimit(why)
        late = TimedOut(why)
        late.option = work.limits.option
        if not ended.printed:  # results of a metric that prints do not count
            with contextlib.suppress(MetricError):  # the process may have been killed before it wrote the answer
                late.partial = unpack(ended.answer, work.promised).result
        raise late
    answer = unpack(ended.answer, work.promised)
    if answer.error is not None and not isinstance(answer.error, MetricError):
        raise answer.error
    if ended.printed:
        text = ended.printed.decode(errors="replace")
        first = text.strip().splitlines()[0] if text.strip() else text
        raise Printed(f"wrote to standard output, which is reserved for reports: {first[:80]!r}")
    if answer.error is not None:
        raise answer.error
    result: _T = answer.result
    return result


def _why(code: int | None, limits: Limits) -> str:
    """Explain in an error message why a piece of work did not finish."""
    if code == TIMED_OUT:
        return f"ran past the limit of {limits.seconds:.3g} s ({limits.option})"
    if code is None:
        return "its process killed or stopped its parent process"
    if code == 0:
        return "its process ended before the work was done (exit code 0)"
    death = f"exit code {code}"
    if code < 0:
        with contextlib.suppress(ValueError):
            death = f"signal {signal.Signals(-code).name}"
    return f"its process died ({death})"

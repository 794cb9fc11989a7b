"""Worker processes: foreign metrics run in processes of their own, with a limit on time and memory per piece of work.

A hang, a crash, memory without end, output where none belongs, or whatever a metric does to its process costs one cell
and not the run; docs/how-to/isolation.md says what is kept apart and what is not.
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
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.core.printable import printable
from axiomcheck.processes.interpreters import Calling, Ended, Keeping, NoWorker, interpreter
from axiomcheck.processes.interrupts import ignored
from axiomcheck.processes.keeper import PRINTED, TIMED_OUT, end_descendants
from axiomcheck.processes.piece import MOST_BYTES, Piece, named, unpack

_T = TypeVar("_T")

_MOST_MEGABYTES = 2**40
"""In bytes, with the size of any process added, this is still a number that the system takes as a limit."""

_PATIENCE = 4
"""Times the limit on time: the wall clock that a piece of work may take where other processes use the CPUs."""

_FORKS = sys.platform.startswith("linux")
"""Elsewhere a fork of a process that has loaded numerical libraries may not work, or there is none."""


class TimedOut(OverLimit):
    """The work ran past its limit on time.

    Attributes:
        partial: the last result that `axiomcheck.processes.piece.answer_so_far` was given; None if there is none.

    """

    partial: Any = None


class Printed(MetricError):
    """The work wrote to standard output, which belongs to reports."""


@dataclass(frozen=True)
class Limits:
    """Limits on what one piece of foreign work may take.

    Args:
        seconds: time at work or asleep; time in which it waits for a CPU that others use does not count, up to three
            times the limit (on Linux; elsewhere wall clock).
        megabytes: address space beyond what its process has to begin with (where the system can limit it).
        option: that sets the limit on time, for messages.

    Raises:
        InvalidInput: more megabytes than a system can have, or no time.

    """

    seconds: float = 120.0
    megabytes: int = 2048
    option: str = "--timeout"

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise InvalidInput(f"timeout is {self.seconds} s; expected a number above 0")
        if self.megabytes > _MOST_MEGABYTES:
            raise InvalidInput(f"memory is {self.megabytes} MB; expected at most {_MOST_MEGABYTES}")


@dataclass(frozen=True)
class Work(Generic[_T]):
    """A piece of work that ended, for `outcome_of`.

    Args:
        promised: the type of what it was to return, which is `_T`.
        seconds: that it took, with what its process had to begin with.

    """

    ended: Ended
    promised: object
    seconds: float


class Spawning:
    """Runs pieces one after the other, in an interpreter each: where the system does not fork well, as Linux does."""

    needs = ""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = command or interpreter("from axiomcheck.processes.keeper import serve_one; serve_one()")
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def run(self, piece: Piece) -> Ended:
        """Run a piece of work in an interpreter of its own."""
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
        """End the piece that is running, if one is."""
        self._closed = True
        if self._process is not None:
            _end(self._process)

    def release(self) -> None:
        """Do nothing: there is nothing to give back."""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and what it started, as far as that is still known to be its."""
    end_descendants(process.pid)
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):  # as a rule there is nothing left
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


_Place = Keeping | Spawning | Calling


class Workers:
    """Processes of a run, so many pieces of work at a time: foreign ones in isolation, and trusted ones.

    Each foreign piece is in a process in which nothing foreign has run before.

    Args:
        jobs: how many pieces at a time.
        limits: of each foreign piece.
        first: a call that is made in each process for trusted work before any other: the function, and its arguments.

    """

    def __init__(
        self,
        jobs: int,
        limits: Limits = Limits(),
        first: tuple[Callable[..., None], *tuple[object, ...]] | None = None,
    ) -> None:
        self.limits, self._jobs = limits, jobs
        self._first = pickle.dumps((first[0], first[1:])) if first else b""
        self._threads = ThreadPoolExecutor(jobs, "axiomcheck-worker")
        self._lock = threading.Lock()
        self._idle: list[_Place] = []
        self._all: list[_Place] = []
        self._stopped = False

    def submit(
        self, function: Callable[..., _T], *args: object, needs: str = "", seconds: float | None = None
    ) -> Future[Work[_T]]:
        """Schedule ``function(*args)`` in isolation, both picklable; see `outcome_of` for what comes of it.

        What it returns is of the type that it is annotated with, made of plain values and of data classes and
        enumerations of axiomcheck. ``needs`` is the module of an installed library that it imports, if any, to be
        imported once for several pieces. ``seconds`` is the wall clock that this piece may take, where that is less
        than the limit.

        """
        work = pickle.dumps((function, args))
        most = self.limits.seconds if seconds is None else min(seconds, self.limits.seconds)
        piece = Piece(
            work, most, most * (_PATIENCE if seconds is None else 1), self.limits.megabytes, function.__module__, needs
        )
        return self.begin(self._run, piece, get_type_hints(function).get("return", Any))

    def _run(self, piece: Piece, promised: object) -> Work[_T]:
        began = time.monotonic()
        place = self._take(lambda idle: idle.needs in ("", piece.needs), Keeping if _FORKS else Spawning)
        assert not isinstance(place, Calling)
        ended = place.run(piece)
        if ended.code is not None:
            self._give_back(place)
        return Work(ended, promised, time.monotonic() - began)

    def begin(self, function: Callable[..., _T], *args: object) -> Future[_T]:
        """Call a function in a thread of this process, once there is one that waits for no other piece of work."""
        return self._threads.submit(function, *args)

    def call(self, function: Callable[..., None], *args: object, hear: Callable[[Any], None]) -> None:
        """Call ``function(*args, say)`` in a process for trusted work, and hear what it says; see `begin`.

        Raises:
            WorkerDied: the process ended before the call came back.
            BaseException: whatever the function raised.

        """
        place = self._take(lambda idle: isinstance(idle, Calling), lambda: Calling(self._first))
        assert isinstance(place, Calling)
        place.call(pickle.dumps((function, args)), hear)
        self._give_back(place)

    def _take(self, fits: Callable[[_Place], bool], start: Callable[[], _Place]) -> _Place:
        """Take a process that is idle and fits, or start another; those that are idle are ended if there are many."""
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
        """End the processes: at once after an error, or else once all pieces came to their end."""
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
    """Return the time that work took which is done; 0 where it never began."""
    return 0.0 if future.exception() is not None else future.result().seconds


def outcome_of(future: Future[Work[_T]], limits: Limits) -> _T:
    """Return what the work returned.

    Raises:
        OverLimit: it ran past its limits (`TimedOut` of the one on time), or its process died.
        MetricError: it raised anything but the two below.
        Printed: it wrote to standard output, whatever came of it otherwise.
        InvalidInput, InternalDisagreement: the work itself raised that.

    """
    # Asked for rather than raised: what is raised here is of this process, such as a Ctrl-C while it waits.
    failure = future.exception()
    if isinstance(failure, NoWorker):
        raise MetricError(f"no worker process could be started for it ({printable(str(failure))})")
    if failure is not None:
        raise MetricError(f"raised {named(failure)}")
    work = future.result()
    ended = work.ended
    if ended.code != 0 or not ended.answer:
        why = _why(ended.code, limits)
        if ended.code != TIMED_OUT:
            raise OverLimit(why)
        late = TimedOut(why)
        with contextlib.suppress(MetricError):  # it was ended before it wrote one, or while it did
            late.partial = unpack(ended.answer, work.promised).result
        raise late
    answer = unpack(ended.answer, work.promised)
    if answer.error is not None and not isinstance(answer.error, MetricError):
        raise answer.error
    if ended.printed:
        text = ended.printed.decode(errors="replace")
        first = text.strip().splitlines()[0] if text.strip() else text
        raise Printed(f"wrote to standard output, which belongs to reports: {first[:80]!r}")
    if answer.error is not None:
        raise answer.error
    result: _T = answer.result
    return result


def _why(code: int | None, limits: Limits) -> str:
    """Say why a piece of work did not come to its end."""
    if code == TIMED_OUT:
        return f"ran past the limit of {limits.seconds:g} s ({limits.option})"
    if code is None:
        return "its process ended or stopped the one that keeps it"
    if code == 0:
        return "its process ended before it was done (exit code 0)"
    return f"its process died ({_death(code)})"


def _death(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"

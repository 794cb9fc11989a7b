"""Define limits on the time and memory of one piece of foreign work, and on the time and CPUs of a whole run."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import FrameType

from axiomcheck.core.errors import InvalidInput

_MOST_MEGABYTES = 2**40
"""Largest memory limit. The system must accept the limit in bytes, plus the size of a process."""

_RESERVE = 0.5
"""Time reserved for writing the report, in seconds."""


def usable_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Limits:
    """Time and memory limits for one piece of foreign work.

    Args:
        seconds: Timeout in seconds. On Linux, time spent waiting for a CPU does not count, up to three times the
            timeout. On other systems, the timeout is wall-clock time.
        megabytes: Limit on the address space beyond that of an empty process, if the system supports it.
        option: Name of the option that sets the timeout, for error messages.

    Raises:
        InvalidInput: `megabytes` is too large for any system, or `seconds` is not positive.

    """

    seconds: float = 120.0
    megabytes: int = 2048
    option: str = "--timeout"

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise InvalidInput(f"timeout is {self.seconds} s; expected a positive number")
        if self.megabytes > _MOST_MEGABYTES:
            raise InvalidInput(f"memory is {self.megabytes} MB; expected at most {_MOST_MEGABYTES}")


@dataclass(frozen=True)
class Deadline:
    """Wall-clock time limit for a run.

    Args:
        seconds: Length of the time limit in seconds.
        ends: Time at which the limit ends, on the clock of `time.monotonic`.

    """

    seconds: float
    ends: float

    @classmethod
    def starting_now(cls, seconds: float) -> Deadline:
        """Return a deadline `seconds` seconds from now."""
        return cls(seconds, time.monotonic() + seconds)

    def left(self) -> float:
        """Return the remaining seconds, at least 0."""
        return max(0.0, self.ends - time.monotonic())

    def left_for_work(self) -> float:
        """Return the seconds that remain for work, at least 0. A reserve for writing the report is subtracted."""
        return max(0.0, self.left() - _RESERVE)

    def part(self, share: float) -> Deadline:
        """Return a deadline that ends after a share of the remaining time."""
        return replace(self, ends=time.monotonic() + share * self.left())


_AGAIN = 1.0
"""Seconds until code that has caught the first interruption is interrupted again."""


class _Late(BaseException):
    """Raised in supervised code when its time is up. The code cannot catch it as an Exception."""


@contextlib.contextmanager
def supervised(what: str, limits: Limits) -> Iterator[None]:
    """Limit the time of a block (only in the main thread, and if there is an alarm signal), and forbid output.

    Args:
        what: Name of the code for messages.
        limits: Time limit for the block. The memory limit is ignored.

    Raises:
        InvalidInput: The block ran past the limit, or wrote to standard output.

    """

    def late(number: int, frame: FrameType | None) -> None:
        raise _Late

    has_alarm = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    before = signal.signal(signal.SIGALRM, late) if has_alarm else None
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            if has_alarm:
                signal.setitimer(signal.ITIMER_REAL, limits.seconds, _AGAIN)
            yield
    except _Late:
        raise InvalidInput(
            f"{what} ran past the limit of {limits.seconds:g} s ({limits.option}) when it was loaded and tried"
        ) from None
    finally:
        if has_alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if text := printed.getvalue():
        first = (text.strip() or text).splitlines()[0]
        raise InvalidInput(f"{what} wrote to standard output, which is reserved for reports: {first[:80]!r}")

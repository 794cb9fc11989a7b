"""Limits on the time and memory of one piece of foreign work, and on the time of a whole run."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from axiomcheck.core.errors import InvalidInput

_MOST_MEGABYTES = 2**40
"""Largest memory limit. The system must accept the limit in bytes, plus the size of a process."""

_RESERVE = 0.5
"""Time reserved for writing the report, in seconds."""


@dataclass(frozen=True)
class Limits:
    """Time and memory limits of one piece of foreign work.

    Args:
        seconds: Timeout in seconds. On Linux, time spent waiting for a CPU does not count, up to three times the
            timeout. On other systems, the timeout is wall-clock time.
        megabytes: Limit on the address space beyond that of an empty process, if the system supports it.
        option: Name of the option that sets the timeout, for error messages.

    Raises:
        InvalidInput: `megabytes` is too large for any system, or `seconds` is not above 0.

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
class Deadline:
    """Wall-clock time limit of a run.

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
        """Return the remaining seconds minus the reserve for the report, at least 0."""
        return max(0.0, self.left() - _RESERVE)

    def part(self, share: float) -> Deadline:
        """Return a deadline that ends after a share of the remaining time."""
        return replace(self, ends=time.monotonic() + share * self.left())

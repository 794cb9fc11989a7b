"""Limits on the time of a run, by the clock on the wall."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Deadline:
    """A limit on the time of a run.

    Args:
        seconds: of the whole run.
        ends: when it ends, as `time.monotonic` has it.

    """

    seconds: float
    ends: float

    @classmethod
    def starting_now(cls, seconds: float) -> Deadline:
        """Return a limit that begins to run."""
        return cls(seconds, time.monotonic() + seconds)

    def left(self) -> float:
        """Return the seconds until it ends; never below 0."""
        return max(0.0, self.ends - time.monotonic())

    def part(self, share: float) -> Deadline:
        """Return a limit that ends after a share of the time that is left."""
        return replace(self, ends=time.monotonic() + share * self.left())


class TimeUp(Exception):
    """Ends the work of a run whose time is over."""

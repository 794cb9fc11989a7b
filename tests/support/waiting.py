"""Waiting for what a process does rather than for a time: too short on a busy machine, and too long on others."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import psutil


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    """Returns as soon as something is true; fails if it does not become so."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def computed(pid: int) -> float:
    """Return the processor time of a process, or of that one of those it started which used the most."""
    used = [0.0]
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = one.cpu_times()
                used.append(times.user + times.system)
    return max(used)


def child_has_computed(pid: int, seconds: float) -> bool:
    """Say whether a process, or one of those that it started, has used so much processor time."""
    return computed(pid) >= seconds

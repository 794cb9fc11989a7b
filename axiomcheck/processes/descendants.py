"""Clean up processes: adopt orphans, end a process together with its parent, and kill all its descendants."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

import psutil

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PAUSE = 0.002


_LINUX = sys.platform.startswith("linux")


def _prctl(option: int, argument: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, argument, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def adopt_orphans() -> None:
    """Make this process the parent of its orphaned descendants, even in other sessions (on Linux only)."""
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with(parent: int) -> None:
    """Have this process killed when its parent ends, or at once if the parent has already ended (on Linux only)."""
    if not _LINUX:
        return
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def is_running(process: psutil.Process) -> bool:
    """Return True if a process exists and is not a zombie."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def end_descendants(of: int | None = None, spared: int | None = None) -> None:
    """Kill the descendants of a process until none of them is running.

    All descendants are stopped before they are killed, so processes that keep forking cannot escape.

    Args:
        of: Id of the process; the default is this process.
        spared: Id of a descendant that is left running, together with its children.

    """
    while True:
        below = [p for p in _descendants(of) if is_running(p) and spared not in (p.pid, _parent_of(p))]
        for act in (psutil.Process.suspend, psutil.Process.kill):
            for process in below:
                with contextlib.suppress(psutil.NoSuchProcess):
                    act(process)
        if of is None:
            _reap()
        if not below:
            return
        time.sleep(_PAUSE)


def _descendants(of: int | None) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return [*psutil.Process(of).children(recursive=True)]
    return []


def _parent_of(process: psutil.Process) -> int | None:
    with contextlib.suppress(psutil.NoSuchProcess):
        return int(process.ppid())
    return None


def _reap() -> None:
    with contextlib.suppress(ChildProcessError, AttributeError):  # no child is left, or the system has no WNOHANG
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass

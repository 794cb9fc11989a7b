"""No process is left behind: whose children orphans become, who ends with whom, and the end of whatever is left."""

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
    """Make processes below this one whose parent ends its children from now on, in sessions of their own too."""
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with(parent: int) -> None:
    """Have this process killed when its parent ends, or end it if that has happened already; on Linux only."""
    if not _LINUX:
        return
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def is_running(process: psutil.Process) -> bool:
    """Tell whether a process is there and not merely waiting to be reaped."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def end_descendants(of: int | None = None) -> None:
    """Kill whatever runs below a process, this one if none is named, until nothing does.

    They are stopped before they are killed, so that what multiplies does not outrun this.
    """
    while True:
        try:
            below = [p for p in psutil.Process(of).children(recursive=True) if is_running(p)]
        except psutil.NoSuchProcess:
            below = []
        for act in (psutil.Process.suspend, psutil.Process.kill):
            for process in below:
                with contextlib.suppress(psutil.NoSuchProcess):
                    act(process)
        if of is None:
            _reap()
        if not below:
            return
        time.sleep(_PAUSE)


def _reap() -> None:
    with contextlib.suppress(ChildProcessError, AttributeError):  # no child left; a system without this
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass

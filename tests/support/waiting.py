"""Waiting for what a process does rather than for a time: too short on a busy machine, and too long on others."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    """Returns as soon as something is true; fails if it does not become so."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def started(words: Sequence[str], folder: Path, **environ: str) -> subprocess.Popen[str]:
    """Start ``axiomcheck WORDS`` in a session of its own, where Ctrl-C reaches it and its workers alone."""
    return subprocess.Popen(
        [sys.executable, "-m", "axiomcheck", *words],
        cwd=folder,
        env=os.environ | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # What a shell starts in the background ignores Ctrl-C, and so would whatever the tests start there.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Send Ctrl-C to what was started; return what it wrote on both streams by the time it ended, as it should."""
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    return out, err

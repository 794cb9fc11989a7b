"""Handle Ctrl-C on the command line, which exits with code 130 and without a traceback."""

from __future__ import annotations

import contextlib
import os
import signal

TYPE_CHECKING = False  # importing typing or threading would double the time until the handler is installed
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

EXIT_INTERRUPTED = 130

_IMPORTING = "<frozen importlib"

_working = False
_heard = False


def take_over() -> None:
    """Install the handler for Ctrl-C in place of Python's own.

    Any other handler is kept. In particular, Ctrl-C remains ignored in background jobs of a shell.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def ignore() -> None:
    """Ignore Ctrl-C from now on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def ignored() -> Iterator[None]:
    """Ignore Ctrl-C until the end of the block.

    This context manager does nothing outside the main thread, which is the only one that receives signals.
    """
    import threading

    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or handler is None:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def was_interrupted() -> bool:
    """Return True if Ctrl-C was pressed at any time during this run, even if it interrupted no work."""
    return _heard


def _interrupted(number: int, frame: FrameType | None) -> None:
    global _heard
    _heard = True
    # A library that is interrupted during its import may print odd messages or none, and nothing needs cleaning up.
    if not _working and _is_importing(frame):
        with contextlib.suppress(OSError):
            os.write(2, b"interrupted\n")
        os._exit(EXIT_INTERRUPTED)
    raise KeyboardInterrupt


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORTING):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """Make Ctrl-C raise KeyboardInterrupt in this block even during imports, so that results can be saved."""
    global _working
    _working = True
    try:
        yield
    finally:
        _working = False

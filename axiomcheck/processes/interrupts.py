"""Ctrl-C on the command line: 130 and no traceback, whatever is going on."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

EXIT_INTERRUPTED = 130

_IMPORTING = "<frozen importlib"

_working = False
_heard = False


def take_over() -> None:
    """Handle Ctrl-C here from now on, unless it is ignored, as in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def ignore() -> None:
    """Ignore Ctrl-C from now on: there is nothing left to interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def ignored() -> Iterator[None]:
    """Ignore Ctrl-C until the end of the block; in the main thread, which alone hears it."""
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
    """Tell whether Ctrl-C was heard, whatever became of it."""
    return _heard


def _interrupted(number: int, frame: FrameType | None) -> None:
    global _heard
    _heard = True
    # Libraries that are interrupted while they are loaded say odd things, or nothing; and there is nothing to clean up.
    if not _working and _is_importing(frame):
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
    """Make Ctrl-C a KeyboardInterrupt even where modules are loaded, while there are results worth keeping."""
    global _working
    _working = True
    try:
        yield
    finally:
        _working = False

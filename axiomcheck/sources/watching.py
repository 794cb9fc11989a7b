"""What code takes from outside while it runs, as far as Python's audit events tell it.

Files that are opened for reading can be told by their content. Of a database, a connection, another process, or a list
of what is in a directory there is no such digest: what depends on them cannot be told to be as it was. Events do not
tell of environment variables, of the clock, of chance, nor of what compiled code opens by itself.
"""

from __future__ import annotations

import importlib.metadata
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

CodeOf: TypeAlias = Literal["metric", "library", "python", "axiomcheck"]
"""Whose code it is: the metric's own, an installed library's, the standard library's, or axiomcheck's."""

_BEYOND = {
    "sqlite3": "opens a database",
    "dbm": "opens a database",
    "socket": "uses the network",
    "urllib": "uses the network",
    "http": "uses the network",
    "ftplib": "uses the network",
    "smtplib": "uses the network",
    "subprocess": "starts a process",
    "pty": "starts a process",
}
"""What an event means whose name begins so."""

_IMPORTS_FOR_METRICS = "import_at_home"
"""The function of `axiomcheck.sources.files` that imports what a metric's file asks for."""

_BEYOND_OS = {
    "ctypes.dlopen": "loads a library of machine code",
    "os.exec": "starts a process",
    "os.fork": "starts a process",
    "os.forkpty": "starts a process",
    "os.listdir": "lists a directory",
    "os.posix_spawn": "starts a process",
    "os.scandir": "lists a directory",
    "os.spawn": "starts a process",
    "os.system": "starts a process",
}

_MOST_FRAMES, _NEAR = 200, 8
_IMPORTING = "<frozen importlib"
_METADATA = os.path.dirname(importlib.metadata.__file__)


@dataclass(frozen=True)
class Opened:
    """A file that was opened, by an absolute path."""

    path: str
    reads: bool
    writes: bool


@dataclass(frozen=True)
class Event:
    """Something that was taken from outside.

    Args:
        what: a file, or in words what there is no digest of.
        frames: who did it, from the innermost function: (file, name of the function).
        main: whether in the main thread.

    """

    what: Opened | str
    frames: tuple[tuple[str, str], ...]
    main: bool


class Watch:
    """Hears of what this process takes from outside, from now until it is ended; for processes that end soon."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._on = True
        sys.addaudithook(self._hear)  # which cannot be taken back

    def end(self) -> list[Event]:
        """All that was heard."""
        self._on = False
        return self.events

    def _hear(self, name: str, args: tuple[Any, ...]) -> None:
        if not self._on:
            return
        if name == "open":
            what: Opened | str | None = self._opened(*args)
        else:
            what = _BEYOND_OS.get(name) or _BEYOND.get(name.partition(".")[0])
        if what is None:
            return
        frames = _frames()
        if frames and frames[0][0].startswith(_IMPORTING) and isinstance(what, str):
            return  # looks for modules
        if any(file.startswith(_METADATA) for file, _ in frames[:_NEAR]):
            return  # looks for what is installed, which versions tell
        self.events.append(Event(what, frames, threading.current_thread() is threading.main_thread()))

    def _opened(self, path: Any, _: Any, flags: Any) -> Opened | None:
        if isinstance(path, int) or not isinstance(flags, int):  # what was opened before
            return None
        file = os.path.abspath(os.fsdecode(path))
        if file.endswith(".pyc"):  # of a module, whose file counts
            return None
        access = flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
        return Opened(file, access != os.O_WRONLY, access != os.O_RDONLY)


def _frames() -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    frame = sys._getframe(2)
    while frame is not None and len(found) < _MOST_FRAMES:
        found.append((frame.f_code.co_filename, frame.f_code.co_name))
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(found)


def taken(events: Iterable[Event], whose: Callable[[str], CodeOf]) -> tuple[list[str], str]:
    """The files whose content tells what a metric read, and what they do not tell; empty if they tell all.

    Args:
        events: that were heard.
        whose: the code in a file is, by its path.

    """
    counted = [event.what for event in events if _is_of_metric(event, whose)]
    opened = [what for what in counted if isinstance(what, Opened) and what.path != os.devnull]
    written = {file.path for file in opened if file.writes}
    read = sorted({file.path for file in opened if file.reads})
    reasons = sorted({what for what in counted if isinstance(what, str)})
    if written & {*read}:
        reasons.append("reads a file that it writes")
    if any(map(_is_changing, read)):
        reasons.append("reads what is no plain file")
    told = [path for path in read if path not in written and not _is_changing(path)]
    return told, reasons[0] if reasons else ""


def _is_of_metric(event: Event, whose: Callable[[str], CodeOf]) -> bool:
    """Whether a metric had something done, itself or by functions of a library, rather than by importing one.

    What a library does when it is imported, its version tells.
    """
    by_library = False
    for file, function in event.frames:
        if function == _IMPORTS_FOR_METRICS:
            continue
        made = file.startswith("<") and not file.startswith("<frozen")  # by exec, of whatever text
        code = "metric" if made else "python" if file.startswith("<") else whose(file)
        if code == "metric":
            return True
        if code == "axiomcheck":
            return by_library  # a measure of a library, or axiomcheck's own doing
        if function == "<module>":
            return False
        by_library = by_library or code == "library"
    # Frames of a thread do not tell who began it: what axiomcheck does itself, it does in the first.
    return by_library or not event.main


def _is_changing(path: str) -> bool:
    """Whether a path is of what may give other content each time, or none: a device, a pipe, a directory, /proc."""
    if path.startswith(("/proc/", "/sys/")):
        return True
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:  # that it is not there is told by its digest
        return False

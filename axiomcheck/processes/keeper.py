"""Interpreters that work for a run: their side of the pipes to it.

A supervisor and its keeper fork a process for every piece of foreign work, and end what it leaves behind; only where
the system forks well, see `axiomcheck.processes.isolation.Spawning` for the others. What is trusted is called in the
process itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import queue
import select
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import BinaryIO, NoReturn

import psutil

from axiomcheck.processes.piece import MOST_BYTES, Piece, run_piece

SIZE = struct.Struct(">Q")
"""Before a text that is pickled: how many bytes it has."""

REPLY = struct.Struct(">iQQ")
"""Before what a process printed and its answer: its exit code, and how many bytes each of the two has."""

TIMED_OUT = 2**16
"""In place of an exit code, of a process that ran past its limit."""

PRINTED = 4096
"""Bytes of what a process prints that are kept."""

_TICK = 0.01
_WATCH = 0.1
_CHUNK = 2**16


def serve() -> NoReturn:
    """Take pieces from standard input, and reply on standard output, until that is closed; in the supervisor."""
    commands, replies = _streams_of_its_own(silent=True)
    adopt_orphans()
    supervisor = os.getpid()
    keeper = os.fork()
    if keeper == 0:
        _ends(lambda: _keep(supervisor, commands, replies))
    os.close(replies)
    # A piece can kill its parent, the keeper, or stop it; the supervisor hears of either, and of the end of the run.
    run = select.poll()
    run.register(commands, 0)  # nothing but the end, which is always told
    while not run.poll(1000 * _WATCH) and os.waitpid(keeper, os.WNOHANG)[0] == 0:
        pass
    end_descendants()
    os._exit(0)


def serve_calls() -> NoReturn:
    """Make calls from standard input one after the other, and reply what they say on standard output; see `Calling`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where a session of its own does not keep Ctrl-C away
    commands, replies = _streams_of_its_own()
    end_with(os.getppid())
    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(commands, calls), daemon=True).start()
    with open(replies, "wb", closefd=False) as writer:

        def reply(is_over: bool, said: object) -> None:
            body = pickle.dumps((is_over, said))
            writer.write(SIZE.pack(len(body)) + body)
            writer.flush()

        while True:
            work = calls.get()
            try:
                function, args = pickle.loads(work)
                function(*args, lambda said: reply(False, said))
                error = None
            except BaseException as raised:
                error = raised
            try:
                reply(True, error)
            except Exception:  # an error that cannot be sent
                reply(True, RuntimeError("".join(traceback.format_exception(error))))


def _listen(commands: int, calls: queue.SimpleQueue[bytes]) -> None:
    """Take calls from the run, and end this process with it, whatever it is at."""
    with open(commands, "rb", closefd=False) as reader:
        while (work := _read(reader)) is not None:
            calls.put(work)
    os._exit(1)


def _streams_of_its_own(*, silent: bool = False) -> tuple[int, int]:
    """Return the pipes that standard input and output were, and leave nothing to read there.

    What is printed from now on goes to standard error, or nowhere if this process is to be silent.
    """
    commands, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere if silent else 2, 1)
    os.close(nowhere)
    return commands, replies


def _ends(work: Callable[[], None]) -> NoReturn:
    """Do the work of a forked process, which never returns to what its parent was about."""
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _keep(supervisor: int, commands: int, replies: int) -> None:
    adopt_orphans()
    end_with(supervisor)
    with open(commands, "rb", closefd=False) as reader, open(replies, "wb", closefd=False) as writer:
        while (text := _read(reader)) is not None:
            piece = pickle.loads(text)
            assert isinstance(piece, Piece)
            for module in filter(None, (piece.home if piece.home.startswith("axiomcheck.") else "", piece.needs)):
                with contextlib.suppress(Exception):  # the work meets the same, and says so
                    import_module(module)
            ended = _attend(piece)
            writer.write(REPLY.pack(ended.code, len(ended.printed), len(ended.answer)))
            writer.write(ended.printed)
            writer.write(ended.answer)
            writer.flush()


def _read(reader: BinaryIO) -> bytes | None:
    """Read a text and its length before it; None at the end of the run."""
    head = reader.read(SIZE.size)
    return reader.read(*SIZE.unpack(head)) if len(head) == SIZE.size else None


@dataclass(frozen=True)
class _Ended:
    code: int
    printed: bytes
    answer: bytes


def _attend(piece: Piece) -> _Ended:
    """Fork the process of a piece, wait for its end or its limit, and end whatever it left."""
    keeper = os.getpid()
    answer = os.memfd_create("answer")
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _ends(lambda: _become(piece, keeper, answer, writing))
    os.close(writing)
    printed = _Printed(reading)
    start = time.monotonic()
    deadline, last = start + piece.seconds, start + piece.most_seconds
    try:
        code = None
        while code is None:
            printed.read(_TICK)
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > min(deadline + seconds_without_cpu(process), last):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                code = TIMED_OUT
        end_descendants()
        printed.read(0)
        size = min(os.fstat(answer).st_size, MOST_BYTES)
        return _Ended(code, printed.kept, os.pread(answer, size, 0))
    finally:
        os.close(reading)
        os.close(answer)


def seconds_without_cpu(process: int) -> float:
    """Return for how long a process was ready to run and got no CPU; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/schedstat") as counts:
            return int(counts.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _become(piece: Piece, keeper: int, answer: int, printed: int) -> None:
    """Leave nothing of the keeper's but the way to the answer, and do the work; in the forked process."""
    os.setsid()
    end_with(keeper)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream, there in ((0, nowhere), (1, printed), (2, nowhere)):
        os.dup2(there, stream)
    os.closerange(3, answer)
    os.closerange(answer + 1, os.sysconf("SC_OPEN_MAX"))
    run_piece(piece, answer)


class _Printed:
    """Output of a process, of which the beginning is kept."""

    def __init__(self, descriptor: int) -> None:
        self.kept = b""
        self._descriptor = descriptor
        self._open = True
        os.set_blocking(descriptor, False)

    def read(self, seconds: float) -> None:
        """Take what is there, or wait that long for it."""
        if not self._open:
            time.sleep(seconds)
            return
        ready, _, _ = select.select([self._descriptor], [], [], seconds)
        if not ready:
            return
        with contextlib.suppress(BlockingIOError):
            found = os.read(self._descriptor, _CHUNK)
            self._open = bool(found)
            self.kept = (self.kept + found)[:PRINTED]


def serve_one() -> NoReturn:
    """Do a piece of work from standard input, and end with whoever holds the other end of that; in the interpreter."""
    reader = os.fdopen(os.dup(0), "rb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    piece = pickle.load(reader)
    assert isinstance(piece, Piece)

    def watch() -> None:
        reader.read()
        end_descendants()
        psutil.Process().kill()

    threading.Thread(target=watch, daemon=True).start()
    run_piece(piece, os.open(sys.argv[-1], os.O_WRONLY | getattr(os, "O_BINARY", 0)))


# No process is left behind: whose children orphans become, who ends with whom, and the end of whatever is left

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

"""The supervisor and the keeper: they fork a process for every piece of work, and end what it leaves behind.

Only where the system forks well; see `axiomcheck.processes.spawned` for the others.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import struct
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import BinaryIO, NoReturn

from axiomcheck.processes.answers import MOST_BYTES
from axiomcheck.processes.piece import Piece, run_piece
from axiomcheck.processes.sweep import adopt_orphans, end_descendants, end_with

SIZE = struct.Struct(">Q")
"""Before a `Piece`: how many bytes it has, pickled."""

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
    """In the supervisor: takes pieces from standard input, and replies on standard output, until that is closed."""
    commands, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    os.close(nowhere)
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


def _ends(work: Callable[[], None]) -> NoReturn:
    """Does the work of a forked process, which never returns to what its parent was about."""
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
        while (piece := _next(reader)) is not None:
            for module in filter(None, (piece.home if piece.home.startswith("axiomcheck.") else "", piece.needs)):
                with contextlib.suppress(Exception):  # the work meets the same, and says so
                    import_module(module)
            ended = _attend(piece)
            writer.write(REPLY.pack(ended.code, len(ended.printed), len(ended.answer)))
            writer.write(ended.printed)
            writer.write(ended.answer)
            writer.flush()


def _next(reader: BinaryIO) -> Piece | None:
    head = reader.read(SIZE.size)
    if len(head) < SIZE.size:
        return None
    body = reader.read(*SIZE.unpack(head))
    piece = pickle.loads(body)
    assert isinstance(piece, Piece)
    return piece


@dataclass(frozen=True)
class _Ended:
    code: int
    printed: bytes
    answer: bytes


def _attend(piece: Piece) -> _Ended:
    """Forks the process of a piece, waits for its end or its limit, and ends whatever it left."""
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
    """In the forked process: nothing of the keeper's is left but the way to the answer."""
    os.setsid()
    end_with(keeper)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream, there in ((0, nowhere), (1, printed), (2, nowhere)):
        os.dup2(there, stream)
    os.closerange(3, answer)
    os.closerange(answer + 1, os.sysconf("SC_OPEN_MAX"))
    run_piece(piece, answer)


class _Printed:
    """What comes out of a process, of which the beginning is kept."""

    def __init__(self, descriptor: int) -> None:
        self.kept = b""
        self._descriptor = descriptor
        self._open = True
        os.set_blocking(descriptor, False)

    def read(self, seconds: float) -> None:
        """Takes what is there, or waits that long for it."""
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

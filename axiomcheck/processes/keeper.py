"""Define the main functions of a run's worker processes, which receive work from the run and reply to it.

A supervisor and its keeper fork a process for every piece of foreign work, some of them through a `Host`, and kill the
processes that it leaves behind. On systems that do not fork reliably, `axiomcheck.processes.isolation.Spawning`
replaces them. Trusted work runs in the worker process itself.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import queue
import select
import signal
import socket
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

from axiomcheck.processes.descendants import adopt_orphans, end_descendants, end_with
from axiomcheck.processes.piece import MOST_BYTES, Piece, memory_limit, reseed, run_piece

SIZE = struct.Struct(">Q")
"""Header of a pickled message: its length in bytes."""

REPLY = struct.Struct(">iQQ")
"""Header of a reply: exit code of the process, and the lengths of its output and of its answer in bytes."""

TIMED_OUT = 2**16
"""Exit code of a piece of work that exceeded its timeout."""

PRINTED = 4096
"""Maximum size, in bytes, of the kept output of a process."""

REFUSED = 2**17
"""Exit code of a host that refused a piece of work."""

_NUMBER = struct.Struct(">i")
_PATIENCE = 1.0
"""Time, in seconds, in which a host must report the end of a piece of work that was killed."""

_MOST = 2**16
"""Maximum size, in bytes, of a piece of work that is sent to a host."""

_TICK = 0.01
_WATCH = 0.1
_CHUNK = 2**16


def serve() -> NoReturn:
    """Run pieces of work from standard input, and write their outcomes to standard output, until the pipe closes.

    This process is the supervisor. It forks the keeper, which runs the pieces of work.
    """
    commands, replies = streams_of_its_own(silent=True)
    adopt_orphans()
    supervisor = os.getpid()
    keeper = os.fork()
    if keeper == 0:
        _run_and_exit(lambda: _keep(supervisor, commands, replies))
    os.close(replies)
    # A piece can kill or stop its parent, the keeper. The supervisor waits for the end of the keeper or of the run.
    run = select.poll()
    run.register(commands, 0)  # no events requested: poll always reports the closed pipe
    while not run.poll(1000 * _WATCH) and os.waitpid(keeper, os.WNOHANG)[0] == 0:
        pass
    end_descendants()
    os._exit(0)


def serve_calls() -> NoReturn:
    """Execute function calls that arrive on standard input, one by one, and write their messages to standard output.

    See `axiomcheck.processes.interpreters.Calling`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on some systems, a separate session still receives Ctrl-C
    commands, replies = streams_of_its_own()
    end_with(os.getppid())
    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(commands, calls), daemon=True).start()
    with open(replies, "wb", closefd=False) as writer:

        def reply(is_over: bool, said: object) -> None:
            write_message(writer, pickle.dumps((is_over, said)))

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
    """Put the calls that the run sends into a queue, and end this process at once when the run ends."""
    with open(commands, "rb", closefd=False) as reader:
        while (work := read_message(reader)) is not None:
            calls.put(work)
    os._exit(1)


def streams_of_its_own(*, silent: bool = False) -> tuple[int, int]:
    """Return duplicates of standard input and output, and redirect the originals.

    Standard input is empty from now on. Standard output goes to standard error, or is discarded if `silent` is set.
    """
    commands, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere if silent else 2, 1)
    os.close(nowhere)
    return commands, replies


def _run_and_exit(work: Callable[[], None]) -> NoReturn:
    """Call the main function of a forked process and exit, so that the process never returns to its parent's code."""
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
    host: Host | None = None
    with open(commands, "rb", closefd=False) as reader, open(replies, "wb", closefd=False) as writer:
        while (text := read_message(reader)) is not None:
            piece = pickle.loads(text)
            assert isinstance(piece, Piece)
            for module in filter(None, (piece.home if piece.home.startswith("axiomcheck.") else "", piece.needs)):
                with contextlib.suppress(Exception):  # the work raises the same error and reports it
                    import_module(module)
            if piece.host and (host is None or host.asked != piece.host):
                if host is not None:
                    host.close()
                host = Host(piece)
            ended = _attend(piece, host)
            if ended.code == REFUSED:
                ended = _attend(piece, host)
            writer.write(REPLY.pack(ended.code, len(ended.printed), len(ended.answer)))
            writer.write(ended.printed)
            writer.write(ended.answer)
            writer.flush()


def read_message(reader: BinaryIO) -> bytes | None:
    """Return the next message without its header, or None at the end of the run."""
    head = reader.read(SIZE.size)
    return reader.read(*SIZE.unpack(head)) if len(head) == SIZE.size else None


def write_message(writer: BinaryIO, body: bytes) -> None:
    """Write a message, preceded by its length."""
    writer.write(SIZE.pack(len(body)) + body)
    writer.flush()


@dataclass(frozen=True)
class Ended:
    """Outcome of the process that ran a piece of work.

    Args:
        code: Exit code: 0, `TIMED_OUT`, another code, or the negated number of the signal that ended the process. None
            if the process killed or stopped its keeper.
        printed: Beginning of the process's standard output.
        answer: Encoded answer, which `axiomcheck.processes.piece.unpack` decodes.

    """

    code: int | None
    printed: bytes = b""
    answer: bytes = b""


def _attend(piece: Piece, host: Host | None = None) -> Ended:
    """Run a piece of work in a forked process until it ends or times out, and kill all processes that it left behind.

    If the work dies in a host, the host is also killed.
    """
    hosted = host if host is not None and host.running and piece.host else None
    keeper = os.getpid()
    answer = os.memfd_create("answer")
    reading, writing = os.pipe()
    if hosted is not None:
        process = hosted.process
        hosted.begin(piece, answer, writing)
    else:
        process = os.fork()
        if process == 0:
            _run_and_exit(lambda: _become(piece, keeper, answer, writing))
    os.close(writing)
    printed = _Printed(reading)
    start, waited = time.monotonic(), seconds_without_cpu(process)
    deadline, last = start + piece.seconds - waited, start + piece.most_seconds
    try:
        code = None
        while code is None:
            # a host reports the end of a piece at once, whereas a child process must be polled often
            printed.read(_WATCH if hosted is not None else _TICK, hosted)
            if hosted is not None:
                code, waited = hosted.ended(), seconds_without_cpu(hosted.forked)
            else:
                ended, status = os.waitpid(process, os.WNOHANG)
                code, waited = os.waitstatus_to_exitcode(status) if ended else None, 0.0
            if code is None and time.monotonic() > min(deadline + seconds_without_cpu(process) + waited, last):
                if hosted is not None:
                    hosted.kill()
                else:
                    os.kill(process, signal.SIGKILL)
                    os.waitpid(process, 0)
                code = TIMED_OUT
        if hosted is not None and code not in (0, TIMED_OUT):
            hosted.close()
        end_descendants(spared=host.process if host is not None and host.running else None)
        printed.read(0)
        size = min(os.fstat(answer).st_size, MOST_BYTES)
        return Ended(code, printed.kept, os.pread(answer, size, 0))
    finally:
        os.close(reading)
        os.close(answer)


def seconds_without_cpu(process: int) -> float:
    """Return how long, in seconds, a process has waited for a CPU; 0 if the system does not report it."""
    try:
        with open(f"/proc/{process}/schedstat") as counts:
            return int(counts.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _become(piece: Piece, keeper: int, answer: int, printed: int) -> None:
    """Run a piece of work in a forked process, after redirecting the streams and closing the keeper's files."""
    os.setsid()
    end_with(keeper)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream, there in ((0, nowhere), (1, printed), (2, nowhere)):
        os.dup2(there, stream)
    os.closerange(3, answer)
    os.closerange(answer + 1, os.sysconf("SC_OPEN_MAX"))
    reseed()
    run_piece(piece, answer)


class _Printed:
    """Reader of a process's standard output, which keeps only the beginning."""

    def __init__(self, descriptor: int) -> None:
        self.kept = b""
        self._descriptor = descriptor
        self._open = True
        os.set_blocking(descriptor, False)

    def read(self, seconds: float, host: Host | None = None) -> None:
        """Read the available output, or wait at most `seconds` seconds for output or for a report from the host."""
        watched = [self._descriptor] * self._open
        if host is not None:
            watched.append(host.channel)
        ready, _, _ = select.select(watched, [], [], seconds)
        if self._descriptor not in ready:
            return
        with contextlib.suppress(BlockingIOError):
            found = os.read(self._descriptor, _CHUNK)
            self._open = bool(found)
            self.kept = (self.kept + found)[:PRINTED]


class Host:
    """Handle through which the keeper controls a host process.

    A host loads foreign code once, and forks a process for each piece of work that needs this code. It does none of
    this work itself. If loading fails or leaves the host in a state that forks should not share, it refuses all work,
    and the keeper forks the processes instead.

    Args:
        piece: First piece of work that needs the host.

    Attributes:
        process: Process id of the host.
        forked: Process id of the running piece of work, as reported by the host; 0 if it is not known yet.

    """

    def __init__(self, piece: Piece) -> None:
        self.asked, self.running, self.forked = piece.host, True, 0
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        keeper = os.getpid()
        self.process = os.fork()
        if self.process == 0:
            _run_and_exit(lambda: _serve_host(piece, keeper, theirs.detach()))
        theirs.close()

    @property
    def channel(self) -> int:
        """File descriptor on which the host reports the end of a piece of work."""
        return self._channel.fileno()

    def begin(self, piece: Piece, answer: int, printed: int) -> None:
        """Have the host fork a process for a piece of work.

        Args:
            piece: Piece of work to run.
            answer: File descriptor that the process writes its answer to.
            printed: File descriptor for the process's standard output.

        """
        self.forked = 0
        with contextlib.suppress(OSError):  # the host has ended, which `ended` reports
            socket.send_fds(self._channel, [pickle.dumps(piece)], [answer, printed])

    def ended(self) -> int | None:
        """Return the exit code of the piece of work, `REFUSED` if the host did not run it, or None if it is running."""
        if not select.select([self._channel], [], [], 0)[0]:
            return None
        try:
            (number,) = _NUMBER.unpack(self._channel.recv(_NUMBER.size))
        except (OSError, struct.error):
            return REFUSED
        if self.forked or number <= 0:
            return int(number) if self.forked else REFUSED
        self.forked = number
        return None

    def kill(self) -> None:
        """Kill the running piece of work. Kill the host too if it is still loading or does not report its end."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.forked or self.process, signal.SIGKILL)
        reported = self.forked and select.select([self._channel], [], [], _PATIENCE)[0]
        if not reported or self.ended() in (None, REFUSED):
            self.close()

    def close(self) -> None:
        """Kill the host and all its descendants."""
        self.running = False
        self._channel.close()
        end_descendants()


def _serve_host(piece: Piece, keeper: int, descriptor: int) -> NoReturn:
    """Run the host: load the foreign code, then fork a process for each piece of work until the channel closes."""
    os.setsid()
    end_with(keeper)
    channel, host = socket.socket(fileno=os.dup2(descriptor, 3)), os.getpid()
    nowhere, output = os.open(os.devnull, os.O_RDWR), os.memfd_create("output")
    for stream, there in ((0, nowhere), (1, output), (2, nowhere)):
        os.dup2(there, stream)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    reseed()
    function, args = pickle.loads(piece.host)
    with memory_limit(piece.megabytes):
        is_ready = function(*args) is True
    sys.stdout.flush()
    is_ready = is_ready and os.fstat(1).st_size == 0
    gc.freeze()  # so that garbage collection in forks does not copy pages
    while True:
        text, files, _, _ = socket.recv_fds(channel, _MOST, 2)
        if not text:
            os._exit(0)
        answer, printed = files
        process = os.fork() if is_ready else -1
        if process == 0:
            _run_and_exit(lambda: _become_hosted(pickle.loads(text), host, channel, answer, printed))  # noqa: B023
        os.close(answer)
        os.close(printed)
        channel.send(_NUMBER.pack(process))
        if is_ready:
            channel.send(_NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])))


def _become_hosted(piece: Piece, host: int, channel: socket.socket, answer: int, printed: int) -> None:
    """Run a piece of work in the process that a host has forked for it."""
    channel.close()
    os.setsid()
    end_with(host)
    os.dup2(printed, 1)
    os.close(printed)
    run_piece(piece, answer)


def serve_one() -> NoReturn:
    """Run one piece of work from standard input in this new interpreter, which is killed if the pipe closes."""
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

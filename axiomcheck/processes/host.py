"""Run hosts: processes that load foreign code once, and fork a process for each piece of work that needs this code.

A host does none of this work itself. If loading fails or leaves the host in a state that forks should not share, it
refuses all work, and the keeper forks the processes instead.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable
from typing import NoReturn

from axiomcheck.processes.descendants import end_descendants, end_with
from axiomcheck.processes.piece import Piece, memory_limit, reseed, run_piece

REFUSED = 2**17
"""Exit code of a host that refused a piece of work."""

_NUMBER = struct.Struct(">i")
_PATIENCE = 1.0
"""Time, in seconds, in which a host must report the end of a piece of work that was killed."""

_MOST = 2**16
"""Maximum size, in bytes, of a piece of work that is sent to a host."""


class Host:
    """Handle through which the keeper controls a host process.

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
            try:
                _serve(piece, keeper, theirs.detach())
            finally:
                os._exit(1)  # after an exception, which the cells' own processes will raise again
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


def _serve(piece: Piece, keeper: int, descriptor: int) -> NoReturn:
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
            _become(pickle.loads(text), host, channel, answer, printed)
        os.close(answer)
        os.close(printed)
        channel.send(_NUMBER.pack(process))
        if is_ready:
            channel.send(_NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])))


def _become(piece: Piece, host: int, channel: socket.socket, answer: int, printed: int) -> NoReturn:
    """Run a piece of work in the process that a host has forked for it."""
    end: Callable[[int], NoReturn] = os._exit
    try:
        channel.close()
        os.setsid()
        end_with(host)
        os.dup2(printed, 1)
        os.close(printed)
        run_piece(piece, answer)
    finally:
        end(1)

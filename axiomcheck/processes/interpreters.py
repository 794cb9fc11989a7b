"""Interpreters that a run starts to work for it: the run's side of the pipes to them."""

from __future__ import annotations

import contextlib
import pickle
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, NoReturn

from axiomcheck.processes.keeper import REPLY, SIZE
from axiomcheck.processes.piece import Piece

_GRACE = 10.0
"""Seconds that a keeper has beyond the limit of a piece, before it counts as stopped by that."""

_LAST = 5.0
"""Seconds that a supervisor has to end what is below it."""


class NoWorker(Exception):
    """A worker process could not be started, or ended while nothing foreign was running."""


class WorkerDied(Exception):
    """A worker process ended in the middle of a call."""


@dataclass(frozen=True)
class Ended:
    """The end of a piece of work.

    Args:
        code: of its process: 0, or `TIMED_OUT`, or an exit code, or minus the number of a signal; None where it took
            its keeper along.
        printed: the beginning of what it printed.
        answer: what it answered, for `axiomcheck.processes.piece.unpack`.

    """

    code: int | None
    printed: bytes = b""
    answer: bytes = b""


def interpreter(program: str) -> list[str]:
    """Return the command that runs a program in a new interpreter, which imports from where this one does."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}"]


class _Interpreter:
    """A new interpreter in a session of its own, which hears nothing of Ctrl-C, with pipes to it and from it.

    Args:
        complaints: where its standard error goes; None where this process's goes.

    Raises:
        NoWorker: it cannot be started.

    """

    needs: str | None = None
    """The library that pieces so far needed, which is now loaded; None where it works for axiomcheck itself."""

    def __init__(self, program: str, complaints: IO[bytes] | None) -> None:
        try:
            self._process = subprocess.Popen(
                interpreter(program),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise NoWorker(str(error)) from None

    def _write(self, body: bytes) -> None:
        """Write a text and before it its length.

        Raises:
            OSError, ValueError: the process ended, or was closed from here.

        """
        commands = self._process.stdin
        assert commands is not None
        text = memoryview(SIZE.pack(len(body)) + body)
        while text:
            text = text[commands.write(text) :]

    def _read(self, size: int, deadline: float | None = None) -> bytes | None:
        """Read so many bytes; None where the process ended, or the deadline is over."""
        replies = self._process.stdout
        assert replies is not None
        read = bytearray()
        while len(read) < size:
            if deadline is not None and not select.select([replies], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return None
            part = replies.read(min(size - len(read), 2**20))
            if not part:
                return None
            read += part
        return bytes(read)

    def close(self, patience: float = 0.0) -> None:
        """End the process, which has so many seconds to end by itself once nothing more can come."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def release(self) -> None:
        """Give back what it took, once it is closed and nobody reads from it."""
        assert self._process.stdout is not None
        self._process.stdout.close()


class Keeping(_Interpreter):
    """A supervisor with its keeper: runs pieces one after the other, in a process each."""

    def __init__(self) -> None:
        self.needs = ""
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - see `release`
        super().__init__("from axiomcheck.processes.keeper import serve; serve()", self._complaints)

    def run(self, piece: Piece) -> Ended:
        """Run a piece of work.

        Raises:
            NoWorker: the keeper is not there.

        """
        self.needs = self.needs or piece.needs
        try:
            self._write(pickle.dumps(piece))
        except (OSError, ValueError):
            self._gone()
        deadline = time.monotonic() + piece.most_seconds + _GRACE
        head = self._read(REPLY.size, deadline)
        if head is None:
            return self._lost()
        code, printed, answer = REPLY.unpack(head)
        body = self._read(printed + answer, deadline)
        return self._lost() if body is None else Ended(code, body[:printed], body[printed:])

    def _lost(self) -> Ended:
        """The keeper ended or stands still: by itself, in which case it complained, or by what its piece did to it."""
        self.close()
        if self._complaint():
            self._gone()
        return Ended(None)

    def _gone(self) -> NoReturn:
        self.close()
        raise NoWorker(self._complaint() or f"exit code {self._process.returncode}")

    def _complaint(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self, patience: float = _LAST) -> None:
        """End it, and whatever runs below it."""
        super().close(patience)

    def release(self) -> None:
        """Give back what it took, once it is closed and `run` has come back."""
        super().release()
        self._complaints.close()


class Calling(_Interpreter):
    """A process for work that is trusted: calls functions of axiomcheck's, one after the other, without limits.

    Args:
        first: a call that is made before the first other one, as `call` takes it; empty for none.

    """

    def __init__(self, first: bytes = b"") -> None:
        super().__init__("from axiomcheck.processes.keeper import serve_calls; serve_calls()", None)
        self._first = first

    def call(self, work: bytes, hear: Callable[[object], None]) -> None:
        """Call a function, and hear what it says.

        Args:
            work: ``(function, args)``, pickled; it is called with the arguments, and a function to say something by.
            hear: called with everything that it says.

        Raises:
            WorkerDied: the process ended before the call came back.
            BaseException: whatever the function raised.

        """
        if first := self._first:
            self._first = b""
            self.call(first, hear)
        try:
            self._write(work)
        except (OSError, ValueError):
            raise WorkerDied from None
        while (head := self._read(SIZE.size)) is not None and (body := self._read(*SIZE.unpack(head))) is not None:
            is_over, said = pickle.loads(body)
            if not is_over:
                hear(said)
            elif said is None:
                return
            else:
                raise said
        raise WorkerDied

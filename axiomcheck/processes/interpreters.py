"""Start Python interpreters as a run's workers, and exchange messages with them, on the run's side.

`axiomcheck.processes.keeper` implements the workers' side.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import IO, NoReturn

from axiomcheck.core.directory import named_in
from axiomcheck.processes.keeper import REPLY, SIZE, Ended
from axiomcheck.processes.piece import Piece

_GRACE = 10.0
"""Time, in seconds, after the timeout of a piece of work. A keeper that is still silent by then was stopped by that
work."""

_LAST = 5.0
"""Time, in seconds, in which a supervisor must end its descendants."""


class NoWorker(Exception):
    """Raised when a worker process could not be started, or ended while no foreign code was running."""


class WorkerDied(Exception):
    """Raised when a worker process ends during a call."""


def interpreter(program: str) -> list[str]:
    """Return the command that runs a program in a new interpreter with the import path of this one."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}"]


class Interpreter:
    """Python subprocess connected by pipes. It runs in a session of its own, which does not receive Ctrl-C.

    Args:
        program: Python code to run, with the import path of this process.
        keeps_errors: True to write its standard error to a file, which `errors` reads.
        environ: Environment variables in addition to those of this process.

    Raises:
        NoWorker: The interpreter cannot be started.

    """

    needs: str | None = None
    """Library that earlier pieces of work have imported. It is empty if there is none, and None for an interpreter that
    runs only trusted work."""

    def __init__(self, program: str, *, keeps_errors: bool = False, environ: Mapping[str, str] | None = None) -> None:
        self._errors: IO[bytes] | None = tempfile.TemporaryFile() if keeps_errors else None  # noqa: SIM115 - see `release`
        try:
            self._process = subprocess.Popen(
                interpreter(program),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,
                cwd=named_in(),
                env=os.environ | dict(environ or {}),
            )
        except OSError as error:
            raise NoWorker(str(error)) from None

    def write(self, body: bytes, deadline: float = math.inf) -> None:
        """Write a message, preceded by its length.

        Raises:
            OSError, ValueError: The process ended, or the pipe was closed on this side.
            TimeoutError: The process did not read the message before the deadline.

        """
        commands = self._process.stdin
        assert commands is not None
        text = memoryview(SIZE.pack(len(body)) + body)
        while text:
            left = None if deadline == math.inf else max(0.0, deadline - time.monotonic())
            if not select.select([], [commands], [], left)[1]:
                raise TimeoutError("the process does not read its input")
            text = text[commands.write(text[: select.PIPE_BUF]) :]  # never blocks after select

    def read(self, size: int, deadline: float | None = None) -> bytes | None:
        """Read `size` bytes from the process. Return None if the process ends or the deadline passes before that."""
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

    def errors(self) -> str:
        """Return the last line of the process's standard error, or an empty string. The process must have ended."""
        assert self._errors is not None
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self, patience: float = 0.0) -> int:
        """Close the input of the process, and kill the process if it has not ended after `patience` seconds.

        Returns:
            The exit code, or the negated number of the signal that ended the process.

        """
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            return self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def release(self) -> None:
        """Close the output pipe and the file of errors. The process must have ended, and no thread may be reading."""
        assert self._process.stdout is not None
        self._process.stdout.close()
        if self._errors is not None:
            self._errors.close()


class Keeping(Interpreter):
    """Supervisor and keeper processes, which run pieces of foreign work one by one, each in its own process."""

    def __init__(self) -> None:
        self.needs = ""
        super().__init__("from axiomcheck.processes.keeper import serve; serve()", keeps_errors=True)

    def run(self, piece: Piece) -> Ended:
        """Run a piece of work in its own process, and return its outcome.

        Raises:
            NoWorker: The keeper had ended before this work began, or failed with an error of its own.

        """
        self.needs = self.needs or piece.needs
        try:
            self.write(pickle.dumps(piece))
        except (OSError, ValueError):
            self._gone()
        deadline = time.monotonic() + piece.most_seconds + _GRACE
        head = self.read(REPLY.size, deadline)
        if head is None:
            return self._lost()
        code, printed, answer = REPLY.unpack(head)
        body = self.read(printed + answer, deadline)
        return self._lost() if body is None else Ended(code, body[:printed], body[printed:])

    def _lost(self) -> Ended:
        """End the supervisor, and return the outcome of a piece of work whose keeper has ended or hangs.

        Raises:
            NoWorker: The keeper printed an error of its own, which the piece of work did not cause.

        """
        self.close()
        if self.errors():
            self._gone()
        return Ended(None)

    def _gone(self) -> NoReturn:
        code = self.close()
        raise NoWorker(self.errors() or f"exit code {code}")

    def close(self, patience: float = _LAST) -> int:
        """End the supervisor and all its descendants."""
        return super().close(patience)


class Calling(Interpreter):
    """Worker process for trusted work, which calls functions of axiomcheck one after the other.

    The calls have no limits on time or memory.
    """

    def __init__(self) -> None:
        super().__init__("from axiomcheck.processes.keeper import serve_calls; serve_calls()")

    def call(self, work: bytes, hear: Callable[[object], None]) -> None:
        """Call a function in the process, and pass its messages to a callback.

        Args:
            work: Pickled ``(function, args)``. The function is called with the arguments and a callback for its
                messages.
            hear: Function that receives each message.

        Raises:
            WorkerDied: The process ended before the call returned.
            BaseException: The function raised this exception.

        """
        try:
            self.write(work)
        except (OSError, ValueError):
            raise WorkerDied from None
        while (head := self.read(SIZE.size)) is not None and (body := self.read(*SIZE.unpack(head))) is not None:
            is_over, said = pickle.loads(body)
            if not is_over:
                hear(said)
            elif said is None:
                return
            else:
                raise said
        raise WorkerDied

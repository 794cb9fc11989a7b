"""The run's side of a supervisor and its keeper."""

from __future__ import annotations

import contextlib
import pickle
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import NoReturn

from axiomcheck.processes.keeper import REPLY, SIZE
from axiomcheck.processes.piece import Piece

_GRACE = 10.0
"""Seconds that a keeper has beyond the limit of a piece, before it counts as stopped by that."""

_LAST = 5.0
"""Seconds that a supervisor has to end what is below it."""


class NoKeeper(Exception):
    """A keeper could not be started, or ended while nothing foreign was running."""


@dataclass(frozen=True)
class Ended:
    """How a piece of work ended.

    Args:
        code: of its process: 0, or `TIMED_OUT`, or an exit code, or minus the number of a signal; None where it took
            its keeper along.
        printed: the beginning of what it printed.
        answer: what it answered, for `axiomcheck.processes.answers.unpack`.

    """

    code: int | None
    printed: bytes = b""
    answer: bytes = b""


def interpreter(program: str) -> list[str]:
    """The command that runs a program in a new interpreter, which imports from where this one does."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}"]


class Keeping:
    """A supervisor with its keeper: runs pieces one after the other, in a process each.

    Raises:
        NoKeeper: it cannot be started.

    """

    def __init__(self) -> None:
        self.needs = ""
        """The library that pieces so far needed, which is now in the keeper."""
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - see `release`
        try:
            self._process = subprocess.Popen(
                interpreter("from axiomcheck.processes.keeper import serve; serve()"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise NoKeeper(str(error)) from None

    def run(self, piece: Piece) -> Ended:
        """Runs a piece of work.

        Raises:
            NoKeeper: the keeper is not there.

        """
        self.needs = self.needs or piece.needs
        commands, body = self._process.stdin, pickle.dumps(piece)
        assert commands is not None
        try:
            commands.write(SIZE.pack(len(body)) + body)
        except (OSError, ValueError):  # ended, or closed from here
            self._gone()
        deadline = time.monotonic() + piece.most_seconds + _GRACE
        head = self._read(REPLY.size, deadline)
        if head is None:
            return self._lost()
        code, printed, answer = REPLY.unpack(head)
        body_ = self._read(printed + answer, deadline)
        return self._lost() if body_ is None else Ended(code, body_[:printed], body_[printed:])

    def _read(self, size: int, deadline: float) -> bytes | None:
        replies = self._process.stdout
        assert replies is not None
        found = bytearray()
        while len(found) < size:
            ready, _, _ = select.select([replies], [], [], max(0.0, deadline - time.monotonic()))
            part = replies.read(min(size - len(found), 2**20)) if ready else b""
            if not part:
                return None
            found += part
        return bytes(found)

    def _lost(self) -> Ended:
        """The keeper ended or stands still: by itself, in which case it complained, or by what its piece did to it."""
        self.close()
        if self._complaint():
            self._gone()
        return Ended(None)

    def _gone(self) -> NoReturn:
        self.close()
        raise NoKeeper(self._complaint() or f"exit code {self._process.returncode}")

    def _complaint(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        """Ends it, and whatever runs below it."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_LAST)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def release(self) -> None:
        """Gives back what it took, once it is closed and `run` has come back."""
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._complaints.close()

"""Pieces of work where the system does not fork well: each in a new interpreter, which takes longer to start."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import psutil

from axiomcheck.processes.answers import MOST_BYTES
from axiomcheck.processes.interpreters import Ended, interpreter
from axiomcheck.processes.keeper import PRINTED, TIMED_OUT
from axiomcheck.processes.piece import Piece, run_piece
from axiomcheck.processes.sweep import end_descendants


class Spawning:
    """Runs pieces one after the other, in an interpreter each."""

    needs = ""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = command or interpreter("from axiomcheck.processes.spawned import serve_one; serve_one()")
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def run(self, piece: Piece) -> Ended:
        """Run a piece of work in an interpreter of its own."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            answer, printed = Path(folder, "answer"), Path(folder, "printed")
            answer.touch()
            with open(printed, "wb") as out:
                process = subprocess.Popen(
                    [*self._command, str(answer)],
                    stdin=subprocess.PIPE,
                    stdout=out,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            self._process = process
            code = TIMED_OUT
            assert process.stdin is not None
            try:
                with contextlib.suppress(BrokenPipeError):
                    pickle.dump(piece, process.stdin)
                    process.stdin.flush()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = process.wait(0 if self._closed else piece.seconds)
            finally:
                _end(process)
                process.stdin.close()
            with open(printed, "rb") as text, open(answer, "rb") as data:
                return Ended(code, text.read(PRINTED), data.read(MOST_BYTES))

    def close(self) -> None:
        """End the piece that is running, if one is."""
        self._closed = True
        if self._process is not None:
            _end(self._process)

    def release(self) -> None:
        """Do nothing: there is nothing to give back."""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and what it started, as far as that is still known to be its."""
    end_descendants(process.pid)
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):  # as a rule there is nothing left
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


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

"""One piece of foreign work, in a process that runs nothing else, and its answer: bytes that are not trusted."""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, Optional

import msgspec

from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError, OverLimit
from axiomcheck.core.printable import printable

MOST_BYTES = 2**28
"""Most bytes of an answer; a certificate has some kilobytes."""

ErrorKind = Literal["MetricError", "OverLimit", "InvalidInput", "InternalDisagreement"]

ERRORS: dict[ErrorKind, type[AxiomcheckError]] = {
    "InternalDisagreement": InternalDisagreement,
    "InvalidInput": InvalidInput,
    "OverLimit": OverLimit,
    "MetricError": MetricError,
}
"""The errors that work may end with, those of a narrower meaning first."""


@dataclass(frozen=True)
class Piece:
    """A piece of work.

    Args:
        work: ``(function, args)``, pickled; it is unpickled in its own process only.
        seconds: that it may take.
        most_seconds: of wall clock; what is more than ``seconds`` is for time in which it waits for a CPU.
        megabytes: address space that it may take beyond what its process has to begin with.
        home: the module of the function.
        needs: an installed library's module that may be imported once for many pieces; empty for none.

    """

    work: bytes
    seconds: float
    most_seconds: float
    megabytes: int
    home: str
    needs: str = ""


_descriptor: int | None = None


def answer_so_far(result: object) -> None:
    """Write a partial result, for where the limit on time ends the work; outside a piece of work do nothing.

    It is written along with an error, so that it is never taken for the whole result where the process ends by itself.
    """
    if _descriptor is not None:
        _write(_descriptor, pack(result, "OverLimit", "its process ended before it was done (exit code 0)"))


def _write(descriptor: int, data: bytes) -> None:
    """Replace what a file holds."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.ftruncate(descriptor, 0)
    while data:
        data = data[os.write(descriptor, data) :]


def run_piece(piece: Piece, answer: int) -> NoReturn:
    """Do the work, write what came of it, and end the process.

    Args:
        piece: the work.
        answer: the descriptor that the answer is written to.

    """
    # External code may replace these; a fork of it may come back here.
    end, process, getpid = os._exit, os.getpid(), os.getpid
    global _descriptor
    _descriptor = answer
    code = 1
    try:
        data = _answer(piece)
        if getpid() == process:
            _write(answer, data)
            code = 0
    finally:
        end(code)


def _answer(piece: Piece) -> bytes:
    if "numpy" in sys.modules:
        import numpy as np

        np.random.seed()  # as in a process that was not forked
    result: object = None
    kind: ErrorKind | None = None
    message = ""
    try:
        function, args = pickle.loads(piece.work)
        with _memory_limit(piece.megabytes):
            result = function(*args)
        sys.stdout.flush()
    except BaseException as error:  # whatever foreign code raises, to exit too
        result = None
        kind, message = _told(error, piece.megabytes)
        with contextlib.suppress(Exception):  # it may have been closed
            sys.stdout.flush()
    try:
        return pack(result, kind, message)
    except Exception as error:  # half of a surrogate pair, or what foreign code made of a class
        return pack(None, "MetricError", f"what it returned cannot be sent: {named(error)}")


def _told(error: BaseException, megabytes: int) -> tuple[ErrorKind, str]:
    """Return an error as one that the other side knows: its class may not be there."""
    if isinstance(error, MemoryError):
        return "OverLimit", f"needed more than the limit of {megabytes} MB (--memory)"
    kind = next((kind for kind, known in ERRORS.items() if isinstance(error, known)), None)
    message = printable(str(error)) if kind else f"raised {named(error)}"
    if not _OUT_OF_MEMORY.search(message):
        return kind or "MetricError", message
    return kind if kind in ("InternalDisagreement", "InvalidInput") else "OverLimit", naming_memory_limit(
        message, megabytes
    )


def naming_memory_limit(message: str, megabytes: int) -> str:
    """Return an error's message, with the limit on memory before it where it looks as if that was met."""
    if not _OUT_OF_MEMORY.search(message):
        return message
    return f"needed more than the limit of {megabytes} MB (--memory), it seems: {message}"


_OUT_OF_MEMORY = re.compile(
    "failed to map segment|cannot allocate memory|unable to allocate|bad_alloc|out of memory|MemoryError|"
    "can't start new thread",
    re.IGNORECASE,
)
"""Messages of the system, of numpy and of libraries in C that met the limit on memory and raised something else."""


def named(error: BaseException) -> str:
    """Return an error's class and message; of a foreign class, which may fail at telling its own."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return printable(f"{type(error).__name__}: {message}" if message else type(error).__name__)


@contextlib.contextmanager
def _memory_limit(megabytes: int) -> Iterator[None]:
    try:
        import resource

        with open("/proc/self/statm") as pages:
            size = int(pages.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):  # no such limit on this system
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = size + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


# Answers, as bytes that came from a process in which foreign code ran


@dataclass(frozen=True)
class Answer:
    """The outcome of a piece of work.

    Args:
        result: what it returned; if it raised, None or a partial result.
        error: what it raised, as one of axiomcheck's errors; None if it did not.

    """

    result: Any
    error: AxiomcheckError | None = None


def pack(result: object, kind: ErrorKind | None, message: str) -> bytes:
    """Return an answer as bytes: JSON, of which nothing gets to run where it is read."""
    return msgspec.json.encode((result, kind, message), enc_hook=_plain)


def _plain(value: object) -> object:
    """Return a number of numpy's as a plain one."""
    import numpy as np

    if isinstance(value, np.bool_ | np.integer | np.floating):
        return value.item()
    raise NotImplementedError


def unpack(data: bytes, promised: Any = Any) -> Answer:
    """Return an answer, of bytes that are not trusted.

    Raises:
        MetricError: they are no answer, or another result.

    """
    try:
        text, kind, message = msgspec.json.decode(data, type=tuple[msgspec.Raw, ErrorKind | None, str])
        result = msgspec.json.decode(text, type=promised if kind is None else Optional[promised])  # noqa: UP045
    except msgspec.ValidationError as wrong:
        raise MetricError(f"its process sent another answer than was asked for ({printable(str(wrong))})") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise MetricError(f"its process sent what is no answer ({type(fault).__name__})") from None
    return Answer(result, None if kind is None else ERRORS[kind](message))

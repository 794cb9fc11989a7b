"""Execute a piece of foreign work in its own process, and encode its answer, which the run does not trust."""

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

from axiomcheck.core.documents import decode
from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError, OverLimit
from axiomcheck.core.printable import printable

MOST_BYTES = 2**28
"""Maximum size of an answer in bytes. A certificate takes a few kilobytes."""

ErrorKind = Literal["MetricError", "OverLimit", "InvalidInput", "InternalDisagreement"]

ERRORS: dict[ErrorKind, type[AxiomcheckError]] = {
    "InternalDisagreement": InternalDisagreement,
    "InvalidInput": InvalidInput,
    "OverLimit": OverLimit,
    "MetricError": MetricError,
}
"""Errors that a piece of work can report, subclasses first."""


@dataclass(frozen=True)
class Piece:
    """Piece of work that runs in its own process.

    Args:
        work: Pickled ``(function, args)``, which is unpickled only in the piece's own process.
        seconds: Time limit in seconds.
        most_seconds: Limit on the wall-clock time in seconds. It exceeds ``seconds`` to allow for waiting for a CPU.
        megabytes: Limit on the address space beyond that of an empty process.
        home: Module of the function.
        needs: Module of an installed library that may be imported once for many pieces of work; empty for none.
        host: Pickled ``(function, args)`` that a host calls once for many pieces of work, or empty for no host. The
            function returns True if the work may then be forked from the host. See `axiomcheck.processes.keeper.Host`.

    """

    work: bytes
    seconds: float
    most_seconds: float
    megabytes: int
    home: str
    needs: str = ""
    host: bytes = b""


_descriptor: int | None = None


def answer_so_far(result: object) -> None:
    """Write a partial result, which becomes the result of the work if the timeout is exceeded.

    An error is written with it, so that it is not mistaken for the complete result if the process ends by itself.
    Outside a piece of work, this function does nothing.
    """
    if _descriptor is not None:
        with contextlib.suppress(Exception):  # external code may have closed or replaced it
            sys.stdout.flush()  # so that what was printed is known even if this process is killed
        _write(_descriptor, pack(result, "OverLimit", "its process ended before the work was done (exit code 0)"))


def _write(descriptor: int, data: bytes) -> None:
    """Replace the contents of a file."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.ftruncate(descriptor, 0)
    while data:
        data = data[os.write(descriptor, data) :]


def run_piece(piece: Piece, answer: int) -> NoReturn:
    """Run a piece of work in this process, write its result or error, and end the process.

    Args:
        piece: Piece of work to run.
        answer: File descriptor that the answer is written to.

    """
    # External code may replace these functions, and a process that it forks may return to this place.
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


def reseed() -> None:
    """Give NumPy's global generator a new random seed, so that forked processes do not draw the same numbers."""
    if "numpy" in sys.modules:
        import numpy as np

        np.random.seed()


def _answer(piece: Piece) -> bytes:
    result: object = None
    kind: ErrorKind | None = None
    message = ""
    try:
        function, args = pickle.loads(piece.work)
        with memory_limit(piece.megabytes):
            result = function(*args)
        sys.stdout.flush()
    except BaseException as error:  # foreign code may raise any exception, even SystemExit
        result = None
        kind, message = _classified(error, piece.megabytes)
        with contextlib.suppress(Exception):  # standard output may have been closed
            sys.stdout.flush()
    try:
        return pack(result, kind, message)
    except Exception as error:  # such as half of a surrogate pair, or a class that foreign code changed
        return pack(None, "MetricError", f"its return value cannot be sent: {named(error)}")


def _classified(error: BaseException, megabytes: int) -> tuple[ErrorKind, str]:
    """Classify any exception as one of axiomcheck's errors; return the name of that class and the message."""
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
    """Prepend the memory limit to an error message that seems to report a lack of memory."""
    if not _OUT_OF_MEMORY.search(message):
        return message
    return f"seems to have needed more than the limit of {megabytes} MB (--memory): {message}"


_OUT_OF_MEMORY = re.compile(
    "failed to map segment|cannot allocate memory|unable to allocate|bad_alloc|out of memory|MemoryError|"
    "can't start new thread",
    re.IGNORECASE,
)
"""Pattern of messages in which the system, NumPy or a C library reports a lack of memory without a MemoryError."""


def named(error: BaseException) -> str:
    """Format an exception as class name and message. If converting it to text fails, return the class name alone."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return printable(f"{type(error).__name__}: {message}" if message else type(error).__name__)


@contextlib.contextmanager
def memory_limit(megabytes: int) -> Iterator[None]:
    """Limit the memory that this process may use in addition to what it already uses, if the system supports it."""
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


# Encoding of answers, which come from a process that ran foreign code


@dataclass(frozen=True)
class Answer:
    """Outcome of a piece of work.

    Args:
        result: Return value. After an error, it is None or a partial result.
        error: Error that the work raised, as one of axiomcheck's errors, or None.

    """

    result: Any
    error: AxiomcheckError | None = None


def pack(result: object, kind: ErrorKind | None, message: str) -> bytes:
    """Encode an answer as JSON, because decoding JSON cannot run code."""
    return msgspec.json.encode((result, kind, message), enc_hook=_plain)


def _plain(value: object) -> object:
    """Convert a NumPy scalar to a plain Python number."""
    import numpy as np

    if isinstance(value, np.bool_ | np.integer | np.floating):
        return value.item()
    raise NotImplementedError


def unpack(data: bytes, promised: Any = Any) -> Answer:
    """Decode an answer from untrusted bytes.

    Raises:
        MetricError: The bytes are not a valid answer, or the result does not have the type `promised`.

    """
    try:
        text, kind, message = decode(data, tuple[msgspec.Raw, ErrorKind | None, str])
        result = decode(text, promised if kind is None else Optional[promised])  # noqa: UP045
    except msgspec.ValidationError as wrong:
        raise MetricError(f"its process sent a result of the wrong type ({printable(str(wrong))})") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise MetricError(f"its process sent an answer that cannot be decoded ({type(fault).__name__})") from None
    return Answer(result, None if kind is None else ERRORS[kind](message))

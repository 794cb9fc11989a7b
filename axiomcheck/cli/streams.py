"""Guard standard output and error while a command runs: escape unprintable text, and exit cleanly if a stream fails.

A closed pipe or a full disk is neither a verdict nor a defect, so all commands report it in the same way.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import Any

import click

from axiomcheck.cli.help import EXIT_PIPE, EXIT_USAGE
from axiomcheck.core.printable import escaped, in_units

_ESCAPE = "axiomcheck.escape"


def _escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(in_units, error.object[error.start : error.end])), error.end


codecs.register_error(_ESCAPE, _escape)


class _Lost(Exception):
    """Raised when a standard stream cannot be written to.

    It is not an OSError, because rich, click and other libraries handle an OSError themselves.

    Args:
        stream: Failed stream.
        error: Error of the operating system.

    """

    def __init__(self, stream: _Stream, error: OSError) -> None:
        super().__init__(str(error))
        self.stream, self.error = stream, error


class _Stream(io.TextIOWrapper):
    """Standard stream that escapes text except for terminal control sequences, and raises `_Lost` on failure."""

    owns_buffer = False
    """True if the interpreter's own stream does not use the buffer of this one."""

    def write(self, text: str) -> int:
        # Colour sequences and the carriage returns of progress bars pass. Names and messages are escaped by their
        # callers.
        shown = "\x1b".join("\r".join(map(escaped, part.split("\r"))) for part in text.split("\x1b"))
        try:
            super().write(shown)
        except OSError as error:
            raise _Lost(self, error) from None
        return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _Lost(self, error) from None


@contextlib.contextmanager
def guarded_streams() -> Iterator[None]:
    """Replace standard output and error with guarded streams, and exit if one of them fails.

    Raises:
        SystemExit: A stream failed. The code is `EXIT_PIPE`, without a message, for a closed pipe, else `EXIT_USAGE`
            with a message.

    """
    kept = sys.stdout, sys.stderr
    own = sys.stdout, sys.stderr = _guarded(kept[0], "rb"), _guarded(kept[1], "wb")
    try:
        try:
            yield
        finally:
            for stream in own:
                stream.flush()
    except _Lost as lost:
        _abandon(lost.stream)
        if lost.error.errno == errno.EPIPE:
            sys.exit(EXIT_PIPE)
        name = "output" if lost.stream is own[0] else "error"
        with contextlib.suppress(_Lost):  # standard error itself failed, so that no message can be shown
            click.echo(f"Error: cannot write to standard {name}: {lost.error.strerror or 'it is closed'}", err=True)
        sys.exit(EXIT_USAGE)
    finally:
        sys.stdout, sys.stderr = kept
        for stream in own:
            if isinstance(stream, _Stream):
                _leave(stream)


def _guarded(stream: Any, closed: str) -> Any:
    """Return a guarded replacement of a stream; a custom stream of the caller, as in a test, is kept.

    Args:
        stream: Stream of the interpreter; None if it was closed.
        closed: Mode in which the null device replaces a closed stream, so that no other file gets its descriptor.
            Writing fails in the mode ``rb``.

    """
    if stream is None:
        return _Stream(open(os.devnull, closed), "utf-8")
    if type(stream) is not io.TextIOWrapper:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPE)
        return stream
    stream.flush()
    if not isinstance(stream.buffer, io.RawIOBase):
        return _Stream(stream.buffer, stream.encoding, _ESCAPE, line_buffering=stream.line_buffering)
    # With PYTHONUNBUFFERED there is no buffer, and what the system does not take at once would be lost.
    made = _Stream(io.BufferedWriter(stream.buffer), stream.encoding, _ESCAPE, line_buffering=True)
    made.owns_buffer = True
    return made


def _leave(stream: _Stream) -> None:
    """Detach the buffer, to let the interpreter's own stream continue to use it."""
    try:
        buffer: Any = stream.detach()
    except _Lost:  # the second failed stream, which cannot be reported
        _abandon(stream)
        buffer = stream.detach()
    if stream.owns_buffer:
        buffer.detach()


def _abandon(stream: _Stream) -> None:
    """Redirect the remaining output of a stream to the null device, or the interpreter would retry at exit."""
    with contextlib.suppress(OSError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())

"""Standard output and error while a command runs: what they cannot show is escaped, and losing one ends the command.

A pipe that nobody reads from any more, or a full disk, is neither a verdict nor a defect: whichever command it was, it
ends with a code of its own.
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

from axiomcheck.cli.exits import EXIT_PIPE, EXIT_USAGE
from axiomcheck.core.printable import escaped, in_units

_ESCAPE = "axiomcheck.escape"


def _escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(in_units, error.object[error.start : error.end])), error.end


codecs.register_error(_ESCAPE, _escape)


class _Lost(Exception):
    """A standard stream cannot be written to. No OSError, which rich, click and others handle in ways of their own.

    Args:
        stream: which one.
        error: what the system says.

    """

    def __init__(self, stream: _Stream, error: OSError) -> None:
        super().__init__(str(error))
        self.stream, self.error = stream, error


class _Stream(io.TextIOWrapper):
    """A standard stream whose text is escaped, terminal's own sequences left aside, and whose loss is a `_Lost`."""

    def write(self, text: str) -> int:
        # A terminal's colours and a progress bar's carriage returns pass; whoever prints names and messages has escaped
        # those there.
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
    """Puts streams of that kind in the place of standard output and error, and says what becomes of a lost one.

    Raises:
        SystemExit: one was lost; `EXIT_PIPE`, silently, if nobody read on, else `EXIT_USAGE` with a message.

    """
    kept = sys.stdout, sys.stderr
    own = sys.stdout, sys.stderr = _guarded(kept[0]), _guarded(kept[1])
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
        with contextlib.suppress(_Lost):  # standard error itself is lost: there is nowhere left to say so
            click.echo(f"Error: cannot write to standard {name}: {lost.error.strerror}", err=True)
        sys.exit(EXIT_USAGE)
    finally:
        sys.stdout, sys.stderr = kept
        for stream in own:
            if isinstance(stream, _Stream):
                _leave(stream)


def _guarded(stream: Any) -> Any:
    """Return what to print to instead of a stream; a caller's own, as in a test, stays."""
    if stream is None:  # closed: what is printed goes nowhere, and no file is opened under its number
        return _Stream(open(os.devnull, "wb"), "utf-8")
    if type(stream) is not io.TextIOWrapper:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPE)
        return stream
    stream.flush()
    return _Stream(stream.buffer, stream.encoding, _ESCAPE, line_buffering=stream.line_buffering)


def _leave(stream: _Stream) -> None:
    """Hands the buffer back to the interpreter's own stream, which goes on."""
    try:
        stream.detach()
    except _Lost:  # the second one to be lost, of which nobody can be told
        _abandon(stream)
        stream.detach()


def _abandon(stream: _Stream) -> None:
    """Has what is still to be written go nowhere, or the interpreter would try again when it ends."""
    with contextlib.suppress(OSError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())

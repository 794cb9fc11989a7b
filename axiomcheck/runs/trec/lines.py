"""Columns of whitespace-separated text files, read in bulk: plain or gzip, by name, or ``-`` for standard input.

A line is a fixed number of columns; blank lines are passed over. Lines are checked and cut in blocks, by array code and
one split per block, so that reading costs little more than the split.
"""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers

Source = str | os.PathLike[str]
"""A file's name; ``-`` is standard input."""

Listener = Callable[[str, int], None]
"""Is told the file's name and how many lines of it were read, now and then."""

BLOCK = 1 << 21
"""Bytes read at a time."""


@dataclass(frozen=True)
class Block:
    """Some lines of a file.

    Args:
        tokens: line after line.
        width: columns per line.
        lines: (L,) the number of each line in its file.

    """

    tokens: list[bytes]
    width: int
    lines: Integers

    def column(self, number: int) -> list[bytes]:
        """One column, from 0."""
        return self.tokens[number :: self.width]


def source_name(source: Source) -> str:
    """How messages call a source."""
    return "standard input" if os.fspath(source) == "-" else os.fspath(source)


def shown_text(token: bytes) -> str:
    """A token for a message, whatever bytes it holds."""
    text = token.decode("utf-8", errors="replace")
    return repr(text if len(text) <= 60 else text[:57] + "...")


def malformed(source: Source, line: int, found: str, expected: str) -> InvalidInput:
    """The error about one line."""
    return InvalidInput(f"{source_name(source)}, line {line}: {found}; expected {expected}")


def blocks(source: Source, columns: Sequence[str], listen: Listener | None = None) -> Iterator[Block]:
    """The lines of a file, block by block.

    Args:
        source: the file.
        columns: what the columns are called, for messages.
        listen: is told of progress.

    Raises:
        InvalidInput: unreadable; a line with another number of columns (the message says which).

    """
    line = 1
    with _opened(source) as stream:
        for text in _texts(stream, source):
            block, line = _block(source, text, columns, line)
            if block.tokens:
                yield block
            if listen is not None:
                listen(source_name(source), line - 1)


@contextmanager
def _opened(source: Source) -> Iterator[IO[bytes]]:
    if os.fspath(source) == "-":
        yield _plain(sys.stdin.buffer)
        return
    try:
        file = open(Path(source), "rb")  # noqa: SIM115 - closed below, after what reads it
    except OSError as error:
        raise InvalidInput(f"cannot read {source_name(source)}: {error.strerror}") from None
    with file:
        yield _plain(file)


def _plain(file: Any) -> IO[bytes]:
    """The stream of decompressed bytes: gzip is known by its first two bytes, whatever the file's name."""
    peek = getattr(file, "peek", None)
    start = peek(2)[:2] if peek is not None else b""
    return gzip.GzipFile(fileobj=file) if start == b"\x1f\x8b" else file  # type: ignore[return-value]


def _texts(stream: IO[bytes], source: Source) -> Iterator[bytes]:
    """Blocks that end with a line's end."""
    rest, first = b"", True
    while True:
        try:
            text = stream.read(BLOCK)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise InvalidInput(f"{source_name(source)}: not a whole gzip file") from None
        except OSError as error:
            raise InvalidInput(f"cannot read {source_name(source)}: {error.strerror}") from None
        if first:
            text, first = text.removeprefix(b"\xef\xbb\xbf"), False
        if not text:
            break
        cut = text.rfind(b"\n") + 1
        if cut:
            yield rest + text[:cut]
            rest = text[cut:]
        else:
            rest += text
    if rest:
        yield rest + b"\n"


def _block(source: Source, text: bytes, columns: Sequence[str], first: int) -> tuple[Block, int]:
    """The lines of a text that ends with a line's end, and the number of the line after it."""
    width = len(columns)
    tokens = text.split()
    letters = np.frombuffer(text, dtype=np.uint8)
    space = (letters - np.uint8(9) < 5) | (letters == 32)  # as bytes.split: tab to carriage return, and space
    begins = ~space
    begins[1:] &= space[:-1]
    ends = np.flatnonzero(letters == 10)
    counts = np.diff(np.searchsorted(np.flatnonzero(begins), ends), prepend=0)
    after = first + len(ends)
    if np.all(counts == width):
        return Block(tokens, width, np.arange(first, after)), after
    wrong = np.flatnonzero((counts != width) & (counts != 0))
    if len(wrong):
        found = f"{counts[wrong[0]]} column{'s' if counts[wrong[0]] != 1 else ''}"
        raise malformed(source, first + int(wrong[0]), found, f"{width}: {' '.join(columns)}")
    return Block(tokens, width, first + np.flatnonzero(counts)), after

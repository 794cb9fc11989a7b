"""Read whitespace-separated columns from text files (plain or gzip) or standard input (``-``).

A line has a fixed number of columns. Blank lines are skipped, and lines that begin with ``#`` are comments. A file is
read once. Vectorized code finds the tokens block by block, without an object per token.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.runs.trec.tokens import PAD, Text, Tokens

Source = str | os.PathLike[str]
"""File name; ``-`` is standard input."""

Listener = Callable[[str, int], None]
"""Callback that regularly receives the file name and the number of lines read."""

BLOCK = 1 << 20
"""Size of a block in bytes."""

LONGEST = 1 << 16
"""Maximum length of a token in bytes; no tool uses longer tokens."""

LARGEST = 2 << 30
"""Maximum size of a decompressed file in bytes, since the text is kept in memory."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_CSV_VALUES = {4: "relevance", 6: "score"}
"""Third column of a CSV file of judgments or of a run, keyed by the number of columns in TREC files."""
_SWAPPED = {
    (4, 6): "; a file with 6 columns is a run, so use --run RUN, not --qrels",
    (6, 4): "; a file with 4 columns contains judgments, so use --qrels JUDGMENTS, not --run",
}
"""Hints, keyed by the expected and the actual number of columns."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP = b"\x1f\x8b"
_COMPRESSED = {"bzip2": b"BZh", "xz": b"\xfd7zXZ", "zip": b"PK\x03\x04", "zstd": b"\x28\xb5\x2f\xfd"}
"""First bytes of files in unsupported compression formats, keyed by program."""
_FIRST_LINE = re.compile(rb"(?:[^\S\n]*(?:#[^\n]*)?\n)*([^\n]*)")
"""Pattern for the first line that is neither blank nor a comment."""


def source_name(source: Source) -> str:
    """Return the name of a source for messages."""
    return "standard input" if os.fspath(source) == "-" else os.fspath(source)


def shown_text(token: bytes) -> str:
    """Convert a token (any bytes) to quoted text for a message, at most 60 characters."""
    text = token.decode("utf-8", errors="replace")
    return repr(text if len(text) <= 60 else text[:57] + "...")


def text_of(name: bytes) -> str:
    """Decode a name that may contain any bytes. Different names yield different strings."""
    return name.decode("utf-8", errors="surrogateescape")


def name_of(text: str) -> bytes:
    """Encode text as bytes, as the inverse of `text_of`. Any other surrogate becomes three bytes."""
    try:
        return text.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", errors="surrogatepass")


def malformed(source: Source, line: int, found: str, expected: str, unit: str = "line") -> InvalidInput:
    """Return an InvalidInput whose message names the source, the line, what was found, and what was expected."""
    return InvalidInput(f"{source_name(source)}, {unit} {line}: {found}; expected {expected}")


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def read_bytes(source: Source) -> bytearray:
    """Read all bytes of a source, decompress them, and remove a byte order mark.

    Gzip is detected by its first two bytes.

    Raises:
        InvalidInput: The source is unreadable, damaged, or too large.

    """
    name = source_name(source)
    try:
        if os.fspath(source) != "-":
            with open(Path(source), "rb") as file:
                data = _read_all(file, name)
        elif sys.stdin is None:
            raise InvalidInput("cannot read standard input: it is closed")
        else:
            data = _read_all(sys.stdin.buffer, name)
        if data.startswith(_GZIP):
            data = _read_all(gzip.GzipFile(fileobj=io.BytesIO(data)), name)
    except MemoryError:
        raise _too_large(name, "memory holds") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InvalidInput(f"{name} is not a complete gzip file") from None
    except OSError as error:
        raise InvalidInput(f"cannot read {name}: {error.strerror}") from None
    for kind, start in _COMPRESSED.items():
        if data.startswith(start):
            raise InvalidInput(f"{name} is compressed by {kind}; expected plain text or gzip")
    if data.startswith(_UTF_16):
        raise InvalidInput(
            f"{name} is UTF-16 text; expected UTF-8. To convert it, run: iconv -f UTF-16 -t UTF-8 {name} > NEW"
        )
    if data.startswith(_BYTE_ORDER_MARK):
        del data[: len(_BYTE_ORDER_MARK)]
    return data


def _read_all(stream: _Readable, name: str) -> bytearray:
    data = bytearray()
    while part := stream.read(BLOCK):
        data += part
        if len(data) > LARGEST:
            raise _too_large(name, f"{LARGEST:,} bytes")
    return data


def _too_large(name: str, limit: str) -> InvalidInput:
    return InvalidInput(f"{name} is larger than {limit}; expected a smaller file, or several parts")


def first_line(data: bytearray) -> bytes:
    """Return the first line that is neither blank nor a comment; empty if there is none."""
    found = _FIRST_LINE.match(data)
    assert found is not None
    return found[1]


@dataclass(frozen=True)
class LineBlock:
    """Block of lines from a file.

    Args:
        text: Text of the whole file.
        starts: Start of each token, shape (L, columns).
        lengths: Length of each token, shape (L, columns).
        lines: Number of each line in its file, shape (L,).
        comments: Number of comment lines that were skipped between these lines.

    """

    source: Source
    columns: Sequence[str]
    text: Text
    starts: Integers
    lengths: Integers
    lines: Integers
    comments: int

    def tokens(self, column: str) -> Tokens:
        """Return the tokens of one column."""
        number = self.columns.index(column)
        return Tokens(self.text, self.starts[:, number], self.lengths[:, number])

    def numbers(self, column: str, expected: str = "a finite number") -> Reals:
        """Return one column as floats.

        Raises:
            InvalidInput: An entry is not a finite number. The message names the line.

        """
        values = self.tokens(column).numbers()
        self._check(column, ~np.isnan(values), expected)
        return values

    def wholes(self, column: str, expected: str = "a whole number", below: int = 10**15) -> Integers:
        """Return one column as integers.

        Raises:
            InvalidInput: An entry is not an integer, or its absolute value is not below ``below``. The message names
                the line.

        """
        values, good = self.tokens(column).wholes()
        self._check(column, good & (np.abs(values) < below), expected)
        return values

    def _check(self, column: str, good: Mask, expected: str) -> None:
        if not good.all():
            place = int(np.argmin(good))
            (token,) = self.tokens(column)[place : place + 1].listed()
            raise malformed(self.source, int(self.lines[place]), f"{column} {shown_text(token)}", expected)


def blocks(
    source: Source, data: bytearray, columns: Sequence[str], listen: Listener | None = None
) -> Iterator[LineBlock]:
    """Yield the lines of a file in blocks.

    Args:
        source: File, for messages.
        data: Bytes of the file; padding is appended to them.
        columns: Names of the columns.
        listen: Callback for progress.

    Raises:
        InvalidInput: A line has the wrong number of columns, or a column is too long. The message names the line.

    """
    if data and not data.endswith(b"\n"):
        data += b"\n"
    size = len(data)
    data += bytes(PAD)
    text = np.frombuffer(data, dtype=np.uint8)
    begin, line = 0, 1
    while begin < size:
        end = data.rfind(b"\n", begin, begin + BLOCK) + 1 or data.find(b"\n", begin) + 1
        block, count = _block(source, columns, text, begin, end, line)
        yield block
        begin, line = end, line + count
        if listen is not None:
            listen(source_name(source), line - 1)


def _hint(line: bytes, columns: Sequence[str]) -> str:
    """Return a hint if a line with the wrong number of columns looks like CSV, or like a run instead of judgments."""
    count, value = len(line.split()), _CSV_VALUES.get(len(columns))
    if value and count < len(columns) and line.count(b",") > 1:
        return f", separated by spaces; a CSV file needs a header such as query_id,doc_id,{value}"
    return _SWAPPED.get((len(columns), count), "")


def _block(
    source: Source, columns: Sequence[str], text: Text, begin: int, end: int, first: int
) -> tuple[LineBlock, int]:
    """Parse the lines of a byte range, numbered from ``first`` on; return a block and the number of lines."""
    letters = text[begin:end]
    space = (letters - np.uint8(9) < 5) | (letters == 32)  # white space of bytes.split
    edges = np.empty(len(space), dtype=bool)
    edges[0] = not space[0]
    np.not_equal(space[1:], space[:-1], out=edges[1:])
    places = np.flatnonzero(edges)
    starts: Integers = places[::2]
    stops: Integers = places[1::2]
    ends = np.flatnonzero(letters == 10)
    lines: Integers = np.arange(first, first + len(ends), dtype=np.int32)
    width, comments = len(columns), 0
    regular = len(starts) == width * len(ends) and bool(
        (starts[width::width] > ends[:-1]).all() and (stops[width - 1 :: width] < ends + 1).all()
    )
    if not regular or (letters[starts[::width]] == ord("#")).any():
        of = np.searchsorted(ends, starts)
        counts = np.bincount(of, minlength=len(ends))
        filled = np.flatnonzero(counts)
        is_comment = np.zeros(len(ends), dtype=bool)
        is_comment[filled] = letters[starts[np.searchsorted(of, filled)]] == ord("#")
        comments = int(is_comment.sum())
        kept = ~is_comment & (counts > 0)
        wrong = np.flatnonzero(kept & (counts != width))
        if len(wrong):
            found = counted(int(counts[wrong[0]]), "column")
            start = 0 if wrong[0] == 0 else int(ends[wrong[0] - 1]) + 1
            hint = _hint(letters[start : int(ends[wrong[0]])].tobytes(), columns)
            raise malformed(source, int(lines[wrong[0]]), found, f"{width}: {' '.join(columns)}{hint}")
        starts, stops, lines = starts[kept[of]], stops[kept[of]], lines[kept]
    lengths = (stops - starts).astype(np.int32).reshape(len(lines), width)
    if len(lengths) and lengths.max() > LONGEST:
        line = int(lines[np.argmax(lengths.max(axis=1))])
        raise malformed(source, line, f"a column of {counted(lengths.max(), 'byte')}", f"at most {LONGEST:,}")
    return LineBlock(source, columns, text, (starts + begin).reshape(lengths.shape), lengths, lines, comments), len(
        ends
    )

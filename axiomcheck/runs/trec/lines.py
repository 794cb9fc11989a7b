"""Columns of whitespace-separated text files, read in bulk: plain or gzip, by name, or ``-`` for standard input.

A line is a fixed number of columns; blank lines are passed over, and lines that begin with ``#`` are comments. Files
are read block by block into one text; tokens are found by array code, and no object is made for a token.
"""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array, Integers, Mask
from axiomcheck.runs.trec.tokens import PAD, Tokens

Source = str | os.PathLike[str]
"""A file's name; ``-`` is standard input."""

Listener = Callable[[str, int], None]
"""Is told the file's name and how many lines of it were read, now and then."""

BLOCK = 1 << 20
"""Bytes read at a time."""

LONGEST = 1 << 16
"""Bytes of the longest token; no tool knows longer ones."""

LARGEST = 2 << 30
"""Bytes of the largest file that is read, unpacked: the text is kept in memory."""

_MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""

_HEADER = 1 << 16
"""Bytes of the longest line that may be a header."""


@dataclass(frozen=True)
class Block:
    """Some lines of a file.

    Args:
        text: of the file so far.
        starts: (L, columns) where each token begins.
        lengths: (L, columns)
        lines: (L,) the number of each line in its file.

    """

    text: Array
    starts: Integers
    lengths: Integers
    lines: Integers

    def column(self, number: int) -> Tokens:
        """One column, from 0."""
        return Tokens(self.text, self.starts[:, number], self.lengths[:, number])


def source_name(source: Source) -> str:
    """Return the name of a source for messages."""
    return "standard input" if os.fspath(source) == "-" else os.fspath(source)


def shown_text(token: bytes) -> str:
    """A token for a message, whatever bytes it holds."""
    text = token.decode("utf-8", errors="replace")
    return repr(text if len(text) <= 60 else text[:57] + "...")


def text_of(name: bytes) -> str:
    """A name as text, whatever bytes it holds; different names have different texts."""
    return name.decode("utf-8", errors="surrogateescape")


def name_of(text: str) -> bytes:
    """The name of a text; half a pair of surrogates, which UTF-8 has not, is written as three bytes all the same."""
    try:
        return text.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", errors="surrogatepass")


def malformed(source: Source, line: int, found: str, expected: str) -> InvalidInput:
    """The error about one line."""
    return InvalidInput(f"{source_name(source)}, line {line}: {found}; expected {expected}")


class LineReader:
    """The lines of a file, block by block.

    Args:
        source: the file.
        layouts: what the columns are called; the first line tells by its number of columns which it is.
        listen: is told of progress.
        stream: its bytes, where it is open already.

    Iterating raises InvalidInput: unreadable; a line with another number of columns (the message says which).
    """

    def __init__(
        self,
        source: Source,
        *layouts: Sequence[str],
        listen: Listener | None = None,
        stream: IO[bytes] | None = None,
    ) -> None:
        self.source = source
        self._stream = stream
        self.columns: Sequence[str] = layouts[0]
        self.comments = 0
        self.text: Array = np.zeros(PAD, dtype=np.uint8)
        self._layouts = layouts
        self._known = len(layouts) == 1
        self._listen = listen

    def __iter__(self) -> Iterator[Block]:
        line = 1
        with opened(self.source) if self._stream is None else nullcontext(self._stream) as stream:
            for begin, end in self._portions(stream):
                block, line = self._block(begin, end, line)
                if len(block.lines):
                    yield block
                if self._listen is not None:
                    self._listen(source_name(self.source), line - 1)

    def check(self, block: Block, column: int, good: Mask, what: str, expected: str) -> None:
        """Check one column of a block.

        Args:
            block: the lines.
            column: its number.
            good: (L,) true where it is as expected.
            what: its name.
            expected: for the message.

        Raises:
            InvalidInput: an entry is not good; the message says the line.

        """
        if not good.all():
            place = int(np.argmin(good))
            (mark,) = block.column(column)[place : place + 1].listed()
            raise malformed(self.source, int(block.lines[place]), f"{what} {shown_text(mark)}", expected)

    def _portions(self, stream: IO[bytes]) -> Iterator[tuple[int, int]]:
        """Yield the beginning and the end of whole lines, as they are read into the text."""
        size = done = 0
        self._make_room(0, _size(stream) + BLOCK)
        while True:
            self._make_room(size, BLOCK)
            count = stream.readinto(memoryview(self.text)[size : size + BLOCK])  # type: ignore[attr-defined]
            if not count:
                break
            if size == 0 and self.text[:3].tobytes() == _MARK:
                self.text[:3] = ord(" ")
            size += count
            ends = np.flatnonzero(self.text[size - count : size] == ord("\n"))
            if len(ends):
                end = size - count + int(ends[-1]) + 1
                yield done, end
                done = end
        if size > done:
            self._make_room(size, 1)
            self.text[size] = ord("\n")
            yield done, size + 1

    def _make_room(self, size: int, more: int) -> None:
        if size + more + PAD > len(self.text):
            larger = np.zeros(max(size + more + PAD, 2 * size), dtype=np.uint8)
            larger[:size] = self.text[:size]
            self.text = larger

    def _block(self, begin: int, end: int, first: int) -> tuple[Block, int]:
        """The lines from here to there, and the number of the line after them."""
        letters = self.text[begin:end]
        space = (letters - np.uint8(9) < 5) | (letters == 32)  # as bytes.split: tab to carriage return, and space
        edges = np.empty(len(space), dtype=bool)
        edges[0] = not space[0]
        np.not_equal(space[1:], space[:-1], out=edges[1:])
        places = np.flatnonzero(edges)
        starts: Integers = places[::2]
        stops: Integers = places[1::2]
        ends = np.flatnonzero(letters == 10)
        after = first + len(ends)
        numbers: Integers = np.arange(first, after, dtype=np.int32)
        if not self._known and starts.size and letters[starts[0]] != ord("#"):
            self._choose(int(np.searchsorted(starts, ends[np.searchsorted(ends, starts[0])])))
        width = len(self.columns)
        regular = len(starts) == width * len(ends) and bool(
            (starts[width::width] > ends[:-1]).all() and (stops[width - 1 :: width] < ends + 1).all()
        )
        if not (self._known and regular) or (letters[starts[::width]] == ord("#")).any():
            starts, stops, numbers = self._irregular(letters, starts, stops, ends, numbers)
            width = len(self.columns)
        shape = (len(numbers), width)
        lengths = (stops - starts).astype(np.int32).reshape(shape)
        if len(lengths) and lengths.max() > LONGEST:
            line = int(numbers[np.argmax(lengths.max(axis=1))])
            raise malformed(self.source, line, f"a column of {counted(lengths.max(), 'byte')}", f"at most {LONGEST:,}")
        return Block(self.text, (starts + begin).reshape(shape), lengths, numbers), after

    def _irregular(
        self, letters: Array, starts: Integers, stops: Integers, ends: Integers, numbers: Integers
    ) -> tuple[Integers, Integers, Integers]:
        """The tokens, without comments, of lines that have the right number of them; and the numbers of the lines."""
        of = np.searchsorted(ends, starts)
        counts = np.bincount(of, minlength=len(ends))
        heads = np.searchsorted(of, np.arange(len(ends)))
        comments = np.zeros(len(ends), dtype=bool)
        filled = np.flatnonzero(counts)
        comments[filled] = letters[starts[heads[filled]]] == ord("#")
        self.comments += int(comments.sum())
        kept = ~comments & (counts > 0)
        if not self._known and kept.any():
            self._choose(int(counts[np.argmax(kept)]))
        wrong = np.flatnonzero(kept & (counts != len(self.columns)))
        if len(wrong):
            found = counted(int(counts[wrong[0]]), "column")
            expected = f"{len(self.columns)}: {' '.join(self.columns)}"
            raise malformed(self.source, int(numbers[wrong[0]]), found, expected)
        tokens = kept[of]
        return starts[tokens], stops[tokens], numbers[kept]

    def _choose(self, count: int) -> None:
        """Takes the layout of so many columns, or the first one, which the line then breaks."""
        self.columns = next((layout for layout in self._layouts if len(layout) == count), self.columns)
        self._known = True


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """The bytes of a source, decompressed.

    Raises:
        InvalidInput: it cannot be read, then or later.

    """
    name = source_name(source)
    with ExitStack() as open_until_read:
        try:
            if os.fspath(source) != "-":
                file: Any = open_until_read.enter_context(open(Path(source), "rb"))
            elif sys.stdin is None:
                raise InvalidInput("standard input is closed")
            else:
                file = sys.stdin.buffer
            yield _plain(file, name)
        except MemoryError:
            raise _too_large(name, "memory holds") from None
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise InvalidInput(f"{name}: not a whole gzip file") from None
        except OSError as error:
            raise InvalidInput(f"cannot read {name}: {error.strerror}") from None


def _plain(file: Any, name: str) -> Any:
    """The stream of decompressed bytes: gzip is known by its first two bytes, not by its name."""
    head = file.read(2)  # which waits for both
    stream: Any = io.BufferedReader(ReadAgain(head, file, name))
    if head != b"\x1f\x8b":
        return stream
    packed: Any = gzip.GzipFile(fileobj=stream)
    return io.BufferedReader(ReadAgain(b"", packed, name))


def _too_large(name: str, limit: str) -> InvalidInput:
    return InvalidInput(f"{name}: more than {limit}; expected a smaller file, or parts of it")


class ReadAgain(io.RawIOBase):
    """A stream of which some bytes were read already, and come again.

    Args:
        head: these bytes.
        stream: the rest.
        limited: the source's name, where more than `LARGEST` bytes are an error.

    """

    def __init__(self, head: bytes, stream: IO[bytes], limited: str | None = None) -> None:
        self._head, self._stream, self._limited = head, stream, limited
        self._count = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Some of the bytes that come again, or of the rest."""
        if not self._head:
            count = int(self._stream.readinto(buffer))  # type: ignore[attr-defined]
            self._count += count
            if self._limited is not None and self._count > LARGEST:
                raise _too_large(self._limited, f"{LARGEST:,} bytes")
            return count
        some = self._head[: len(buffer)]
        buffer[: len(some)] = some
        self._head = self._head[len(some) :]
        return len(some)

    def fileno(self) -> int:
        """Return the stream's file number."""
        return self._stream.fileno()


def first_line(stream: IO[bytes]) -> tuple[bytes, Any]:
    """The first line that is neither blank nor a comment, as far as it may be a header; and the whole stream."""
    read = [b""]
    while True:
        line = stream.readline(_HEADER)
        read.append(line)
        begins = line.removeprefix(_MARK).lstrip()
        if not line or (begins and not begins.startswith(b"#")):
            return line, ReadAgain(b"".join(read), stream)
        while line and not line.endswith(b"\n"):  # the rest of a long comment
            line = stream.readline(_HEADER)
            read.append(line)


def _size(stream: Any) -> int:
    """About how many bytes there are to be read: 0 where nothing is known."""
    try:
        return min(os.fstat(stream.fileno()).st_size, LARGEST)
    except (OSError, AttributeError, ValueError):
        return 0

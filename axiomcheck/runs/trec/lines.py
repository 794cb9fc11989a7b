"""Read text files (plain or gzip) or standard input (``-``), and convert names and numbers in them."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Callable
from math import isfinite, nan
from pathlib import Path
from typing import Protocol

from axiomcheck.core.errors import InvalidInput

Source = str | os.PathLike[str]
"""File name; ``-`` is standard input."""

Listener = Callable[[str, int], None]
"""Callback that regularly receives the file name and the number of lines read."""

_PART = 1 << 20
"""Number of bytes that are read at a time."""

LARGEST = 2 << 30
"""Maximum size of a decompressed file in bytes, since the text is kept in memory."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
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


def read_bytes(source: Source) -> bytes:
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
    return data.removeprefix(_BYTE_ORDER_MARK)


def _read_all(stream: _Readable, name: str) -> bytes:
    data = bytearray()
    while part := stream.read(_PART):
        data += part
        if len(data) > LARGEST:
            raise _too_large(name, f"{LARGEST:,} bytes")
    return bytes(data)


def _too_large(name: str, limit: str) -> InvalidInput:
    return InvalidInput(f"{name} is larger than {limit}; expected a smaller file, or several parts")


def first_line(data: bytes) -> bytes:
    """Return the first line that is neither blank nor a comment; empty if there is none."""
    found = _FIRST_LINE.match(data)
    assert found is not None
    return found[1]


def number_of(value: object) -> float:
    """Convert a string or a number, but not a bool, to a finite float; NaN if that is impossible."""
    text = value.decode("utf-8", errors="replace") if isinstance(value, bytes) else value
    if isinstance(text, bool) or (isinstance(text, str) and ("_" in text or not text.isascii())):
        return nan  # Python accepts underscores and digits of any script, but no IR tool does
    try:
        number = float(text)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return nan
    return number if isfinite(number) else nan

"""Damaged ledger files: known as such, set aside, and read as far as they can be."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axiomcheck.ledger.layout import COLUMNS, COUNT_AT, HEADER, MARK, MARK_AT, PAGE, connected, lay_out, log_ahead

_MOST_FAILURES = 20_000
"""Ranges of a damaged file that are tried in vain before the rest is given up: some seconds."""

_MOST_ROWS = 1 << 32


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that a file is not, or no longer, a sound database."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_damaged_ledger(path: Path) -> bool:
    """Whether a file that is no sound database was a ledger: its mark is still there, or nothing but zeros is."""
    try:
        with open(path, "rb") as file:
            header = file.read(HEADER)
    except OSError:
        return False
    return header[MARK_AT : MARK_AT + 4] == MARK.to_bytes(4, "big") or not any(header)


@contextmanager
def lock_beside(path: Path, patience: float) -> Iterator[None]:
    """Keeps other processes from mending the same file; by SQLite's lock, which a process that dies gives up.

    Raises:
        sqlite3.OperationalError: another process has it for longer than some seconds, or it cannot be made.

    """
    base = connected(path.with_name(f"{path.name}.lock"), patience)
    try:
        base.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        base.close()


def set_aside(path: Path) -> Path:
    """Gives a file and its log another name, which is returned.

    Raises:
        OSError: they cannot be renamed.

    """
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    # The log first: beside a new file of the old name it would be taken for the new one's.
    for end in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    return aside


def readable_rows(path: Path) -> Iterator[tuple[Any, ...]]:
    """What can be read of the entries of a damaged file, of which a copy is read: (key, seal, ..., used).

    Raises:
        OSError: there is no room for a copy.

    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".salvage-") as folder:
        copy = Path(folder, "copy")
        for end in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + end), copy.with_name(copy.name + end))
        pages = -(-copy.stat().st_size // PAGE)
        with open(copy, "r+b") as file:
            pages = max(pages, _said_pages(file.read(PAGE)))
            file.truncate(pages * PAGE)  # of a file that was cut off, the missing ones are empty
            file.seek(0)
            file.write(_first_page(Path(folder, "fresh"), pages))
        base = connected(copy)
        try:
            yield from _rows(base)
        finally:
            with contextlib.suppress(sqlite3.Error):
                base.close()


def _said_pages(page: bytes) -> int:
    """How many pages a first page says that there are; 0 where that is no number to go by."""
    said = int.from_bytes(page[COUNT_AT : COUNT_AT + 4], "big")
    return said if page[MARK_AT : MARK_AT + 4] == MARK.to_bytes(4, "big") and said < 1 << 20 else 0


def _first_page(fresh: Path, pages: int) -> bytes:
    """The first page of a sound ledger of so many pages: but for counts it is the same in all."""
    base = connected(fresh)
    lay_out(base)
    log_ahead(base)
    base.close()
    page = fresh.read_bytes()[:PAGE]
    return page[:COUNT_AT] + pages.to_bytes(4, "big") + page[COUNT_AT + 4 :]


def _rows(base: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """Rows by ranges of their numbers: one that cannot be read is halved, until the bad pages are left over."""
    asked = f"SELECT {COLUMNS} FROM entries WHERE number BETWEEN ? AND ?"
    failures, ranges = 0, [(1, _MOST_ROWS)]
    while ranges and failures < _MOST_FAILURES:
        low, high = ranges.pop()
        try:
            yield from base.execute(asked, (low, high)).fetchall()
        except sqlite3.DatabaseError:
            failures += 1
            if low < high:
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]

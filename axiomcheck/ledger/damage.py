"""Damaged ledger files: known as such, and set aside under another name."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from axiomcheck.ledger.layout import HEADER, MAGIC, MARK, MARK_AT, VERSIONS_AT, connected

FAILURES = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises of a file: the text of an error can hold a damaged name, which is no UTF-8."""

_SURROUNDINGS = (
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_AUTH,
)
"""Codes of errors that a sound file has where the disk, another process or the rights to it are in the way."""


class WrongSchema(sqlite3.DatabaseError):
    """A ledger whose tables are not those that ledgers are made with."""


def is_damage(error: Exception, path: Path) -> bool:
    """Tell an error of a damaged file from one of its surroundings."""
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int) or code & 0xFF not in _SURROUNDINGS:
        return True
    # A format that is too new to be written to is read only, as a file without the right to write is.
    versions = _header(path)[VERSIONS_AT : VERSIONS_AT + 2]
    return code & 0xFF == sqlite3.SQLITE_READONLY and max(versions, default=0) > 2


def is_damaged_ledger(path: Path) -> bool:
    """Tell a damaged ledger from a file of something else: it has the mark, or only zeros, or is too short for either.

    Only a plain file counts: a device is never renamed.
    """
    header = _header(path)
    if len(header) < MARK_AT + 4:
        return path.is_file() and MAGIC.startswith(header[: len(MAGIC)])
    return header[MARK_AT : MARK_AT + 4] == MARK.to_bytes(4, "big") or not any(header)


def _header(path: Path) -> bytes:
    """Read the first bytes of a plain file; none of anything else."""
    with contextlib.suppress(OSError):
        if path.is_file():
            with open(path, "rb") as file:
                return file.read(HEADER)
    return b""


@contextmanager
def lock_beside(path: Path, patience: float) -> Iterator[None]:
    """Keeps other processes from replacing the same file; by SQLite's lock, which a process that dies gives up.

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

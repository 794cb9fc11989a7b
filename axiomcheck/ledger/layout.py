"""The tables of a ledger file, and how such a file is known."""

from __future__ import annotations

import sqlite3

MARK = 0x61786C67
"""What SQLite keeps for the application to know its files by."""

LAYOUT = 1
"""Of the tables; files of another are not read."""

MAGIC = b"SQLite format 3\0"
"""The first bytes of every database."""

VERSIONS_AT, MARK_AT, HEADER = 18, 68, 100
"""Where the two versions of the format and the mark stand in a file, and how long its header is."""

COLUMNS = "key, seal, engine, about, content, used"
"""Of an entry, in their order."""

_TABLE = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
    seal BLOB NOT NULL, engine BLOB NOT NULL, about BLOB NOT NULL, content BLOB NOT NULL, used INTEGER NOT NULL
)"""
_INDEX = "CREATE INDEX by_use ON entries (used)"


def connected(path: object, patience: float = 5.0) -> sqlite3.Connection:
    """A file, opened: each statement is a transaction of its own, and texts are bytes, whatever is in them."""
    base = sqlite3.connect(str(path), timeout=patience, isolation_level=None)
    base.text_factory = bytes
    return base


def lay_out(base: sqlite3.Connection) -> None:
    """Makes the tables of an empty file."""
    base.execute(f"PRAGMA application_id = {MARK}")
    base.execute(f"PRAGMA user_version = {LAYOUT}")
    base.execute(_TABLE)
    base.execute(_INDEX)


def schema_of(base: sqlite3.Connection) -> list[tuple[bytes | None, ...]]:
    """Read what a file says that its tables and indices are."""
    return base.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


def proper_schema() -> list[tuple[bytes | None, ...]]:
    """Return the schema that every ledger of this layout is made with."""
    base = connected(":memory:")
    try:
        lay_out(base)
        return schema_of(base)
    finally:
        base.close()


def log_ahead(base: sqlite3.Connection) -> None:
    """Has changes written to a log first, so that readers and a writer do not wait for each other."""
    try:
        base.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Another process is at work. The mode is the file's: whoever opens it next can set it.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
    # A power cut may cost the last entries, which are found out again, and never the file; FULL would cost a wait for
    # the disk with every entry.
    base.execute("PRAGMA synchronous = NORMAL")

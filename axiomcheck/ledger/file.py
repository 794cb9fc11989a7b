"""Store finished work in ledger files: SQLite databases with one entry per key.

A key covers everything on which its result depends. A ledger is only a cache, and its file is not trusted, since
anybody may have written it, for example in a repository. An entry therefore counts only if it has a valid seal. The
seal covers the key and all bytes of the entry, and can be made only with the user's secret. Entries that were edited or
damaged, or that somebody else made, are ignored. A ledger never stops a run: if the disk is full, for example, a note
is printed on stderr and the work continues without the ledger.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.own_code import engine_digest
from axiomcheck.core.printable import printable
from axiomcheck.ledger.keys import seal, user_secret

_MARK = 0x61786C67
"""SQLite application id that marks a file as a ledger."""

_LAYOUT = 1
"""Version of the table layout. Files with a different version are refused."""

_COLUMNS = "key, seal, engine, about, content, used"
"""Columns of an entry, in order."""

_TABLES = (
    f"PRAGMA application_id = {_MARK}",
    f"PRAGMA user_version = {_LAYOUT}",
    """CREATE TABLE entries (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
    seal BLOB NOT NULL, engine BLOB NOT NULL, about BLOB NOT NULL, content BLOB NOT NULL, used INTEGER NOT NULL
)""",
    "CREATE INDEX by_use ON entries (used)",
)
_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"

_PUT = f"""
INSERT INTO entries ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET seal = excluded.seal, engine = excluded.engine, about = excluded.about,
    content = excluded.content, used = max(used, excluded.used)"""

_PATIENCE = 30.0
"""Timeout, in seconds, for a lock that another process holds. A write holds the lock for milliseconds."""

_DAY = 86400

_FAILURES = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors that SQLite raises for a bad file. A message that quotes a damaged name may not be valid UTF-8."""


@dataclass(frozen=True)
class KeptEntry:
    """Entry in a ledger.

    Args:
        key: Key from `axiomcheck.ledger.keys.key_of`.
        about: Description of the result for users.
        content: Stored result as JSON text.
        engine: Digest of the axiomcheck version that stored it.
        used: Time of the last use, in seconds since the Unix epoch. It is updated once a day.

    """

    key: str
    about: Mapping[str, str]
    content: str
    engine: str
    used: int


@dataclass(frozen=True)
class Forgotten:
    """Numbers of entries that were deleted from a ledger, and of those that remain.

    Args:
        others: Number of deleted entries that other versions of axiomcheck stored.
        unused: Number of deleted entries of this version that had not been used for a long time.
        left: Number of entries that remain.

    """

    others: int
    unused: int
    left: int


@dataclass(frozen=True)
class Amount:
    """Number of entries and the total size of their contents in bytes."""

    entries: int = 0
    size: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.entries + other.entries, self.size + other.size)


@dataclass(frozen=True)
class LedgerSummary:
    """Counts and sizes of the entries of a ledger.

    Args:
        path: Path of the file.
        size: Size of the file and its log, in bytes.
        entries: Number and size of the entries with the user's seal.
        others: Number and size of those entries that other versions of axiomcheck stored.
        unsealed: Number of entries without a valid seal, which are ignored.
        by: Number and size of the entries by category (``"kind"``, ``"metric"`` or ``"axiom"``) and by name within the
            category.

    """

    path: str
    size: int
    entries: Amount
    others: Amount
    unsealed: int
    by: Mapping[str, Mapping[str, Amount]] = field(default_factory=dict)


class LedgerFile:
    """Open ledger file. Several processes may have the same file open.

    Args:
        path: Path of the file, which is created if it is missing. Its directory must exist.

    Raises:
        InvalidInput: The file cannot be created, read or written, or is not a ledger. Such a file is left unchanged.

    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.abspath(path))  # absolute, since names such as :memory: are special in SQLite
        self._named = os.fspath(path)
        self._secret = user_secret()
        self._writes = self._secret is not None
        if not self._writes:
            note(f"{self._named}: there is no home directory for the secret that seals entries, so nothing is stored")
        self._latest = 0
        self._base: sqlite3.Connection | None = None
        try:
            self._open()
        except _FAILURES as error:
            self.close()
            raise InvalidInput(
                f"{self._named}: {error}; expected a ledger (delete it if it is damaged), or a path where one can be "
                f"created"
            ) from None

    def get(self, key: str) -> object:
        """Return the content under a key, or None if there is no entry with the user's seal."""
        for row in self._execute(f"SELECT {_COLUMNS} FROM entries WHERE key = ?", key):
            if (entry := self._entry(row)) is None or entry.key != key:
                continue
            try:
                content: object = json.loads(entry.content)
            except ValueError:  # an integer with more digits than Python parses
                return None
            if entry.used < self._now() - _DAY:  # updating once a day is sufficient and saves writes
                self._execute("UPDATE entries SET used = ? WHERE key = ?", self._now(), key, writes=True)
            return content
        return None

    def put(self, key: str, content: object, *, about: Mapping[str, str]) -> None:
        """Store content under a key.

        The entry survives the end of this process. It may still be lost in a power failure within a few seconds.

        Args:
            key: Key from `axiomcheck.ledger.keys.key_of`.
            content: Value that JSON can represent.
            about: Description of the result for users: ``{"kind": "cell", "metric": ..., "axiom": ...}``.

        Raises:
            TypeError: JSON cannot represent the content.
            ValueError: The content contains numbers that are not finite.

        """
        if self._secret is None:
            return
        engine = engine_digest().encode()
        texts = json.dumps(dict(about)).encode(), json.dumps(content, allow_nan=False).encode()
        sealed = seal(self._secret, key.encode(), engine, *texts)
        self._execute(_PUT, key, sealed, engine, *texts, self._now(), writes=True)

    def entries(self) -> Iterator[KeptEntry]:
        """Yield every entry with the user's seal, in order of creation."""
        last = 0
        while rows := self._execute(
            f"SELECT number, {_COLUMNS} FROM entries WHERE number > ? ORDER BY number LIMIT 100", last
        ):
            if rows[-1][0] <= last:  # the page is damaged, so the numbers are out of order
                return
            for number, *row in rows:
                last = number
                if (entry := self._entry(tuple(row))) is not None:
                    yield entry

    def summary(self) -> LedgerSummary:
        """Return the counts and sizes of the entries by kind, metric and axiom."""
        engine, total, others = engine_digest(), Amount(), Amount()
        by: dict[str, dict[str, Amount]] = {name: defaultdict(Amount) for name in ("kind", "metric", "axiom")}
        for entry in self.entries():
            amount = Amount(1, len(entry.content))
            total += amount
            if entry.engine != engine:
                others += amount
            for name, amounts in by.items():
                if (what := entry.about.get(name)) is not None:
                    amounts[what] += amount
        ordered = {name: dict(sorted(amounts.items())) for name, amounts in by.items()}
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        size = sum(os.path.getsize(file) for file in files if file.exists())
        rows = sum(count for (count,) in self._execute("SELECT count(*) FROM entries"))
        return LedgerSummary(str(self.path), size, total, others, rows - total.entries, ordered)

    def forget(self, days: float) -> Forgotten:
        """Delete the entries from other versions of axiomcheck, and entries that have not been used for `days` days.

        Setting the clock back does not age any entry. If a clock was set forward and back again, the entries that were
        used in between are kept.

        Raises:
            InvalidInput: The file cannot be written.

        """
        engine, base = engine_digest().encode(), self._base
        if base is None:
            raise InvalidInput(f"{self._named} is closed, or could not be read")
        try:
            base.execute("BEGIN IMMEDIATE")
            others = base.execute("DELETE FROM entries WHERE engine != ?", (engine,)).rowcount
            unused = base.execute("DELETE FROM entries WHERE used < ?", (time.time() - days * _DAY,)).rowcount
            (left,) = base.execute("SELECT count(*) FROM entries").fetchone()
            base.execute("COMMIT")
            base.execute("VACUUM")
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except _FAILURES as error:
            raise InvalidInput(f"{self._named}: {error}") from None
        return Forgotten(others, unused, left)

    def close(self) -> None:
        """Close the file, even if it is damaged. Afterwards, the ledger appears empty."""
        base, self._base = self._base, None
        if base is not None:
            try:
                base.close()
            except sqlite3.Error as error:
                note(f"{self._named}: {error}")

    def _entry(self, row: tuple[object, ...]) -> KeptEntry | None:
        """Convert a database row to an entry; return None if its seal is not valid.

        In a damaged file, the values of a row may be of any type.
        """
        *parts, used = row
        texts = [part for part in parts if isinstance(part, bytes)]
        if self._secret is None or len(texts) != 5:
            return None
        key, sealed, engine, about, content = texts
        if not hmac.compare_digest(sealed, seal(self._secret, key, engine, about, content)):
            return None
        when = used if isinstance(used, int) else 0
        return KeptEntry(key.decode(), json.loads(about), content.decode(), engine.decode(), when)

    def _now(self) -> int:
        """Return the current time, or the latest time in the file if that is later, after the clock was set back.

        A new entry is thus never older than the existing ones.
        """
        return max(int(time.time()), self._latest)

    def _open(self) -> None:
        """Open the file, and create it if it is missing.

        Raises:
            InvalidInput: The file is a database of another application, or a ledger with a different layout.
            sqlite3.DatabaseError, UnicodeDecodeError: The file cannot be read or written, or is damaged.

        """
        self._base = base = _connected(self.path)
        base.execute("BEGIN IMMEDIATE")  # another process may be creating the same file
        (mark,), (layout,) = (base.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
        schema, proper = base.execute(_SCHEMA).fetchall(), _proper_schema()
        if mark != _MARK and (schema != proper if schema else mark):
            self.close()
            raise InvalidInput(f"{self._named} is a database of another application; expected a ledger, or a new file")
        if mark == _MARK and layout != _LAYOUT:
            self.close()
            raise InvalidInput(
                f"{self._named} is a ledger with layout {layout}, from another version of axiomcheck; expected "
                f"layout {_LAYOUT}, or a new file"
            )
        if not schema:
            for statement in _TABLES:  # before write-ahead logging, so that the mark is in the file itself
                base.execute(statement)
        elif mark != _MARK or schema != proper:
            raise sqlite3.DatabaseError("its tables are not those of a ledger")
        base.execute("COMMIT")
        _log_ahead(base)
        (latest,) = base.execute("SELECT max(used) FROM entries").fetchone()
        self._latest = latest if isinstance(latest, int) else 0

    def _execute(self, statement: str, *values: object, writes: bool = False) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows, or no rows if the file cannot be read or written.

        A statement that writes is skipped after an earlier write has failed.
        """
        if self._base is None or (writes and not self._writes):
            return []
        try:
            return self._base.execute(statement, values).fetchall()
        except _FAILURES as error:
            if writes:
                self._writes = False  # a further write might wait for just as long
                note(f"{self._named}: {error}; nothing more is stored in it during this run")
            else:
                self.close()
                note(f"{self._named}: {error}; nothing more is read from it or stored in it during this run")
        return []


def note(text: str) -> None:
    """Print a note about a ledger on stderr."""
    click.echo(f"ledger: {printable(text)}", err=True)


def _connected(path: object) -> sqlite3.Connection:
    """Open a database that commits every statement and returns text as undecoded bytes."""
    base = sqlite3.connect(str(path), timeout=_PATIENCE, isolation_level=None)
    base.text_factory = bytes
    return base


def _proper_schema() -> list[tuple[bytes | None, ...]]:
    """Return the schema of a new ledger, for comparison with the schema of an existing file."""
    with contextlib.closing(_connected(":memory:")) as base:
        for statement in _TABLES:
            base.execute(statement)
        return base.execute(_SCHEMA).fetchall()


def _log_ahead(base: sqlite3.Connection) -> None:
    """Turn on write-ahead logging, so that readers and a writer do not wait for each other."""
    try:
        base.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Another process is using the file. The file stores the mode, so the next process that opens it can set it.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
    # A power cut may remove the last entries, which are then computed again, but does not damage the file. FULL would
    # wait for the disk at every entry.
    base.execute("PRAGMA synchronous = NORMAL")


VARIABLE = "AXIOMCHECK_LEDGER"
"""Environment variable that holds the path of a different ledger file, or `OFF`."""

OFF = "off"


def default_path() -> Path | None:
    """Return the path of the user's ledger, or None if it is turned off or there is no home directory.

    The file need not exist. Its folder is the operating system's standard folder for program state, which is
    `XDG_STATE_HOME` on Unix.
    """
    asked = os.environ.get(VARIABLE)
    if asked:
        return None if asked.casefold() == OFF else Path(asked)
    if sys.platform in ("darwin", "win32"):
        folder = Path(click.get_app_dir("axiomcheck", roaming=False))
    else:
        state = os.environ.get("XDG_STATE_HOME", "")
        folder = Path(state if os.path.isabs(state) else os.path.expanduser("~/.local/state")) / "axiomcheck"
    return folder / "ledger.sqlite" if folder.is_absolute() else None  # there is no home directory


def ledger_of_user() -> LedgerFile | None:
    """Open the user's ledger, or return None if it is turned off or cannot be used.

    If it cannot be used, a note is printed on stderr and the run continues without a ledger.
    """
    if default_path() is None:
        return None
    try:
        return wanted_ledger()
    except InvalidInput as error:
        note(f"{error}; nothing from this run is stored")
    return None


def wanted_ledger() -> LedgerFile:
    """Open the user's ledger, which is created if it is missing.

    Raises:
        InvalidInput: The ledger is turned off, there is no home directory, or the file cannot be used.

    """
    path = default_path()
    if path is None:
        raise InvalidInput(f"there is no ledger, because {VARIABLE} is {OFF} or there is no home directory")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}: {error.filename}") from None
    return LedgerFile(path)

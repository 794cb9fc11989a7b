"""Ledger files: SQLite databases of finished work, each entry under a key of all that it depends on.

A ledger saves time and vouches for nothing. Anybody may have put a file there, a repository above all, so an entry
counts only with a seal that takes a secret of the user's to make, over its key and every byte of it: what was edited,
torn or made by somebody else is as if it were not there. Nor does a ledger stop anything: when its disk is full, that
is said once on stderr and the work goes on without it. A damaged file is set aside under another name, and begun anew.
"""

from __future__ import annotations

import hmac
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiomcheck.core.digests import engine_digest
from axiomcheck.core.errors import InvalidInput
from axiomcheck.ledger.damage import FAILURES, WrongSchema, is_damage, is_damaged_ledger, lock_beside, set_aside
from axiomcheck.ledger.layout import COLUMNS, LAYOUT, MARK, connected, lay_out, log_ahead, proper_schema, schema_of
from axiomcheck.ledger.notes import note
from axiomcheck.ledger.seals import seal, user_secret

_PATIENCE = 30.0
"""Seconds to wait for other processes, which write for milliseconds."""

_PUT = f"""
INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET seal = excluded.seal, engine = excluded.engine, about = excluded.about,
    content = excluded.content, used = max(used, excluded.used)"""
_DAY = 86400


@dataclass(frozen=True)
class KeptEntry:
    """An entry of a ledger.

    Args:
        about: what it is the outcome of, for people.
        content: what is kept, as JSON text.
        engine: digest of the axiomcheck that it was kept by.
        used: when it was last asked for, in seconds of the Unix epoch.

    """

    key: str
    about: Mapping[str, str]
    content: str
    engine: str
    used: int


@dataclass(frozen=True)
class Forgotten:
    """What was deleted of a ledger.

    Args:
        others: entries of other versions of axiomcheck.
        unused: further ones, that were not used for long.
        left: what is still there.

    """

    others: int
    unused: int
    left: int


class LedgerFile:
    """A ledger, opened. Several processes may have one open.

    Args:
        path: the file; made where there is none, in a directory that is there.

    Raises:
        InvalidInput: the file cannot be made, read or written, or is something else, which is left alone.

    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.abspath(path))  # not one of the names that mean something else to SQLite
        self._named = os.fspath(path)
        self._secret = user_secret()
        self._writes = self._secret is not None
        if not self._writes:
            note(f"{self._named}: there is no directory of yours for the secret that seals entries; nothing is kept")
        self._replaced = False
        self._latest = 0
        self._base: sqlite3.Connection | None = None
        try:
            self._open()
        except FAILURES as error:
            self._drop()
            if not is_damage(error, self.path):
                raise InvalidInput(
                    f"{self._named}: {error}; expected a ledger, or a place where one can be made"
                ) from None
            if not isinstance(error, WrongSchema) and not is_damaged_ledger(self.path):
                raise InvalidInput(f"{self._named}: not a ledger; expected one, or a new file") from None
            self._begin_anew()

    def get(self, key: str) -> Any:
        """The content of a key; None where there is none, a damaged one, or one that the user did not seal."""
        for row in self._asked(f"SELECT {COLUMNS} FROM entries WHERE key = ?", key):
            if (entry := self._entry(row)) is None or entry.key != key:
                continue
            try:
                content = json.loads(entry.content)
            except ValueError:  # a number of more digits than Python reads
                return None
            if entry.used < self._now() - _DAY:  # once a day is exact enough, and saves writing
                self._written("UPDATE entries SET used = ? WHERE key = ?", self._now(), key)
            return content
        return None

    def put(self, key: str, content: Any, *, about: Mapping[str, str]) -> None:
        """Keeps a content, which survives this process from here on, though not a power cut in the next seconds.

        Args:
            key: of `axiomcheck.ledger.key_of`.
            content: what JSON can hold.
            about: what it is the outcome of, for people: ``{"kind": "cell", "metric": ..., "axiom": ...}``.

        Raises:
            TypeError: a content that JSON cannot hold.
            ValueError: it has numbers that are not finite.

        """
        if not self._writes:
            return
        engine = engine_digest().encode()
        texts = json.dumps(dict(about)).encode(), json.dumps(content, allow_nan=False).encode()
        self._written(_PUT, key, self._seal(key.encode(), engine, *texts), engine, *texts, self._now())

    def entries(self) -> Iterator[KeptEntry]:
        """Every entry that the user sealed, in the order in which they were first kept."""
        last = 0
        while rows := self._asked(
            f"SELECT number, {COLUMNS} FROM entries WHERE number > ? ORDER BY number LIMIT 100", last
        ):
            if rows[-1][0] <= last:  # numbers of a damaged page, whose order is lost
                return
            for number, *row in rows:
                last = number
                if (entry := self._entry(tuple(row))) is not None:
                    yield entry

    def forget(self, days: float) -> Forgotten:
        """Deletes entries that were not used for so many days, and those of other versions of axiomcheck.

        A clock that was set back makes nothing old; one that was set forward and back keeps what was used in between.

        Raises:
            InvalidInput: the file cannot be written.

        """
        engine = engine_digest().encode()
        while (base := self._base) is not None:
            try:
                base.execute("BEGIN IMMEDIATE")
                others = base.execute("DELETE FROM entries WHERE engine != ?", (engine,)).rowcount
                unused = base.execute("DELETE FROM entries WHERE used < ?", (time.time() - days * _DAY,)).rowcount
                (left,) = base.execute("SELECT count(*) FROM entries").fetchone()
                base.execute("COMMIT")
                base.execute("VACUUM")
                base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except FAILURES as error:
                if not is_damage(error, self.path):
                    raise InvalidInput(f"{self._named}: {error}") from None
                self._begin_anew()
            else:
                return Forgotten(others, unused, left)
        raise InvalidInput(f"{self._named}: cannot be used")

    def rows(self) -> int:
        """How many entries there are, sealed by the user or not."""
        found = self._asked("SELECT count(*) FROM entries")
        return int(found[0][0]) if found else 0

    def close(self) -> None:
        """Closes the file; what is asked of it afterwards is not there."""
        self._drop()

    # Entries

    def _seal(self, *parts: bytes) -> bytes:
        assert self._secret is not None
        return seal(self._secret, *parts)

    def _entry(self, row: tuple[Any, ...]) -> KeptEntry | None:
        """The entry of a row, of whatever types damage made its values; None if the user did not seal it."""
        if self._secret is None or len(row) != 6 or not all(isinstance(part, bytes) for part in row[:5]):
            return None
        key, sealed, engine, about, content, used = row
        if not hmac.compare_digest(sealed, self._seal(key, engine, about, content)):
            return None
        when = used if isinstance(used, int) else 0
        return KeptEntry(key.decode(), json.loads(about), content.decode(), engine.decode(), when)

    def _now(self) -> int:
        """The time; the latest that the file knows of, where the clock was set back: what is new does not look old."""
        return max(int(time.time()), self._latest)

    # The file

    def _open(self) -> None:
        """Opens the file, makes it where there is none.

        Raises:
            InvalidInput: a database of something else, or of another layout.
            sqlite3.DatabaseError, UnicodeDecodeError: it cannot be read or written, or is damaged.

        """
        self._base = base = connected(self.path, _PATIENCE)
        base.execute("BEGIN IMMEDIATE")  # another process may be about to make the same file
        (mark,), (layout,) = (base.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
        schema, proper = schema_of(base), proper_schema()
        if mark != MARK and (schema != proper if schema else mark):
            self._drop()
            raise InvalidInput(f"{self._named}: a database of something else; expected a ledger, or a new file")
        if mark == MARK and layout != LAYOUT:
            self._drop()
            raise InvalidInput(
                f"{self._named}: a ledger of layout {layout}, of another axiomcheck; expected {LAYOUT}, or a new file"
            )
        if not schema:
            lay_out(base)  # before there is a log, so that the file itself has its mark
        elif mark != MARK or schema != proper:
            raise WrongSchema("its tables are not those of a ledger")
        base.execute("COMMIT")
        log_ahead(base)
        (latest,) = base.execute("SELECT max(used) FROM entries").fetchone()
        self._latest = latest if isinstance(latest, int) else 0

    def _drop(self) -> None:
        """Closes the connection, of which a damaged file is no hindrance."""
        base, self._base = self._base, None
        if base is not None:
            try:
                base.close()
            except sqlite3.Error as error:
                note(f"{self._named}: {error}")

    def _asked(self, statement: str, *values: Any) -> list[Any]:
        """What a statement gives; nothing from a file that cannot be asked any more."""
        for _ in range(2):
            if self._base is None:
                break
            try:
                return self._base.execute(statement, values).fetchall()
            except FAILURES as error:
                if is_damage(error, self.path):
                    self._begin_anew()
                else:
                    self._drop()
                    note(f"{self._named}: {error}; nothing more is read from it or kept in it in this run")
        return []

    def _written(self, statement: str, *values: Any) -> None:
        """Has a statement write, unless an earlier one could not."""
        for _ in range(2):
            if self._base is None or not self._writes:
                return
            try:
                self._base.execute(statement, values)
                return
            except FAILURES as error:
                if is_damage(error, self.path):
                    self._begin_anew()
                else:
                    self._writes = False  # each further one might wait for as long
                    note(f"{self._named}: {error}; nothing more is kept in it in this run")

    def _begin_anew(self) -> None:
        """Sets a damaged file aside and goes on with a new one; without one if that fails, or is asked for twice."""
        self._drop()
        reason: object = "damaged again"
        if not self._replaced:
            self._replaced = True
            try:
                with lock_beside(self.path, _PATIENCE):
                    if not self._is_sound():  # else another process was faster
                        aside = set_aside(self.path)
                        self._open()
                        note(f"{self._named} was damaged; it is {aside.name} now, and a new one is begun")
                return
            except (*FAILURES, OSError, InvalidInput) as error:
                self._drop()
                reason = error
        note(f"{self._named}: {reason}; nothing more is read from it or kept in it in this run")

    def _is_sound(self) -> bool:
        try:
            self._open()
            assert self._base is not None
            if self._base.execute("PRAGMA integrity_check(1)").fetchone() == (b"ok",):
                return True
        except FAILURES as error:
            if not is_damage(error, self.path):
                raise
        self._drop()
        return False

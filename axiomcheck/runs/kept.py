"""What long work has finished, in a file, so that the same work begun again goes on from there.

A file is an SQLite database of keys and results. A key is a digest of all that the result depends on, so that a file
may serve different work, and what was kept of other input is never taken for an answer. Results have a digest of
their own; one that does not fit is not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axiomcheck.core.digests import engine_digest
from axiomcheck.core.errors import InvalidInput

_MARK = 0x61786368
"""What SQLite keeps for the application to know its files by."""


class Kept:
    """A file of finished results.

    Args:
        path: the file; made where there is none.

    Raises:
        InvalidInput: the file cannot be made or read, or is something else.

    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        with self._told():
            # not one of the names that mean something else to SQLite
            self._base = sqlite3.connect(os.path.abspath(self._path), timeout=30.0, isolation_level=None)
            self._base.text_factory = bytes  # whatever a damaged file holds
            self._base.execute("BEGIN IMMEDIATE")  # another process may be about to make the same file
            (mark,) = self._base.execute("PRAGMA application_id").fetchone()
            (tables,) = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if mark != _MARK and tables:
            self._base.close()
            raise InvalidInput(f"{self._path}: a database of something else; expected a new file, or one of --resume")
        with self._told():
            self._base.execute(f"PRAGMA application_id = {_MARK}")
            self._base.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, digest TEXT, result TEXT)")
            self._base.execute("COMMIT")

    def get(self, key: str) -> Any:
        """The result of a key; None where there is none, or one that was damaged."""
        with self._told():
            found = self._base.execute("SELECT digest, result FROM results WHERE key = ?", (key,)).fetchone()
        if found is None or found[0] != _digest(key, found[1]):
            return None
        return json.loads(found[1])

    def put(self, key: str, result: Any) -> None:
        """Keeps a result, which JSON can hold; it is in the file when this returns."""
        text = json.dumps(result)
        digest = _digest(key, text.encode()).decode()
        with self._told():
            self._base.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, digest, text))

    def close(self) -> None:
        """Closes the file."""
        self._base.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InvalidInput(
                f"{self._path}: {error}; expected a file that --resume made, or none: delete a damaged one"
            ) from None


def key_of(*parts: Any) -> str:
    """The digest of all that a result depends on; axiomcheck's own files are among it.

    Args:
        parts: what JSON can hold, or bytes.

    """
    digest = hashlib.sha256(engine_digest().encode())
    for part in parts:
        text = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode()
        digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest()


def _digest(key: str, text: Any) -> bytes:
    """Of a result as the file has it; a damaged one may be anything."""
    return hashlib.sha256(f"{key}\n".encode() + text).hexdigest().encode() if isinstance(text, bytes) else b""

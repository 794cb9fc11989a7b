"""What was found before under the same circumstances: a directory of small files, keyed by content.

The cache saves time and vouches for nothing. Anybody may have put a file there, a repository above all, so an entry
counts only with a seal that takes a secret of the user's to make, over its key and every byte of it; what has no such
seal, or is not of exactly the form that is written here, is as if it were not there. Counterexamples are scored again
by whoever asks.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.core.documents import document_of, parse_json, read
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import write_atomically
from axiomcheck.records.cells import Cell
from axiomcheck.records.matrix import cell_record, read_cell
from axiomcheck.records.values import ReadingRecord

FOLDER = ".axiomcheck_cache"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of axiomcheck gate; it can be deleted at any time.\n"
_DAYS = 30
"""Entries that were not used for so long are deleted."""
_SECRET_BYTES = 32
_MOST_BYTES = 2**24
"""Larger files are not read; entries are a thousand times smaller."""


def key_of(**parts: Any) -> str:
    """The key of everything that an outcome depends on; parts are JSON-able."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class Cache:
    """Cells and outcomes of contract checks, by key.

    What cannot be read or written is as if it were not there.

    Args:
        beside: the directory to be in.

    """

    def __init__(self, beside: Path) -> None:
        self.folder = beside / FOLDER
        self._secret = _secret()

    def cell(self, key: str, metric: str, axiom: str, reading: Reading) -> Cell | None:
        """The cell of a metric and axiom in a reading; None if it is not there."""
        found = self._read(key, lambda body: _cell(body, metric, axiom, ReadingRecord.of(reading)))
        return found if isinstance(found, Cell) else None

    def outcomes(self, key: str) -> list[Outcome] | None:
        """The outcomes of all contract checks; None if they are not there."""
        found = self._read(key, _outcomes)
        return found if isinstance(found, list) else None

    def keep_cell(self, key: str, cell: Cell) -> None:
        """Keeps a cell, unless it is an error, which may have passing causes."""
        if cell.verdict is not Verdict.ERROR:
            self._write(key, document_of(cell_record(cell)))

    def keep_outcomes(self, key: str, outcomes: Sequence[Outcome]) -> None:
        """Keeps outcomes of contract checks."""
        self._write(key, [document_of(outcome) for outcome in outcomes])

    def prune(self) -> None:
        """Deletes what was not used for long."""
        with contextlib.suppress(OSError):
            for path in self.folder.glob("*.json*"):
                if path.stat().st_mtime < time.time() - _DAYS * 86400:
                    path.unlink()

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl"

    def _seal(self, key: str, body: bytes) -> str:
        assert self._secret is not None
        return hmac.new(self._secret, f"{key}\n".encode() + body, hashlib.sha256).hexdigest()

    def _read(self, key: str, understood: Callable[[Any], Any]) -> Any:
        """What an entry says, if it is sealed and understood; an entry is its seal, as JSON on a line, and its body."""
        if self._secret is None:
            return None
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                seal, _, body = file.read(_MOST_BYTES).partition(b"\n")
            if not hmac.compare_digest(seal, json.dumps({"seal": self._seal(key, body)}).encode()):
                return None
            found = understood(parse_json(body.decode()))
            path.touch()
        except (OSError, ValueError):
            return None
        return found

    def _write(self, key: str, content: Any) -> None:
        if self._secret is None:
            return
        with contextlib.suppress(OSError, InvalidInput, TypeError, ValueError):
            body = json.dumps(content, allow_nan=False).encode()
            if not self.folder.is_dir():
                self.folder.mkdir()
                write_atomically(self.folder / ".gitignore", "*\n")
                write_atomically(self.folder / "CACHEDIR.TAG", _TAG)
            write_atomically(self._path(key), json.dumps({"seal": self._seal(key, body)}).encode() + b"\n" + body)


def _secret() -> bytes | None:
    """The user's secret, made when it is first asked for; None where there is nowhere to keep one."""
    path = Path(click.get_app_dir("axiomcheck")) / "cache-secret"
    if not path.is_absolute():  # nobody's home
        return None
    with contextlib.suppress(OSError):
        found = path.read_bytes()
        if len(found) == _SECRET_BYTES:
            return found
    made = secrets.token_bytes(_SECRET_BYTES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=path.parent)  # for this user's eyes only
        try:
            with open(number, "wb") as file:
                file.write(made)
            os.replace(name, path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError:
        return None
    return made


def _cell(content: Any, metric: str, axiom: str, reading: ReadingRecord) -> Cell:
    cell = read_cell(content, reading, (), "cell")
    if (cell.metric, cell.axiom) != (metric, axiom) or cell.verdict is Verdict.ERROR or cell.certificate is not None:
        raise InvalidInput("cell: of another metric or axiom, or not as it is kept")
    return cell


def _outcomes(content: Any) -> list[Outcome]:
    """The outcome of every check there is, in their order: one that is missing would not be missed otherwise."""
    outcomes = list(read(tuple[Outcome, ...], content, "outcomes"))
    if [document_of(outcome) for outcome in outcomes] != content:  # with entries that no outcome has
        raise InvalidInput("outcomes: not as they are kept")
    if [(o.check, o.group) for o in outcomes] != [(check.name, check.group) for check in CHECKS.values()]:
        raise InvalidInput("outcomes: of other checks")
    return outcomes

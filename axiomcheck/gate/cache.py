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
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

import click

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.checks.contract.registry import Status
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Cell, Verdict
from axiomcheck.core.writing import write_atomically

__all__ = ["Cache", "key_of"]

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

    def cell(self, key: str, metric: str, axiom: str) -> Cell | None:
        """The cell of a metric and constraint; None if it is not there."""
        found = self._read(key, lambda body: _cell(body, metric, axiom))
        return found if isinstance(found, Cell) else None

    def outcomes(self, key: str) -> list[Outcome] | None:
        """The outcomes of all contract checks; None if they are not there."""
        found = self._read(key, _outcomes)
        return found if isinstance(found, list) else None

    def keep_cell(self, key: str, cell: Cell) -> None:
        """Keeps a cell, unless it is an error, which may have passing causes."""
        if cell.verdict is not Verdict.ERROR:
            self._write(key, asdict(replace(cell, seconds=0.0)))

    def keep_outcomes(self, key: str, outcomes: Sequence[Outcome]) -> None:
        """Keeps outcomes of contract checks."""
        self._write(key, [outcome.to_json() for outcome in outcomes])

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
            found = understood(json.loads(body))
            path.touch()
        except (OSError, ValueError, RecursionError, _Misread):
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


class _Misread(Exception):
    """An entry is not of the form that is written here."""


_CELL: dict[str, type | tuple[type, ...]] = {
    "metric": str,
    "row": (str, type(None)),
    "axiom": str,
    "verdict": str,
    "published": (str, type(None)),
    "reason": str,
    "evidence": dict,
    "witness": (dict, type(None)),
    "certificate": type(None),  # no proofs are tried here
    "seconds": float,
    "proof_seconds": float,
    "check_seconds": float,
}
_OUTCOME: dict[str, type | tuple[type, ...]] = {
    "check": str,
    "group": str,
    "status": str,
    "reason": str,
    "cases": int,
    "counterexample": (dict, type(None)),
}


def _entries(content: Any, form: dict[str, type | tuple[type, ...]]) -> dict[str, Any]:
    """An object with exactly these keys, each of such a type."""
    if not isinstance(content, dict) or list(content) != list(form):
        raise _Misread
    for key, kind in form.items():
        if not isinstance(content[key], kind) or isinstance(content[key], bool):
            raise _Misread
    return content


def _cell(content: Any, metric: str, axiom: str) -> Cell:
    entries = _entries(content, _CELL)
    if (entries["metric"], entries["axiom"]) != (metric, axiom) or entries["verdict"] not in list(Verdict):
        raise _Misread
    verdict = Verdict(entries["verdict"])
    instances = entries["evidence"].get("instances", 0)
    if verdict is Verdict.ERROR or type(instances) is not int or instances < 0:
        raise _Misread
    return Cell(**entries | {"verdict": verdict})


def _outcomes(content: Any) -> list[Outcome]:
    """The outcome of every check there is, in their order: one that is missing would not be missed otherwise."""
    if not isinstance(content, list):
        raise _Misread
    outcomes = [Outcome(**_entries(entry, _OUTCOME)) for entry in content]
    if [(o.check, o.group) for o in outcomes] != [(check.name, check.group) for check in CHECKS.values()]:
        raise _Misread
    if any(o.status not in get_args(Status) or o.cases < 0 for o in outcomes):
        raise _Misread
    return outcomes

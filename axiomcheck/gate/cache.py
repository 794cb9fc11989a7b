"""What was judged before under the same circumstances: a directory of small JSON files, keyed by content."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from axiomcheck.contract import Outcome
from axiomcheck.errors import InvalidInput
from axiomcheck.gate.judge import Found
from axiomcheck.reports.write import write_atomically
from axiomcheck.verdict import Cell, Verdict

__all__ = ["Cache", "key_of"]

FOLDER = ".axiomcheck_cache"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of axiomcheck gate; it can be deleted at any time.\n"
_DAYS = 30
"""Entries that were not used for so long are deleted."""


def key_of(**parts: Any) -> str:
    """The key of everything that an outcome depends on; parts are JSON-able."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class Cache:
    """What was found of cells, and outcomes of contract checks, by key.

    What cannot be read or written is as if it were not there.

    Args:
        beside: the directory to be in.

    """

    def __init__(self, beside: Path) -> None:
        self.folder = beside / FOLDER

    def cell(self, key: str) -> Found | None:
        """What was found of a cell; None if nothing was."""
        entry = self._read(key)
        try:
            cell = Cell(**entry["cell"] | {"verdict": Verdict(entry["cell"]["verdict"])})
            return Found(cell, bool(entry["replayed"]), str(entry["remark"]))
        except (KeyError, TypeError, ValueError):
            return None

    def outcomes(self, key: str) -> list[Outcome] | None:
        """The outcomes of contract checks; None if there are none."""
        entry = self._read(key)
        try:
            return [Outcome(**outcome) for outcome in entry["outcomes"]]
        except (KeyError, TypeError):
            return None

    def keep_cell(self, key: str, found: Found) -> None:
        """Keeps what was found of a cell, unless it is an error, which may have passing causes."""
        if found.cell.verdict is not Verdict.ERROR:
            self._write(key, asdict(replace(found, cell=replace(found.cell, seconds=0.0))))

    def keep_outcomes(self, key: str, outcomes: Sequence[Outcome]) -> None:
        """Keeps outcomes of contract checks."""
        self._write(key, {"outcomes": [outcome.to_json() for outcome in outcomes]})

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _read(self, key: str) -> Any:
        path = self._path(key)
        try:
            text = path.read_text(encoding="utf-8")
            path.touch()
            return json.loads(text)
        except (OSError, ValueError):
            return None

    def _write(self, key: str, entry: dict[str, Any]) -> None:
        with contextlib.suppress(OSError, InvalidInput, TypeError, ValueError):
            text = json.dumps(entry, allow_nan=False)
            if not self.folder.is_dir():
                self.folder.mkdir()
                write_atomically(self.folder / ".gitignore", "*\n")
                write_atomically(self.folder / "CACHEDIR.TAG", _TAG)
            write_atomically(self._path(key), text)

    def prune(self) -> None:
        """Deletes what was not used for long."""
        with contextlib.suppress(OSError):
            for path in self.folder.glob("*.json"):
                if path.stat().st_mtime < time.time() - _DAYS * 86400:
                    path.unlink()

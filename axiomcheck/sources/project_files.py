"""List the files that a metric from outside may depend on: those of its project, and the installed distributions."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
"""Files and folders that only the root of a project has."""

LOADABLE = (".py", ".pyc", ".so", ".pyd", ".zip", ".whl", ".egg")
"""Ends of the names of files that Python can load code from."""

_SKIPPED = ("__pycache__", "node_modules", "site-packages")
_SECONDS = 20.0


def project_root(file: Path) -> Path | None:
    """Return the nearest folder above a file that is the root of a project; None if there is none."""
    return next((folder for folder in file.parents if any((folder / mark).exists() for mark in MARKS)), None)


def files_of_project(root: Path) -> list[Path]:
    """Return every file below a root that git tracks, and every other one that Python can load code from.

    Without git, the files that Python can load. Folders with a dot in front, virtual environments and what git ignores
    are left out.

    Raises:
        TimeoutError: git took longer than 20 s to list them.

    """
    listed = _listed_by_git(root)
    return sorted(_walked(root) if listed is None else listed)


def _listed_by_git(root: Path) -> list[Path] | None:
    """Return what git lists; None where there is no git, or no repository of it."""
    found: list[Path] = []
    for others in (False, True):
        options = ["--others", "--exclude-standard"] if others else ["--cached"]
        try:
            done = subprocess.run(
                ["git", "-C", str(root), "-c", "core.fsmonitor=false", "ls-files", "-z", *options],
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except OSError:
            return None
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"git took longer than {_SECONDS:g} s to list the files below {root}") from None
        if done.returncode:
            return None
        names = [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
        found += [root / name for name in names if not others or name.endswith(LOADABLE)]
    return found


def _walked(root: Path) -> list[Path]:
    found: list[Path] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and name not in _SKIPPED and not (Path(folder) / name / "pyvenv.cfg").exists()
        ]
        found += [Path(folder) / name for name in files if name.endswith(LOADABLE)]
    return found


@dataclass(frozen=True)
class InstalledDistributions:
    """What is installed, as the records of the installer say.

    Args:
        digest: of every distribution's name, version and RECORD.
        _records: every distribution, with its RECORD.

    """

    digest: str
    _records: tuple[tuple[importlib.metadata.Distribution, str], ...] = field(repr=False)

    @classmethod
    def installed(cls, folders: Iterable[str] | None = None) -> InstalledDistributions:
        """Read what is installed in some folders, by default those that Python searches."""
        found = importlib.metadata.distributions(path=list(sys.path if folders is None else folders))
        records = [(one, one.read_text("RECORD") or "") for one in found]
        named = sorted((str(one.metadata["Name"]), str(one.version), record) for one, record in records)
        return cls(hashlib.sha256(repr(named).encode()).hexdigest(), tuple(records))

    @cached_property
    def recorded(self) -> Mapping[str, int]:
        """The path of every file that a RECORD lists -> when that RECORD was written, in ns."""
        times: dict[str, int] = {}
        for one, record in self._records:
            written = 0
            names = [line.rpartition(",")[0].rpartition(",")[0].strip('"') for line in record.splitlines()]
            own = next((name for name in names if name.endswith(".dist-info/RECORD")), None)
            if own is not None:
                written = os.stat(str(one.locate_file(own))).st_mtime_ns
            base = str(one.locate_file(""))
            times |= dict.fromkeys((os.path.normpath(os.path.join(base, name)) for name in names), written)
        return times

    def vouch_for(self, path: str) -> bool:
        """Tell whether a RECORD lists a file that was not changed since it was installed."""
        written = self.recorded.get(os.path.realpath(path), self.recorded.get(path))
        try:
            return written is not None and os.stat(path).st_mtime_ns <= written
        except OSError:
            return False

"""Find a metric's dependencies: the files that it opens, the files of its project, and installed distributions.

Opened files are recorded with Python's audit events. Audit events do not report environment variables, the clock,
randomness, or files that compiled code opens by itself.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias

from axiomcheck.core.own_code import file_digest
from axiomcheck.sources.declarations import read_toml
from axiomcheck.sources.modules import is_installed

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_BEYOND_FILES = (
    dict.fromkeys(("sqlite3", "dbm"), "opens a database")
    | dict.fromkeys(("socket", "urllib", "http", "ftplib", "smtplib"), "uses the network")
    | dict.fromkeys(("subprocess", "pty", "os.exec", "os.fork", "os.forkpty"), "starts a process")
    | dict.fromkeys(("os.posix_spawn", "os.spawn", "os.system"), "starts a process")
)
"""Audit event, or its first part -> reason why file digests do not determine what the metric does."""

_Path: TypeAlias = str | bytes | os.PathLike[str]

_FINDS_MODULES = ("<frozen importlib", os.path.join(os.path.dirname(importlib.__file__), "metadata"))
_BYTECODE_HEAD, _UNCHECKED = 8, 1
_FRAMES_OF_READER = 4
"""Maximum number of stack frames from `axiomcheck.sources.declarations.read_toml` to the call that opens the file."""


class OpenedFiles:
    """Recorder of the files that a short-lived worker process opens until `stop` is called.

    Args:
        package: Top-level package of the metric. Its actions during import are recorded even if it is installed.

    Attributes:
        read, written: Absolute paths of files; a listed folder counts as read.
        reason: Reason why these files do not determine what the metric does; empty if they do.

    """

    def __init__(self, package: str) -> None:
        self.package = package
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.reason = ""
        self._on = True
        sys.addaudithook(self._hear)  # audit hooks cannot be removed

    def stop(self) -> None:
        """Stop recording, and set `reason` if the metric read a file that it wrote itself."""
        self._on = False
        if self.read & self.written:
            self.reason = self.reason or "reads a file that it writes"

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._on:
            return
        if event == "open":
            self._opened(*args)
        elif event in ("os.listdir", "os.scandir") and not isinstance(args[0], int):
            if not sys._getframe(1).f_code.co_filename.startswith(_FINDS_MODULES):
                self.read.add(_absolute(args[0] or "."))
        elif event == "ctypes.dlopen":
            self._loaded(args[0])
        elif reason := _BEYOND_FILES.get(event) or _BEYOND_FILES.get(event.partition(".")[0]):
            self._beyond(reason)

    def _opened(self, path: _Path, _: object, flags: object) -> None:
        if isinstance(path, int) or not isinstance(flags, int):  # a file descriptor that is already open
            return
        file, access = _absolute(path), flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
        if file == os.devnull or _called_by_reader_of_tables(sys._getframe(2)):
            return
        if access != os.O_RDONLY:
            self.written.add(file)
        if access == os.O_WRONLY or flags & os.O_EXCL:  # a new file has no content
            return
        if _changes_by_itself(file):
            self._beyond("reads something that is not a plain file")
        elif os.path.isdir(file):
            self._beyond("opens a folder, which makes relative paths unknown")
        else:
            self.read.add(file)

    def _loaded(self, library: object) -> None:
        if isinstance(library, str) and os.path.isfile(library):
            self.read.add(_absolute(library))
        elif library is not None:  # None stands for the current process
            self._beyond("loads a native library")

    def _beyond(self, reason: str) -> None:
        """Set `reason` unless it is already set or an installed library (identified by its distribution) is loading."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            file = frame.f_code.co_filename
            if frame.f_code.co_name == "<module>" and is_installed(file) and self.package not in Path(file).parts:
                return
            frame = frame.f_back
        self.reason = self.reason or reason


def _called_by_reader_of_tables(frame: FrameType | None) -> bool:
    """Return True if axiomcheck itself is opening the file, to look for declarations of the metric."""
    for _ in range(_FRAMES_OF_READER):
        if frame is None or frame.f_code is read_toml.__code__:
            break
        frame = frame.f_back
    return frame is not None and frame.f_code is read_toml.__code__


def _absolute(path: _Path) -> str:
    return os.path.abspath(os.fsdecode(path))


def _changes_by_itself(path: str) -> bool:
    """Return True if the content of a path may change without a write, as for a device, a pipe or a file in /proc."""
    if path.startswith(("/proc/", "/sys/")):
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:  # the digest of a missing file records that it is missing
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def sources_of(path: str) -> list[str]:
    """Return the files whose content determines what was read from a path.

    For bytecode, this is its source file.

    Imports write bytecode as a side effect. Python checks bytecode against its source, unless the bytecode is marked as
    unchecked.
    """
    if not path.endswith(".pyc"):
        return [path]
    try:
        source = source_from_cache(path)
        head = Path(path).read_bytes()[:_BYTECODE_HEAD]
    except (ValueError, OSError):
        return [path]
    if not os.path.isfile(source):
        return [path]
    flags = int.from_bytes(head[4:], "little")
    return [source, path] if flags == _UNCHECKED else [source]


def content_digest(path: str) -> str:
    """Return the digest of a file's content, or of the names in a folder."""
    if os.path.isdir(path):
        return f"folder: {sorted(name for name in os.listdir(path) if name != '__pycache__')}"
    with suppress(OSError):
        status = os.stat(path)
        return _file_digest(path, status.st_ctime_ns, status.st_size)
    return file_digest(Path(path))


@cache
def _file_digest(path: str, changed: int, size: int) -> str:
    """Return the digest of a file with a given change time and size. It is cached, since metrics share most files."""
    return file_digest(Path(path))


MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
"""Files and folders that mark the root of a project."""

LOADABLE = (".py", ".pyc", ".so", ".pyd", ".zip", ".whl", ".egg")
"""Suffixes of files that Python can load code from."""

_SKIPPED = ("__pycache__", "node_modules", "site-packages")
_SECONDS = 20.0
_UNTRACKED = "?"
"""Git's mark for an untracked file."""


def project_root(file: Path) -> Path | None:
    """Return the nearest parent folder of a file that is a project root, or None if there is none."""
    return next((folder for folder in file.parents if any((folder / mark).exists() for mark in MARKS)), None)


def files_of_project(root: Path) -> list[Path]:
    """Return the files below a project root that git tracks, and all other files that Python can load code from.

    Without git, only files that Python can load are returned. Folders with a leading dot, virtual environments and
    files that git ignores are left out.

    Raises:
        TimeoutError: Git took longer than 20 s to list the files.

    """
    listed = _listed_by_git(root)
    return sorted(_walked(root) if listed is None else listed)


def loadable_beside(file: Path) -> list[Path]:
    """Return the files that a module outside of any project may still import.

    These are the files in its own folder and in the packages in that folder.
    """
    found: list[Path] = []
    for folder, folders, files in os.walk(file.parent):
        found += [Path(folder, name) for name in files if name.endswith(LOADABLE)]
        for package in (Path(folder, name) for name in folders):
            if (package / "__init__.py").is_file():
                found += _walked(package)
        break
    return sorted(found)


def _listed_by_git(root: Path) -> list[Path] | None:
    """Return the files that git lists, or None if git is missing or there is no repository."""
    command = ["git", "-C", str(root), "-c", "core.fsmonitor=false", "ls-files", "-z", "-t"]
    command += ["--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except OSError:
        return None
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"git took longer than {_SECONDS:g} s to list the files below {root}") from None
    if done.returncode:
        return None
    marked = [os.fsdecode(name).partition(" ") for name in done.stdout.split(b"\0") if name]
    return [root / name for mark, _, name in marked if mark != _UNTRACKED or name.endswith(LOADABLE)]


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
    """Installed distributions, as described by their RECORD files.

    Args:
        digest: Digest of the name, version and RECORD of every distribution.
        _records: All distributions with their RECORD files.

    """

    digest: str
    _records: tuple[tuple[Distribution, str], ...] = field(repr=False)

    @classmethod
    def installed(cls, folders: Iterable[str] | None = None) -> InstalledDistributions:
        """Read the distributions installed in the given folders, by default those on `sys.path`."""
        from importlib.metadata import distributions

        found = distributions(path=list(sys.path if folders is None else folders))
        records = [(one, one.read_text("RECORD") or "") for one in found]
        described = [(one.metadata, record) for one, record in records]  # metadata is parsed at each access
        named = sorted((str(said["Name"]), str(said["Version"]), record) for said, record in described)
        return cls(hashlib.sha256(repr(named).encode()).hexdigest(), tuple(records))

    def providers(self, modules: Iterable[str]) -> set[str]:
        """Return the names of the distributions that provide any of the given top-level modules."""
        begins = re.compile(rf"^(?:{'|'.join(map(re.escape, modules)) or '(?!)'})(?:[/.]|$)", re.MULTILINE)
        # an installer that leaves no RECORD may name the modules in another file
        return {
            str(one.metadata["Name"])
            for one, record in self._records
            if begins.search(record or one.read_text("top_level.txt") or "")
        }

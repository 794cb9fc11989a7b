"""Digests of files, and of all of axiomcheck's own."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib import import_module
from pathlib import Path


@cache
def engine_digest() -> str:
    """Digest of axiomcheck's own files, and of what runs them."""
    files = sorted({file for folder in own_folders() for file in folder.rglob("*.py")})
    parts = [f"{file.name} {file_digest(file)}" for file in files]
    parts += [platform.python_implementation(), platform.python_version(), platform.system(), platform.machine()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def file_digest(file: Path) -> str:
    """Digest of a file; a Python file's is the same whatever its line ends, and an unreadable one says why."""
    try:
        content = file.read_bytes()
    except OSError as error:
        return f"unreadable: {error.strerror}"
    if file.suffix == ".py":  # the same file, checked out with other line ends
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()


@cache
def own_folders() -> tuple[Path, ...]:
    """The folders that axiomcheck's own files are in which decide anything."""
    own = (import_module(name) for name in ("axiomcheck", "axiomcheck.axioms", "axiomcheck.metrics"))
    found = [folder for package in own for folder in package.__path__]
    return tuple(Path(folder).resolve() for folder in dict.fromkeys(found) if Path(folder).is_dir())

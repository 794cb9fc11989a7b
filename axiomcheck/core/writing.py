"""Format JSON documents, derive file names for reports, and write files atomically."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import escaped, shown

ENDINGS = {
    ".txt": "table",
    ".json": "json",
    ".md": "markdown",
    ".html": "html",
    ".csv": "csv",
    ".tex": "latex",
    ".py": "python",
    ".smt2": "smt2",
    ".xml": "junit",
    ".sarif": "sarif",
}
"""File formats by file extension, except for TREC files and pictures."""

PICTURES = (".svg", ".png", ".pdf")
"""File name extensions of the picture formats in which plots can be drawn."""


def json_text(document: object, tables: Mapping[str, Sequence[object]] | None = None) -> str:
    """Format a JSON document as indented text with non-ASCII characters unescaped. NaN and Infinity are rejected.

    Args:
        document: JSON value, which must be an object if there are tables.
        tables: Additional entries of the object. Each is a list that is written with one item per line.

    """
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    for name, items in (tables or {}).items():
        lines = ",\n    ".join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in items)
        written = f"[\n    {lines}\n  ]" if items else "[]"
        text = text[: -len("\n}")] + f",\n  {json.dumps(name)}: {written}\n}}"
    return text + "\n"


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file atomically, so that readers see either the whole old content or the whole new content.

    An existing file keeps its permissions, and a symbolic link keeps its target.

    Args:
        path: File to write, whose directory must exist.
        content: Bytes, or text that is written as UTF-8 with unchanged line endings. Lone surrogates, which UTF-8
            cannot encode, are written as escapes.

    Raises:
        InvalidInput: The file cannot be written. An existing file is unchanged, and no temporary file remains.

    """
    written = content.encode("utf-8", errors="backslashreplace") if isinstance(content, str) else content
    try:
        target = Path(path).resolve()
        mode = _mode_of(path)
        if not target.parent.is_dir():
            raise InvalidInput(f"cannot write {escaped(os.fspath(path))}: there is no directory {target.parent}")
        temporary = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}.tmp")
        try:
            with open(temporary, "xb") as file:
                file.write(written)
            if mode is not None:
                temporary.chmod(mode)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except InvalidInput:
        raise
    # A loop of symbolic links raises RuntimeError in Python 3.11 and 3.12; a null character in a name, ValueError.
    except (OSError, RuntimeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InvalidInput(f"cannot write {escaped(os.fspath(path))}: {why}") from None


def _mode_of(path: str | os.PathLike[str]) -> int | None:
    """Return the permissions of an existing file, or None if there is no file."""
    try:
        found = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found):
        kind = "a directory" if stat.S_ISDIR(found) else "not a regular file"
        raise InvalidInput(f"cannot write {escaped(os.fspath(path))}: it is {kind}")
    return stat.S_IMODE(found)


def path_of(given: str | Path, verb: str) -> Path:
    """Convert a file name to a path.

    Raises:
        InvalidInput: The argument is not a file name.

    """
    try:
        return Path(given)
    except TypeError:
        raise InvalidInput(f"{verb}: expected a file name, got {shown(given)}") from None


def file_stem(metric: str) -> str:
    """Convert a metric's name to text that is safe in a file name."""
    return "".join(c if c.isalnum() or c in "-.=#@" else "_" for c in metric)


def unique_names(names: Iterable[str], mark: str) -> Iterator[str]:
    """Yield each name, appending the mark and a number if it is already taken. Names that differ only in case clash."""
    taken: set[str] = set()
    for name in names:
        unique, number = name, 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}{mark}{number}"
        taken.add(unique.casefold())
        yield unique

"""Format JSON documents, derive file names from names of metrics, and write files atomically."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from axiomcheck.core.directory import named_in
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
"""Names of output formats, keyed by file name extension, except for TREC files and pictures."""

PICTURES = (".svg", ".png", ".pdf")
"""File name extensions of the picture formats in which plots can be drawn."""


def json_text(document: object, tables: Mapping[str, Sequence[object]] | None = None) -> str:
    """Format a JSON document as indented text, without escapes for non-ASCII characters. Reject NaN and Infinity.

    Args:
        document: JSON value, which must be a nonempty object if there are tables.
        tables: Lists to add to the object, keyed by name. They are written with one item per line.

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
        content: Bytes, or text, which is written as UTF-8 with its line endings unchanged. Lone surrogates, which UTF-8
            cannot encode, are written as escapes.

    Raises:
        InvalidInput: The file cannot be written. An existing file is unchanged, and no temporary file remains.

    """
    written = content.encode("utf-8", errors="backslashreplace") if isinstance(content, str) else content
    try:
        target = Path(named_in(), path).resolve()
        mode = _mode_of(target, path)
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
    # A loop of symbolic links raises RuntimeError in Python 3.11 and 3.12, and a null character in a name ValueError.
    except (OSError, RuntimeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InvalidInput(f"cannot write {escaped(os.fspath(path))}: {why}") from None


def _mode_of(target: Path, path: str | os.PathLike[str]) -> int | None:
    """Return the permissions of a regular file, or None if it does not exist; raise InvalidInput for anything else."""
    try:
        found = os.stat(target).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found):
        kind = "a directory" if stat.S_ISDIR(found) else "not a regular file"
        raise InvalidInput(f"cannot write {escaped(os.fspath(path))}: it is {kind}")
    return stat.S_IMODE(found)


def path_of(given: str | Path, verb: str) -> Path:
    """Convert a file name to a path. ``verb`` is the beginning of the error message.

    Raises:
        InvalidInput: The argument is neither a string nor a path.

    """
    try:
        return Path(given)
    except TypeError:
        raise InvalidInput(f"{verb}: expected a file name, got {shown(given)}") from None


def file_stem(metric: str) -> str:
    """Convert a metric's name to text for a file name. Characters that may be unsafe are replaced by underscores."""
    return "".join(c if c.isalnum() or c in "-.=#@" else "_" for c in metric)


def unique_names(names: Iterable[str], mark: str) -> Iterator[str]:
    """Yield each name, with the mark and a number appended if an earlier name is equal, apart from case."""
    taken: set[str] = set()
    for name in names:
        unique, number = name, 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}{mark}{number}"
        taken.add(unique.casefold())
        yield unique

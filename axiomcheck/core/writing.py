"""Writing reports: JSON as text, and files whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import escaped


def json_text(document: object, tables: Mapping[str, Sequence[object]] | None = None) -> str:
    """A JSON document as text for files and terminals, indented, its characters as they are; no NaN, no Infinity.

    Args:
        document: an object if there are tables.
        tables: further entries of it, each a list with every item on a line of its own.

    """
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    for name, items in (tables or {}).items():
        lines = ",\n    ".join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in items)
        written = f"[\n    {lines}\n  ]" if items else "[]"
        text = text[: -len("\n}")] + f",\n  {json.dumps(name)}: {written}\n}}"
    return text + "\n"


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Writes a file in one step: whoever reads it sees the old content or the new one, never a part.

    The permissions of a file that was there are kept, and a symbolic link goes on pointing to where it did.

    Args:
        path: the file; its directory has to exist.
        content: bytes, or text that is written as UTF-8 with the line ends that it has; a lone surrogate, which UTF-8
            does not know and foreign messages may hold, is written as its escape.

    Raises:
        InvalidInput: the file cannot be written; what was there is untouched and nothing is left behind.

    """
    written = content.encode("utf-8", errors="backslashreplace") if isinstance(content, str) else content
    try:
        target = Path(path).resolve()
        mode = _mode_of(target)
        if not target.parent.is_dir():
            raise InvalidInput(f"cannot write {escaped(os.fspath(path))}: there is no directory {target.parent}")
        temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
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
    # A loop of symbolic links is a RuntimeError in Python 3.11 and 3.12, a zero in a name a ValueError.
    except (OSError, RuntimeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InvalidInput(f"cannot write {escaped(os.fspath(path))}: {why}") from None


def _mode_of(target: Path) -> int | None:
    """The permissions of a file that is there; None where there is nothing yet."""
    try:
        found = target.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found):
        kind = "a directory" if stat.S_ISDIR(found) else "not a regular file"
        raise InvalidInput(f"cannot write {target}: it is {kind}")
    return stat.S_IMODE(found)

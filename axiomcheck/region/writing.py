"""Writes pictures: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from axiomcheck.errors import InvalidInput

__all__ = ["write_bytes"]


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file in one step: whoever reads it sees the old content or the new one, never a part.

    Raises:
        InvalidInput: the file cannot be written; what was there is untouched and nothing is left behind.

    """
    target = path.resolve()
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        try:
            with open(temporary, "xb") as file:
                file.write(content)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror or error}") from None

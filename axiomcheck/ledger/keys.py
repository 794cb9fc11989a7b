"""Keys of all that an outcome depends on, and seals: that an entry was made by this user."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import importlib.metadata
import json
import os
import secrets
import tempfile
from functools import cache
from pathlib import Path

import click

from axiomcheck.core.own_code import engine_digest

DECISIVE = ("numpy", "python-flint", "scipy")
"""Packages that every verdict depends on, of axiomcheck's own requirements; another progress bar decides nothing."""

_SECRET_BYTES = 32


def key_of(**parts: object) -> str:
    """Return the digest of what an outcome depends on: parts, axiomcheck's own files, the packages that compute for it.

    Args:
        parts: by name, what JSON can hold, and bytes in it; the order of entries in an object does not matter.

    Raises:
        TypeError: a part of another kind.

    """
    text = json.dumps([engine_digest(), decisive_versions(), parts], sort_keys=True, default=_digest)
    return hashlib.sha256(text.encode()).hexdigest()


def _digest(part: object) -> dict[str, str]:
    """Return what stands for bytes, which may be arrays of a million numbers."""
    if not isinstance(part, bytes):
        raise TypeError(f"a key depends on what JSON can hold, and bytes; found {type(part).__name__}")
    return {"bytes": hashlib.sha256(part).hexdigest()}


@cache
def decisive_versions() -> dict[str, str]:
    """Map the distributions of `DECISIVE` to their versions."""
    return {name: importlib.metadata.version(name) for name in DECISIVE}


def user_secret() -> bytes | None:
    """Return the user's secret, made when it is first asked for; None where there is nowhere to keep one."""
    path = Path(click.get_app_dir("axiomcheck")) / "ledger-secret"
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


def seal(secret: bytes, *parts: bytes) -> bytes:
    """Return the seal (HMAC-SHA256) of some texts in their order, which it tells apart."""
    made = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()

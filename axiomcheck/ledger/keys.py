"""Compute keys for results in a ledger, and seals that prove that the user made an entry."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import tempfile
from functools import cache
from pathlib import Path

import click

from axiomcheck.core.own_code import engine_digest

DECISIVE = ("numpy", "python-flint", "scipy")
"""Packages whose version can affect a verdict. Others, such as the package for progress bars, cannot affect one."""

_SECRET_BYTES = 32


def key_of(**parts: object) -> str:
    """Return the key of a result: a digest of the parts, axiomcheck's code and the packages that affect results.

    Args:
        parts: Values that JSON can represent, by name. The order of keys in a JSON object does not matter.

    Raises:
        TypeError: A part is not a JSON value.

    """
    text = json.dumps([engine_digest(), decisive_versions(), parts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def decisive_versions() -> dict[str, str]:
    """Map every package in `DECISIVE`, on which results may depend, to its version."""
    from importlib.metadata import version

    return {name: version(name) for name in DECISIVE}


def user_secret() -> bytes | None:
    """Return the user's secret, which is created on first use, or None if it cannot be stored."""
    path = Path(click.get_app_dir("axiomcheck")) / "ledger-secret"
    if not path.is_absolute():  # there is no home directory
        return None
    with contextlib.suppress(OSError):
        found = path.read_bytes()
        if len(found) == _SECRET_BYTES:
            return found
    made = secrets.token_bytes(_SECRET_BYTES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=path.parent)  # readable by this user only
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
    """Return the seal (HMAC-SHA256) of a sequence of byte strings. It covers their order and their boundaries."""
    made = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()

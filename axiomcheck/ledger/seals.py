"""Seals: that an entry was made by this user, and not by whoever else can put a file somewhere."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import tempfile
from pathlib import Path

import click

_SECRET_BYTES = 32


def user_secret() -> bytes | None:
    """The user's secret, made when it is first asked for; None where there is nowhere to keep one."""
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
    """The seal (HMAC-SHA256) of some texts in their order, which it tells apart."""
    made = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()

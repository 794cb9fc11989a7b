"""The place of the user's ledger."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from axiomcheck.core.errors import InvalidInput
from axiomcheck.ledger.file import LedgerFile, note

VARIABLE = "AXIOMCHECK_LEDGER"
"""A file to use instead, or `OFF`."""

OFF = "off"


def default_path() -> Path | None:
    """Return the path of the user's ledger, which need not be there; None where there is none, or no home to have one.

    The folder is the one that the system has for what programs keep: `XDG_STATE_HOME` as the specification has it.
    """
    asked = os.environ.get(VARIABLE)
    if asked:
        return None if asked == OFF else Path(asked)
    if sys.platform in ("darwin", "win32"):
        folder = Path(click.get_app_dir("axiomcheck", roaming=False))
    else:
        state = os.environ.get("XDG_STATE_HOME", "")
        folder = Path(state if os.path.isabs(state) else os.path.expanduser("~/.local/state")) / "axiomcheck"
    return folder / "ledger.sqlite" if folder.is_absolute() else None  # nobody's home


def ledger_of_user() -> LedgerFile | None:
    """Open the user's ledger; None where there is none, which is said on stderr if it should have been there.

    Work that nobody asked to be kept goes on where it cannot be.
    """
    if default_path() is None:
        return None
    try:
        return wanted_ledger()
    except InvalidInput as error:
        note(f"{error}; nothing is kept of this run")
    return None


def wanted_ledger() -> LedgerFile:
    """Open the user's ledger, for who asks for nothing else.

    Raises:
        InvalidInput: there is none, or it cannot be used.

    """
    path = default_path()
    if path is None:
        raise InvalidInput(f"there is no ledger: {VARIABLE} is {OFF}, or there is no home directory to have one in")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}: {error.filename}") from None
    return LedgerFile(path)

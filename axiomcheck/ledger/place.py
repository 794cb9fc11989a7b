"""Default path of the user's ledger."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from axiomcheck.core.errors import InvalidInput
from axiomcheck.ledger.file import LedgerFile, note

VARIABLE = "AXIOMCHECK_LEDGER"
"""Environment variable that holds the path of another ledger file, or `OFF`."""

OFF = "off"


def default_path() -> Path | None:
    """Return the path of the user's ledger, or None if it is turned off or there is no home directory.

    The file need not exist. Its folder is the operating system's standard folder for program state, which is
    `XDG_STATE_HOME` on Unix.
    """
    asked = os.environ.get(VARIABLE)
    if asked:
        return None if asked.casefold() == OFF else Path(asked)
    if sys.platform in ("darwin", "win32"):
        folder = Path(click.get_app_dir("axiomcheck", roaming=False))
    else:
        state = os.environ.get("XDG_STATE_HOME", "")
        folder = Path(state if os.path.isabs(state) else os.path.expanduser("~/.local/state")) / "axiomcheck"
    return folder / "ledger.sqlite" if folder.is_absolute() else None  # there is no home directory


def ledger_of_user() -> LedgerFile | None:
    """Open the user's ledger, or return None if it is turned off or cannot be used.

    If it cannot be used, a note is printed on stderr and the run continues without a ledger.
    """
    if default_path() is None:
        return None
    try:
        return wanted_ledger()
    except InvalidInput as error:
        note(f"{error}; nothing from this run is stored")
    return None


def wanted_ledger() -> LedgerFile:
    """Open the user's ledger for a command that needs it.

    Raises:
        InvalidInput: There is no ledger, or it cannot be used.

    """
    path = default_path()
    if path is None:
        raise InvalidInput(f"there is no ledger, because {VARIABLE} is {OFF} or there is no home directory")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}: {error.filename}") from None
    return LedgerFile(path)

"""Remember the current directory in which a user's files were named, because their code may change it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_before: dict[str, str] = {}
"""Directory that a user's file has made the current one -> the current directory before."""


def named_in() -> str:
    """Return the directory to which the names of the user's files are relative."""
    try:
        here = os.getcwd()
    except OSError:  # the directory was deleted
        return os.curdir
    return _before.get(here, here)


@contextmanager
def running_file() -> Iterator[None]:
    """Run a user's file in the directory in which it was named, and note the directory that it changes to."""
    try:
        here = os.getcwd()
    except OSError:
        yield
        return
    named = named_in()
    if named != here:
        os.chdir(named)
    try:
        yield
    finally:
        if (now := os.getcwd()) != named:
            _before[now] = named
        elif named != here:
            os.chdir(here)

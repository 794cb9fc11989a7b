"""Metrics in Python files: each finds the helpers of its own folder, whatever other files the process has loaded."""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["enter", "load_file", "plain_name"]

_PREFIX = "axiomcheck_user_"
_MARK = "__axiomcheck_folder__"
"""In a file's module, and its helpers' once another folder was entered: the folder whose helpers it imports."""

_import = builtins.__import__
_at: str | None = None
"""The folder whose helpers `sys.modules` and `sys.path` have."""
_appended = False
"""Whether `sys.path` has that folder only on its account."""
_foreign: dict[str, frozenset[str]] = {}
"""Folder -> the top-level modules that were there before it, which are not its helpers."""
_aside: dict[str, dict[str, ModuleType]] = {}
"""Folder -> its helpers, while another folder is entered."""


def load_file(file: Path) -> ModuleType:
    """Runs a file as a module of a name of its own, with the helpers next to it.

    The folder stays at the end of `sys.path`, so that what the file's functions import when they run is found, and
    shadows nothing.

    Raises:
        Exception: whatever the file raises.

    """
    folder = str(file.parent.resolve())
    digest = hashlib.sha256(os.fsencode(file.resolve())).hexdigest()[:12]
    spec = importlib.util.spec_from_file_location(f"{_PREFIX}{file.stem}_{digest}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)[_MARK] = folder
    sys.modules[module.__name__] = module  # dataclasses and pickles look there
    enter(folder)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    finally:
        with contextlib.suppress(ValueError):  # the file may have emptied it
            sys.path.remove(folder)
    return module


def plain_name(name: str) -> str:
    """A module's name, without what tells files of the same name apart."""
    return name.rpartition("_")[0] if name.startswith(_PREFIX) else name


def enter(folder: str | None) -> None:
    """Makes the helpers of a folder the ones that imports find, instead of those of the folder before; None: of none.

    Args:
        folder: absolute, without links.

    """
    global _appended, _at
    if folder == _at:
        return
    if _at is not None:
        _leave(_at)
    _at, _appended = folder, False
    if folder is None:
        return
    _foreign.setdefault(folder, frozenset(name for name in sys.modules if "." not in name))
    sys.modules.update(_aside.pop(folder, {}))
    if folder not in sys.path:
        sys.path.append(folder)
        _appended = True


def _leave(folder: str) -> None:
    helpers = {
        name
        for name, module in list(sys.modules.items())
        if "." not in name and name not in _foreign[folder] and _lies_in(module, folder)
    }
    _aside[folder] = {name: m for name, m in list(sys.modules.items()) if name.partition(".")[0] in helpers}
    for name, module in _aside[folder].items():
        vars(module)[_MARK] = folder
        del sys.modules[name]
    if _appended and folder in sys.path:
        sys.path.remove(folder)
    # From now on there are functions whose imports would find what is not theirs.
    builtins.__import__ = _import_at_home


def _lies_in(module: Any, folder: str) -> bool:
    """Whether a top-level module is one of a folder: a file or a package directly in it."""
    if module.__class__ is not ModuleType or module.__name__.startswith(_PREFIX):
        return False
    places = list(getattr(module, "__path__", None) or [module.__dict__.get("__file__") or ""])
    return any(place and os.path.dirname(os.path.realpath(place)) == folder for place in places)


def _import_at_home(
    name: str,
    globals: Mapping[str, object] | None = None,  # noqa: A002 - as the function that it stands for
    locals: Mapping[str, object] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    """`__import__`, in the folder of the module that imports."""
    folder = globals.get(_MARK) if globals else None
    if isinstance(folder, str):
        enter(folder)
    return _import(name, globals, locals, fromlist, level)

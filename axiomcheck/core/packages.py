"""Find the plugins of installed packages, build the errors for missing packages, and import flint lazily."""

from __future__ import annotations

import os
import shlex
import sys
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import LazyLoader, find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from axiomcheck.core.errors import InvalidInput

if TYPE_CHECKING:  # the imports take longer than scoring a run
    from importlib.metadata import EntryPoint

    import flint as flint


def shipped(group: str) -> dict[str, list[EntryPoint]]:
    """Return the entry points of a group, keyed by name, without loading them. Several packages may use one name."""
    return {name: list(points) for name, points in _found(group, tuple(sys.path)).items()}


@cache
def _found(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points of a group on an import path. The result is cached, since every typed name needs it."""
    found: dict[str, list[EntryPoint]] = {}
    if _may_ship(group, path):
        from importlib.metadata import entry_points

        for point in entry_points(group=group):
            found.setdefault(point.name, []).append(point)
    return found


def _may_ship(group: str, path: tuple[str, ...]) -> bool:
    """Return False only if it is certain that no package on an import path has entry points in a group.

    Reading the packages' entry_points.txt files is faster than `importlib.metadata`. Archives, eggs and custom finders,
    which only `importlib.metadata` can read, are assumed to have entry points in the group.
    """
    if any(finder is not PathFinder and hasattr(finder, "find_distributions") for finder in sys.meta_path):
        return True
    if any(folder.endswith(".egg") or os.path.isfile(folder) for folder in path):
        return True
    folders = [Path(folder) for folder in path if os.path.isdir(folder or ".")]
    heading = f"[{group}]".encode()
    try:
        files = (file for folder in folders for file in folder.glob("*-info/entry_points.txt"))
        return any(heading in file.read_bytes() for file in files)
    except OSError:
        return True


def shipper(*points: EntryPoint) -> str:
    """Return the names and versions of the packages that entry points belong to, as text."""
    return ", ".join(f"{p.dist.name} {p.dist.version}" if p.dist else p.value for p in points)


def not_installed(subject: str, library: str, extra: str = "") -> InvalidInput:
    """Return the error for a missing library, with the command that installs it.

    The command names the libraries and not an extra, so that it works however axiomcheck was installed.

    Args:
        subject: Feature that needs the library, such as ``"a picture"``.
        library: Name of the library in the message.
        extra: Extra of axiomcheck that requires the library; empty if none does.

    """
    words = shlex.join(["pip", "install", *(requirements(extra) or [library])])
    return InvalidInput(f"{subject} needs {library}, which is not installed; to install it, run: {words}")


def requirements(extra: str) -> list[str]:
    """Return the requirements of an extra of axiomcheck in pip's format; an empty list for an unknown extra."""
    from importlib.metadata import requires

    wanted = _normalised(f"extra == '{extra}'")
    parts = (line.partition(";") for line in requires("axiomcheck") or ())
    return [requirement.strip() for requirement, _, marker in parts if _normalised(marker.strip()) == wanted]


def _normalised(marker: str) -> str:
    return marker.replace('"', "'").replace("_", "-")


def _lazy(name: str) -> ModuleType:
    """Return a module whose code runs only when one of its attributes is first read, or another module imports it."""
    spec = None if name in sys.modules else find_spec(name)
    if spec is None or spec.loader is None:
        return __import__(name)
    spec.loader = loader = LazyLoader(spec.loader)
    module = sys.modules[name] = module_from_spec(spec)
    loader.exec_module(module)
    return module


if not TYPE_CHECKING:
    flint = _lazy("flint")

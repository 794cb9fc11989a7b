"""Installed packages: what they ship for axiomcheck, and what to say where one is missing."""

from __future__ import annotations

import shlex
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points, requires

from axiomcheck.core.errors import InvalidInput

__all__ = ["EntryPoint", "not_installed", "requirements", "shipped", "shipper"]


def shipped(group: str) -> dict[str, list[EntryPoint]]:
    """Name -> the entry points of that name in a group, none of them loaded; one is as it should be."""
    return {name: list(points) for name, points in _found(group, tuple(sys.path)).items()}


@cache
def _found(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points on a path of modules; to read it takes milliseconds, and every name typed asks for it."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        found.setdefault(point.name, []).append(point)
    return found


def shipper(*points: EntryPoint) -> str:
    """The packages that ship entry points, with their versions."""
    return ", ".join(f"{p.dist.name} {p.dist.version}" if p.dist else p.value for p in points)


def not_installed(subject: str, library: str, extra: str = "") -> InvalidInput:
    """The error of something that cannot be done without a library, with the command that installs it.

    The command names the libraries themselves, which any index has, whatever axiomcheck was installed from.

    Args:
        subject: what needs it, such as ``"a picture"``.
        library: the name that people know it by.
        extra: the one of axiomcheck's extras that it belongs to; without one the library is all there is to install.

    """
    words = shlex.join(["pip", "install", *(requirements(extra) or [library])])
    return InvalidInput(f"{subject} needs {library}, which is not installed; get it with: {words}")


def requirements(extra: str) -> list[str]:
    """Return the requirements of an extra of axiomcheck, as pip takes them; empty if there is no such extra."""
    wanted = _normalised(f"extra == '{extra}'")
    parts = (line.partition(";") for line in requires("axiomcheck") or ())
    return [requirement.strip() for requirement, _, marker in parts if _normalised(marker.strip()) == wanted]


def _normalised(marker: str) -> str:
    return marker.replace('"', "'").replace("_", "-")

"""What installed packages ship for axiomcheck: entry points, by group and name."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points

__all__ = ["EntryPoint", "shipped", "shipper"]


def shipped(group: str) -> dict[str, list[EntryPoint]]:
    """Name -> the entry points of that name in a group, none of them loaded; one is as it should be."""
    return {name: list(points) for name, points in _found(group, tuple(sys.path)).items()}


@cache
def _found(group: str, path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """What is shipped on a path of modules: reading it takes milliseconds, and every name typed asks for it."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        found.setdefault(point.name, []).append(point)
    return found


def shipper(*points: EntryPoint) -> str:
    """The packages that ship entry points, with their versions."""
    return ", ".join(f"{p.dist.name} {p.dist.version}" if p.dist else p.value for p in points)

"""Names of files and folders for cells, whatever their metrics are called."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from axiomcheck.gating.expectations import file_stem

_LONGEST_STEM = 100
"""Bytes of a metric's name that a file's name has; file systems take 255 in all."""


def file_names(cells: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A name, without an ending, for each of some cells; no two of them are one file's on any file system.

    Args:
        cells: metrics' names and axioms'; what is taken already gets a number.

    """
    taken: set[str] = set()
    for metric, axiom in cells:
        name = unique = f"{_stem(metric)}-{file_stem(axiom)}"
        number = 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}-{number}"
        taken.add(unique.casefold())
        yield unique


def _stem(metric: str) -> str:
    """A metric's name in a file's name: what is too long ends in a digest."""
    stem = file_stem(metric)
    if len(stem.encode()) <= _LONGEST_STEM:
        return stem
    digest = hashlib.sha256(metric.encode("utf-8", errors="backslashreplace")).hexdigest()[:12]
    return f"{stem.encode()[:_LONGEST_STEM].decode(errors='ignore')}-{digest}"

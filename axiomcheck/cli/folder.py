"""A report's folder of pages and bundles: whether it can be written, and what an earlier report left there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from axiomcheck.cli.documents import is_bundle
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.reports.html.matrix import BUNDLES, FOLDER, INDEX

_GENERATOR = b'<meta name="generator" content="axiomcheck">'
_BEGINNING = 4096
"""Bytes of a page in which its generator stands."""

_OF_BUNDLES = ("README.md", "witness.json", "qrels.txt", "*.qrels", "*.run")
"""Files that a bundle may have."""


def check_pages(folder: Path) -> None:
    """Fails before the work rather than after it.

    Args:
        folder: of the report; it may not be there yet.

    Raises:
        InvalidInput: a file is where a folder has to be, or the other way round, or it cannot be written to.

    """
    for place in (folder / FOLDER, folder / BUNDLES):
        if not os.path.lexists(place):
            continue
        if not place.is_dir():
            raise InvalidInput(f"cannot write {place}: it is a file; expected a folder, or none yet")
        if not os.access(place, os.W_OK):
            raise InvalidInput(f"cannot write {place}: it is not a directory that can be written to")
    if (folder / INDEX).is_dir():
        raise InvalidInput(f"cannot write {folder / INDEX}: it is a directory")


def write_pages(files: Mapping[str, str], folder: Path) -> None:
    """Writes a report's folder, and takes away pages and bundles of an earlier report that this one does not have.

    Args:
        files: path below the folder -> content.
        folder: of the report; files of others in it stay.

    Raises:
        InvalidInput: it cannot be written.

    """
    for name, content in files.items():
        target = folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"cannot write {target}: {error.strerror}") from None
        write_atomically(target, content)
    written = {(folder / name).name.casefold() for name in files if name.startswith(f"{FOLDER}/")}
    written |= {name.removeprefix(f"{BUNDLES}/").casefold() for name in files if name.startswith(f"{BUNDLES}/")}
    try:
        _remove_stale(folder, written)
    except OSError as error:
        raise InvalidInput(f"cannot remove {error.filename}, of an earlier report: {error.strerror}") from None


def _remove_stale(folder: Path, written: set[str]) -> None:
    """Removes what an earlier report left.

    Args:
        folder: of the report.
        written: what is of this report, below the folder of pages or of bundles, in small letters as some file systems
            make no difference.

    """
    for page in _own_pages(folder / FOLDER):
        if page.name.casefold() not in written:
            page.unlink()
    for bundle in _own_bundles(folder / BUNDLES):
        for file in [file for pattern in _OF_BUNDLES for file in bundle.glob(pattern)]:
            if f"{bundle.name}/{file.name}".casefold() not in written:
                file.unlink()
        if not any(bundle.iterdir()):  # somebody may keep more in it
            bundle.rmdir()
    if (folder / BUNDLES).is_dir() and not any((folder / BUNDLES).iterdir()):
        (folder / BUNDLES).rmdir()


def _own_pages(folder: Path) -> Iterator[Path]:
    for page in sorted(folder.glob("*.html")):
        if page.is_file() and not page.is_symlink():
            with page.open("rb") as file:
                beginning = file.read(_BEGINNING)
            if _GENERATOR in beginning:
                yield page


def _own_bundles(folder: Path) -> Iterator[Path]:
    for bundle in sorted(folder.glob("*")):
        if bundle.is_dir() and not bundle.is_symlink() and is_bundle(bundle):
            yield bundle

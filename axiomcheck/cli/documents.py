"""Read reports and witnesses from files, and write witnesses into files with unique names."""

from __future__ import annotations

import contextlib
import hashlib
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from axiomcheck.cli.console import say, write_files
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.core.writing import file_stem, json_text
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.matrix import from_document
from axiomcheck.sources.names import read_name

_LONGEST_STEM = 100
"""Maximum length in bytes of a metric's name in a file name; file systems allow 255 bytes in total."""


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Prefix the messages of `InvalidInput` errors with the path of a file."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def read_json(path: Path) -> Any:
    """Return the JSON document of a file.

    Raises:
        InvalidInput: The file is unreadable or not JSON, or `axiomcheck.core.documents.parse_json` rejects it; the
            message gives the position.

    """
    try:
        return parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput("cannot be read: it is not UTF-8 text") from None


def read_report(path: Path) -> Ledger:
    """Return the ledger of a report that `axiomcheck matrix` wrote as JSON.

    Raises:
        InvalidInput: The file is not such a report.

    """
    return from_document(read_json(path))


def write_witnesses(decided: Iterable[Cell], directory: Path) -> None:
    """Write each witness of some cells to its own file in a directory. File names contain the regime if regimes differ.

    Raises:
        InvalidInput: The directory cannot be written to.

    """
    found = {json_text(document_of(witness)): (cell, witness) for cell in decided if (witness := cell.witness)}
    several = len({witness.reading.regime for _, witness in found.values()}) > 1
    names = file_names(
        (cell.metric, f"{cell.axiom}-{witness.reading.regime}" if several else cell.axiom)
        for cell, witness in found.values()
    )
    write_files(directory, {f"{name}.json": text for name, text in zip(names, found, strict=True)})
    check = "axiomcheck replay FILE"
    for metric in dict.fromkeys(cell.metric for cell, _ in found.values()):
        check += f" -m {shlex.quote(metric)}" * read_name(metric).loads_code
    for axiom in dict.fromkeys(cell.axiom for cell, _ in found.values()):
        check += f" -a {shlex.quote(axiom)}" * (":" in axiom)
    say(f"{counted(len(found), 'witness')} written to {directory}" + f"; to check one, run: {check}" * bool(found))


def file_names(cells: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a file name without extension for each cell, unique on case-insensitive file systems as well.

    Args:
        cells: (metric name, axiom name) pairs. A number is added to a repeated file name, and a digest to a shortened
            one.

    """
    taken: set[str] = set()
    for metric, axiom in cells:
        stem = file_stem(metric)
        if len(stem.encode()) > _LONGEST_STEM:
            digest = hashlib.sha256(metric.encode("utf-8", errors="backslashreplace")).hexdigest()[:12]
            stem = f"{stem.encode()[:_LONGEST_STEM].decode(errors='ignore')}-{digest}"
        name = unique = f"{stem}-{file_stem(axiom)}"
        number = 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}-{number}"
        taken.add(unique.casefold())
        yield unique

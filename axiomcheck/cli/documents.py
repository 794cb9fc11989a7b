"""Reports and witnesses in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import json_text, write_atomically
from axiomcheck.gating.expectations import file_stem
from axiomcheck.records.cells import Ledger
from axiomcheck.records.matrix import from_document


def read_json(path: Path) -> Any:
    """The JSON document of a file.

    Raises:
        InvalidInput: unreadable, not JSON, or JSON that is not read (see `axiomcheck.core.documents.parse_json`); says
            where.

    """
    try:
        return parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput("not UTF-8 text") from None


def read_report(path: Path) -> Ledger:
    """The ledger of a report that `axiomcheck matrix` wrote as JSON.

    Raises:
        InvalidInput: no such report.

    """
    return from_document(read_json(path))


def write_witnesses(ledger: Ledger, directory: Path) -> None:
    """Writes every witness of a ledger into a directory, one file each.

    Raises:
        InvalidInput: the directory cannot be made.

    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write witnesses to {directory}: {error.strerror}") from None
    count = 0
    for cell in ledger.cells:
        if cell.witness is not None:
            write_atomically(
                directory / f"{file_stem(cell.metric)}-{cell.axiom}.json", json_text(document_of(cell.witness))
            )
            count += 1
    click.echo(f"{counted(count, 'witness')} written to {directory}; check one with: axiomcheck replay FILE", err=True)

"""Reports and witnesses in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from axiomcheck.cli.file_names import file_names
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import json_text, write_atomically
from axiomcheck.records.cells import Ledger
from axiomcheck.records.matrix import from_document
from axiomcheck.records.witnesses import SCHEMA as WITNESS_SCHEMA


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
    found = [(cell, cell.witness) for cell in ledger.cells if cell.witness is not None]
    names = file_names((cell.metric, cell.axiom) for cell, _ in found)
    for name, (_, witness) in zip(names, found, strict=True):
        write_atomically(directory / f"{name}.json", json_text(document_of(witness)))
    written = counted(len(found), "witness")
    click.echo(f"{written} written to {directory}; check one with: axiomcheck replay FILE", err=True)


def is_bundle(folder: Path) -> bool:
    """Tell whether a folder is a witness's bundle, by the witness and the two runs in it."""
    if not all((folder / name).is_file() for name in ("worse.run", "better.run")):
        return False
    try:
        document = read_json(folder / "witness.json")
    except InvalidInput:
        return False
    return isinstance(document, dict) and document.get("schema") == WITNESS_SCHEMA

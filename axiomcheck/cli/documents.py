"""Reports and witnesses in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from axiomcheck.core.errors import InvalidInput

if TYPE_CHECKING:
    from axiomcheck.core.verdict import Ledger
    from axiomcheck.decide.threshold_witness import ThresholdWitness
    from axiomcheck.decide.witness import Witness
    from axiomcheck.metrics import Metric

__all__ = ["read_any_witness", "read_json", "read_report", "write_witnesses"]


def read_json(path: Path) -> Any:
    """The JSON document of a file.

    Raises:
        InvalidInput: unreadable, not JSON, or JSON that is not read (see `axiomcheck.core.documents.parse_json`); says
            where.

    """
    from axiomcheck.core.documents import parse_json

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
    from axiomcheck.reports import from_document

    return from_document(read_json(path))


def read_any_witness(document: Any, metric: Metric | None) -> Witness | ThresholdWitness:
    """A witness of either kind, confirmed again.

    Raises:
        InvalidInput: malformed, or not confirmed.

    """
    from axiomcheck.decide.threshold_witness import read_threshold_witness
    from axiomcheck.decide.witness import read_witness

    threshold = isinstance(document, dict) and document.get("kind") == "threshold"
    return read_threshold_witness(document, metric) if threshold else read_witness(document, metric)


def write_witnesses(ledger: Ledger, directory: Path) -> None:
    """Writes every witness of a ledger into a directory, one file each.

    Raises:
        InvalidInput: the directory cannot be made.

    """
    from axiomcheck.reports import write_atomically

    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write witnesses to {directory}: {error.strerror}") from None
    count = 0
    for cell in ledger.cells:
        if cell.witness is not None:
            name = "".join(c if c.isalnum() or c in "-.=#@" else "_" for c in f"{cell.metric}-{cell.axiom}")
            write_atomically(directory / f"{name}.json", json.dumps(cell.witness, indent=2, ensure_ascii=False) + "\n")
            count += 1
    click.echo(f"{count} witnesses written to {directory}; check one with: axiomcheck replay FILE", err=True)

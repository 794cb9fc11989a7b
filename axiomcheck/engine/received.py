"""Cells that another process sent: one in which foreign code ran, or one on another machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.printable import printable
from axiomcheck.decide.distinct import check_marks
from axiomcheck.records.cells import Cell
from axiomcheck.records.matrix import cell_record, read_cell
from axiomcheck.records.values import ReadingRecord


@dataclass(frozen=True)
class SentCell:
    """A cell as a process sends it: a JSON object, and the seconds and marks that are no part of one.

    Args:
        document: the cell as a report has it.
        seconds: taken to search, to find a proof, and to check it.
        marks: see `axiomcheck.decide.distinct`.
        searched: the JSON object of the cell that no proof was asked for, where that is another one.

    """

    document: dict[str, Any]
    seconds: tuple[float, float, float]
    marks: bytes
    searched: dict[str, Any] | None = None

    @classmethod
    def of(cls, cell: Cell) -> SentCell:
        """Return what to send of a cell."""
        seconds = (cell.seconds, cell.proof_seconds, cell.check_seconds)
        searched = None if cell.searched is None else document_of(cell_record(cell.searched))
        return cls(document_of(cell_record(cell)), seconds, cell.marks, searched)


def as_asked(sent: SentCell, metric: str, axiom: str, reading: Reading) -> Cell:
    """A cell that was sent, as the one that was asked for, whatever it says which one it is.

    Args:
        sent: what was sent.
        metric: whose cell was asked for.
        axiom: of which one.
        reading: in which reading.

    Raises:
        MetricError: no report could hold it.

    """

    def asked_for(document: dict[str, Any]) -> dict[str, Any]:
        document = document | {"metric": metric, "axiom": axiom}
        if isinstance(witness := document.get("witness"), dict):
            document["witness"] = witness | {"metric": metric}
        if isinstance(cause := document.get("cause"), dict) and isinstance(text := cause.get("text"), str):
            document["cause"] = cause | {"text": printable(text)}  # it may hold what the metric raised
        return document

    searched = sent.searched and asked_for(sent.searched)
    try:
        return _read(replace(sent, document=asked_for(sent.document), searched=searched), reading)
    except _NO_CELL as error:
        raise MetricError(f"its process sent what is no cell ({printable(str(error))})") from None


def as_sent(sent: SentCell, metric: str, axiom: str, reading: Reading) -> Cell:
    """A cell that axiomcheck sent from another machine, which has to say itself that it is the one asked for.

    Args:
        sent: what was sent.
        metric: whose cell was asked for.
        axiom: of which one.
        reading: in which reading.

    Raises:
        InternalDisagreement: it is of another metric or axiom, or no report could hold it.

    """
    try:
        cell = _read(sent, reading)
    except _NO_CELL as error:
        raise InternalDisagreement(f"it sent what is no cell ({printable(str(error))})") from None
    if (cell.metric, cell.axiom) != (metric, axiom):
        raise InternalDisagreement(f"it sent the cell of {cell.metric} and {cell.axiom} for {metric} and {axiom}")
    return cell


_NO_CELL = (InvalidInput, TypeError, ValueError, RecursionError)


def _read(sent: SentCell, reading: Reading) -> Cell:
    check_marks(sent.marks)
    seconds, proof_seconds, check_seconds = sent.seconds

    def read(document: dict[str, Any], **more: Any) -> Cell:
        cell = read_cell(document, ReadingRecord.of(reading), (), "cell")
        return replace(cell, seconds=seconds, marks=sent.marks, **more)

    searched = None if sent.searched is None else read(sent.searched)
    return read(sent.document, proof_seconds=proof_seconds, check_seconds=check_seconds, searched=searched)

"""Cells that another process sent: one in which foreign code ran, or one on another machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.printable import printable
from axiomcheck.decide.marks import check_marks
from axiomcheck.records.cells import Cell
from axiomcheck.records.matrix import cell_record, read_cell
from axiomcheck.records.values import ReadingRecord


@dataclass(frozen=True)
class SentCell:
    """A cell as a process sends it: a JSON object, and the seconds and marks that are no part of one."""

    document: dict[str, Any]
    seconds: tuple[float, float, float]
    marks: bytes

    @classmethod
    def of(cls, cell: Cell) -> SentCell:
        """What to send."""
        seconds = (cell.seconds, cell.proof_seconds, cell.check_seconds)
        return cls(document_of(cell_record(cell)), seconds, cell.marks)


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
    document = sent.document | {"metric": metric, "axiom": axiom}
    if isinstance(witness := document.get("witness"), dict):
        document["witness"] = witness | {"metric": metric}
    if isinstance(reason := document.get("reason"), str):
        document["reason"] = printable(reason)  # it may hold what the metric raised
    try:
        return _read(sent, document, reading)
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
        cell = _read(sent, sent.document, reading)
    except _NO_CELL as error:
        raise InternalDisagreement(f"it sent what is no cell ({printable(str(error))})") from None
    if (cell.metric, cell.axiom) != (metric, axiom):
        raise InternalDisagreement(f"it sent the cell of {cell.metric} and {cell.axiom} for {metric} and {axiom}")
    return cell


_NO_CELL = (InvalidInput, TypeError, ValueError, RecursionError)


def _read(sent: SentCell, document: dict[str, Any], reading: Reading) -> Cell:
    cell = read_cell(document, ReadingRecord.of(reading), (), "cell")
    check_marks(sent.marks)
    seconds, proof_seconds, check_seconds = sent.seconds
    return replace(cell, seconds=seconds, proof_seconds=proof_seconds, check_seconds=check_seconds, marks=sent.marks)

"""Cells that a process sent in which foreign code ran."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.printable import printable
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
        return cls(document_of(cell_record(cell)), (cell.seconds, cell.proof_seconds, cell.check_seconds), cell.marks)


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
        cell = read_cell(document, ReadingRecord.of(reading), (), "cell")
    except (InvalidInput, TypeError, ValueError, RecursionError) as error:
        raise MetricError(f"its process sent what is no cell ({printable(str(error))})") from None
    seconds, proof_seconds, check_seconds = sent.seconds
    return replace(cell, seconds=seconds, proof_seconds=proof_seconds, check_seconds=check_seconds, marks=sent.marks)

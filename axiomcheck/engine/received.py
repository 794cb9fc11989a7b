"""Cells that a process sent in which foreign code ran."""

from __future__ import annotations

from dataclasses import replace

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.verdict import Cell, Ledger
from axiomcheck.processes.isolation import printable

__all__ = ["as_asked"]


def as_asked(found: Cell, metric: str, axiom: str, empty: Ledger) -> Cell:
    """A cell that was sent, as the one that was asked for, whatever it says which one it is.

    Args:
        found: what was sent.
        metric: whose cell was asked for.
        axiom: of which constraint.
        empty: a ledger of the reading and settings that it belongs to.

    Raises:
        MetricError: no report could hold it.

    """
    from axiomcheck.records.matrix import from_json, to_json

    cell = replace(
        found,
        metric=metric,
        axiom=axiom,
        reason=printable(found.reason),  # it may hold what the metric raised
        witness=found.witness and found.witness | {"metric": metric},
    )
    try:
        from_json(to_json(replace(empty, cells=(cell,))))
    except (InvalidInput, TypeError, ValueError, RecursionError) as error:
        raise MetricError(f"its process sent what is no cell ({printable(str(error))})") from None
    return cell

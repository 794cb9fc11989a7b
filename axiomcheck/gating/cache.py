"""What was found before under the same circumstances: cells and outcomes of contract checks in the user's ledger.

What is not of exactly the form that is written here is as if it were not there, whoever sealed it. Counterexamples are
scored again by whoever asks.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.core.documents import document_of, read
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.ledger import LedgerFile
from axiomcheck.records.cells import Cell
from axiomcheck.records.matrix import cell_record, read_cell
from axiomcheck.records.values import ReadingRecord

T = TypeVar("T")


class Cache:
    """Cells and outcomes of contract checks, by key.

    What cannot be read or written is as if it were not there.

    Args:
        ledger: where they are kept.

    """

    def __init__(self, ledger: LedgerFile) -> None:
        self._ledger = ledger

    def cell(self, key: str, metric: str, axiom: str, reading: Reading) -> Cell | None:
        """The cell of a metric and axiom in a reading; None if it is not there."""
        return self._read(key, lambda content: _cell(content, metric, axiom, ReadingRecord.of(reading)))

    def outcomes(self, key: str) -> list[Outcome] | None:
        """The outcomes of all contract checks; None if they are not there."""
        return self._read(key, _outcomes)

    def keep_cell(self, key: str, cell: Cell) -> None:
        """Keeps a cell, unless it is an error, which may have passing causes."""
        if cell.verdict is not Verdict.ERROR:
            self._write(key, document_of(cell_record(cell)), kind="gate: cell", metric=cell.metric, axiom=cell.axiom)

    def keep_outcomes(self, key: str, metric: str, outcomes: Sequence[Outcome]) -> None:
        """Keeps outcomes of a metric's contract checks."""
        self._write(key, [document_of(outcome) for outcome in outcomes], kind="gate: contract checks", metric=metric)

    def close(self) -> None:
        """Closes the ledger."""
        self._ledger.close()

    def _read(self, key: str, understood: Callable[[Any], T]) -> T | None:
        content = self._ledger.get(key)
        try:
            return None if content is None else understood(content)
        except ValueError:
            return None

    def _write(self, key: str, content: Any, **about: str) -> None:
        with contextlib.suppress(TypeError, ValueError):  # nothing that JSON has
            self._ledger.put(key, content, about=about)


def _cell(content: Any, metric: str, axiom: str, reading: ReadingRecord) -> Cell:
    cell = read_cell(content, reading, (), "cell")
    if (cell.metric, cell.axiom) != (metric, axiom) or cell.verdict is Verdict.ERROR or cell.certificate is not None:
        raise InvalidInput("cell: of another metric or axiom, or not as it is kept")
    return cell


def _outcomes(content: Any) -> list[Outcome]:
    """The outcome of every check there is, in their order: one that is missing would not be missed otherwise."""
    outcomes = list(read(tuple[Outcome, ...], content, "outcomes"))
    if [document_of(outcome) for outcome in outcomes] != content:  # with entries that no outcome has
        raise InvalidInput("outcomes: not as they are kept")
    if [(o.check, o.group) for o in outcomes] != [(check.name, check.group) for check in CHECKS.values()]:
        raise InvalidInput("outcomes: of other checks")
    return outcomes

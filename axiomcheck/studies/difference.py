"""Compare two saved reports, and list the cells that got worse, got better, or changed in some other way.

Reports are the JSON documents that ``matrix`` and ``check`` write. The contract checks in a ``check`` report are not
compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec
from msgspec import structs

from axiomcheck.core.documents import Record, convert, document_of
from axiomcheck.core.domain import Domain, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, shown
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, violation_sentence
from axiomcheck.records.matrix import from_document, read_cell
from axiomcheck.records.sentences import reversal_name
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import AnyWitness, PairWitness


class Change(StrEnum):
    """Kinds of change to a cell, worst first."""

    REGRESSION = "regression"
    """The axiom is no longer satisfied or decided, or the evidence for it is weaker or covers fewer kinds of
    instances."""

    REMOVED = "removed"
    """The cell is only in the old report."""

    CHANGED = "changed"
    """The verdict, the counterexample or the scope of the proof differs, but is neither better nor worse."""

    IMPROVEMENT = "improvement"
    """The axiom is now satisfied, or the evidence for it is stronger or covers more kinds of instances."""

    ADDED = "added"
    """The cell is only in the new report."""


class CellChange(Record):
    """Change to one cell. ``before`` is null if the old report lacks the cell, ``after`` if the new report lacks it."""

    change: Change
    metric: str
    axiom: str
    regime: Regime
    domain: Domain
    before: Verdict | None
    after: Verdict | None
    why: str


class SettingChange(Record):
    """Search setting that differs between two reports; ``before`` or ``after`` is null if that report lacks it."""

    setting: str
    before: Any
    after: Any


@dataclass(frozen=True)
class ReportDifference:
    """Differences between two reports.

    Args:
        readings: Readings, which are the same in both reports.
        settings: Search settings that differ, which may explain changes even if the metric is the same.
        changes: Changed cells, worst first.
        same: Number of unchanged cells.

    """

    readings: tuple[ReadingRecord, ...]
    settings: tuple[SettingChange, ...]
    changes: tuple[CellChange, ...]
    same: int

    def of_kind(self, kind: Change) -> list[CellChange]:
        """Return the changes of the given kind."""
        return [change for change in self.changes if change.change is kind]


_STRENGTH = {Verdict.PROVED: 3, Verdict.BOUNDED: 2, Verdict.HELD: 1}
"""Strength of the evidence that an axiom is satisfied. Other verdicts have strength 0."""

_Key: TypeAlias = tuple[str, str, Regime, Domain]


@dataclass(frozen=True)
class _Report:
    """Readings, settings and cells of a report. Settings are stored by metric, or under '' if shared by all metrics."""

    readings: tuple[ReadingRecord, ...]
    settings: Mapping[str, Mapping[str, Any]]
    cells: Mapping[_Key, Cell]


def compare_reports(old: tuple[str, Any], new: tuple[str, Any]) -> ReportDifference:
    """Return the differences between two reports.

    Args:
        old: File name and JSON document of the old report.
        new: File name and JSON document of the new report.

    Raises:
        InvalidInput: A document is not a report, or the reports have different readings or no cell in common.

    """
    before, after = (_read(name, document) for name, document in (old, new))
    if set(before.readings) != set(after.readings):
        said = [f"{name} has the reading {_listed(one.readings)}" for (name, _), one in ((old, before), (new, after))]
        raise InvalidInput(f"{'; '.join(said)}; expected the same readings, because verdicts differ between readings")
    if not set(before.cells) & set(after.cells):
        raise InvalidInput(f"{old[0]} and {new[0]} have no cell in common; expected reports of the same metrics")
    found = [
        change
        for key in {**before.cells, **after.cells}
        if (change := _change(key, before.cells.get(key), after.cells.get(key))) is not None
    ]

    def severity(change: CellChange) -> tuple[int, int]:
        strength = [_STRENGTH.get(verdict, 0) if verdict else 0 for verdict in (change.before, change.after)]
        return list(Change).index(change.change), strength[1] - strength[0]

    common = set(before.cells) & set(after.cells)
    same = len(common) - sum(change.before is not None and change.after is not None for change in found)
    return ReportDifference(before.readings, _settings(before, after), tuple(sorted(found, key=severity)), same)


def _change(key: _Key, before: Cell | None, after: Cell | None) -> CellChange | None:
    """Return the change to a cell, or None if it is unchanged."""
    if before is None or after is None:
        kind, why = (Change.ADDED, _why(after)) if after else (Change.REMOVED, "")
    elif before.verdict is after.verdict:
        kind, why = _of_equal_verdicts(before, after)
        if not why:
            return None
    else:
        kind, why = _kind(before.verdict, after.verdict), _why(after)
    old, new = before.verdict if before else None, after.verdict if after else None
    return CellChange(kind, *key, old, new, why)


def _of_equal_verdicts(before: Cell, after: Cell) -> tuple[Change, str]:
    """Return the kind of change between two cells with the same verdict, and its reason ('' if nothing changed)."""
    gained, why = other_instances(before, after)
    if not why:
        counterexamples = [_counterexample(cell.witness) for cell in (before, after)]
        if counterexamples[0] != counterexamples[1]:
            return Change.CHANGED, f"counterexample: {counterexamples[0]} before, {counterexamples[1]} now"
        # Scopes are not ordered by strength.
        scopes = [cell.proof.scope if cell.proof else "nothing" for cell in (before, after)]
        changed = scopes[0] != scopes[1]
        return Change.CHANGED, f"the proof now covers {scopes[1]}; before, it covered {scopes[0]}" if changed else ""
    if not after.verdict.satisfied:
        return Change.CHANGED, why
    return {-1: Change.REGRESSION, 0: Change.CHANGED, 1: Change.IMPROVEMENT}[gained], why


def other_instances(before: Cell, after: Cell) -> tuple[int, str]:
    """Compare the kinds of instances, such as binary or short ones, on which two cells were decided.

    Returns:
        A sign and a description of the difference. The sign is 1 if ``after`` covers more kinds of instances, -1 if it
        covers fewer, else 0. The description is empty if there is no difference.

    """
    if before.pairs is None or after.pairs is None:
        return 0, ""
    told: dict[str, int] = {}
    if after.pairs.binary and not before.pairs.binary:
        told["on binary instances only; before, on graded ones"] = -1
    elif before.pairs.binary and not after.pairs.binary:
        told["on graded instances; before, on binary ones only"] = 1
    old, new = before.undeclared_cutoff or math.inf, after.undeclared_cutoff or math.inf
    if old != new:
        told[f"on rankings {_length(new)}; before, {_length(old)}"] = 1 if new > old else -1
    signs = {*told.values()}
    return (signs.pop() if len(signs) == 1 else 0), f"decided {'; '.join(told)}" if told else ""


def _length(cutoff: float) -> str:
    return "of any length" if math.isinf(cutoff) else f"of up to {counted(int(cutoff), 'document')}"


def _kind(before: Verdict, after: Verdict) -> Change:
    """Classify the change from one verdict to a different one as a regression, an improvement or neither."""
    if before is Verdict.NOT_APPLICABLE:  # the axiom did not apply before
        return Change.CHANGED
    gained = _STRENGTH.get(after, 0) - _STRENGTH.get(before, 0)
    if gained < 0 or (before.decided and not after.decided):
        return Change.REGRESSION
    return Change.IMPROVEMENT if gained > 0 else Change.CHANGED


def _why(cell: Cell | None) -> str:
    if cell is None:
        return ""
    return violation_sentence(cell) if cell.verdict is Verdict.REFUTED else cell.reason


def _counterexample(witness: AnyWitness | None) -> str:
    if witness is None:
        return "none"
    if isinstance(witness, PairWitness):
        scores = (witness.scores.better, witness.scores.worse)
        kind = reversal_name(witness) if witness.kind == "reversal" else witness.kind
        return f"a {kind}, {' against '.join(scores if witness.scores.bound != 'better' else scores[::-1])}"
    return f"{witness.ahead_beyond} ahead beyond n = {len(witness.ahead)}"


def _settings(before: _Report, after: _Report) -> tuple[SettingChange, ...]:
    """Return the settings that differ for some metric that both reports contain, listing each difference once."""
    found: dict[str, SettingChange] = {}
    for metric in before.settings:
        old, new = before.settings[metric], after.settings.get(metric, {})
        for name in {**old, **new} if new else ():
            if old.get(name) != new.get(name):
                change = SettingChange(name, old.get(name), new.get(name))
                found.setdefault(repr(change), change)
    return tuple(found.values())


def _listed(readings: tuple[ReadingRecord, ...]) -> str:
    return " and ".join(f"{one.regime}, {one.domain}" for one in readings) or "no reading"


class _Reading(msgspec.Struct):
    regime: Regime
    domain: Domain
    cells: list[Any]


class _Searched(msgspec.Struct):
    seed: int
    examples: int
    exhaustive: bool
    budget: float | None = None


class _Checked(msgspec.Struct):
    metric: str
    settings: _Searched
    readings: list[_Reading]


class _Checks(msgspec.Struct):
    version: int
    metrics: list[_Checked]


def _read(name: str, document: Any) -> _Report:
    schema = document.get("schema") if isinstance(document, dict) else None
    try:
        if schema == "axiomcheck/matrix":
            return _matrix(document)
        if schema == "axiomcheck/check":
            return _check(document)
    except (InvalidInput, msgspec.ValidationError) as error:
        raise InvalidInput(f"{name}: {error}") from None
    what = f"; its schema is {shown(schema)}" if schema is not None else ""
    raise InvalidInput(f"{name} is not a report; expected the JSON output of axiomcheck matrix or check{what}")


def _matrix(document: Any) -> _Report:
    ledger = from_document(document)
    reading = ReadingRecord(Regime(ledger.regime), Domain(ledger.domain))
    cells = {(cell.metric, cell.axiom, reading.regime, reading.domain): cell for cell in ledger.cells}
    return _Report((reading,), {"": document_of(ledger.settings)}, cells)


def _check(document: Any) -> _Report:
    report = convert(document, _Checks)
    if report.version != 1:
        raise InvalidInput(f"version {report.version}; expected 1")
    cells: dict[_Key, Cell] = {}
    readings: dict[ReadingRecord, None] = {}
    for i, checked in enumerate(report.metrics):
        for j, part in enumerate(checked.readings):
            reading = ReadingRecord(part.regime, part.domain)
            for k, entry in enumerate(part.cells):
                cell = read_cell(entry, reading, ("metrics", i, "readings", j, "cells", k), "check")
                key = (cell.metric, cell.axiom, reading.regime, reading.domain)
                if key in cells:
                    said = f"duplicate cell for {cell.metric} and {cell.axiom} ({reading.regime}); expected one"
                    raise InvalidInput(said)
                cells[key] = cell
                readings[reading] = None
    return _Report(tuple(readings), {one.metric: structs.asdict(one.settings) for one in report.metrics}, cells)

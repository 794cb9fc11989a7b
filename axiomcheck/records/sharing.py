"""Certificates in a report: what several of them have in common is there once, and a number wherever it is needed.

A report has tables beside its cells: certificates, to which cells refer by number from 0; the cases of proofs by
induction, to which certificates refer; and their obligations, to which cases refer. Metrics that are proved alike have
cases in common, and cases that differ have most of their obligations in common. Whoever reads a report gets whole
certificates, so nothing that checks one knows of this.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from msgspec import Meta

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import UNSET, Maybe, difference
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.records.certificates import Identity, InductionBindings, InductionClaim, MixtureClaim
from axiomcheck.records.values import Whole

Document = dict[str, Any]

_MOST_OBLIGATIONS = 1_000_000
"""The most obligations of a report, written out: a small file might refer to a large case any number of times."""


class SharedCase(InductionBindings):
    """A case of a proof by induction, with the numbers of its obligations."""

    obligations: tuple[Whole, ...]


class SharedInduction(InductionClaim):
    """For rankings of every length, with the numbers of the cases: docs/lemmas/induction.md."""

    cases: Annotated[tuple[Whole, ...], Meta(min_length=1)]
    identity: Maybe[Identity] = UNSET


class SharedMixture(MixtureClaim):
    """One proof by induction for each part of a metric that mixes others: docs/lemmas/induction.md."""

    parts: Annotated[tuple[SharedInduction, ...], Meta(min_length=1)]
    identity: Maybe[Identity] = UNSET


TABLES = ("certificates", "cases", "obligations")


class _TableMade:
    """A table that is made: entry as text -> number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, entry: object) -> int:
        return self.numbers.setdefault(json.dumps(entry), len(self.numbers))

    def entries(self) -> list[Any]:
        return [json.loads(text) for text in self.numbers]


def shared(cells: Sequence[Document]) -> tuple[list[Document], dict[str, list[Document]]]:
    """Cells with the numbers of their certificates, and the tables.

    Args:
        cells: with whole certificates, as documents.

    """
    certificates, cases, obligations = _TableMade(), _TableMade(), _TableMade()

    def numbered(proof: Document, where: str) -> Document:
        numbers = []
        for case in proof["cases"]:
            listed = [obligations.number(obligation) for obligation in case["obligations"]]
            numbers.append(cases.number({**case, "obligations": listed}))
        return {**proof, "cases": numbers}

    written = []
    for cell in cells:
        whole = cell["certificate"]
        number = None if whole is None else certificates.number(_proofs_changed(whole, "", numbered))
        written.append({**cell, "certificate": number})
    tables = zip(TABLES, (certificates, cases, obligations), strict=True)
    return written, {name: table.entries() for name, table in tables}


class _TableRead:
    """A table that is read."""

    def __init__(self, name: str, entries: Sequence[Any]) -> None:
        self.name = name
        self.entries = entries

    def at(self, number: object, where: str) -> Any:
        """The entry that a number at a place refers to.

        Raises:
            InvalidInput: there is none of that number.

        """
        if type(number) is not int or not 0 <= number < len(self.entries):
            raise InvalidInput(
                f"matrix: {where} is {shown(number)}; expected the number of one of {len(self.entries)} {self.name}"
            )
        return self.entries[number]


def whole(cells: Sequence[Any], tables: Document) -> list[Any]:
    """Cells with whole certificates, as documents; what is no object is left to whoever reads it.

    Args:
        cells: as a report has them.
        tables: by name, as a report of the right form has them.

    Raises:
        InvalidInput: a number refers to nothing.

    """
    certificates, cases, obligations = (_TableRead(name, tables[name]) for name in TABLES)
    written_out = 0

    def written_in_full(proof: Document, where: str) -> Document:
        nonlocal written_out
        found = []
        for k, number in enumerate(_list(proof, "cases", where)):
            case = cases.at(number, f"{where}.cases[{k}]")
            at = f"cases[{number}].obligations"
            listed = [obligations.at(o, f"{at}[{place}]") for place, o in enumerate(case["obligations"])]
            found.append({**case, "obligations": listed})
            written_out += len(listed)
            if written_out > _MOST_OBLIGATIONS:
                raise InvalidInput(f"matrix: {where}: more than {counted(_MOST_OBLIGATIONS, 'obligation')} in all")
        return {**proof, "cases": found}

    found = []
    for number, cell in enumerate(cells):
        if isinstance(cell, dict) and cell.get("certificate") is not None:
            at = cell["certificate"]
            certificate = certificates.at(at, f"cells[{number}].certificate")
            cell = {**cell, "certificate": _proofs_changed(certificate, f"certificates[{at}]", written_in_full)}
        found.append(cell)
    return found


def _proofs_changed(certificate: Document, where: str, change: Callable[[Document, str], Document]) -> Document:
    """Return a certificate with its proofs by induction changed: itself, or the parts of a mixture, each at a place."""
    if certificate.get("kind") == "induction":
        return change(certificate, where)
    if certificate.get("kind") != "mixture":
        return certificate
    parts = [
        change(part, f"{where}.parts[{k}]") if isinstance(part, dict) else part
        for k, part in enumerate(_list(certificate, "parts", where))
    ]
    return {**certificate, "parts": parts}


def check_tables(report: Document, cells: Sequence[Document]) -> None:
    """Checks that a report has its tables as they are written: what is of use, once each, and in order.

    Args:
        report: as it was parsed.
        cells: its cells with whole certificates.

    Raises:
        InvalidInput: it has not; the message says where.

    """
    _, tables = shared(cells)
    for name, entries in tables.items():
        if len(report[name]) != len(entries):
            raise InvalidInput(
                f"matrix: {name} has {len(report[name])} entries; expected {len(entries)}, each that is of use once"
            )
    for name, entries in tables.items():
        found = difference(report[name], entries, (name,))
        if found is not None:
            raise InvalidInput(f"matrix: {found}: entries are in the order of what refers to them first")


def _list(certificate: Document, key: str, where: str) -> list[Any]:
    value = certificate.get(key)
    if not isinstance(value, list):
        raise InvalidInput(f"matrix: {where}.{key} is {type(value).__name__}; expected a list")
    return value

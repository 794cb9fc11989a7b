"""Store common parts of certificates in a report only once.

Each part is stored once in a table after the cells, and is referred to by its index, counted from 0. Cells refer to
certificates, proofs by induction to their cases, and cases to their obligations. Metrics with similar proofs share
cases, and different cases share most of their obligations. Whole certificates are restored when a report is read, so
checkers never see indices.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from msgspec import Meta

from axiomcheck.core.documents import UNSET, Maybe, difference
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, shown
from axiomcheck.records.certificates import Identity, InductionBindings, InductionClaim, MixtureClaim
from axiomcheck.records.values import Whole

Document = dict[str, Any]

_MOST_OBLIGATIONS = 1_000_000
"""Largest number of obligations in a report after expansion, since a small file can refer to a large case many
times."""


class SharedCase(InductionBindings):
    """Case of a proof by induction, with the indices of its obligations instead of the obligations."""

    obligations: tuple[Whole, ...]


class SharedInduction(InductionClaim):
    """Proof for rankings of every length, with the indices of its cases instead of the cases.

    See docs/lemmas/induction.md.
    """

    cases: Annotated[tuple[Whole, ...], Meta(min_length=1)]
    identity: Maybe[Identity] = UNSET


class SharedMixture(MixtureClaim):
    """Proof for a mixture of metrics, with one proof by induction for each part; see docs/lemmas/induction.md."""

    parts: Annotated[tuple[SharedInduction, ...], Meta(min_length=1)]
    identity: Maybe[Identity] = UNSET


TABLES = ("certificates", "cases", "obligations")


class _TableMade:
    """Table under construction, with the index of each entry by its JSON text."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, entry: object) -> int:
        return self.numbers.setdefault(json.dumps(entry), len(self.numbers))

    def entries(self) -> list[Any]:
        return [json.loads(text) for text in self.numbers]


def shared(cells: Sequence[Document]) -> tuple[list[Document], dict[str, list[Document]]]:
    """Replace the certificates of cells by indices, and return the new cells and the tables.

    Args:
        cells: Cells with whole certificates, as documents.

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
    """Table that was read from a report."""

    def __init__(self, name: str, entries: Sequence[Any]) -> None:
        self.name = name
        self.entries = entries

    def at(self, number: object, where: str) -> Any:
        """Return the entry at an index.

        Args:
            number: Index from the document.
            where: Path of the index in the document, for messages.

        Raises:
            InvalidInput: No entry has that index.

        """
        if type(number) is not int or not 0 <= number < len(self.entries):
            raise InvalidInput(
                f"matrix: {where} is {shown(number)}; expected the number of one of {len(self.entries)} {self.name}"
            )
        return self.entries[number]


def whole(cells: Sequence[Any], tables: Document) -> list[Any]:
    """Return cells with whole certificates, as documents.

    Cells that are not JSON objects are returned unchanged, and `read_cell` rejects them.

    Args:
        cells: Cells of a report.
        tables: Tables by name, from a report of valid form.

    Raises:
        InvalidInput: An index refers to no entry.

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
    """Apply a function to a certificate if it is a proof by induction, or to each part of a proof for a mixture."""
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
    """Check that the tables of a report contain each referenced entry once, in the order of the first references.

    Args:
        report: Parsed report.
        cells: Cells of the report with whole certificates.

    Raises:
        InvalidInput: An entry is unused, repeated or out of order; the message says where.

    """
    _, tables = shared(cells)
    for name, entries in tables.items():
        if len(report[name]) != len(entries):
            raise InvalidInput(
                f"matrix: {name} has {len(report[name])} entries; expected {len(entries)}, "
                "without unused or repeated ones"
            )
    for name, entries in tables.items():
        found = difference(report[name], entries, (name,))
        if found is not None:
            raise InvalidInput(f"matrix: {found}, since entries are in order of first reference")


def _list(certificate: Document, key: str, where: str) -> list[Any]:
    value = certificate.get(key)
    if not isinstance(value, list):
        raise InvalidInput(f"matrix: {where}.{key} is {type(value).__name__}; expected a list")
    return value

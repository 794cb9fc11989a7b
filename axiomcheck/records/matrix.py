"""Write and read the JSON report of a run, with all settings and results but without durations.

Certificates, their cases and the obligations of cases are stored once, in tables after the cells. Cells refer to
certificates by index, counted from 0. In the same way, proofs by induction refer to their cases, and cases to their
obligations. Metrics with similar proofs share cases, and different cases share most of their obligations. When a report
is read, whole certificates are restored, so checkers never see indices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, structs

from axiomcheck.axioms import Axiom, about_blocks, about_pairs, find_axiom
from axiomcheck.core.documents import (
    UNSET,
    Record,
    difference,
    document_of,
    path_text,
    read,
    schema_of,
)
from axiomcheck.core.domain import Domain, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, shown
from axiomcheck.core.published import Published
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.records.causes import Cause
from axiomcheck.records.cells import Cell, Ledger, SettingsRecord
from axiomcheck.records.certificates import (
    KINDS,
    BlocksCertificate,
    InductionCase,
    InductionCertificate,
    MixtureCertificate,
    Numbered,
    Obligation,
    OrthantCertificate,
    TailCertificate,
    certified_verdict,
    read_certificate,
)
from axiomcheck.records.evidence import Evidence, PairEvidence, ThresholdEvidence
from axiomcheck.records.values import ReadingRecord, Text, Whole
from axiomcheck.records.witnesses import AnyWitness, PairWitness, ThresholdWitness, witness_kind

Document = dict[str, Any]

_MOST_OBLIGATIONS = 1_000_000
"""Largest number of obligations in a report after expansion, since a small file can refer to a large case many
times."""


class SharedCase(InductionCase):
    """Case of a proof by induction, with the indices of its obligations in place of the obligations."""

    obligations: tuple[Whole, ...]  # type: ignore[assignment]


class SharedInduction(InductionCertificate, kw_only=True):
    """Proof for rankings of every length, with the indices of its cases in place of the cases.

    See docs/lemmas/induction.md.
    """

    cases: Annotated[tuple[Whole, ...], Meta(min_length=1)]  # type: ignore[assignment]


class SharedMixture(MixtureCertificate, kw_only=True):
    """Proof for a mixture of metrics, with a `SharedInduction` for each part; see docs/lemmas/induction.md."""

    parts: Annotated[tuple[SharedInduction, ...], Meta(min_length=1)]


TABLES = ("certificates", "cases", "obligations")


def shared(cells: Sequence[Document]) -> tuple[list[Document], dict[str, list[Document]]]:
    """Replace the certificates of cells by indices, and return the changed cells and the tables by name.

    Args:
        cells: Cells with whole certificates, as documents.

    """
    certificates, cases, obligations = tables = [Numbered() for _ in TABLES]

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
    return written, {name: table.entries() for name, table in zip(TABLES, tables, strict=True)}


def whole(cells: Sequence[Any], tables: Document) -> list[Any]:
    """Replace the indices of certificates in cells by whole certificates, and return the changed cells as documents.

    Cells that are not JSON objects are returned unchanged; `read_cell` rejects them.

    Args:
        cells: Cells of a report.
        tables: Tables by name, from a report whose header is valid.

    Raises:
        InvalidInput: An index refers to no entry, or there are too many obligations.

    """
    written_out = 0

    def entry(table: str, number: object, where: str) -> Any:
        entries = tables[table]
        if type(number) is not int or not 0 <= number < len(entries):
            raise InvalidInput(
                f"matrix: {where} is {shown(number)}; expected an index of {table}, below {len(entries)}"
            )
        return entries[number]

    def written_in_full(proof: Document, where: str) -> Document:
        nonlocal written_out
        found = []
        for k, number in enumerate(_list(proof, "cases", where)):
            case = entry("cases", number, f"{where}.cases[{k}]")
            at = f"cases[{number}].obligations"
            listed = [entry("obligations", o, f"{at}[{place}]") for place, o in enumerate(case["obligations"])]
            found.append({**case, "obligations": listed})
            written_out += len(listed)
            if written_out > _MOST_OBLIGATIONS:
                raise InvalidInput(f"matrix: {where}: more than {counted(_MOST_OBLIGATIONS, 'obligation')} in all")
        return {**proof, "cases": found}

    found = []
    for number, cell in enumerate(cells):
        if isinstance(cell, dict) and cell.get("certificate") is not None:
            at = cell["certificate"]
            certificate = entry("certificates", at, f"cells[{number}].certificate")
            cell = {**cell, "certificate": _proofs_changed(certificate, f"certificates[{at}]", written_in_full)}
        found.append(cell)
    return found


def _proofs_changed(certificate: Document, where: str, change: Callable[[Document, str], Document]) -> Document:
    """Apply a function to every proof by induction in a certificate; return other kinds of certificates unchanged."""
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
    """Check that the tables of a report contain each referenced entry once, in order of first reference.

    Args:
        report: Parsed report.
        cells: Cells of the report with whole certificates.

    Raises:
        InvalidInput: An entry is unused, repeated or out of order.

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


SCHEMA: Literal["axiomcheck/matrix"] = "axiomcheck/matrix"
VERSION: Literal[1] = 1

_EVIDENCE: tuple[type[Record], ...] = (PairEvidence, ThresholdEvidence)
_WITNESSES: tuple[type[Record], ...] = (PairWitness, ThresholdWitness)
PARTS: tuple[type[Record], ...] = (*_EVIDENCE, *_WITNESSES, *KINDS.values())
"""Records that the schema of a cell refers to."""


EMPTY: Mapping[str, object] = {"type": "object", "maxProperties": 0}
_NULL: Mapping[str, object] = {"type": "null"}


def one_of(*parts: type[Record], otherwise: Mapping[str, object] | None = None) -> Meta:
    """Return a JSON Schema annotation for a value that is one of several records or matches ``otherwise``."""
    choices = [{"$ref": f"#/$defs/{part.__name__}"} for part in parts]
    return Meta(extra_json_schema={"anyOf": [*choices, *([otherwise] if otherwise else [])]})


class CellRecord(Record):
    """Result for one metric and one axiom.

    The axiom and the verdict determine the form of evidence, witness and certificate. ``failure`` is the kind of
    failure if the verdict is "error", and null otherwise.
    """

    metric: Annotated[str, Meta(min_length=1, description="The canonical name.")]
    row: Annotated[Text | None, Meta(description="The published table's row.")]
    axiom: Text
    verdict: Verdict
    published: Published | None
    cause: Cause
    evidence: Annotated[dict[str, Any], one_of(*_EVIDENCE, otherwise=EMPTY)]
    witness: Annotated[Any, one_of(*_WITNESSES, otherwise=_NULL)]
    certificate: Annotated[Any, one_of(*KINDS.values(), otherwise=_NULL)]
    failure: Failure | None


class MatrixCell(CellRecord):
    """Result for one metric and one axiom, with the certificate's index in place of the certificate."""

    certificate: Whole | None


class Header(Record):
    """Report whose header was read, but whose cells and certificates are still JSON values."""

    schema: Literal["axiomcheck/matrix"]
    version: Literal[1]
    reading: ReadingRecord
    settings: SettingsRecord
    cells: tuple[Any, ...]
    certificates: tuple[dict[str, Any], ...]
    cases: tuple[SharedCase, ...]
    obligations: tuple[dict[str, Any], ...]


_CERTIFICATES = (BlocksCertificate, SharedInduction, SharedMixture, OrthantCertificate, TailCertificate)


class MatrixRecord(Header):
    """Cells of one run, with the reading, the settings and the certificates.

    Cells refer to certificates by index, counted from 0. In the same way, proofs by induction refer to their cases, and
    cases to their obligations. Each certificate, case and obligation is stored once, in order of first reference.
    Integers are written without a decimal point and have at most 400 digits. No object has duplicate keys.
    """

    cells: tuple[MatrixCell, ...]
    certificates: tuple[Annotated[Any, one_of(*_CERTIFICATES)], ...]
    obligations: tuple[Annotated[Any, one_of(Obligation)], ...]


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the documents that `to_json` writes."""
    return schema_of([MatrixRecord], SCHEMA, VERSION, (*_EVIDENCE, *_WITNESSES, *_CERTIFICATES, Obligation))


def to_json(ledger: Ledger) -> str:
    """Return a ledger as JSON text that conforms to `schema`. Equal ledgers give the same text."""
    cells, tables = shared([document_of(cell_record(cell)) for cell in ledger.cells])
    head = {
        "schema": SCHEMA,
        "version": VERSION,
        "reading": document_of(ReadingRecord(Regime(ledger.regime), Domain(ledger.domain))),
        "settings": document_of(ledger.settings),
        "cells": cells,
    }
    return json_text(head, tables)


def cell_record(cell: Cell) -> CellRecord:
    """Convert a cell to a record with the whole certificate."""
    parts = {name: getattr(cell, name) for name in CellRecord.__struct_fields__}
    for name in ("evidence", "witness", "certificate"):
        parts[name] = parts[name] and document_of(parts[name])
    return CellRecord(**parts | {"evidence": parts["evidence"] or {}})


def from_document(document: object) -> Ledger:
    """Read a ledger from a parsed document that `to_json` wrote.

    The form of the document is checked, and each witness is compared with its cell. `axiomcheck.replay` also scores
    witnesses again and checks certificates.

    Raises:
        InvalidInput: An entry in the document is wrong. The message gives its path.

    """
    header = read_header(document)
    cells = tuple(read_cell(entry, header.reading, ("cells", number)) for number, entry in enumerate(header.cells))
    return Ledger(header.reading.regime.value, header.reading.domain.value, header.settings, cells)


def read_header(document: object) -> Header:
    """Read a report, but leave its cells as documents. They contain whole certificates in place of indices.

    Raises:
        InvalidInput: The form is wrong, two cells have the same metric and axiom, or an index refers to no entry.

    """
    version = document.get("version") if isinstance(document, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise InvalidInput(f"matrix: version is {version}; this axiomcheck reads versions up to {VERSION}")
    header = read(Header, document, "matrix")
    seen = set()
    for number, entry in enumerate(header.cells):
        key = tuple(shown(entry.get(name)) for name in ("metric", "axiom")) if isinstance(entry, dict) else None
        if key is not None and key in seen:
            raise InvalidInput(
                f"matrix: cells[{number}] is a duplicate cell for {entry['metric']} and {entry['axiom']}; "
                "each pair may appear only once"
            )
        seen.add(key)
    assert isinstance(document, dict)  # `read` has checked this
    return structs.replace(header, cells=tuple(whole(header.cells, document)))


def read_cell(entry: object, reading: ReadingRecord, steps: tuple[str | int, ...], what: str = "matrix") -> Cell:
    """Read one cell of a report.

    Args:
        entry: Document of a `CellRecord`.
        reading: Reading of the report.
        steps: Path of the cell in the document.
        what: Name of the document, for messages.

    Raises:
        InvalidInput: The form is wrong, parts contradict each other, or the witness belongs to another cell.

    """
    record = read(CellRecord, entry, what, steps)
    try:
        axiom = find_axiom(record.axiom)
    except InvalidInput as error:
        raise InvalidInput(f"{what}: {path_text([*steps, 'axiom'])}: {error}") from None
    evidence = witness = certificate = None
    if record.evidence:
        kind: type[Evidence] = PairEvidence if about_pairs(axiom) else ThresholdEvidence
        evidence = read(kind, record.evidence, what, (*steps, "evidence"))
    if record.witness is not None:
        witness = read(witness_kind(axiom), record.witness, what, (*steps, "witness"))
    if record.certificate is not None:
        certificate = read_certificate(record.certificate, what, (*steps, "certificate"))
    parts = {"evidence": evidence, "witness": witness, "certificate": certificate}
    cell = Cell(**structs.asdict(record) | parts)
    wrong = _wrong(cell, axiom, reading)
    if wrong:
        raise InvalidInput(f"{what}: {path_text(steps)}{'.' if steps else ''}{wrong}")
    return cell


_SHOWN_BY_WITNESS = (Verdict.REFUTED, Verdict.INCOMPARABLE)
_SHOWN_BY_PROOF = (Verdict.PROVED, Verdict.BOUNDED)


def _wrong(cell: Cell, axiom: Axiom, reading: ReadingRecord) -> str:
    """Describe the first contradiction between two parts of a cell, or return an empty string if there is none."""
    verdict, known = cell.verdict, f"since the verdict is {cell.verdict}"
    if axiom.name != cell.axiom:
        return f"axiom is {cell.axiom!r}; expected {axiom.name!r}"
    if (cell.failure is None) is (verdict is Verdict.ERROR):
        return f"failure is {cell.failure}; expected {'a kind' if verdict is Verdict.ERROR else 'null'}, {known}"
    tried = verdict is not Verdict.NOT_APPLICABLE and (verdict.decided or cell.evidence is not None)
    if tried is not (cell.evidence is not None):
        return f"evidence is {'expected' if tried else 'not expected'}, {known}"
    missing = cell.witness is None and verdict in _SHOWN_BY_WITNESS
    if missing and (about_pairs(axiom) or verdict is Verdict.INCOMPARABLE or cell.certificate is None):
        return f"witness is missing; expected one, {known}"
    if cell.witness is not None and verdict not in (*_SHOWN_BY_WITNESS, Verdict.ERROR):
        return f"witness is not expected, {known}"
    return (
        _wrong_with_certificate(cell, axiom, known)
        or _wrong_with_evidence(cell, axiom, known)
        or (_wrong_with_witness(cell.witness, cell, axiom, reading) if cell.witness is not None else "")
    )


def _wrong_with_certificate(cell: Cell, axiom: Axiom, known: str) -> str:
    certificate, verdict = cell.certificate, cell.verdict
    if certificate is None:
        return f"certificate is missing; expected one, {known}" if verdict in _SHOWN_BY_PROOF else ""
    of_blocks = isinstance(certificate, TailCertificate | BlocksCertificate)
    if of_blocks is not about_blocks(axiom):
        return f"certificate.kind is {certificate.kind!r}, but {axiom.name} is about other instances"
    if verdict is Verdict.ERROR:
        return ""
    if not (verdict in _SHOWN_BY_PROOF or (verdict is Verdict.REFUTED and of_blocks)):
        return f"certificate is not expected, {known}"
    for key, expected in (("metric", cell.metric), ("axiom", cell.axiom)):
        if getattr(certificate, key) != expected:
            return f"certificate.{key} is {shown(getattr(certificate, key))}; expected {expected!r}, as in the cell"
    if isinstance(certificate, OrthantCertificate) is not (verdict is Verdict.BOUNDED):
        return f"certificate.kind is {certificate.kind!r}; expected a different kind, {known}"
    if certified_verdict(certificate) is not verdict:
        return f"certificate.claim shows {certified_verdict(certificate)}; expected a different verdict, {known}"
    return "" if cell.proof else f"evidence.proof is missing; expected the scope of the certificate, {known}"


def _wrong_with_evidence(cell: Cell, axiom: Axiom, known: str) -> str:
    evidence, verdict = cell.evidence, cell.verdict
    if isinstance(evidence, PairEvidence):
        if evidence.violations and (verdict.satisfied or verdict is Verdict.INCOMPARABLE):
            return f"evidence.violations is not expected, {known}"
        needed = {Verdict.REFUTED: "violations", Verdict.INCOMPARABLE: "incomparable"}.get(verdict)
        return (
            f"evidence.{needed} is missing; it is expected, {known}" if needed and not getattr(evidence, needed) else ""
        )
    if isinstance(evidence, ThresholdEvidence) and about_blocks(axiom):
        allowed = {"top": ("n0",), "block": ("m", "example")}[axiom.winner] if verdict is Verdict.HELD else ()
        for name in ("n0", "m", "example"):
            there = getattr(evidence, name) is not UNSET
            if there and name not in allowed and verdict not in _SHOWN_BY_PROOF:
                return f"evidence.{name} is not expected for {axiom.name}, {known}"
        if "n0" in allowed and evidence.n0 is UNSET:
            return f"evidence.n0 is missing; it is expected, {known}"
        if evidence.m and not evidence.example:
            return "evidence.example is missing; it is expected because there is an m"
    return ""


def _wrong_with_witness(witness: AnyWitness, cell: Cell, axiom: Axiom, reading: ReadingRecord) -> str:
    for key, expected in (("metric", cell.metric), ("axiom", cell.axiom), ("reading", document_of(reading))):
        found = getattr(witness, key)
        apart = difference(found, expected, ("witness", key))
        if apart is not None:
            return f"{apart}, as in the cell"
    if isinstance(witness, PairWitness) and about_pairs(axiom):
        named = {*witness.roles.chosen}
        if named != {*axiom.choices}:
            choices = ", ".join(axiom.choices) or "none"
            return f"witness.roles are {', '.join(sorted(named)) or 'none'}; {axiom.name} refers to {choices}"
    return ""

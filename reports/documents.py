"""Write the JSON documents of `check` and `gate`, and return the schema of any document that axiomcheck writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated, Any, Literal

from msgspec.structs import asdict

from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.definitions.known import KnownDefinition
from axiomcheck.checks.inferred import Inference
from axiomcheck.checks.metric import Checked
from axiomcheck.core.documents import UNSET, Maybe, Record, document_of, schema_of
from axiomcheck.core.domain import Domain, Regime
from axiomcheck.core.errors import UnknownName
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import json_text
from axiomcheck.gating.judge import Status
from axiomcheck.gating.run import GateResult
from axiomcheck.records import certificates, matrix, witnesses
from axiomcheck.records.cells import SettingsRecord
from axiomcheck.records.evidence import PairEvidence, PinnedEvidence, ThresholdEvidence
from axiomcheck.records.matrix import EMPTY, CellRecord, cell_record, one_of
from axiomcheck.reports.contract_case import case_program
from axiomcheck.reports.diff_report import DiffReport
from axiomcheck.sources.fingerprint import Fingerprint


class SearchBudget(Record):
    """Seed and budgets of a search, as written in JSON documents."""

    seed: int
    examples: int
    exhaustive: bool
    budget: Maybe[float] = UNSET


class RegimeCells(Record):
    """Cells of one metric under one regime and domain of grades."""

    regime: Regime
    domain: Domain
    cells: tuple[CellRecord, ...]


class CheckedRecord(Record):
    """Result of checking one metric: cells, contract checks, inferred properties and notes."""

    metric: str
    settings: SearchBudget
    readings: tuple[RegimeCells, ...]
    contract: tuple[Outcome, ...]
    inferred: tuple[Inference, ...]
    notes: tuple[str, ...]
    derived: str | None
    underived: str | None
    known: KnownDefinition | None


class CheckReport(Record):
    """JSON document of `axiomcheck check`, with the cells of each metric under every regime."""

    schema: Literal["axiomcheck/check"]
    version: Literal[1]
    metrics: tuple[CheckedRecord, ...]


def check_json(found: Sequence[Checked]) -> str:
    """Return checked metrics as one JSON document, with cells as in `axiomcheck matrix --format json`."""
    metrics = tuple(
        CheckedRecord(
            checked.metric,
            SearchBudget(settings.seed, settings.examples, settings.exhaustive, settings.budget),
            tuple(
                RegimeCells(Regime(each.regime), Domain(each.domain), tuple(map(cell_record, each.cells)))
                for each in checked.ledgers
            ),
            tuple(_with_program(checked.metric, outcome) for outcome in checked.tried.contract),
            checked.tried.inferred,
            checked.tried.notes,
            checked.tried.derived or None,
            checked.tried.underived or None,
            checked.tried.known,
        )
        for checked in found
        for settings in [checked.ledgers[0].settings]
    )
    return json_text(document_of(CheckReport("axiomcheck/check", 1, metrics)))


def _with_program(metric: str, outcome: Outcome) -> Outcome:
    """Add to an outcome, under the key ``python``, the Python program that reproduces its counterexample."""
    if outcome.counterexample is None:
        return outcome
    program = case_program(metric, outcome.counterexample)
    return replace(outcome, counterexample=outcome.counterexample | ({"python": program} if program else {}))


class FoundCell(CellRecord):
    """Cell that the gate decided, by searching or by scoring the contract's recorded counterexample again."""

    evidence: Annotated[dict[str, Any], one_of(PairEvidence, ThresholdEvidence, PinnedEvidence, otherwise=EMPTY)]


class GateCell(Record):
    """Comparison of a cell with the verdict that the contract expects."""

    metric: str
    axiom: str
    status: Status
    message: str
    replayed: bool
    instances: int
    remark: str
    cell: FoundCell | None


class GateCheck(Record):
    """Comparison of a contract check with the outcome that the contract expects."""

    metric: str
    check: str
    status: Status
    message: str
    outcome: Outcome | None


class GateReport(Record):
    """JSON document of `axiomcheck gate`."""

    schema: Literal["axiomcheck/gate"]
    version: Literal[1]
    axiomcheck: str
    contract: str
    settings: SettingsRecord
    exit_code: int
    cached: int
    cells: tuple[GateCell, ...]
    checks: tuple[GateCheck, ...]
    fingerprints: dict[str, Fingerprint]


def gate_json(result: GateResult) -> str:
    """Return a gate's result as a JSON document."""
    settings = result.contract.settings
    cells = [
        {name: getattr(judged, name) for name in GateCell.__struct_fields__}
        | {"cell": None if judged.cell is None else FoundCell(**asdict(cell_record(judged.cell)))}
        for judged in result.cells
    ]
    report = GateReport(
        "axiomcheck/gate",
        1,
        version("axiomcheck"),
        result.contract.path.name,
        SettingsRecord(settings.seed, settings.examples, settings.exhaustive, settings.proofs, result.budget or UNSET),
        result.exit_code,
        result.cached,
        tuple(GateCell(**cell) for cell in cells),
        tuple(GateCheck(j.metric, j.check, j.status, j.message, j.outcome) for j in result.checks),
        dict(result.fingerprints),
    )
    return escaped(json_text(document_of(report)))


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "matrix": matrix.schema,
    "check": lambda: schema_of([CheckReport], "axiomcheck/check", 1, matrix.PARTS),
    "gate": lambda: schema_of([GateReport], "axiomcheck/gate", 1, (*matrix.PARTS, PinnedEvidence)),
    "diff": lambda: schema_of([DiffReport], "axiomcheck/diff", 1),
    "witness": witnesses.schema,
    "certificate": certificates.schema,
}
"""Functions that return the schemas, keyed by document name."""


def schema(name: str = "matrix") -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a document that axiomcheck writes.

    Args:
        name: One of `SCHEMAS`.

    Raises:
        UnknownName: There is no such document.

    """
    if name not in SCHEMAS:
        raise UnknownName("document", name, SCHEMAS)
    return SCHEMAS[name]()

"""The cells of the matrix: what is known of one metric under one axiom."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated

from msgspec import Meta, structs

from axiomcheck.core.documents import UNSET, Maybe, Record
from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement
from axiomcheck.core.printable import printable
from axiomcheck.core.published import Published
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.records import sentences
from axiomcheck.records.causes import Cause, Remark, cause
from axiomcheck.records.certificates import Certificate
from axiomcheck.records.evidence import Covered, Evidence, PairEvidence, ThresholdEvidence, Violations
from axiomcheck.records.values import ReadingRecord, Whole
from axiomcheck.records.witnesses import AnyWitness, PairWitness


@dataclass(frozen=True, repr=False)
class Cell:
    """One metric under one axiom.

    Args:
        metric: the canonical name.
        row: the published table's row, or None.
        axiom: the axiom's short name.
        verdict: see `Verdict`.
        published: the published claim of that row (``yes``, ``no``, ``u``, with ``?`` where inferred), or None.
        cause: why the verdict is what it is; `reason` has it in words.
        failure: what a cell in error failed by; None of every other.
        evidence: what was tried and seen; None where nothing was.
        witness: a counterexample, where there is one, the smallest.
        certificate: a proof, checked, where there is one.
        seconds: time taken by the search; kept out of the report proper, as the next two are.
        proof_seconds, check_seconds: taken to find the certificate, and to check it.
        marks: of the instances that were tried, as `axiomcheck.decide.distinct` has them; no part of a report either.
        searched: the cell that the same search gives where no proof is asked for; None where it is this one. Only the
            ledger keeps it.

    """

    metric: str
    row: str | None
    axiom: str
    verdict: Verdict
    published: Published | None
    cause: Cause
    failure: Failure | None = None
    evidence: Evidence | None = None
    witness: AnyWitness | None = None
    certificate: Certificate | None = None
    seconds: float = field(default=0.0, compare=False)
    proof_seconds: float = field(default=0.0, compare=False)
    check_seconds: float = field(default=0.0, compare=False)
    marks: bytes = field(default=b"", compare=False)
    searched: Cell | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return printable(f"<{self.metric} on {self.axiom}: {self.verdict}: {self.reason}>")

    @property
    def reason(self) -> str:
        """One sentence on why the verdict is what it is."""
        return sentences.reason(self.axiom, self.verdict, self.cause, self.evidence, self.witness, self.certificate)

    @property
    def finding(self) -> bool:
        """Say whether the verdict differs from the published claim; inferred and undefined claims do not count."""
        if self.published == "yes":
            return self.verdict is Verdict.REFUTED
        return self.published == "no" and self.verdict.satisfied

    @property
    def contradicts_axiomcheck(self) -> bool:
        """Say whether two parts of axiomcheck contradict each other here."""
        return self.failure is Failure.DISAGREEMENT

    @property
    def instances(self) -> int:
        """Return the number of instances that met the premises and were tried."""
        return self.evidence.instances if self.evidence is not None else 0

    @property
    def pairs(self) -> PairEvidence | None:
        """The evidence of an axiom on pairs of rankings; None of other cells, and where there is none."""
        return self.evidence if isinstance(self.evidence, PairEvidence) else None

    @property
    def violations(self) -> Violations | None:
        """Return the violations among sampled instances; None without any, and of axioms that are not on pairs."""
        return (self.pairs.violations or None) if self.pairs else None

    @property
    def undeclared_cutoff(self) -> int | None:
        """The cutoff that the metric does not declare and the search went by, if there is one."""
        return (self.pairs.undeclared_cutoff or None) if self.pairs else None

    @property
    def proof(self) -> Covered | None:
        """Return the scope and size of the certificate; None without one."""
        evidence = self.evidence
        return (evidence.proof or None) if isinstance(evidence, PairEvidence | ThresholdEvidence) else None

    def remarked(self, remark: Remark) -> Cell:
        """Return the cell with one more remark."""
        remarks = (*(self.cause.remarks or ()), remark)
        return replace(self, cause=structs.replace(self.cause, remarks=remarks))

    def of_metric(self, name: str) -> Cell:
        """The cell with another name for its metric."""
        return replace(
            self,
            metric=name,
            witness=self.witness and structs.replace(self.witness, metric=name),
            certificate=self.certificate and structs.replace(self.certificate, metric=name),
            searched=self.searched and self.searched.of_metric(name),
        )

    def in_reading(self, reading: ReadingRecord) -> Cell:
        """Return the cell under another regime, which assumes r << 1 of the axiom just as the cell's own does."""
        return replace(self, witness=self.witness and structs.replace(self.witness, reading=reading))


def violation_sentence(cell: Cell) -> str:
    """Return why a cell is refuted, how often instances violate, and by how much at most."""
    margin = cell.violations.largest_relative_margin if cell.violations else None
    bounded = isinstance(cell.witness, PairWitness) and cell.witness.scores.bound
    most = f", by up to {100 * margin:.3g}% of the score" if margin and not bounded else ""
    return f"{because(cell)}{most}."


def because(cell: Cell) -> str:
    """Return what speaks for a cell's verdict: a counterexample, an example, or else its reason."""
    if isinstance(cell.witness, PairWitness):
        often = sentences.how_often(cell.pairs) if cell.pairs else ""
        return sentences.counterexample_sentence(cell.axiom, cell.witness) + often
    if isinstance(cell.evidence, ThresholdEvidence) and cell.evidence.example:
        return sentences.example_sentence(cell.evidence.example)
    return cell.reason.rstrip(".")


def failed(cell: Cell, error: AxiomcheckError) -> Cell:
    """A cell that came to nothing, in error."""
    told = f"internal disagreement: {error}" if isinstance(error, InternalDisagreement) else str(error)
    because = cause("error", told or type(error).__name__)
    return replace(cell, verdict=Verdict.ERROR, failure=Failure.of(error), cause=because)


class SettingsRecord(Record):
    """The settings that a run's outcome depends on; see `axiomcheck.decide.search`.

    ``budget`` is the seconds that the run was limited to, and ``until`` those that it had for further searches after it
    had done what ``examples`` say: how many instances its cells got is then up to the machine.
    """

    seed: int
    examples: Whole
    exhaustive: bool
    proofs: bool
    budget: Maybe[Annotated[float, Meta(gt=0)]] = UNSET
    until: Maybe[Annotated[float, Meta(gt=0)]] = UNSET


@dataclass(frozen=True)
class Ledger:
    """The cells of a run with the reading and settings that they belong to.

    Args:
        regime, domain: the reading.
        settings: whatever else decides the outcome; nothing that does not.
        cells: in the order of metrics, then axioms.

    """

    regime: str
    domain: str
    settings: SettingsRecord
    cells: tuple[Cell, ...]

    @property
    def findings(self) -> list[Cell]:
        """The cells that differ from what was published."""
        return [cell for cell in self.cells if cell.finding]

    @property
    def contradicts_axiomcheck(self) -> bool:
        """Say whether two parts of axiomcheck contradict each other in some cell."""
        return any(cell.contradicts_axiomcheck for cell in self.cells)

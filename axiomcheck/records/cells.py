"""Define cells (the result for one metric and one axiom), and ledgers (the cells of a run)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated

from msgspec import Meta, structs

from axiomcheck.core.documents import UNSET, Maybe, Record
from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput
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
    """Result for one metric and one axiom.

    Args:
        metric: Canonical name of the metric.
        row: Name of the metric's row in the published table, or None.
        axiom: Short name of the axiom.
        verdict: Verdict on the axiom.
        published: Claim in the published table, or None. See `axiomcheck.core.published`.
        cause: Reason for the verdict as a code. `reason` gives it in words.
        failure: Kind of failure if the verdict is "error"; else None.
        evidence: Tested instances and their results; None if no instance was tested.
        witness: Smallest counterexample found, or None.
        certificate: Checked proof, or None.
        seconds: Time to search. Reports do not contain this time or the two below.
        proof_seconds: Time to find the certificate.
        check_seconds: Time to check the certificate.
        marks: Sample of the keys of tested instances; see `axiomcheck.decide.distinct`. Reports do not contain it.
        searched: Cell that a run without proofs would give; None if it is the same. Reports do not contain it.

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
        return printable(f"<{self.metric} on {self.axiom}: {self.verdict}: {because(self)}>")

    @property
    def reason(self) -> str:
        """Reason for the verdict as a sentence."""
        return sentences.reason(self.axiom, self.verdict, self.cause, self.evidence, self.witness, self.certificate)

    @property
    def finding(self) -> bool:
        """True if the verdict contradicts a published "yes" or "no"."""
        if self.published == "yes":
            return self.verdict is Verdict.REFUTED
        return self.published == "no" and self.verdict.satisfied

    @property
    def contradicts_axiomcheck(self) -> bool:
        """True if two parts of axiomcheck contradict each other in this cell."""
        return self.failure is Failure.DISAGREEMENT

    @property
    def instances(self) -> int:
        """Number of instances in the evidence; 0 if there is no evidence."""
        return self.evidence.instances if self.evidence is not None else 0

    @property
    def pairs(self) -> PairEvidence | None:
        """Evidence of an axiom about pairs of rankings; None for other axioms and for cells without such evidence."""
        return self.evidence if isinstance(self.evidence, PairEvidence) else None

    @property
    def violations(self) -> Violations | None:
        """Violations among sampled instances; None if there are none or the axiom is not about pairs of rankings."""
        return (self.pairs.violations or None) if self.pairs else None

    @property
    def undeclared_cutoff(self) -> int | None:
        """Cutoff that the search assumed because of probes, for a metric that declares none; else None."""
        return (self.pairs.undeclared_cutoff or None) if self.pairs else None

    @property
    def few(self) -> bool:
        """True if a time limit reduced the number of tested instances."""
        return isinstance(self.evidence, PairEvidence | ThresholdEvidence) and bool(self.evidence.few)

    @property
    def proof(self) -> Covered | None:
        """Scope and size of the certificate; None if there is no certificate."""
        evidence = self.evidence
        return (evidence.proof or None) if isinstance(evidence, PairEvidence | ThresholdEvidence) else None

    def remarked(self, remark: Remark) -> Cell:
        """Return a copy of the cell with an additional remark."""
        remarks = (*(self.cause.remarks or ()), remark)
        return replace(self, cause=structs.replace(self.cause, remarks=remarks))

    def of_metric(self, name: str) -> Cell:
        """Return a copy of the cell under a different metric name."""
        return replace(
            self,
            metric=name,
            witness=self.witness and structs.replace(self.witness, metric=name),
            certificate=self.certificate and structs.replace(self.certificate, metric=name),
            searched=self.searched and self.searched.of_metric(name),
        )

    def in_reading(self, reading: ReadingRecord) -> Cell:
        """Return a copy of the cell for another reading, which must agree with its own on r << 1 for the axiom."""
        return replace(self, witness=self.witness and structs.replace(self.witness, reading=reading))


def violation_sentence(cell: Cell) -> str:
    """Return a sentence with a cell's counterexample, the share of violations, and the largest margin."""
    margin = cell.violations.largest_relative_margin if cell.violations else None
    bounded = isinstance(cell.witness, PairWitness) and cell.witness.scores.bound
    most = f", by up to {100 * margin:.3g}% of the score" if margin and not bounded else ""
    return f"{because(cell)}{most}."


def because(cell: Cell) -> str:
    """Describe the counterexample of a cell in words, or else its example, or else the reason for its verdict."""
    if isinstance(cell.witness, PairWitness):
        often = sentences.how_often(cell.pairs) if cell.pairs else ""
        return sentences.counterexample_sentence(cell.axiom, cell.witness) + often
    if isinstance(cell.evidence, ThresholdEvidence) and cell.evidence.example:
        return sentences.example_sentence(cell.evidence.example)
    return cell.reason.rstrip(".")


def failed(cell: Cell, error: AxiomcheckError) -> Cell:
    """Return a copy of a cell with the verdict "error" and the message of an exception."""
    told = f"internal disagreement: {error}" if isinstance(error, InternalDisagreement) else str(error)
    because = cause("error", told or type(error).__name__)
    evidence = cell.evidence
    if isinstance(evidence, ThresholdEvidence):  # after an error, no n at which the axiom holds is known
        evidence = structs.replace(evidence, n0=UNSET, m=UNSET, example=UNSET)
    return replace(cell, verdict=Verdict.ERROR, failure=Failure.of(error), cause=because, evidence=evidence)


class SettingsRecord(Record):
    """Settings that affect the results of a run; see `axiomcheck.decide.budgets.Settings`.

    ``budget`` is the time limit of the run in seconds. ``until`` is the time limit in seconds for further searches
    after ``examples`` instances were tested. With either limit, the number of instances depends on the machine's speed.
    """

    seed: int
    examples: Whole
    exhaustive: bool
    proofs: bool
    budget: Maybe[Annotated[float, Meta(gt=0)]] = UNSET
    until: Maybe[Annotated[float, Meta(gt=0)]] = UNSET


@dataclass(frozen=True)
class Ledger:
    """Cells of a run, with its reading and settings.

    Args:
        regime, domain: Reading of the run.
        settings: All other settings that affect the cells.
        cells: Cells ordered by metric, then by axiom.

    """

    regime: str
    domain: str
    settings: SettingsRecord
    cells: tuple[Cell, ...]

    @property
    def findings(self) -> list[Cell]:
        """Cells whose verdicts contradict the published claims."""
        return [cell for cell in self.cells if cell.finding]

    @property
    def contradicts_axiomcheck(self) -> bool:
        """True if two parts of axiomcheck contradict each other in some cell."""
        return any(cell.contradicts_axiomcheck for cell in self.cells)

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics, in the order of their cells."""
        return list(dict.fromkeys(cell.metric for cell in self.cells))

    @property
    def axioms(self) -> list[str]:
        """Names of the axioms, in the order of the first metric's cells."""
        return list(dict.fromkeys(cell.axiom for cell in self.cells))


def joined(ledgers: Iterable[Ledger]) -> list[Ledger]:
    """Combine ledgers of the same reading that have different metrics, and return one ledger per reading.

    A cell does not depend on the other metrics of its run, so the result equals the ledger of a single run.

    Raises:
        InvalidInput: Two ledgers of the same reading have different axioms or settings, or share a metric.

    """
    found: dict[tuple[str, str], Ledger] = {}
    for ledger in ledgers:
        reading = ledger.regime, ledger.domain
        first = found.get(reading)
        if first is None:
            found[reading] = ledger
            continue
        both = [metric for metric in first.metrics if metric in ledger.metrics]
        unlike = f"both have {both[0]}" if both else "they have different axioms" * (first.axioms != ledger.axioms)
        if unlike := unlike or "they have different settings" * (first.settings != ledger.settings):
            raise InvalidInput(
                f"two reports have regime {ledger.regime} and domain {ledger.domain}, but {unlike}; reports are "
                f"combined into one table if they have the same reading, axioms and settings, but different metrics"
            )
        found[reading] = replace(first, cells=(*first.cells, *ledger.cells))
    return list(found.values())

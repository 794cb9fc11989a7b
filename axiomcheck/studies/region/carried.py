"""Decision of one axiom for many settings of one metric, which share findings.

A proof is shared with all settings that its certificate covers. A counterexample is shared with every setting whose
exact scores on it also violate the axiom. The remaining settings are decided one by one, as `axiomcheck matrix` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NoReturn

import numpy as np

from axiomcheck.axioms import Axiom, PairAxiom, about_pairs, about_scores
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.budgets import Settings
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.shrink import shrink
from axiomcheck.decide.witness import read_witness, witness_of
from axiomcheck.engine.cells import cell_of
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import not_applicable
from axiomcheck.metrics import Metric
from axiomcheck.proof.check.header import open_parameters
from axiomcheck.proof.proving import prove
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import (
    BlocksCertificate,
    Certificate,
    InductionCertificate,
    MixtureCertificate,
    Names,
    certified_verdict,
    proof_sentence,
)
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.studies.region.result import RegionFinding, SettingsGrid
from axiomcheck.studies.region.screen import screened

_IN_VAIN = 3
"""Number of consecutive settings with unshared findings after which the rest are decided together."""

_TOGETHER = 64


def decide_column(axiom: Axiom, metrics: Sequence[Metric], reading: Reading, settings: Settings) -> SettingsGrid:
    """Decide for many settings of one metric, with one cutoff, whether they satisfy an axiom.

    A setting whose code raises an error gets the verdict error, and does not affect the other settings.

    Raises:
        InternalDisagreement: A shared finding contradicts the verdict of a setting.

    """
    work = _Column(axiom, metrics, reading, settings)
    work.decide()
    names = tuple(metric.canonical for metric in metrics)
    return SettingsGrid(names, tuple(work.findings), work.by, work.reversed, work.compared)


class _Column:
    def __init__(self, axiom: Axiom, metrics: Sequence[Metric], reading: Reading, settings: Settings) -> None:
        self.axiom, self.metrics, self.reading, self.settings = axiom, metrics, reading, settings
        self.small = assumes_small(axiom, reading)
        self.findings: list[RegionFinding] = []
        self.by = np.full(len(metrics), -1)
        self.reversed = np.full(len(metrics), np.nan)
        self.compared = 0

    @property
    def open(self) -> list[int]:
        """Indices of the settings that are not decided yet."""
        return np.flatnonzero(self.by < 0).tolist()

    def decide(self) -> None:
        axiom = self.axiom
        for number, metric in enumerate(self.metrics):
            if why_not := not_applicable(metric, axiom, self.small):
                cell = cell_of(metric, axiom, Verdict.NOT_APPLICABLE, why_not)
                self._book(RegionFinding(Verdict.NOT_APPLICABLE, cell.reason, metric.canonical), [number])
        if about_pairs(axiom) and not about_scores(axiom):
            for numbers in self._alike():
                self._screen(axiom, numbers)
        if about_pairs(axiom):
            self._one_after_another()
        else:
            self._by_proofs()
        for start in range(0, len(left := self.open), _TOGETHER):
            some = left[start : start + _TOGETHER]
            for number, cell in zip(some, self._cells(some), strict=True):
                self._carry(number, cell, [])

    def _one_after_another(self) -> None:
        """Decide settings one by one, until several in a row have findings that no other setting shares."""
        vain = 0
        while (left := self.open) and vain < _IN_VAIN:
            number = left[len(left) // 2]
            (cell,) = self._cells([number])
            vain = 0 if self._carry(number, cell, [k for k in left if k != number]) else vain + 1

    def _by_proofs(self) -> None:
        """Decide a threshold axiom by proofs, one for each setting that no earlier proof covers.

        The first, the middle and the last setting, and settings without a proof, are also decided by trying every n.
        """
        tried = {0, len(self.metrics) // 2, len(self.metrics) - 1}
        while left := self.open:
            number = min(tried.intersection(left), default=left[len(left) // 2])
            others, metric = [k for k in left if k != number], self.metrics[number]
            proof = None if number in tried else prove(self.axiom, metric, self.reading)
            if proof is None:
                (cell,) = self._cells([number])
                self._carry(number, cell, others)
            else:
                sentence = proof_sentence(proof.certificate)
                reached = self._covered(proof.certificate, number, others)
                self._book(RegionFinding(proof.verdict, sentence, metric.canonical), [number, *reached])

    def _alike(self) -> Iterable[list[int]]:
        """Return groups of open settings that are searched on the same instances and have exact scores."""
        groups: dict[object, list[int]] = {}
        for number in self.open:
            metric = self.metrics[number]
            if self._exact(metric):
                groups.setdefault((metric.cutoff, metric.binary_only, metric.abilities), []).append(number)
        return groups.values()

    def _exact(self, metric: Metric) -> bool:
        """Return whether a metric has scores in exact arithmetic."""
        return not metric.numerical(self.small) and not metric.partial

    def _screen(self, axiom: PairAxiom, numbers: Sequence[int]) -> None:
        """Search for counterexamples to several settings at once; stop without a result if a setting raises."""
        try:
            seen = screened(axiom, [self.metrics[number] for number in numbers], self.reading, self.settings)
        except MetricError:
            return
        self.compared += seen.compared * len(numbers)
        self.reversed[numbers] = seen.reversed / max(1, seen.sampled)
        against = {numbers[k]: (each.batch, sure) for each in seen.suspects for k, sure in each.settings.items()}
        # A refutation of the setting with the fewest reversals refutes most others as well.
        rarely = sorted(against, key=lambda k: (self.reversed[k], k))
        while rarely:
            number, metric = rarely[0], self.metrics[rarely[0]]
            instance, sure = against[number]
            if self._refuted(instance, [number]):
                instance = shrink(metric, instance, metric.cutoff)
                witness = witness_of(metric, instance, self.reading, None)
                finding = RegionFinding(Verdict.REFUTED, f"a {witness.kind}", metric.canonical, witness.record())
                self._book(finding, self._refuted(instance, rarely))
            elif sure:
                raise InternalDisagreement(f"{metric} on {axiom}: floats see a reversal that is none")
            rarely = [k for k in rarely[1:] if self.by[k] < 0]

    def _refuted(self, instance: Batch, numbers: Sequence[int]) -> list[int]:
        """Return the settings whose exact scores on an instance violate the axiom."""
        refuting = {-1, 0} if instance.axiom.strict else {-1}
        parts = [Pairs.of(part) for part in instance.comparisons]
        found = []
        for k in numbers:
            with suppress(MetricError):  # the setting's own cell reports it
                if any(signs(self.metrics[k], pairs)[0] in refuting for pairs in parts):
                    found.append(k)
        return found

    def _cells(self, numbers: Sequence[int]) -> tuple[Cell, ...]:
        return run_matrix([self.metrics[k] for k in numbers], [self.axiom], self.reading, self.settings).cells

    def _carry(self, number: int, cell: Cell, others: Sequence[int]) -> bool:
        """Record a cell for its setting and the other settings it covers; return whether it covers any others.

        The other settings get a shorter reason, since the first n and the number of instances are specific to one
        setting.
        """
        metric, reached, shared = self.metrics[number], list[int](), ""
        if cell.certificate is not None and certified_verdict(cell.certificate) is cell.verdict:
            reached, shared = self._covered(cell.certificate, number, others), proof_sentence(cell.certificate)
        elif isinstance(cell.witness, PairWitness) and cell.verdict is Verdict.REFUTED and self._exact(metric):
            reached = self._refuted(read_witness(cell.witness, metric).batch, others)
            shared = f"a {cell.witness.kind}"
        reason = shared if reached else cell.reason
        finding = RegionFinding(cell.verdict, reason, cell.metric, cell.witness, cell.contradicts_axiomcheck)
        self._book(finding, [number, *reached])
        return bool(reached)

    def _covered(self, certificate: Certificate, number: int, others: Sequence[int]) -> list[int]:
        """Return the other settings that a proof covers.

        The first and the last of these settings are also proved separately.

        A bounded proof is not shared, because part of the claim depends on the search of each setting.
        """
        claimed, metric = certified_verdict(certificate), self.metrics[number]
        if claimed is Verdict.BOUNDED:
            return []
        reached = [k for k in others if speaks_for(certificate, metric, self.metrics[k])]
        for k in sorted({*reached[:1], *reached[-1:]}):
            again = prove(self.axiom, self.metrics[k], self.reading)
            if again is None or again.verdict is not claimed:
                self._contradicted(metric, k, f"where another comes to {again and again.verdict}")
        for k in np.flatnonzero(self.by >= 0).tolist():
            known = self.findings[self.by[k]].verdict
            against = known in (Verdict.REFUTED, Verdict.PROVED) and known is not claimed
            if against and speaks_for(certificate, metric, self.metrics[k]):
                self._contradicted(metric, k, f"which is {known}")
        return reached

    def _contradicted(self, metric: Metric, number: int, how: str) -> NoReturn:
        raise InternalDisagreement(f"a proof of {self.axiom} for {metric} covers {self.metrics[number]}, {how}")

    def _book(self, finding: RegionFinding, numbers: Sequence[int]) -> None:
        self.by[list(numbers)] = len(self.findings)
        self.findings.append(finding)


def left_open(certificate: Certificate) -> Names:
    """Return the parameters for which a certificate allows all values inside their ranges."""
    if isinstance(certificate, InductionCertificate | MixtureCertificate):
        return certificate.parameters
    if isinstance(certificate, BlocksCertificate) and certificate.lemma == "ahead":
        return ()
    return certificate.scope.parameters


def speaks_for(certificate: Certificate, metric: Metric, other: Metric) -> bool:
    """Return whether a certificate for one setting covers another setting of the same metric.

    The certificate covers the other setting if the two differ only in parameters that it leaves open, with values
    inside their ranges. The ends of a range are not covered.

    Args:
        certificate: Checked certificate.
        metric: Setting that the certificate is about.
        other: Other setting.

    """
    names = left_open(certificate)
    if type(metric) is not type(other) or metric.cutoff != other.cutoff:
        return False
    if any(other.values[name] != value for name, value in metric.values.items() if name not in names):
        return False
    try:
        open_parameters(other, names, "parameters")
    except InvalidInput:
        return False
    return True

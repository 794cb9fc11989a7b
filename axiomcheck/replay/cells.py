"""Check that the verdict, witness and certificate of a cell in a report follow from its metric and axiom.

Statistics of the search (the numbers and sizes of instances, and the violations) are accepted as reported, since only a
repeated search could confirm them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from msgspec import structs

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs
from axiomcheck.core.documents import UNSET, difference, document_of
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import MOST_UNRESOLVED
from axiomcheck.core.printable import counted
from axiomcheck.core.published import published_claim
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.enumeration import enumeration_of, group_batches
from axiomcheck.decide.search import Search, Settings, limited_to
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.tally import Tally
from axiomcheck.decide.thresholds import ThresholdOutcome, decide_threshold
from axiomcheck.decide.witness import RefutedThreshold, Witness, read_witness
from axiomcheck.engine.tasks import not_applicable
from axiomcheck.metrics import Metric, row_of
from axiomcheck.proof.check import check_certificate
from axiomcheck.records.causes import COUNTEREXAMPLE, NO_VIOLATION, Cause
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import (
    Certificate,
    InductionCertificate,
    MixtureCertificate,
    OrthantCertificate,
    certified_verdict,
    scope_text,
)
from axiomcheck.records.evidence import Covered, PairEvidence, ThresholdEvidence
from axiomcheck.records.values import ReadingRecord
from axiomcheck.sources.provenance import is_genuine
from axiomcheck.trials.consistency import as_probed, as_searched, as_searched_at_large_n

_UNDECIDED = (
    *("interrupted", "no-instance", "ties-on-few-shapes", "not-confirmed", "scores-exhausted", "dominance-exhausted"),
    *("dominance-open", "vanishing-ties", "not-told-apart", "names-matter"),
)
"""Codes of causes for which a cell of an axiom about pairs is undecided."""

_NOTHING_TRIED = ("no-instance", "scores-exhausted", "dominance-exhausted")
"""Codes of causes that are valid only if no instance was decided."""


def check_cell(cell: Cell, axiom: Axiom, metric: Metric, reading: Reading, settings: Settings) -> None:
    """Check that the contents of a cell follow from its metric and axiom, except for statistics of the search.

    Raises:
        InvalidInput: A value in the cell does not follow. The message begins with the path of the value in the cell.
        MetricError, InternalDisagreement: The metric fails, or two parts of axiomcheck contradict each other.

    """
    _check_published(cell, row_of(metric))
    own_code = not is_genuine(metric)
    if own_code:  # remarks on external code are not part of the verdict
        cell = replace(cell, cause=structs.replace(cell.cause, remarks=UNSET))
    elif cell.cause.remarks:
        raise InvalidInput("cause.remarks is not expected for a catalogue metric")
    if cell.certificate is not None:
        if not settings.proofs:
            raise InvalidInput("certificate is not expected: settings.proofs is false")
        _check_belongs(cell.certificate, cell, axiom, reading)
    elif cell.proof:
        raise InvalidInput("evidence.proof is not expected without a certificate")
    why_not = not_applicable(metric, axiom, assumes_small(axiom, reading))
    if cell.verdict is Verdict.NOT_APPLICABLE:
        if why_not is None:
            raise InvalidInput("verdict is not-applicable, but the axiom applies to the metric")
        _check_cause(cell, why_not)
    if why_not and cell.verdict.decided and cell.verdict is not Verdict.NOT_APPLICABLE:
        raise InvalidInput(f"verdict is {cell.verdict}; expected not-applicable ({why_not.code})")
    if cell.verdict is Verdict.ERROR:
        # An error cell has no result unless search and proof contradict each other.
        shown = cell.witness is not None or cell.certificate is not None or isinstance(cell.evidence, ThresholdEvidence)
        if shown and cell.failure not in (Failure.DISAGREEMENT, Failure.UNFAITHFUL):
            raise InvalidInput(
                "verdict is error, but the cell has evidence for another verdict; expected a disagreement"
            )
        if cell.cause.code != "error":
            raise InvalidInput(f"cause.code is {cell.cause.code!r}; expected 'error', since the verdict is error")
    if about_pairs(axiom):
        _check_pairs(cell, axiom, metric, reading, settings)
    elif about_blocks(axiom) and isinstance(cell.evidence, ThresholdEvidence):
        _check_threshold(cell, cell.evidence, axiom, metric, own_code, reading, settings)
    elif cell.verdict is Verdict.UNDECIDED:
        _check_open(cell)
    if cell.certificate is not None:
        try:
            check_certificate(cell.certificate, metric)
        except InvalidInput as error:
            raise InvalidInput(f"certificate: {str(error).removeprefix('certificate: ')}") from None


def check_unclaimed(cell: Cell) -> None:
    """Check that a cell whose metric must not be loaded is undecided or an error, and has no evidence.

    Raises:
        InvalidInput: The cell is decided or has evidence, or its parts contradict each other.

    """
    if cell.evidence or cell.witness is not None or cell.certificate is not None or cell.verdict.decided:
        raise InvalidInput(f"metric is {cell.metric!r}, which would load code; name it with --metric")
    _check_published(cell, None)
    if cell.verdict is Verdict.UNDECIDED:
        _check_open(cell)
    elif cell.cause.code != "error":
        raise InvalidInput(f"cause.code is {cell.cause.code!r}; expected 'error', since the verdict is error")


def _check_published(cell: Cell, row: str | None) -> None:
    for key, value, expected in (
        ("row", cell.row, row),
        ("published", cell.published, published_claim(row, cell.axiom)),
    ):
        if value != expected:
            raise InvalidInput(f"{key} is {value!r}; expected {expected!r} for {cell.metric} and {cell.axiom}")


def _check_cause(cell: Cell, expected: Cause) -> None:
    apart = difference(cell.cause, expected, ("cause",))
    if apart is not None:
        raise InvalidInput(apart)


# Axioms on pairs


def _check_pairs(cell: Cell, axiom: PairAxiom, metric: Metric, reading: Reading, settings: Settings) -> None:
    evidence, scored, metric = cell.pairs, as_probed(metric), as_searched(metric)
    small = assumes_small(axiom, reading)
    if evidence is not None:
        if evidence.exhausted and not settings.exhaustive:
            raise InvalidInput("evidence.exhausted is not expected: settings.exhaustive is false")
        binary = metric.binary_only or axiom.domain_of(reading.domain) is Domain.BINARY
        numerical = metric.numerical(small) or None
        expected = structs.replace(
            evidence,
            small_grades=small,
            binary=binary,
            seed=settings.seed,
            numerical=numerical,
            grid=InstanceSpace.of(metric, axiom, reading).grid.text(),
        )
        apart = difference(evidence, expected, ("evidence",))
        if apart is not None:
            raise InvalidInput(apart)
    witness = None
    if cell.witness is not None:
        witness = read_witness(cell.witness, scored)
        _check_place(witness, cell, axiom, reading)
    if cell.verdict is Verdict.UNDECIDED:
        _check_open(cell)
    elif evidence is not None and cell.verdict.satisfied:
        _check_searched(evidence, metric, small)
        _check_cause(cell, NO_VIOLATION)
    elif cell.verdict in (Verdict.REFUTED, Verdict.INCOMPARABLE):
        _check_cause(cell, COUNTEREXAMPLE)
    if witness is not None:
        try:
            check_minimal(witness)
        except InvalidInput as error:
            raise InvalidInput(f"witness.{error}") from None
    elif cell.verdict is Verdict.HELD and evidence is not None and not metric.partial:
        check_none_violates(evidence, axiom, metric, settings, reading)


def _check_place(witness: Witness, cell: Cell, axiom: PairAxiom, reading: Reading) -> None:
    """Check that a witness belongs to its cell and supports the cell's verdict."""
    if witness.axiom is not axiom or witness.reading != reading:
        raise InvalidInput(f"witness is for {witness.axiom} in {witness.reading}; expected {axiom} in {reading}")
    shown = Verdict.INCOMPARABLE if witness.kind == "incomparable" else Verdict.REFUTED
    if cell.verdict not in (shown, Verdict.ERROR):
        raise InvalidInput(f"verdict is {cell.verdict}, but the witness shows {shown}")


def _check_searched(evidence: PairEvidence, metric: Metric, small: bool) -> None:
    """Check that a cell in which the axiom holds was searched and has few unresolved instances."""
    instances, unresolved = evidence.instances, evidence.unresolved
    if not instances:
        raise InvalidInput("evidence.instances is 0; expected a positive number, since the verdict needs a search")
    doubtful = metric.partial or metric.numerical(small)
    if doubtful and unresolved > MOST_UNRESOLVED * (unresolved + instances):
        raise InvalidInput(
            f"evidence.unresolved is {unresolved}, too many for a verdict with {counted(instances, 'instance')}"
        )


def _check_open(cell: Cell) -> None:
    """Check that the cause of an undecided cell is one for which cells are undecided."""
    code = cell.cause.code
    if code not in _UNDECIDED:
        raise InvalidInput(f"cause.code is {code!r}; expected a reason for an undecided cell")
    if cell.instances and code in _NOTHING_TRIED:
        raise InvalidInput(f"cause.code is {code!r}, but evidence.instances is {cell.instances}; expected 0")


# Axioms on long blocks


def _check_threshold(
    cell: Cell,
    said: ThresholdEvidence,
    axiom: ThresholdAxiom,
    metric: Metric,
    own_code: bool,
    reading: Reading,
    settings: Settings,
) -> None:
    """Check the cell of a threshold axiom by deciding it again and comparing the results."""
    small = assumes_small(axiom, reading)
    searched = as_searched_at_large_n(metric)
    own_code = own_code and not is_genuine(searched)
    outcome = decide_threshold(axiom, searched, small, settings.seed, own_code, said.few or None)
    _check_outcome(cell, outcome)
    evidence, witness = outcome.evidence, None
    if metric.numerical(small):  # another machine may round differently
        evidence, said = (structs.replace(each, example=UNSET) for each in (evidence, said))
    if cell.certificate is not None and cell.verdict is not Verdict.ERROR:
        evidence = structs.replace(evidence, proof=said.proof)
    if outcome.refuting is not None:
        shown = RefutedThreshold(axiom, metric, reading, small, outcome.refuting).record()
        witness = structs.replace(shown, metric=cell.metric)
    for place, value, expected in (("evidence", said, evidence), ("witness", cell.witness, witness)):
        apart = difference(value, expected, (place,))
        if apart is not None:
            raise InvalidInput(f"{apart}, the result when the cell is decided again")
    if cell.verdict is not Verdict.ERROR:
        _check_cause(cell, outcome.cause)


def _check_outcome(cell: Cell, outcome: ThresholdOutcome) -> None:
    if cell.verdict is Verdict.ERROR:
        return
    if cell.certificate is None:
        if cell.verdict is not outcome.verdict:
            by = "the witness shows" if cell.witness is not None else "deciding the cell again gives"
            raise InvalidInput(f"verdict is {cell.verdict}, but {by} {outcome.verdict}")
    elif outcome.verdict.decided and outcome.verdict.satisfied is not certified_verdict(cell.certificate).satisfied:
        shown = certified_verdict(cell.certificate)
        raise InvalidInput(f"certificate shows {shown}, but deciding the cell again gives {outcome.verdict}")


# Certificates


def _check_belongs(certificate: Certificate, cell: Cell, axiom: Axiom, reading: Reading) -> None:
    """Check that a certificate has the metric, axiom and reading of its cell, and proves the verdict of the cell.

    The proof itself is not checked here.

    Raises:
        InvalidInput: The certificate has a different metric, axiom or reading, or proves a different verdict.

    """
    for key, expected in _header(certificate, cell, axiom, reading).items():
        found = difference(getattr(certificate, key), expected, ("certificate", key))
        if found is not None:
            raise InvalidInput(f"{found}, as in the cell")
    for number, part in enumerate(certificate.parts if isinstance(certificate, MixtureCertificate) else ()):
        for key, said, expected in (("axiom", part.axiom, axiom.name), ("domain", part.domain, reading.domain)):
            if said != expected:
                where = f"certificate.parts[{number}].{key}"
                raise InvalidInput(f"{where} is {str(said)!r}; expected {str(expected)!r}, as in the cell")
    if cell.verdict is Verdict.ERROR:
        return  # a proof that contradicts the search may show any verdict
    shown = certified_verdict(certificate)
    if cell.verdict is not shown:
        raise InvalidInput(f"verdict is {cell.verdict}, but the certificate shows {shown}")
    size = len(json.dumps(document_of(certificate), separators=(",", ":")))
    found = difference(cell.proof, Covered(scope_text(certificate), size), ("evidence", "proof"))
    if found is not None:
        raise InvalidInput(f"{found}, as in the certificate")


def _header(certificate: Certificate, cell: Cell, axiom: Axiom, reading: Reading) -> dict[str, Any]:
    small = assumes_small(axiom, reading)
    header: dict[str, Any] = {"metric": cell.metric, "axiom": axiom.name, "small": small}
    if isinstance(certificate, InductionCertificate | MixtureCertificate):
        header |= {"domain": reading.domain, "strict": axiom.strict}
    if isinstance(certificate, OrthantCertificate):
        # a certificate names the first of the regimes in which the axiom has the same meaning
        regime = Regime.FINITE if not small else Regime.STATED if axiom.states_small else Regime.LIMIT
        header["reading"] = ReadingRecord(regime, reading.domain)
    return header


# Parts of the search that are repeated

_DRAWN_AGAIN = 20_000
"""Smallest number of random instances that are scored again for a held cell. Whole batches are scored."""


def check_minimal(witness: Witness) -> None:
    """Check that a witness is minimal on the grid that it states, by enumerating all smaller instances.

    The grid and the number of aspects are stated in ``minimal``, which `axiomcheck.decide.witness.read_witness` has
    checked. For a metric that has only float scores, a tie counts as a violation only if instances of three shapes tie,
    as in the search.

    Raises:
        InvalidInput: A smaller violation exists, or a smaller instance cannot be scored.
        MetricError, InternalDisagreement: The metric fails, or two parts of axiomcheck contradict each other.

    """
    if witness.minimal is None:
        return
    tally = Tally(witness.metric, witness.axiom)
    apart = witness.kind == "incomparable"
    coverage = enumeration_of(witness.metric, witness.axiom, witness.reading)
    space, shape = InstanceSpace.of(witness.metric, witness.axiom, witness.reading), witness.batch.draft.shape
    most = coverage.most_aspects(shape)
    for documents, aspects, _ in coverage.exhausted:
        if (documents, aspects) > (shape.documents, shape.aspects) or most is None or aspects > most:
            continue
        for batch in group_batches(space, documents, aspects):
            tally.look(batch, sampled=False)
    if tally.error or tally.disagreement:
        raise InvalidInput(f"minimal: smaller instances cannot be scored: {tally.error or tally.disagreement}")
    found = tally.candidates.confirm_apart() if apart else tally.candidates.confirm()
    if found is not None and _size(found) < _size(witness.batch):
        d, n, m = found.draft, found.draft.shape.documents, found.draft.shape.aspects
        raise InvalidInput(
            f"minimal: an instance of {counted(n, 'document')} and {counted(m, 'aspect')} with "
            f"{counted(int((d.grades > 0).sum()), 'non-zero grade')} is smaller and also violates the axiom"
        )


def check_none_violates(
    evidence: PairEvidence, axiom: PairAxiom, metric: Metric, settings: Settings, reading: Reading
) -> None:
    """Check that no enumerated instance, no pattern and none of the first random instances violates a held axiom.

    The random instances are drawn with the seed of the report. The search scored the same instances in the same order,
    so a true report has no violation among them.

    Raises:
        InvalidInput: There is a violation, or the metric cannot score an instance.

    """
    if evidence.few:  # a time limit shortened the search
        settings = replace(settings, examples=min(settings.examples, evidence.few))
        metric = limited_to(metric, evidence.few)
    coverage = enumeration_of(metric, axiom, reading, settings.examples)
    space = InstanceSpace.of(metric, axiom, reading)
    tally = Tally(metric, axiom)
    for documents, aspects, _ in coverage.exhausted if settings.exhaustive else ():
        for batch in group_batches(space, documents, aspects):
            tally.look(batch, sampled=False)
    _check_none(tally, "evidence.exhausted")
    if not settings.examples:
        return
    search = Search(axiom, [metric], reading, settings)
    for batch in search.patterns():
        tally.look(batch, sampled=False)
    _check_none(tally, "evidence.patterns")
    left = _DRAWN_AGAIN if metric.most_examples is None else settings.examples // 10
    for batch in search.first_round():
        if batch.size:
            tally.look(batch, sampled=True)
            left -= batch.size
        if left <= 0:
            break
    _check_none(tally, "evidence.sampled")


def _check_none(tally: Tally, where: str) -> None:
    found = None if tally.error or tally.disagreement else tally.candidates.confirm()
    if tally.error or tally.disagreement:
        raise InvalidInput(f"{where}: the instances cannot be scored: {tally.error or tally.disagreement}")
    if found is not None:
        documents, aspects = found.draft.shape.documents, found.draft.shape.aspects
        raise InvalidInput(
            f"{where}: an instance of {counted(documents, 'document')} and {counted(aspects, 'aspect')} "
            f"violates {tally.axiom}, but the verdict is held"
        )


def _size(batch: Batch) -> tuple[int, int, int, int]:
    """Return numbers of documents, aspects and nonzero grades, and the number of grades below 1 plus all weights."""
    d = batch.draft
    odd = int(((d.grades > 0) & (d.grades < 1)).sum()) + int(d.weights.sum())
    return d.shape.documents, d.shape.aspects, int((d.grades > 0).sum()), odd

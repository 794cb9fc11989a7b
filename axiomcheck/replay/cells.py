"""Whether everything that one cell of a report says follows from its metric, its axiom and the report's header."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from msgspec import structs

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import UNSET, difference
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import MOST_UNRESOLVED
from axiomcheck.core.published import published_claim
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.further import margin_of
from axiomcheck.decide.search import Coverage, Settings, enumeration_of
from axiomcheck.decide.threshold_witness import RefutedThreshold
from axiomcheck.decide.thresholds import ThresholdOutcome, decide_threshold
from axiomcheck.decide.witness import Witness, read_witness
from axiomcheck.engine.applicability import not_applicable
from axiomcheck.metrics import Metric, row_of
from axiomcheck.proof.check import check_certificate
from axiomcheck.records.causes import COUNTEREXAMPLE, NO_VIOLATION, Cause
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import certified_verdict
from axiomcheck.records.evidence import PairEvidence, ThresholdEvidence
from axiomcheck.replay.belonging import check_belongs
from axiomcheck.replay.evidence import as_tried, check_evidence
from axiomcheck.replay.minimality import check_minimal, check_none_violates
from axiomcheck.sources.provenance import runs_catalogue_code
from axiomcheck.trials.undeclared import as_probed

_UNDECIDED = (
    *("interrupted", "no-instance", "ties-on-few-shapes", "not-confirmed", "scores-exhausted", "dominance-exhausted"),
    *("dominance-open", "vanishing-ties", "not-told-apart", "names-matter"),
)
"""The causes for which the engine leaves an axiom on pairs open."""

_NOTHING_TRIED = ("no-instance", "scores-exhausted", "dominance-exhausted")
"""Those that it has only where no instance was decided."""

_UNRESOLVED = ("dominance-open", "not-told-apart")
"""Those whose number of instances is that of the evidence's unresolved ones."""


def check_cell(cell: Cell, axiom: Axiom, metric: Metric, reading: Reading, settings: Settings) -> None:
    """Checks a cell of which the metric is known.

    Args:
        cell: as it was read.
        axiom: that it is about.
        metric: likewise.
        reading: of the report.
        settings: of the report.

    Raises:
        InvalidInput: something in the cell does not follow; the message begins with the path within the cell.
        MetricError, InternalDisagreement: the metric fails, or axiomcheck contradicts itself.

    """
    _check_published(cell, row_of(metric))
    if not runs_catalogue_code(metric):  # what is remarked of code from outside is no part of its verdict
        cell = replace(cell, cause=structs.replace(cell.cause, remarks=UNSET))
    elif cell.cause.remarks:
        raise InvalidInput("cause.remarks is not expected of a metric of the catalogue")
    if cell.certificate is not None:
        if not settings.proofs:
            raise InvalidInput("certificate: settings.proofs is false")
        check_belongs(cell.certificate, cell, axiom, reading)
    elif cell.proof:
        raise InvalidInput("evidence.proof is not expected without a certificate")
    why_not = not_applicable(metric, axiom, assumes_small(axiom, reading))
    if cell.verdict is Verdict.NOT_APPLICABLE:
        if why_not is None:
            raise InvalidInput("verdict is not-applicable; expected another: the axiom does apply to the metric")
        _check_cause(cell, why_not)
    if why_not and cell.verdict.decided and cell.verdict is not Verdict.NOT_APPLICABLE:
        raise InvalidInput(f"verdict is {cell.verdict}; expected not-applicable ({why_not.code})")
    if cell.verdict is Verdict.ERROR:
        _check_error(cell)
    if about_pairs(axiom):
        _check_pairs(cell, axiom, metric, reading, settings)
    elif about_blocks(axiom) and isinstance(cell.evidence, ThresholdEvidence):
        _check_threshold(cell, cell.evidence, axiom, metric, reading, settings)
    elif cell.verdict is Verdict.UNDECIDED:
        _check_open(cell)
    if cell.certificate is not None:
        try:
            check_certificate(cell.certificate, metric)
        except InvalidInput as error:
            raise InvalidInput(f"certificate: {str(error).removeprefix('certificate: ')}") from None


def check_unclaimed(cell: Cell) -> None:
    """Checks a cell whose metric is not to be loaded: one that claims nothing.

    Raises:
        InvalidInput: it claims something.

    """
    if cell.evidence or cell.witness is not None or cell.certificate is not None or cell.verdict.decided:
        raise InvalidInput(f"metric is {cell.metric!r}, which would load code; name it yourself, as in --metric")
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


def _check_error(cell: Cell) -> None:
    """What a metric raised is its own words; where search and proof disagree, what they found is shown as well."""
    shown = cell.witness is not None or cell.certificate is not None
    shown |= isinstance(cell.evidence, ThresholdEvidence)
    if shown and cell.failure not in (Failure.DISAGREEMENT, Failure.UNFAITHFUL):
        raise InvalidInput("verdict is error, and the cell has what it takes for another; expected a disagreement")
    if cell.cause.code != "error":
        raise InvalidInput(f"cause.code is {cell.cause.code!r}; expected 'error', since the verdict is error")


def _check_cause(cell: Cell, expected: Cause) -> None:
    apart = difference(cell.cause, expected, ("cause",))
    if apart is not None:
        raise InvalidInput(apart)


# Axioms on pairs


def _check_pairs(cell: Cell, axiom: PairAxiom, metric: Metric, reading: Reading, settings: Settings) -> None:
    evidence = cell.pairs
    declared, metric = metric, as_probed(metric)
    _check_undeclared(cell, declared, metric)
    if evidence is not None:
        check_evidence(evidence, axiom, *as_tried(evidence, metric, settings), reading)
    witness = None
    if cell.witness is not None:
        witness = read_witness(cell.witness, metric)
        _check_place(witness, cell, evidence, axiom, metric, reading)
        _check_further(cell, witness, metric)
    _check_reason(cell, metric)
    if witness is not None:
        try:
            check_minimal(witness)
        except InvalidInput as error:
            raise InvalidInput(f"witness.{error}") from None
    elif cell.verdict is Verdict.HELD and evidence is not None and not metric.partial:
        check_none_violates(evidence, axiom, *as_tried(evidence, metric, settings), reading)


def _check_place(
    witness: Witness, cell: Cell, evidence: PairEvidence | None, axiom: PairAxiom, metric: Metric, reading: Reading
) -> None:
    """A witness shows its cell's verdict, and is as minimal as the evidence makes it."""
    if witness.axiom is not axiom or witness.reading != reading:
        raise InvalidInput(f"witness is of {witness.axiom} in {witness.reading}; expected {axiom} in {reading}")
    shown = Verdict.INCOMPARABLE if witness.kind == "incomparable" else Verdict.REFUTED
    if cell.verdict not in (shown, Verdict.ERROR):
        raise InvalidInput(f"verdict: the verdict is {cell.verdict}, and the witness shows {shown}")
    if evidence is None:
        raise InvalidInput("evidence is missing; expected what the witness was found in")
    groups = [(group.documents, group.aspects, group.instances) for group in evidence.exhausted]
    left_out = evidence.incomparable and evidence.incomparable.left_out
    whole = enumeration_of(metric, axiom, reading)
    expected = None if left_out or evidence.few else Coverage(whole.grid, groups).minimal(witness.batch)
    if expected != whole.minimal(witness.batch):
        expected = None
    if witness.minimal != expected:
        raise InvalidInput(f"witness.minimal is {witness.minimal!r}; expected {expected!r}, as the evidence says")


def _check_further(cell: Cell, smallest: Witness, metric: Metric) -> None:
    """Each further counterexample is one, and the one of a large margin has a larger one than the others."""
    if cell.further is None:
        return
    if metric.partial:
        raise InvalidInput("further is not expected of a metric that compares distributions")
    margins = {"witness": margin_of(smallest.judgement)}
    for name, record in cell.further.each.items():
        try:
            margins[name] = margin_of(read_witness(record, metric).judgement)
        except InvalidInput as error:
            raise InvalidInput(f"further.{name}: {error}") from None
        if record.minimal is not None:
            raise InvalidInput(f"further.{name}.minimal is {record.minimal!r}; expected null")
    if "largest" in margins and margins["largest"] != max(margins.values()):
        raise InvalidInput("further.largest has a smaller margin than another counterexample of the cell")


def _check_undeclared(cell: Cell, metric: Metric, searched: Metric) -> None:
    """A cutoff that the search went by is one that probing the metric shows."""
    said, expected = cell.undeclared_cutoff, None if searched.cutoff == metric.cutoff else searched.cutoff
    if cell.pairs is not None and said != expected:
        raise InvalidInput(f"evidence.undeclared_cutoff is {said}; expected {expected} (as probed again)")


def _check_reason(cell: Cell, metric: Metric) -> None:
    if cell.verdict in (Verdict.NOT_APPLICABLE, Verdict.ERROR):
        return
    if cell.verdict is Verdict.UNDECIDED:
        _check_open(cell)
        return
    assert cell.pairs is not None  # of a decided cell
    if cell.verdict.satisfied:
        _check_searched(cell.pairs, metric)
    _check_cause(cell, NO_VIOLATION if cell.verdict.satisfied else COUNTEREXAMPLE)


def _check_searched(evidence: PairEvidence, metric: Metric) -> None:
    """An axiom that is said to hold was tried on something, and hardly anything was left open."""
    instances, unresolved = evidence.instances, evidence.unresolved
    if not instances:
        raise InvalidInput("evidence.instances is 0; an axiom that holds was tried on more")
    doubtful = metric.partial or evidence.numerical
    if doubtful and unresolved > MOST_UNRESOLVED * (unresolved + instances):
        raise InvalidInput(
            f"evidence.unresolved is {unresolved}, too many for a verdict with {counted(instances, 'instance')}"
        )


def _check_open(cell: Cell) -> None:
    """The cause of an undecided cell is one that the engine has, with the numbers of the evidence."""
    code, numbers = cell.cause.code, cell.cause.counts
    if code not in _UNDECIDED:
        raise InvalidInput(f"cause.code is {code!r}; expected why the cell is undecided")
    if cell.instances and code in _NOTHING_TRIED:
        raise InvalidInput(f"cause.code is {code!r}; evidence.instances is {cell.instances}")
    unresolved = cell.pairs.unresolved if cell.pairs else 0
    if code in _UNRESOLVED and numbers["instances"] != unresolved:
        raise InvalidInput(f"cause.numbers.instances is {numbers['instances']}; evidence.unresolved is {unresolved}")


# Axioms on long blocks


def _check_threshold(
    cell: Cell,
    said: ThresholdEvidence,
    axiom: ThresholdAxiom,
    metric: Metric,
    reading: Reading,
    settings: Settings,
) -> None:
    """Decides the cell again, which takes no search."""
    small = assumes_small(axiom, reading)
    outcome = decide_threshold(axiom, metric, small, settings.seed)
    evidence = outcome.evidence
    if metric.numerical(small):
        evidence = _with_scores_of(said, evidence)
    if cell.certificate is not None and cell.verdict is not Verdict.ERROR:
        evidence = structs.replace(evidence, proof=said.proof)
    _check_outcome(cell, outcome)
    witness = None
    if outcome.refuting is not None:
        shown = RefutedThreshold(axiom, metric, reading, small, outcome.refuting).record()
        witness = structs.replace(shown, metric=cell.metric)
    for place, value, expected in (("evidence", said, evidence), ("witness", cell.witness, witness)):
        found = difference(value, expected, (place,))
        if found is not None:
            raise InvalidInput(f"{found} (as decided again)")
    if cell.verdict is not Verdict.ERROR:
        _check_cause(cell, outcome.cause)


def _check_outcome(cell: Cell, outcome: ThresholdOutcome) -> None:
    if cell.verdict is Verdict.ERROR:
        return
    if cell.certificate is None:
        if cell.verdict is not outcome.verdict:
            by = "the witness shows" if cell.witness is not None else "decided again it is"
            raise InvalidInput(f"verdict: the verdict is {cell.verdict}, and {by} {outcome.verdict}")
    elif outcome.verdict.decided and outcome.verdict.satisfied is not certified_verdict(cell.certificate).satisfied:
        shown = certified_verdict(cell.certificate)
        raise InvalidInput(f"certificate: it shows {shown}, and decided again the verdict is {outcome.verdict}")


def _with_scores_of(said: ThresholdEvidence, again: ThresholdEvidence) -> ThresholdEvidence:
    """What was worked out in floats, with the cell's own scores where they differ by rounding only."""
    if not (said.example and again.example):
        return again
    close = {
        side: here
        for side in ("block", "top")
        if _are_close(here := getattr(said.example, side), getattr(again.example, side))
    }
    return structs.replace(again, example=structs.replace(again.example, **close))


def _are_close(*scores: str) -> bool:
    if not all(re.fullmatch(r"-?[0-9.]{1,40}(e[+-]?[0-9]{1,3})?", score) for score in scores):
        return False
    one, other = map(float, scores)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)

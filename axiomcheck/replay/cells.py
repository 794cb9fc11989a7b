"""Whether everything that one cell of a report says follows from its metric, its axiom and the report's header."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from msgspec import structs

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import difference
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
from axiomcheck.engine import reasons
from axiomcheck.metrics import Metric, row_of
from axiomcheck.proof.check import check_certificate
from axiomcheck.records.cells import Cell, cutoff_hint, hinted
from axiomcheck.records.certificates import certified_verdict, proof_sentence
from axiomcheck.records.evidence import PairEvidence, ThresholdEvidence
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.replay.belonging import check_belongs
from axiomcheck.replay.evidence import as_tried, check_evidence
from axiomcheck.replay.minimality import check_minimal, check_none_violates
from axiomcheck.sources.provenance import runs_catalogue_code
from axiomcheck.trials.undeclared import as_probed

_COUNT = "([0-9]{1,3}(?:,[0-9]{3})*)"

_UNDECIDED = (
    "interrupted before it was decided",
    re.escape(reasons.NAMED) + ".{1,400}",
    "scores tie in floats on [12] shapes only; 3 make a refutation",
    "violations seen in floating point only; exact arithmetic could not decide them",
    "(?:dominance could not be decided|floats could not tell the scores apart), and the exact budget ran out",
    "vacuous: no instance that was tried met the premises",
    "dominance could not be decided in (?P<unresolved>%) instances",
    "% instances tie only as long as grades are 1: floats do not tell whether nothing is left for what comes later, "
    "which violates the constraint, or too little to show",
    "floats could not tell (?P<unresolved>%) instances apart; no violation in the other (?P<instances>%)",
)
"""What the engine says of an axiom on pairs that it leaves open; % stands for a count."""

_NOTHING_TRIED = ("vacuous", "dominance could not be decided, and", "floats could not tell the scores apart, and")
"""How those begin that it says only where no instance was decided."""


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
    if not runs_catalogue_code(metric) and cell.verdict is not Verdict.ERROR:
        cell = replace(cell, reason=reasons.without_remark(cell.reason))
    if cell.certificate is not None:
        if not settings.proofs:
            raise InvalidInput("certificate: settings.proofs is false")
        check_belongs(cell.certificate, cell, axiom, reading)
    elif cell.proof:
        raise InvalidInput("evidence.proof is not expected without a certificate")
    why_not = reasons.not_applicable(metric, axiom, assumes_small(axiom, reading))
    if cell.verdict is Verdict.NOT_APPLICABLE and cell.reason != why_not:
        raise InvalidInput(f"reason is {cell.reason!r}; expected {why_not or 'another verdict: it does apply'!r}")
    if why_not and cell.verdict.decided and cell.verdict is not Verdict.NOT_APPLICABLE:
        raise InvalidInput(f"verdict is {cell.verdict}; expected not-applicable: {why_not}")
    if cell.verdict is Verdict.ERROR:
        _check_error(cell, axiom)
        if why_not and cell.reason == why_not:
            raise InvalidInput("verdict is error; expected not-applicable, as the reason says")
    if about_pairs(axiom):
        _check_pairs(cell, axiom, metric, reading, settings)
    elif about_blocks(axiom) and isinstance(cell.evidence, ThresholdEvidence):
        _check_threshold(cell, cell.evidence, axiom, metric, reading, settings)
    elif cell.verdict is Verdict.UNDECIDED:
        _check_sentence(cell)
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
        _check_sentence(cell)


def _check_published(cell: Cell, row: str | None) -> None:
    for key, value, expected in (
        ("row", cell.row, row),
        ("published", cell.published, published_claim(row, cell.axiom)),
    ):
        if value != expected:
            raise InvalidInput(f"{key} is {value!r}; expected {expected!r} for {cell.metric} and {cell.axiom}")


def _check_error(cell: Cell, axiom: Axiom) -> None:
    """What a metric raised is its own words; where search and proof disagree, what they found is shown as well."""
    shown = cell.witness is not None or cell.certificate is not None
    shown |= isinstance(cell.evidence, ThresholdEvidence)
    if shown and cell.failure not in (Failure.DISAGREEMENT, Failure.UNFAITHFUL):
        raise InvalidInput("verdict is error, and the cell has what it takes for another; expected a disagreement")
    undecided = any(re.fullmatch(sentence.replace("%", _COUNT), cell.reason) for sentence in _UNDECIDED)
    if undecided or (cell.pairs and cell.reason == reasons.held(cell.pairs)):
        raise InvalidInput(f"verdict is error, and the reason is that of another: {cell.reason!r}")


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
        _check_sentence(cell)
        return
    evidence = cell.pairs
    assert evidence is not None  # of a decided cell
    if cell.verdict is Verdict.REFUTED:
        assert isinstance(cell.witness, PairWitness)
        expected = reasons.refuted(evidence, cell.witness)
    elif cell.verdict is Verdict.INCOMPARABLE:
        expected = reasons.incomparable(evidence)
    else:
        _check_searched(evidence, metric)
        expected = hinted(reasons.held(evidence), cell.undeclared_cutoff)
        if cell.certificate is not None:
            expected = f"{proof_sentence(cell.certificate)}; {expected}"
    if cell.reason != expected:
        raise InvalidInput(f"reason is {cell.reason!r}; expected {expected!r}")


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


def _check_sentence(cell: Cell) -> None:
    """The reason of an undecided cell is one that the engine has, with the numbers of the evidence."""
    hint = cutoff_hint(cell.undeclared_cutoff)
    said = cell.reason.removesuffix(f"; {hint}")
    if hint and said == cell.reason:
        raise InvalidInput(f"reason is {cell.reason!r}; expected it to end with {hint!r}")
    for sentence in _UNDECIDED:
        found = re.fullmatch(sentence.replace("%", _COUNT), said)
        if found is None:
            continue
        if cell.instances and said.startswith(_NOTHING_TRIED):
            raise InvalidInput(f"reason is {cell.reason!r}; evidence.instances is {cell.instances}")
        for key, text in found.groupdict().items():
            count = getattr(cell.pairs, key, None)
            if count != int(text.replace(",", "")):
                raise InvalidInput(f"reason is {cell.reason!r}; evidence.{key} is {count}")
        return
    raise InvalidInput(f"reason is {cell.reason!r}; expected why the cell is undecided")


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
    reason, evidence = outcome.reason, outcome.evidence
    if metric.numerical(small):
        reason, evidence = _with_scores_of(said, reason, evidence)
    if cell.certificate is not None and cell.verdict is not Verdict.ERROR:
        reason = f"{proof_sentence(cell.certificate)}; {reasons.beside_proof(reason, evidence)}"
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
    if cell.reason != reason and cell.verdict is not Verdict.ERROR:
        raise InvalidInput(f"reason is {cell.reason!r}; expected {reason!r}")


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


def _with_scores_of(said: ThresholdEvidence, reason: str, again: ThresholdEvidence) -> tuple[str, ThresholdEvidence]:
    """What was worked out in floats, with the cell's own scores where they differ by rounding only."""
    if not (said.example and again.example):
        return reason, again
    close = {}
    for side in ("block", "top"):
        here, there = getattr(said.example, side), getattr(again.example, side)
        if _are_close(here, there):
            reason, close[side] = reason.replace(there, here), here
    return reason, structs.replace(again, example=structs.replace(again.example, **close))


def _are_close(*scores: str) -> bool:
    if not all(re.fullmatch(r"-?[0-9.]{1,40}(e[+-]?[0-9]{1,3})?", score) for score in scores):
        return False
    one, other = map(float, scores)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)

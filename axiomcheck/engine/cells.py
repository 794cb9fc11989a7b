"""Decide cells: search for violations, confirm them, try to prove the axiom, and determine the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from msgspec import structs

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs
from axiomcheck.axioms.validation import wanted_both_ways
from axiomcheck.core.documents import UNSET, Maybe
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.limits import MOST_UNRESOLVED
from axiomcheck.core.published import published_claim
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.enumeration import Coverage, enumeration_of
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.search import Search, Settings, limited_to
from axiomcheck.decide.shrink import shrink
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.tally import Tally
from axiomcheck.decide.thresholds import Tried, decide_threshold
from axiomcheck.decide.witness import RefutedThreshold, Witness, witness_of
from axiomcheck.engine.tasks import External, Task, not_applicable
from axiomcheck.metrics import Metric, row_of
from axiomcheck.proof.find.induction import prove_by_induction
from axiomcheck.proof.proving import Proof, contradiction, prove
from axiomcheck.records.causes import COUNTEREXAMPLE, NO_VIOLATION, NOT_DECIDED, Cause, Remark, cause
from axiomcheck.records.cells import Cell, Ledger, SettingsRecord, failed
from axiomcheck.records.certificates import scope_text
from axiomcheck.records.evidence import (
    Covered,
    Exhausted,
    Incomparable,
    PairEvidence,
    Shapes,
    ThresholdEvidence,
    Violations,
)
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.provenance import is_genuine
from axiomcheck.trials.fresh_process import first_pair, pairs_of_blocks
from axiomcheck.trials.passport import Passport, check_tried, passport_of


def decide(task: Task, progress: Callable[[float], None]) -> Iterator[Cell]:
    """Decide a task in this process, and yield each metric's cell as soon as it is decided.

    Args:
        task: Axiom, metrics and settings. External metrics are skipped.
        progress: Callback that receives the completed share of the task, from 0 to 1.

    """
    if about_blocks(task.axiom):
        for number, metric in enumerate(task.own):
            yield _threshold_cell(task, task.axiom, metric)
            progress((number + 1) / len(task.own))
        return
    assert about_pairs(task.axiom)
    axiom, small = task.axiom, assumes_small(task.axiom, task.reading)
    passports: dict[int, Passport] = {}  # by id, since a foreign class may define equality in any way
    groups: dict[tuple[InstanceSpace, int | None, bool], list[Metric]] = {}
    for metric in task.own:
        if (inapplicable := _inapplicable(metric, axiom, small)) is not None:
            yield inapplicable
            continue
        try:
            passport = passport_of(metric, axiom, small, task.settings.seed, task.settings.proofs, task.few)
        except MetricError as error:
            yield failed(cell_of(metric, axiom), error)
            continue
        metric = passport.searched if task.few is None else limited_to(passport.searched, task.few)
        passports[id(metric)] = passport
        space, exact = InstanceSpace.of(metric, axiom, task.reading), not metric.numerical(small)
        groups.setdefault((space, metric.most_examples, exact), []).append(metric)
    for number, metrics in enumerate(groups.values()):

        def share(s: float, number: int = number) -> None:
            progress((number + s) / len(groups))

        search = Search(axiom, metrics, task.reading, task.settings, task.block)
        search.run(share)
        for tally in search.tallies:
            passport = passports[id(tally.metric)]
            cell = _searched_cell(task, axiom, search, tally, passport)
            yield passport.stamped(cell, partial(_first_pairs, task, search))


def _inapplicable(metric: Metric, axiom: Axiom, small: bool) -> Cell | None:
    """Return the cell with the verdict "not applicable" if an axiom does not apply to a metric, else None.

    The result is an error cell if the metric violates its declarations, since the axiom might apply without them.
    """
    why_not = not_applicable(metric, axiom, small)
    if why_not is None:
        return None
    try:
        check_tried(metric, small)
    except MetricError as error:
        return failed(cell_of(metric, axiom), error)
    return cell_of(metric, axiom, Verdict.NOT_APPLICABLE, why_not)


def cell_of(
    metric: Metric, axiom: Axiom, verdict: Verdict = Verdict.UNDECIDED, why: Cause = NOT_DECIDED, **more: Any
) -> Cell:
    """Return a cell with the given verdict (undecided by default) and the published table's claim."""
    row = row_of(metric)
    return Cell(metric.canonical, row, axiom.name, verdict, published_claim(row, axiom.name), why, **more)


def missing(metric: Metric | External, axiom: Axiom) -> Cell:
    """Return an undecided cell for a metric and an axiom, to be used as long as the cell has no result."""
    if isinstance(metric, Metric):
        return cell_of(metric, axiom)
    return Cell(metric.canonical, None, axiom.name, Verdict.UNDECIDED, None, NOT_DECIDED)


def _threshold_cell(task: Task, axiom: ThresholdAxiom, metric: Metric) -> Cell:
    start = time.perf_counter()
    small = assumes_small(axiom, task.reading)
    if (inapplicable := _inapplicable(metric, axiom, small)) is not None:
        return inapplicable
    try:
        passport = passport_of(metric, axiom, small, task.settings.seed, task.settings.proofs, task.few, False)
        own_code = not passport.genuine and not is_genuine(passport.searched)
        outcome = decide_threshold(axiom, passport.searched, small, task.settings.seed, own_code, task.few)
    except (MetricError, InternalDisagreement) as error:
        return failed(cell_of(metric, axiom, seconds=time.perf_counter() - start), error)
    witness = None
    if outcome.refuting is not None:
        witness = RefutedThreshold(axiom, metric, task.reading, small, outcome.refuting).record()
    cell = cell_of(
        metric,
        axiom,
        outcome.verdict,
        outcome.cause,
        evidence=outcome.evidence,
        witness=witness,
        seconds=time.perf_counter() - start,
    )
    cell = _proved(task, cell, passport, outcome.tried) if task.settings.proofs else cell
    return passport.stamped(cell, lambda: pairs_of_blocks(metric))


def _first_pairs(task: Task, search: Search) -> list[Pairs]:
    """Return one pair of rankings per shape from a small random sample, for trials of the metric."""
    rng = generator(task.settings.seed, search.axiom.name, "first pairs")
    some = _FIRST_PAIRS if task.few is None else min(_FIRST_PAIRS, -(-task.few // 2))
    return [first_pair(batch) for batch in sample_batches(search.space, some, rng) if batch.size]


_FIRST_PAIRS = 16


def _proved(task: Task, cell: Cell, passport: Passport, tried: Sequence[Tried] = ()) -> Cell:
    """Try to prove a searched cell; return it with the verdict of the proof, or unchanged if there is none.

    Args:
        task: Task of the cell.
        cell: Cell after the search.
        passport: Results of the trials of the cell's metric.
        tried: Tested cases of a threshold axiom, with their exact signs.

    """
    metric = passport.metric
    try:
        if passport.names_matter:
            return cell
        if remark := passport.state_remark():
            return replace(cell.remarked(remark), searched=cell)
        proof = prove(task.axiom, metric, task.reading, passport.identity, cutoff=passport.searched.cutoff)
    except (MetricError, InternalDisagreement) as error:
        return failed(cell, error)
    if proof is None:
        return cell
    return replace(with_proof(cell, proof, passport.genuine, tried), searched=cell)


def _proof_tried(task: Task, cell: Cell, passport: Passport) -> Cell:
    """Try to prove a refuted cell. A proof contradicts the witness, so the cell becomes an error or gets a remark."""
    assert about_pairs(task.axiom)
    metric, small = passport.metric, assumes_small(task.axiom, task.reading)
    if (
        metric.numerical(small)
        or metric.partial
        or prove_by_induction(task.axiom, metric, small, task.reading.domain) is None
    ):
        return cell
    return _proved(task, cell, passport)


def with_proof(cell: Cell, proof: Proof, genuine: bool = True, tried: Sequence[Tried] = ()) -> Cell:
    """Return a searched cell with the verdict of a proof, or an error cell if search and proof contradict each other.

    Args:
        cell: Cell after the search.
        proof: Proof for the same cell.
        genuine: Whether the metric comes from the catalogue. A proof for any other metric assumes that its code
            performs the same operations on numbers as on symbols, and is dropped if scores contradict it.
        tried: Tested cases of a threshold axiom, whose exact signs a proof must not contradict.

    """
    clash = contradiction(proof.certificate, tried) if tried else ""
    if not clash and cell.verdict.satisfied != proof.holds and cell.verdict is not Verdict.UNDECIDED:
        clash = f"a proof says {proof.verdict}, but the search says {cell.verdict}"
    if clash and genuine:
        clashing = InternalDisagreement(f"{clash} ({cell.reason})")
        return failed(replace(cell, certificate=proof.certificate), clashing)
    if clash:
        remarked = cell.remarked(Remark("proof-contradicted", clash))
        if cell.verdict is Verdict.REFUTED:
            return remarked
        because = cause("error", remarked.reason)
        return replace(cell, verdict=Verdict.ERROR, failure=Failure.UNFAITHFUL, cause=because)
    assert isinstance(cell.evidence, PairEvidence | ThresholdEvidence)
    covered = Covered(scope_text(proof.certificate), proof.size)
    return replace(
        cell,
        verdict=proof.verdict,
        evidence=structs.replace(cell.evidence, proof=covered),
        certificate=proof.certificate,
        proof_seconds=proof.seconds,
        check_seconds=proof.check_seconds,
    )


def _searched_cell(task: Task, axiom: PairAxiom, search: Search, tally: Tally, passport: Passport) -> Cell:
    """Return the cell of a metric after a search. If proofs are tried and it is only "held", test more instances."""
    cell = _pair_cell(task, axiom, tally, search.coverage, passport)
    if not task.settings.proofs or cell.verdict is not Verdict.HELD:
        return cell
    further = search.further(tally)
    if further is None:
        return cell
    unproved = replace(task, settings=replace(task.settings, proofs=False))
    found = _pair_cell(unproved, axiom, tally, further, passport)
    if found.verdict is Verdict.HELD:
        found = replace(found, cause=cell.cause)
    return replace(found, searched=cell.searched or cell)


def _pair_cell(task: Task, axiom: PairAxiom, tally: Tally, coverage: Coverage, passport: Passport) -> Cell:
    start = time.perf_counter()
    metric, candidates = tally.metric, tally.candidates
    evidence = _evidence(task, tally, coverage, passport.metric)

    def cell(
        verdict: Verdict = Verdict.UNDECIDED, why: Cause = NOT_DECIDED, witness: PairWitness | None = None
    ) -> Cell:
        seconds = tally.seconds + time.perf_counter() - start
        told: dict[str, Any] = {"evidence": evidence, "witness": witness, "marks": coverage.marks}
        return cell_of(metric, axiom, verdict, why, seconds=seconds, **told)

    try:
        if tally.error:
            raise MetricError(tally.error)
        if tally.disagreement:
            raise InternalDisagreement(tally.disagreement)
        violating = candidates.grid_witness or candidates.confirm()
        if violating is not None:
            if candidates.grid_witness is None:
                violating = shrink(metric, violating, metric.cutoff)
            if axiom.number is None and (both_ways := wanted_both_ways(axiom, violating.draft)):
                raise InvalidInput(f"axiom {axiom.name}: {both_ways}")
            witness = _witness(passport, violating, task.reading, _minimal(task, tally, coverage, violating, passport))
            passport.check_witness(witness)
            refuted = cell(Verdict.REFUTED, COUNTEREXAMPLE, witness.record())
            return _proof_tried(task, refuted, passport) if task.settings.proofs else refuted
        apart = candidates.grid_apart or candidates.confirm_apart()
        if apart is not None and not tally.violated:
            if candidates.grid_apart is None:
                apart = shrink(metric, apart, metric.cutoff, apart=True)
            witness = _witness(passport, apart, task.reading, _minimal(task, tally, coverage, apart, passport))
            return cell(Verdict.INCOMPARABLE, COUNTEREXAMPLE, witness.record())
    except (MetricError, InternalDisagreement) as error:
        return failed(cell(), error)
    return _unrefuted(task, tally, evidence, passport, cell)


def _witness(passport: Passport, batch: Batch, reading: Reading, minimal: str | None) -> Witness:
    """Return the witness of a violating instance with the metric's own scores.

    Raises:
        MetricError: The scores of a function differ from those of the fold that was derived from its source.

    """
    try:
        return witness_of(passport.scored, batch, reading, minimal)
    except InternalDisagreement:
        if passport.searched is passport.scored:
            raise
        raise MetricError(
            f"{passport.metric} returned scores that differ from those of the fold derived from its source"
        ) from None


def _unrefuted(task: Task, tally: Tally, evidence: PairEvidence, passport: Passport, cell: Callable[..., Cell]) -> Cell:
    """Return the cell after a search that found no witness: undecided, held, or with the verdict of a proof."""
    metric, unresolved = tally.metric, tally.counts.unresolved
    if tally.violated and evidence.numerical:
        return cell(Verdict.UNDECIDED, cause("ties-on-few-shapes", shapes=len(tally.candidates.tied_shapes)))
    if tally.violated:
        return cell(Verdict.UNDECIDED, cause("not-confirmed"))
    if evidence.instances == 0 and unresolved:
        return cell(Verdict.UNDECIDED, cause("dominance-exhausted" if metric.partial else "scores-exhausted"))
    if evidence.instances == 0:
        return cell(Verdict.UNDECIDED, cause("no-instance"))
    if metric.partial and unresolved > MOST_UNRESOLVED * (unresolved + evidence.instances):
        return cell(Verdict.UNDECIDED, cause("dominance-open", instances=unresolved))
    held = cell(*(_held_in_floats(tally, evidence) if evidence.numerical else (Verdict.HELD, NO_VIOLATION)))
    return _proved(task, held, passport) if task.settings.proofs and held.verdict is Verdict.HELD else held


def _minimal(task: Task, tally: Tally, coverage: Coverage, witness: Batch, passport: Passport) -> str | None:
    """Return the grid on which a witness is minimal, in words; None if the enumeration ended too early to tell.

    The result is also None if distributions do not list all values, as smaller instances may then be undecided.
    """
    if tally.counts.rest:
        return None
    said = coverage.minimal(witness)
    return said if said == enumeration_of(passport.scored, tally.axiom, task.reading).minimal(witness) else None


def _held_in_floats(tally: Tally, evidence: PairEvidence) -> tuple[Verdict, Cause]:
    """Return the verdict and its cause for a metric with only float scores on which the search found no violation.

    The verdict is "held" if floats resolve nearly all instances, else "undecided".
    """
    counts = tally.counts
    if counts.vanishing:
        return Verdict.UNDECIDED, cause("vanishing-ties", instances=counts.vanishing)
    share = counts.unresolved / (counts.unresolved + evidence.instances)
    if share > MOST_UNRESOLVED:
        return Verdict.UNDECIDED, cause("not-told-apart", instances=counts.unresolved)
    return Verdict.HELD, NO_VIOLATION


def _evidence(task: Task, tally: Tally, coverage: Coverage, metric: Metric) -> PairEvidence:
    counts = tally.counts
    tried = counts.satisfied + counts.reversals + counts.ties + counts.apart
    focused = sum(map(len, tally.focused))
    incomparable: Maybe[Incomparable] = UNSET
    violations: Maybe[Violations] = UNSET
    if tally.metric.partial:
        incomparable = Incomparable(rounded(counts.apart / tried) if tried else None, counts.rest)
    if tally.violated:
        share = rounded((counts.reversals + counts.ties) / tried) if tried else None
        violations = Violations(share, counts.reversals, counts.ties, rounded(counts.worst))
    return PairEvidence(
        instances=max(0, coverage.distinct + focused - counts.unresolved),
        enumerated=coverage.enumerated,
        patterns=coverage.patterns,
        sampled=coverage.sampled,
        focused=focused,
        unresolved=counts.unresolved,
        decided_exactly=tally.doubts.asked,
        audited=counts.audited,
        small_grades=assumes_small(tally.axiom, task.reading),
        binary=tally.metric.binary_only or tally.axiom.domain_of(task.reading.domain) is Domain.BINARY,
        shapes=Shapes(coverage.ranked, coverage.aspects),
        grid=coverage.grid.text(),
        exhausted=tuple(Exhausted(*group) for group in coverage.exhausted),
        nearly_all_sampled=coverage.saturated,
        seed=task.settings.seed,
        numerical=tally.metric.numerical(assumes_small(tally.axiom, task.reading)) or None,
        incomparable=incomparable,
        violations=violations,
        few=UNSET if task.few is None else task.few,
        undeclared_cutoff=UNSET if tally.metric.cutoff == metric.cutoff else tally.metric.cutoff or UNSET,
    )


def rounded(value: float) -> float:
    """Round a share to four significant digits."""
    return float(f"{value:.4g}")


def ledger_of(
    cells: Sequence[Cell],
    reading: Reading,
    settings: Settings,
    budget: float | None = None,
    until: float | None = None,
) -> Ledger:
    """Return the ledger of a run: its cells, and all settings that affect them, including time limits."""
    given = [UNSET if seconds is None else seconds for seconds in (budget, until)]
    record = SettingsRecord(**asdict(settings), budget=given[0], until=given[1])
    return Ledger(reading.regime.value, reading.domain.value, record, tuple(cells))

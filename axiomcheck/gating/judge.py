"""Score pinned witnesses again, and compare cells and contract checks with their expectations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from msgspec import structs

from axiomcheck.axioms import Axiom, about_pairs, find_axiom
from axiomcheck.checks.contract import CHECKS, Outcome, run_contract
from axiomcheck.core.documents import difference, document_of, read
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.budgets import Settings
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.witness import rebuilt, rebuilt_for, witness_of
from axiomcheck.engine.budget import cut_short, for_contract
from axiomcheck.engine.events import CellDecided, Event
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run
from axiomcheck.engine.tasks import Deadline, External, Plan, Task, not_applicable
from axiomcheck.gating.config import Expectation, Expected, expected_of
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers, outcome_of
from axiomcheck.records.causes import COUNTEREXAMPLE, NOT_DECIDED
from axiomcheck.records.cells import Cell, failed, violation_sentence
from axiomcheck.records.evidence import PinnedEvidence
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import AnyWitness, PairWitness, witness_kind
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve, resolve_axiom
from axiomcheck.trials.consistency import read_own_witness

Status: TypeAlias = Literal["as-expected", "worse", "better", "unrecorded", "error", "disagreement"]

_ENOUGH = 300
"""Minimum number of instances that a search shortened by a budget has to test before an axiom counts as held.

If 1 in 65 instances is a violation, this many random instances contain one with probability 99 %.
"""

_RANK: dict[Expected, int] = {"violated": 0, "incomparable": 1, "undecided": 1, "not-applicable": 1, "holds": 2}
_SHOULD: dict[Expected, str] = {
    "holds": "expected to hold",
    "violated": "expected to be violated",
    "incomparable": "expected to leave rankings incomparable",
    "undecided": "expected to stay undecided",
    "not-applicable": "expected not to apply",
}
_IS: dict[Expected, str] = {
    "holds": "holds",
    "violated": "is violated",
    "incomparable": "leaves rankings incomparable",
    "undecided": "is undecided",
    "not-applicable": "does not apply",
}


@dataclass(frozen=True)
class CellFound:
    """Result for one cell, before it is compared with its expectation.

    Args:
        cell: Decided cell.
        replayed: True if the pinned witness decided the cell without a search.
        remark: Difference between the pinned witness and the current scores; empty if there is none.
        known: True if the result was loaded from the cache. A cached counterexample was scored again.

    """

    cell: Cell
    replayed: bool = False
    remark: str = ""
    known: bool = False


@dataclass(frozen=True)
class Judged:
    """Comparison of one cell with its expectation.

    Args:
        metric: Name of the metric.
        axiom: Name of the axiom.
        status: ``as-expected``; ``worse`` (for example an unexpected violation, or an expected violation that was
            neither found again nor ruled out); ``better`` (for example no violation although one is expected);
            ``unrecorded`` (there is no expectation); ``error``; ``disagreement`` (axiomcheck contradicts itself).
        message: Explanation as a sentence.
        cell: Decided cell; None if it could not be decided.
        replayed: True if the pinned witness decided the cell without a search.
        instances: Number of tested instances.
        remark: Difference between the pinned witness and the metric's current scores; empty if there is none.
        expectation: Expectation that the cell was compared with; None if the contract has none.

    """

    metric: str
    axiom: str
    status: Status
    message: str
    cell: Cell | None
    replayed: bool = False
    instances: int = 0
    remark: str = ""
    expectation: Expectation | None = None

    @property
    def asked(self) -> str:
        """Name of the axiom. `JudgedCheck.asked` is the name of the check."""
        return self.axiom


@dataclass(frozen=True)
class JudgedCheck:
    """Comparison of one contract check with its expectation.

    Args:
        metric: Name of the metric.
        check: Name of the check.
        status: See `Judged`. A pass is ``better`` if a failure is expected.
        message: Explanation as a sentence.
        outcome: Outcome of the check; None if it could not be run.
        reason: Reason why the contract accepts that the check fails; None if the check is expected to pass.

    """

    metric: str
    check: str
    status: Status
    message: str
    outcome: Outcome | None
    reason: str | None = None

    @property
    def asked(self) -> str:
        """Name of the check. `Judged.asked` is the name of the axiom."""
        return self.check


@dataclass(frozen=True)
class CellSearch:
    """One metric in a contract, with the settings for searching its cells.

    Args:
        metric: Metric object, or an external metric by name.
        name: Name of the metric in the contract.
        reading: Regime and domain.
        settings: Seed and budgets.
        workers: Worker processes for an external metric, with limits on time and memory.
        jobs: Number of worker processes for a metric object.
        memory: Cache of decided cells. A search with a budget stores nothing there.
        budget: Time limit for the search.

    """

    metric: Metric | External
    name: str
    reading: Reading
    settings: Settings
    workers: Workers
    jobs: int = 1
    memory: Memory = Memory()  # noqa: RUF009 - immutable
    budget: Deadline | None = None

    def failed(self, axiom: str, error: Failure) -> Cell:
        """Return the error cell of an axiom that could not be decided, with the message of an exception."""
        return failed(Cell(self.name, None, axiom, Verdict.UNDECIDED, None, NOT_DECIDED), error)


def judge_cell(
    metric: Metric,
    axiom: Axiom,
    expectation: Expectation | None,
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(proofs=False),  # noqa: B008 - immutable
    memory: Memory = Memory(),  # noqa: B008 - immutable
) -> Judged:
    """Compare one cell of a metric object with its expectation.

    Args:
        metric: Metric object to decide.
        axiom: Axiom to decide.
        expectation: Expected verdict, or None.
        reading: Regime and domain.
        settings: Seed and budgets for the search.
        memory: Cache of decided cells.

    Raises:
        Stopped: The user interrupted the search.

    """
    pinned = {axiom.name: None if expectation is None else expectation.witness}
    with Workers(1, Limits()) as workers:
        search = CellSearch(metric, metric.canonical, reading, settings, workers, memory=memory)
        (found,) = find_cells(search, pinned)
    return compare_cell(found, expectation)


def find_cells(
    search: CellSearch,
    pinned: Mapping[str, Any],
    hear: Callable[[CellFound], None] = lambda found: None,
    listen: Callable[[Event], None] = lambda event: None,
) -> list[CellFound]:
    """Decide cells of one metric: by pinned witnesses, from the cache, or else by a search.

    If an external metric cannot be loaded, its cells are errors.

    Args:
        search: Settings of the search.
        pinned: Pinned witness for each axiom, as a JSON object; the value is None for an axiom without one.
        hear: Called with each cell as soon as it is decided.
        listen: Called with each event of the search.

    Raises:
        Stopped: The user interrupted the search.

    """
    memory = _Pinned(search, pinned)
    found: dict[str, CellFound] = {}

    def book(cell: Cell) -> None:
        if cell.axiom not in found:
            found[cell.axiom] = memory.result_of(cell.of_metric(search.name))
            hear(found[cell.axiom])

    def heard(event: Event) -> None:
        if isinstance(event, CellDecided):
            book(event.cell)
        listen(event)

    asked = [find_axiom(axiom) for axiom in pinned]
    machine = Machine(search.jobs, search.workers.limits, search.workers)
    plan = Plan.of([search.metric], asked, search.reading, search.settings, search.budget)
    try:
        cells: Iterable[Cell] = run(replace(plan, settles_thresholds=True), machine, memory, heard)
    except InvalidInput as error:  # the metric disappeared, or was never loaded before
        cells = [search.failed(axiom, error) for axiom in pinned]
    for cell in cells:
        book(cell)
    return [found[axiom] for axiom in pinned]


Failure: TypeAlias = InvalidInput | MetricError | InternalDisagreement
"""Errors that can end a piece of work on a metric."""


class _Pinned(Memory):
    """Cache for a run of the gate, which consults pinned witnesses before the cached cells of earlier runs.

    A cached cell with a counterexample counts only if the metric still gives the same scores for it.

    Args:
        search: Settings of the search.
        pinned: Pinned witness by axiom, as a document, or None.

    """

    def __init__(self, search: CellSearch, pinned: Mapping[str, object]) -> None:
        self._search = search
        self._pinned = {
            axiom: self._rescored(axiom, witness) for axiom, witness in pinned.items() if witness is not None
        }
        self._remarks: dict[str, str] = {}
        self._replayed: set[str] = set()
        self._known: set[str] = set()

    def result_of(self, cell: Cell) -> CellFound:
        """Return the result for a cell, and note whether a pinned witness or the cache decided it."""
        axiom = cell.axiom
        return CellFound(cell, axiom in self._replayed, self._remarks.get(axiom, ""), axiom in self._known)

    def before(self, task: Task, metric: Metric | External) -> Cell | None:
        """Return the cell that a pinned witness decides, or else the cached cell; None if neither is available."""
        name = task.axiom.name
        pinned = None if task.block else self._of_pinned(name)
        if pinned is not None:
            self._replayed.add(name)
            return pinned.of_metric(metric.canonical)
        cell = self._search.memory.before(task, metric)
        if cell is None or task.block:
            return cell
        if (witness := cell.of_metric(self._search.name).witness) is not None:
            outcome = self._rescored(name, document_of(witness))()
            if not isinstance(outcome, Rescored) or outcome.witness is None or outcome.remark:
                return None
        self._known.add(name)
        return cell

    def keep(self, task: Task, metric: Metric | External, cell: Cell) -> None:
        """Store the cell in the search's cache."""
        self._known.discard(task.axiom.name)
        self._search.memory.keep(task, metric, cell)

    def _of_pinned(self, axiom: str) -> Cell | None:
        """Return a refuted cell if a pinned witness still is one, an error cell if scoring it fails, else None."""
        if axiom not in self._pinned:
            return None
        outcome = self._pinned[axiom]()
        if isinstance(outcome, InvalidInput):
            why = str(outcome).removeprefix("witness: ")
            outcome = InvalidInput(
                f"the pinned witness cannot be used: {why}; delete its file and run axiomcheck gate --update"
            )
        if not isinstance(outcome, Rescored):
            return self._search.failed(axiom, outcome)
        self._remarks[axiom] = outcome.remark
        if outcome.witness is None:
            return None
        witness = read(witness_kind(find_axiom(axiom)), outcome.witness, "witness")
        shown = Cell(self._search.name, None, axiom, Verdict.REFUTED, None, COUNTEREXAMPLE)
        return replace(shown, evidence=PinnedEvidence(instances=1), witness=witness)

    def _rescored(self, axiom: str, document: object) -> Callable[[], Rescored | Failure]:
        """Start scoring a witness again, in a worker if the metric is external; return a function to get the result."""
        search, metric = self._search, self._search.metric
        asked = (axiom, document, search.reading, search.name)
        future = None
        if isinstance(metric, External):
            name = metric.canonical
            future = search.workers.submit(rescore_foreign, name, *asked, needs=library_of(name))

        def outcome() -> Rescored | Failure:
            try:
                if future is not None:
                    return outcome_of(future)
                assert isinstance(metric, Metric)
                return rescore(metric, find_axiom(axiom), *asked[1:])
            except (InvalidInput, MetricError, InternalDisagreement) as error:
                return error

        return outcome


def compare_cell(found: CellFound, expectation: Expectation | None) -> Judged:
    """Compare the result for a cell with its expectation, and explain the difference if there is one."""
    cell, remark = found.cell, found.remark
    got = expected_of(cell)

    def judged(status: Status, message: str, remark: str = "") -> Judged:
        told = found.replayed, cell.instances, remark, expectation
        return Judged(cell.metric, cell.axiom, status, message, cell, *told)

    if got is None:
        return judged("disagreement" if cell.contradicts_axiomcheck else "error", f"{cell.reason.rstrip('.')}.")
    why = violation_sentence(cell).rstrip(".") if got == "violated" else cell.reason.rstrip(".")
    if expectation is None:
        return judged("unrecorded", f"the contract has no verdict on this axiom, which {_IS[got]}: {why}.")
    expected, reason = expectation.expect, expectation.reason.rstrip(".")
    few = f"the time budget sufficed for only {counted(cell.instances, 'instance')}"
    untold = cut_short(cell) and cell.witness is None and cell.certificate is None
    if untold and (got != expected or (got == "holds" and cell.instances < _ENOUGH)):
        return judged("error", f"{_SHOULD[expected]}, and {few}: {why}.")
    if got == expected:
        if got == "violated" and expectation.witness is None and cell.witness is not None:
            remark = "no witness is pinned"
        how = ", by the pinned witness" if found.replayed else ""
        return judged("as-expected", f"{_IS[got]} as expected{how}: {reason or why}.", remark)
    unproved = got == "undecided" and expected == "violated"
    status: Status = "better" if _RANK[got] > _RANK[expected] and not unproved else "worse"
    stated = f" ({reason})" if reason else ""
    replayed = f" About the pinned witness: {remark}." if remark else ""
    if unproved:
        replayed += f' The violation may still exist; to expect an undecided verdict, write {cell.axiom} = "undecided".'
    return judged(status, f"{_SHOULD[expected]}{stated}, but {_IS[got]}: {why}.{replayed}")


def check_outcomes(
    metric: Metric | External,
    seed: int,
    workers: Workers,
    reference: str | None,
    tolerance: float,
    seconds: float | None = None,
) -> Sequence[Outcome]:
    """Return the outcomes of a metric's contract checks.

    Args:
        metric: Metric object, or an external metric by name.
        seed: Seed for the random cases.
        workers: Workers for an external metric or reference. Their limits apply to all checks together.
        reference: Name of the metric that this metric should agree with, or None.
        tolerance: Largest allowed difference from the reference.
        seconds: Time limit in seconds, or None.

    Raises:
        InvalidInput: The metric or its reference cannot be loaded.
        MetricError: The checks exceeded their limits or crashed, or some outcomes are missing.

    """
    if isinstance(metric, Metric) and reference is None:
        return run_contract(metric, tolerance=tolerance, seed=seed)
    asked = workers.submit(
        _contract_of,
        *(metric.canonical, reference, tolerance, seed, seconds),
        needs=library_of(metric.canonical),
        seconds=seconds,
    )
    found: Sequence[Outcome] = outcome_of(asked)
    if [outcome.check for outcome in found] != list(CHECKS):  # the metric's code may have tampered with them
        raise MetricError(f"only {len(found)} of {len(CHECKS)} contract checks had an outcome")
    return found


def _contract_of(
    name: str, reference: str | None, tolerance: float, seed: int, seconds: float | None
) -> Sequence[Outcome]:
    """Load an external metric in a worker, and run the contract checks there.

    If `reference` is None, the reference that the metric itself declares is used, as in `check`.
    """
    metric = resolve(name)
    named = metric.reference if reference is None else reference
    other = None if named is None else resolve(named)
    return run_contract(for_contract(metric, seconds), reference=other, tolerance=tolerance, seed=seed)


def compare_check(name: str, outcome: Outcome, reason: str | None, applied: bool = False) -> JudgedCheck:
    """Compare the outcome of a contract check with its expectation.

    Args:
        name: Name of the metric.
        outcome: Outcome of the check.
        reason: Reason why a failure is acceptable; None if the check is expected to pass.
        applied: True if the check has to apply, because it applied when the contract was recorded.

    """

    def judged(status: Status, message: str) -> JudgedCheck:
        return JudgedCheck(name, outcome.check, status, message, outcome, reason)

    why = outcome.reason.rstrip(".")
    if outcome.failing and reason is None:
        return judged("worse", f"expected to pass, but fails: {why}.")
    if outcome.failing:
        return judged("as-expected", f"fails as expected: {reason}")
    if applied and outcome.status == "not-applicable":
        return judged("worse", f"applied when the contract was recorded, but does not apply now: {why}.")
    if reason is not None:
        words = {"passed": "passes", "admitted": f"is admitted: {why}"}
        word = words.get(outcome.status, f"does not apply: {why}")
        return judged("better", f"expected to fail ({reason.rstrip('.')}), but {word}.")
    return judged("as-expected", f"{outcome.status}{f': {why}' if why else ''}")


@dataclass(frozen=True)
class Rescored:
    """Result of scoring a pinned witness again with the current metric.

    Args:
        witness: Witness with its current scores, as a document; None if it no longer violates the axiom.
        remark: Difference from the pinned witness; empty if there is none.

    """

    witness: dict[str, Any] | None
    remark: str = ""


def rescore(metric: Metric, axiom: Axiom, document: Any, reading: Reading, name: str) -> Rescored:
    """Score a pinned witness again, to see whether it still violates the axiom.

    If the scores are unchanged, the witness is confirmed as in `axiomcheck replay`. If they have changed, its rankings
    may still violate the axiom.

    Args:
        metric: Metric that scores the witness.
        axiom: Axiom that the witness should violate.
        document: Pinned witness, parsed from JSON.
        reading: Reading of the contract.
        name: Name of the metric in the contract.

    Raises:
        InvalidInput: The witness is malformed, or belongs to a different metric or axiom.
        MetricError, InternalDisagreement: The metric failed, or two parts of axiomcheck contradict each other.

    """
    pinned: AnyWitness = read(witness_kind(axiom), document, "witness")
    for key, said, expected in (("metric", pinned.metric, name), ("axiom", pinned.axiom, axiom.name)):
        if said != expected:
            raise InvalidInput(f"witness: {key} is {said!r}; expected {expected!r}")
    apart = difference(pinned.reading, ReadingRecord.of(reading))
    if apart is not None:
        return Rescored(None, f"it was pinned for a different reading: {apart}")
    if not_applicable(metric, axiom, assumes_small(axiom, reading)) is not None:
        return Rescored(None, "the axiom no longer applies to the metric")
    try:
        read_own_witness(pinned, metric)
    except InvalidInput as error:
        why = str(error).removeprefix("witness: ")
    else:
        return Rescored(document)
    if not (isinstance(pinned, PairWitness) and about_pairs(axiom)):
        return Rescored(None, why)
    try:
        batch = rebuilt_for(metric, pinned, axiom)
    except InvalidInput:
        rebuilt(pinned, axiom, axiom.binary or reading.domain is Domain.BINARY)  # raises if it is not an instance
        return Rescored(None, "the metric now declares that it cannot distinguish the two rankings")
    judgement = judge(metric, batch)
    if judgement.sign == -1 or (judgement.sign == 0 and axiom.strict):
        again = structs.replace(witness_of(metric, batch, reading, None).record(), metric=name)
        if again.scores != pinned.scores:
            now = f"{judgement.better} against {judgement.worse}"
            why = f"its rankings still violate the axiom, but now score {now}, unlike the pinned witness ({why})"
        return Rescored(document_of(again), why)
    if judgement.bound:
        score = judgement.better if judgement.bound == "worse" else judgement.worse
        return Rescored(None, f"its ranking scores {score}, which is no longer a violation")
    return Rescored(
        None, f"its rankings now score {judgement.better} and {judgement.worse}, which is no longer a violation"
    )


def rescore_foreign(located: str, axiom: str, document: Any, reading: Reading, name: str) -> Rescored:
    """Score a pinned witness of an external metric again, in a worker."""
    try:
        metric = resolve(located)
    except InvalidInput as error:  # this is not the fault of the witness
        raise MetricError(str(error)) from None
    return rescore(metric, resolve_axiom(axiom), document, reading, name)

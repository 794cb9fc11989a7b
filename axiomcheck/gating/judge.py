"""From an expectation to a judgement: pinned witnesses are replayed, what should hold is searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from axiomcheck.axioms import Axiom, find_axiom
from axiomcheck.checks.contract import CHECKS, Outcome, run_contract
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of, read
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.blocks import first_block, later_examples
from axiomcheck.engine.budget import cut_short, for_contract
from axiomcheck.engine.events import CellDecided, Event
from axiomcheck.engine.memory import Memory, Nothing
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import Deadline, External, Task
from axiomcheck.gating.expectations import Expectation, Expected, expected_of
from axiomcheck.gating.pinned import Rescored, rescore, rescore_foreign
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers, outcome_of
from axiomcheck.records.causes import COUNTEREXAMPLE, NOT_DECIDED
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.evidence import PinnedEvidence
from axiomcheck.records.sentences import violation_sentence
from axiomcheck.records.witnesses import witness_kind
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve

Status: TypeAlias = Literal["as-expected", "worse", "better", "unrecorded", "error", "disagreement"]

_ENOUGH = 300
"""Instances without a violation that a cell cut short by a budget of time is as expected with: fewer tell too little,
and of as many random ones, whatever 1 in 65 violates is found with 99 %."""

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
    """What is known of one cell.

    Args:
        cell: its verdict.
        replayed: whether the pinned witness settled it, without a search.
        remark: how the pinned witness differs from what the metric scores; empty if it does not.
        known: whether it was found in an earlier run; a counterexample was scored again since.

    """

    cell: Cell
    replayed: bool = False
    remark: str = ""
    known: bool = False


@dataclass(frozen=True)
class Judged:
    """One cell, held against what was expected of it.

    Args:
        metric, axiom: the cell.
        status: ``as-expected``; ``worse`` (a violation, or less than was expected to hold); ``better`` (an expected
            violation went away); ``unrecorded`` (nothing is expected); ``error``; ``disagreement`` (axiomcheck
            contradicts itself).
        message: why, as sentences.
        cell: what was found; None where nothing could be.
        replayed: whether the pinned witness settled it, without a search.
        instances: how many instances that met the premises were tried.
        remark: how the pinned witness differs from what the metric scores; empty if it does not.

    """

    metric: str
    axiom: str
    status: Status
    message: str
    cell: Cell | None
    replayed: bool = False
    instances: int = 0
    remark: str = ""

    @property
    def asked(self) -> str:
        """The axiom."""
        return self.axiom


@dataclass(frozen=True)
class JudgedCheck:
    """One contract check, held against what was expected of it.

    Args:
        metric, check: what was asked of what.
        status: as `Judged`; an expected failure that went away is ``better``.
        message: why, as sentences.
        outcome: what was found; None where nothing could be.

    """

    metric: str
    check: str
    status: Status
    message: str
    outcome: Outcome | None

    @property
    def asked(self) -> str:
        """The check."""
        return self.check


def judge_cell(
    metric: Metric | External,
    axiom: Axiom,
    expectation: Expectation | None,
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(proofs=False),  # noqa: B008 - immutable
    limits: Limits = Limits(),  # noqa: B008 - immutable
    jobs: int = 1,
    name: str | None = None,
    memory: Memory = Nothing(),  # noqa: B008 - immutable
) -> Judged:
    """Holds one cell against what is expected of it.

    Args:
        metric: an object, or an `External` name, which is isolated.
        axiom: which one is asked.
        expectation: None if there is none.
        reading: regime and domain.
        settings: seed and budgets of the search.
        limits: on the work on a foreign metric.
        jobs: worker processes.
        name: the metric's name in the contract, where that differs.
        memory: of cells that were decided before.

    Raises:
        Interrupted: on KeyboardInterrupt.

    """
    pinned = {axiom.name: None if expectation is None else expectation.witness}
    with Workers(jobs, limits) as workers:
        (found,) = find_cells(metric, pinned, reading, settings, workers, jobs, name, memory=memory)
    return hold_cell(found, expectation)


def find_cells(
    metric: Metric | External,
    pinned: Mapping[str, Any],
    reading: Reading,
    settings: Settings,
    workers: Workers,
    jobs: int = 1,
    name: str | None = None,
    hear: Callable[[CellFound], None] = lambda found: None,
    listen: Callable[[Event], None] = lambda event: None,
    memory: Memory = Nothing(),  # noqa: B008 - immutable
    budget: Deadline | None = None,
) -> list[CellFound]:
    """Finds out about cells of one metric: those that have one by their pinned witness, the others by searching.

    A counterexample that the memory has and the metric does not score as it says is searched for again. Cells of a
    foreign metric that is not there, or cannot be loaded, are errors.

    Args:
        metric: an object, or an `External` name, which is isolated.
        pinned: axiom -> pinned witness, as a document, or None to search.
        reading: regime and domain.
        settings: seed and budgets of the search.
        workers: for the work on a foreign metric, within their limits.
        jobs: worker processes for another.
        name: the metric's name in the contract, where that differs.
        hear: called with every cell as it is found.
        listen: called with the events of the search.
        memory: of cells that were decided before; a search with a budget keeps nothing there.
        budget: a limit on the time of the search.

    Raises:
        Interrupted: on KeyboardInterrupt while searching.

    """
    name = name or metric.canonical
    found: dict[str, CellFound] = {}

    def book(done: CellFound) -> None:
        if done.cell.axiom not in found:
            found[done.cell.axiom] = done
            hear(done)

    documents = {axiom: document for axiom, document in pinned.items() if document is not None}
    remarks: dict[str, str] = {}
    for axiom, outcome in _replays(metric, documents, reading, workers, name):
        if not isinstance(outcome, Rescored):
            book(CellFound(_failed_replay(name, axiom, outcome), True))
        elif outcome.witness is None:
            remarks[axiom] = outcome.remark
        else:
            book(CellFound(_replayed_cell(name, axiom, outcome.witness), True, outcome.remark))

    def task_of(axiom: str) -> Task:
        return Task(find_axiom(axiom), (metric,), reading, first_block(settings))

    remembered = {axiom: memory.before(task_of(axiom), metric) for axiom in pinned if axiom not in found}
    earlier = {a: cell.of_metric(name) for a, cell in remembered.items() if cell and not later_examples(cell, settings)}
    shown = {axiom: document_of(cell.witness) for axiom, cell in earlier.items() if cell.witness is not None}
    for axiom, outcome in _replays(metric, shown, reading, workers, name):
        if not isinstance(outcome, Rescored) or outcome.witness is None or outcome.remark:
            del earlier[axiom]
            memory.disbelieve(task_of(axiom), metric)
    for axiom, cell in earlier.items():
        book(CellFound(cell, False, remarks.get(axiom, ""), True))

    def searched(cell: Cell) -> None:
        book(CellFound(cell.of_metric(name), False, remarks.get(cell.axiom, "")))

    def heard(event: Event) -> None:
        if isinstance(event, CellDecided):
            searched(event.cell)
        listen(event)

    left = [find_axiom(axiom) for axiom in pinned if axiom not in found]
    if left:
        try:
            machine = Machine(jobs, workers.limits, workers)
            cells = run_matrix(
                *([metric], left, reading, settings, machine), memory=memory, listen=heard, budget=budget
            ).cells
        except InvalidInput as error:  # it was there a moment ago, or nobody has tried to load it
            cells = tuple(failed(_undecided(name, axiom.name), error) for axiom in left)
        for cell in cells:
            searched(cell)
    return [found[axiom] for axiom in pinned]


_Failure: TypeAlias = InvalidInput | MetricError | InternalDisagreement


def _replays(
    metric: Metric | External,
    documents: Mapping[str, Any],
    reading: Reading,
    workers: Workers,
    name: str,
) -> Iterator[tuple[str, Rescored | _Failure]]:
    if isinstance(metric, Metric):
        for axiom, document in documents.items():
            try:
                yield axiom, rescore(metric, find_axiom(axiom), document, reading, name)
            except (InvalidInput, MetricError, InternalDisagreement) as error:
                yield axiom, error
        return
    asked = {
        axiom: workers.submit(
            rescore_foreign, metric.canonical, axiom, document, reading, name, needs=library_of(metric.canonical)
        )
        for axiom, document in documents.items()
    }
    for axiom, future in asked.items():
        try:
            yield axiom, outcome_of(future, workers.limits)
        except (InvalidInput, MetricError, InternalDisagreement) as error:
            yield axiom, error


def _failed_replay(name: str, axiom: str, error: _Failure) -> Cell:
    if isinstance(error, InvalidInput):
        why = str(error).removeprefix("witness: ")
        error = InvalidInput(
            f"the pinned witness cannot be used: {why}; delete its file and run axiomcheck gate --update"
        )
    return failed(_undecided(name, axiom), error)


def _undecided(name: str, axiom: str) -> Cell:
    return Cell(name, None, axiom, Verdict.UNDECIDED, None, NOT_DECIDED)


def _replayed_cell(name: str, axiom: str, document: Any) -> Cell:
    witness = read(witness_kind(find_axiom(axiom)), document, "witness")
    evidence = PinnedEvidence(instances=1)
    return Cell(name, None, axiom, Verdict.REFUTED, None, COUNTEREXAMPLE, evidence=evidence, witness=witness)


def hold_cell(found: CellFound, expectation: Expectation | None) -> Judged:
    """Holds what was found of a cell against what is expected of it."""
    cell, remark = found.cell, found.remark
    got = expected_of(cell)

    def judged(status: Status, message: str, remark: str = "") -> Judged:
        return Judged(cell.metric, cell.axiom, status, message, cell, found.replayed, cell.instances, remark)

    if got is None:
        return judged("disagreement" if cell.contradicts_axiomcheck else "error", f"{cell.reason.rstrip('.')}.")
    why = violation_sentence(cell).rstrip(".") if got == "violated" else cell.reason.rstrip(".")
    if expectation is None:
        return judged("unrecorded", f"nothing is recorded for it; it {_IS[got]}: {why}.")
    expected, reason = expectation.expect, expectation.reason.rstrip(".")
    few = f"the budget of time was for {counted(cell.instances, 'instance')}, which do not tell"
    untold = cut_short(cell) and cell.witness is None and cell.certificate is None
    if untold and (got != expected or (got == "holds" and cell.instances < _ENOUGH)):
        return judged("error", f"{_SHOULD[expected]}, and {few}: {why}.")
    if got == expected:
        if got == "violated" and expectation.witness is None:
            remark = "no witness is pinned"
        how = ", by the pinned witness" if found.replayed else ""
        return judged("as-expected", f"{_IS[got]} as expected{how}: {reason or why}.", remark)
    status: Status = "better" if _RANK[got] > _RANK[expected] else "worse"
    stated = f" ({reason})" if reason else ""
    replayed = f" Of the pinned witness: {remark}." if remark else ""
    return judged(status, f"{_SHOULD[expected]}{stated}, but {_IS[got]}: {why}.{replayed}")


def check_outcomes(
    metric: Metric | External,
    seed: int,
    workers: Workers,
    reference: str | None,
    tolerance: float,
    seconds: float | None = None,
) -> Sequence[Outcome]:
    """The outcomes of a metric's contract checks.

    Args:
        metric: an object, or an `External` name, which is isolated.
        seed: of the cases.
        workers: for the checks of a foreign metric or reference, within their limits together.
        reference: the name of a metric that it is to agree with.
        tolerance: how far apart the two may be.
        seconds: that there are for it, if they are limited.

    Raises:
        InvalidInput: the metric or its reference is not there or cannot be loaded.
        MetricError: the checks together hung or crashed, or some are missing.

    """
    if isinstance(metric, Metric) and reference is None:
        return run_contract(metric, tolerance=tolerance, seed=seed)
    asked = workers.submit(
        _contract_of,
        *(metric.canonical, reference, tolerance, seed, seconds),
        needs=library_of(metric.canonical),
        seconds=seconds,
    )
    found: Sequence[Outcome] = outcome_of(asked, workers.limits)
    if [outcome.check for outcome in found] != list(CHECKS):  # the metric's code ran beside them
        raise MetricError(f"of {len(CHECKS)} contract checks {len(found)} came back")
    return found


def _contract_of(
    name: str, reference: str | None, tolerance: float, seed: int, seconds: float | None
) -> Sequence[Outcome]:
    """In a worker."""
    other = resolve(reference) if reference is not None else None
    return run_contract(for_contract(resolve(name), seconds), reference=other, tolerance=tolerance, seed=seed)


def hold_check(name: str, outcome: Outcome, reason: str | None, applied: bool = False) -> JudgedCheck:
    """Holds the outcome of a contract check against what is expected: to fail for a reason, or not to (None).

    Args:
        name: of the metric.
        outcome: what was found.
        reason: why it is all right that the check fails; None if it is not.
        applied: whether the check applied when the contract was recorded, and so has to apply.

    """

    def judged(status: Status, message: str) -> JudgedCheck:
        return JudgedCheck(name, outcome.check, status, message, outcome)

    failing = outcome.status in ("failed", "error")
    why = outcome.reason.rstrip(".")
    if failing and reason is None:
        return judged("worse", f"expected to pass, but fails: {why}.")
    if failing:
        return judged("as-expected", f"fails as expected: {reason}")
    if applied and outcome.status == "not-applicable":
        return judged("worse", f"applied when it was recorded, but does not apply: {why}.")
    if reason is not None:
        words = {"passed": "passes", "admitted": f"is admitted: {why}"}
        word = words.get(outcome.status, f"does not apply: {why}")
        return judged("better", f"expected to fail ({reason.rstrip('.')}), but {word}.")
    return judged("as-expected", f"{outcome.status}{f': {why}' if why else ''}")

"""Judge cells and contract checks: replay pinned witnesses, search for what should hold, compare with expectations."""

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
    """One cell as it was found.

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


@dataclass(frozen=True)
class CellSearch:
    """The circumstances in which cells of one metric are found.

    Args:
        metric: an object, or an `External` name, which is isolated.
        name: the metric's name in the contract.
        reading: regime and domain.
        settings: seed and budgets of the search.
        workers: for the work on an external metric, within their limits.
        jobs: worker processes for another.
        memory: of cells that were decided before; a search with a budget keeps nothing there.
        budget: a limit on the time of the search.

    """

    metric: Metric | External
    name: str
    reading: Reading
    settings: Settings
    workers: Workers
    jobs: int = 1
    memory: Memory = Nothing()  # noqa: RUF009 - immutable
    budget: Deadline | None = None

    def task(self, axiom: str) -> Task:
        """Return the first block of a cell."""
        return Task(find_axiom(axiom), (self.metric,), self.reading, first_block(self.settings))

    def failed(self, axiom: str, error: Failure) -> Cell:
        """Return the cell that could not be found out about."""
        return failed(Cell(self.name, None, axiom, Verdict.UNDECIDED, None, NOT_DECIDED), error)


def judge_cell(
    metric: Metric,
    axiom: Axiom,
    expectation: Expectation | None,
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(proofs=False),  # noqa: B008 - immutable
    memory: Memory = Nothing(),  # noqa: B008 - immutable
) -> Judged:
    """Hold one cell of a metric object against what is expected of it.

    Args:
        metric: which one is asked.
        axiom: likewise.
        expectation: None if there is none.
        reading: regime and domain.
        settings: seed and budgets of the search.
        memory: of cells that were decided before.

    Raises:
        Interrupted: on KeyboardInterrupt.

    """
    pinned = {axiom.name: None if expectation is None else expectation.witness}
    with Workers(1, Limits()) as workers:
        search = CellSearch(metric, metric.canonical, reading, settings, workers, memory=memory)
        (found,) = find_cells(search, pinned)
    return hold_cell(found, expectation)


def find_cells(
    search: CellSearch,
    pinned: Mapping[str, Any],
    hear: Callable[[CellFound], None] = lambda found: None,
    listen: Callable[[Event], None] = lambda event: None,
) -> list[CellFound]:
    """Find out about cells of one metric: by pinned witnesses, else from the memory, else by searching.

    Cells of an external metric that is not there, or cannot be loaded, are errors.

    Args:
        search: what they are found with.
        pinned: axiom -> pinned witness, as a document, or None to search.
        hear: called with every cell as it is found.
        listen: called with the events of the search.

    Raises:
        Interrupted: on KeyboardInterrupt while searching.

    """
    found: dict[str, CellFound] = {}
    remarks: dict[str, str] = {}

    def book(cell: Cell, *, replayed: bool = False, remark: str = "", known: bool = False) -> None:
        if cell.axiom not in found:
            found[cell.axiom] = CellFound(cell, replayed, remark or remarks.get(cell.axiom, ""), known)
            hear(found[cell.axiom])

    documents = {axiom: document for axiom, document in pinned.items() if document is not None}
    for axiom, outcome in _replays(search, documents):
        if not isinstance(outcome, Rescored):
            book(_failed_replay(search, axiom, outcome), replayed=True)
        elif outcome.witness is None:
            remarks[axiom] = outcome.remark
        else:
            book(_replayed_cell(search, axiom, outcome.witness), replayed=True, remark=outcome.remark)
    for cell in _remembered(search, [axiom for axiom in pinned if axiom not in found]):
        book(cell, known=True)
    for cell in _searched(search, [axiom for axiom in pinned if axiom not in found], book, listen):
        book(cell)
    return [found[axiom] for axiom in pinned]


def _remembered(search: CellSearch, axioms: Sequence[str]) -> Iterator[Cell]:
    """Yield the cells that the memory has; a counterexample that does not score as it says is forgotten."""
    before = {axiom: search.memory.before(search.task(axiom), search.metric) for axiom in axioms}
    cells = {
        axiom: cell.of_metric(search.name)
        for axiom, cell in before.items()
        if cell and not later_examples(cell, search.settings)
    }
    shown = {axiom: document_of(cell.witness) for axiom, cell in cells.items() if cell.witness is not None}
    for axiom, outcome in _replays(search, shown):
        if not isinstance(outcome, Rescored) or outcome.witness is None or outcome.remark:
            del cells[axiom]
            search.memory.disbelieve(search.task(axiom), search.metric)
    yield from cells.values()


def _searched(
    search: CellSearch, axioms: Sequence[str], book: Callable[[Cell], None], listen: Callable[[Event], None]
) -> Sequence[Cell]:
    """Return the cells as a search decides them; each is told as soon as it is decided."""
    if not axioms:
        return ()

    def heard(event: Event) -> None:
        if isinstance(event, CellDecided):
            book(event.cell.of_metric(search.name))
        listen(event)

    try:
        machine = Machine(search.jobs, search.workers.limits, search.workers)
        cells = run_matrix(
            *([search.metric], [find_axiom(axiom) for axiom in axioms], search.reading, search.settings, machine),
            memory=search.memory,
            listen=heard,
            budget=search.budget,
        ).cells
    except InvalidInput as error:  # it was there a moment ago, or nobody has tried to load it
        return [search.failed(axiom, error) for axiom in axioms]
    return [cell.of_metric(search.name) for cell in cells]


Failure: TypeAlias = InvalidInput | MetricError | InternalDisagreement
"""Why nothing came of a piece of work on a metric."""


def _replays(search: CellSearch, documents: Mapping[str, Any]) -> Iterator[tuple[str, Rescored | Failure]]:
    """Yield what comes of scoring each document's witness again: (axiom, outcome)."""
    metric, more = search.metric, (search.reading, search.name)
    asked = {
        axiom: search.workers.submit(
            rescore_foreign, metric.canonical, axiom, document, *more, needs=library_of(metric.canonical)
        )
        for axiom, document in documents.items()
        if isinstance(metric, External)
    }
    for axiom, document in documents.items():
        try:
            if isinstance(metric, Metric):
                yield axiom, rescore(metric, find_axiom(axiom), document, *more)
            else:
                yield axiom, outcome_of(asked[axiom], search.workers.limits)
        except (InvalidInput, MetricError, InternalDisagreement) as error:
            yield axiom, error


def _failed_replay(search: CellSearch, axiom: str, error: Failure) -> Cell:
    if isinstance(error, InvalidInput):
        why = str(error).removeprefix("witness: ")
        error = InvalidInput(
            f"the pinned witness cannot be used: {why}; delete its file and run axiomcheck gate --update"
        )
    return search.failed(axiom, error)


def _replayed_cell(search: CellSearch, axiom: str, document: Any) -> Cell:
    witness = read(witness_kind(find_axiom(axiom)), document, "witness")
    evidence = PinnedEvidence(instances=1)
    return Cell(search.name, None, axiom, Verdict.REFUTED, None, COUNTEREXAMPLE, evidence=evidence, witness=witness)


def hold_cell(found: CellFound, expectation: Expectation | None) -> Judged:
    """Hold what was found of a cell against what is expected of it."""
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
    """Return the outcomes of a metric's contract checks.

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
    """Run the contract checks in a worker."""
    other = resolve(reference) if reference is not None else None
    return run_contract(for_contract(resolve(name), seconds), reference=other, tolerance=tolerance, seed=seed)


def hold_check(name: str, outcome: Outcome, reason: str | None, applied: bool = False) -> JudgedCheck:
    """Hold the outcome of a contract check against what is expected: to fail for a reason, or not to (None).

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

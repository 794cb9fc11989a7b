"""One metric under all three regimes at once, with its contract and the catalogue metrics that it resembles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace

from msgspec import structs

from axiomcheck.axioms import Axiom
from axiomcheck.checks.as_fold import ProposedFold, proposed_fold
from axiomcheck.checks.contract import CHECKS, Outcome, run_contract
from axiomcheck.checks.neighbours import (
    Neighbour,
    Row,
    Violated,
    neighbours,
    row_of_cells,
    violations_beside,
    yardstick,
)
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.decide.search import Settings
from axiomcheck.engine.budget import Deadline, Question, decided_within, for_contract
from axiomcheck.engine.cells import ledger_of
from axiomcheck.engine.foreign import missing
from axiomcheck.engine.matrix import Event, Foreign, Interrupted, Limits, Progress, run_matrix
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import TimedOut, Work, Workers, outcome_of
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.records.values import ReadingRecord
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve


@dataclass(frozen=True)
class FoundBeside:
    """What is found of a metric beside its cells.

    Args:
        contract: the contract checks' outcomes.
        notes: what verdicts on a library's measure depend on (ties, unjudged documents, integer grades).
        fold: the declared fold that a function of the user's own agrees with, if one was found.

    """

    contract: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    fold: ProposedFold | None = None


@dataclass(frozen=True)
class Checked:
    """What is known of one metric.

    Args:
        metric: its canonical name.
        ledgers: its row under ``stated``, ``limit`` and ``finite``.
        beside: its contract checks, notes, and the fold that it agrees with.
        neighbours: the catalogue metrics with the same row, or the nearest.
        yardstick: a catalogue metric that violations are set beside; empty without one.
        violations: every violation, and whether that metric has it, too.

    """

    metric: str
    ledgers: tuple[Ledger, ...]
    beside: FoundBeside
    neighbours: tuple[Neighbour, ...]
    yardstick: str = ""
    violations: tuple[Violated, ...] = ()

    @property
    def cells(self) -> list[Cell]:
        """Every cell of every regime."""
        return [cell for ledger in self.ledgers for cell in ledger.cells]


def check_metric(
    metric: Metric | Foreign,
    axioms: Sequence[Axiom],
    domain: Domain = Domain.GRADED,
    settings: Settings = Settings(),  # noqa: B008 - immutable
    jobs: int = 1,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    reference: str | None = None,
    listen: Callable[[Event], None] = lambda event: None,
    budget: Deadline | None = None,
) -> Checked:
    """Decides a metric's row under every regime and runs its contract checks.

    Args:
        metric: of the catalogue, an object, or a `Foreign` name.
        axioms: in report order; with none, the contract is checked alone.
        domain: graded or binary.
        settings: seed and budgets.
        jobs: worker processes.
        limits: on each piece of work of a foreign metric.
        reference: the name of a metric that it is to agree with.
        listen: called with every event.
        budget: a limit on the time of all of it, see `axiomcheck.engine.matrix.run_matrix`.

    Raises:
        InvalidInput: the metric or its reference is not there or cannot be loaded.
        Interrupted: on KeyboardInterrupt, with what was decided so far of the regime at work, or, while the contract
            is checked, of the stated one.

    """
    foreign = isinstance(metric, Foreign) or reference is not None or budget is not None
    with Workers(jobs, limits) if foreign else nullcontext() as workers:
        if workers is not None and budget is not None:
            asked = (metric, axioms, domain, settings, jobs, workers, listen)
            ledgers, beside = _within(*asked, reference, budget)
        else:
            ledgers = _rows(metric, axioms, domain, settings, jobs, workers, listen)
            try:
                beside = check_contract(metric, settings.seed, workers, reference, loaded=bool(axioms))
            except KeyboardInterrupt:
                raise Interrupted(ledgers[0]) from None
    listen(Progress(1.0, "contract"))
    row: Row = {}
    for ledger in ledgers:
        row |= row_of_cells(ledger.regime, ledger.cells)
    near = neighbours(row, metric.canonical) if domain is Domain.GRADED else []
    usual = yardstick(row, metric.canonical, reference) if domain is Domain.GRADED else ""
    violations = violations_beside(row, usual) if usual else []
    return Checked(metric.canonical, tuple(ledgers), beside, tuple(near), usual, tuple(violations))


def _rows(
    metric: Metric | Foreign,
    axioms: Sequence[Axiom],
    domain: Domain,
    settings: Settings,
    jobs: int,
    workers: Workers | None,
    listen: Callable[[Event], None],
) -> list[Ledger]:
    """The metric's row under every regime."""
    stages = _stages(axioms, domain)
    decided: dict[tuple[str, bool], Cell] = {}
    for number, (reading, chosen) in enumerate(stages):

        def heard(event: Event, number: int = number) -> None:
            if isinstance(event, Progress):
                event = Progress(0.45 * (number + event.share), event.doing)
            listen(event)

        if chosen:
            ledger = run_matrix([metric], chosen, reading, settings, jobs, heard, workers=workers)
            for axiom, cell in zip(chosen, ledger.cells, strict=True):
                decided[axiom.name, assumes_small(axiom, reading)] = cell
    return _ledgers(decided, axioms, domain, settings)


def _stages(axioms: Sequence[Axiom], domain: Domain) -> list[tuple[Reading, Sequence[Axiom]]]:
    """In which reading which axioms are decided.

    What a cell is depends on the regime only through whether r << 1 is assumed: each such cell is decided once.
    """
    small_axioms = [axiom for axiom in axioms if axiom.can_be_small]
    return [(Reading(Regime.FINITE, domain), axioms), (Reading(Regime.LIMIT, domain), small_axioms)]


def _ledgers(
    decided: Mapping[tuple[str, bool], Cell],
    axioms: Sequence[Axiom],
    domain: Domain,
    settings: Settings,
    seconds: float | None = None,
) -> list[Ledger]:
    """The rows under every regime, of cells by axiom and whether r << 1 is assumed."""
    ledgers = []
    for regime in Regime:
        reading = Reading(regime, domain)
        cells = [_in_reading(decided[axiom.name, assumes_small(axiom, reading)], reading) for axiom in axioms]
        ledgers.append(ledger_of(cells, reading, settings, seconds))
    return ledgers


def _within(
    metric: Metric | Foreign,
    axioms: Sequence[Axiom],
    domain: Domain,
    settings: Settings,
    jobs: int,
    workers: Workers,
    listen: Callable[[Event], None],
    reference: str | None,
    budget: Deadline,
) -> tuple[list[Ledger], FoundBeside]:
    """Rows, contract checks and notes of a run with a budget: the checks run beside the cells."""
    questions = [Question(metric, axiom, reading) for reading, chosen in _stages(axioms, domain) for axiom in chosen]
    seconds = budget.left() * (1.0 if not questions else 0.6 if jobs > 1 else 0.35)
    answers: dict[int, Cell] = {}

    def ledgers() -> list[Ledger]:
        decided = {}
        for number, asked in enumerate(questions):
            cell = answers.get(number) or missing(metric, asked.axiom, "interrupted before it was decided")
            decided[asked.axiom.name, assumes_small(asked.axiom, asked.reading)] = cell
        return _ledgers(decided, axioms, domain, settings, budget.seconds)

    checks = _submitted(metric, settings.seed, workers, reference, bool(axioms), seconds)
    try:
        if jobs == 1:
            wait([checks])
        if questions:
            meanwhile = [checks] if jobs > 1 else []
            with closing(decided_within(questions, settings, workers, jobs, budget, answers, meanwhile)) as events:
                for event in events:
                    listen(event)
        found = _found_beside(checks, workers, seconds)
    except KeyboardInterrupt:
        raise Interrupted(ledgers()[0]) from None
    return ledgers(), found


def unusable(metric: Foreign, axioms: Sequence[Axiom], domain: Domain, settings: Settings, why: str) -> Checked:
    """What there is to say of a metric that cannot be loaded: every cell is in error."""
    cells = [failed(missing(metric, axiom), InvalidInput(why)) for axiom in axioms]
    ledgers = tuple(ledger_of(cells, Reading(regime, domain), settings) for regime in Regime)
    return Checked(metric.canonical, ledgers, FoundBeside((_in_error(why),)), ())


def _in_reading(cell: Cell, reading: Reading) -> Cell:
    return replace(cell, witness=cell.witness and structs.replace(cell.witness, reading=ReadingRecord.of(reading)))


def check_contract(
    metric: Metric | Foreign,
    seed: int,
    workers: Workers | None,
    reference: str | None = None,
    *,
    loaded: bool = True,
) -> FoundBeside:
    """The outcomes of the contract checks, the metric's notes, and the fold that it agrees with.

    Args:
        metric: of the catalogue, an object, or a `Foreign` name.
        seed: of the cases.
        workers: for what is foreign; None where neither metric nor reference is.
        reference: the name of a metric that it is to agree with.
        loaded: whether the metric has been loaded before, so that it counts as one that failed if it cannot be now.

    Raises:
        InvalidInput: the reference, or a metric that was not loaded before, is not there or cannot be loaded.

    """
    if workers is None:
        assert isinstance(metric, Metric)
        return _beside(metric, seed, None)
    checks = _submitted(metric, seed, workers, reference, loaded)
    return _found_beside(checks, workers, died=lambda why: _one_by_one(metric, seed, workers, reference, why))


def _one_by_one(metric: Metric | Foreign, seed: int, workers: Workers, reference: str | None, died: str) -> FoundBeside:
    """What comes of the checks each in a process of its own, after one that was to run them all died."""
    loading = workers.submit(_foreign_beside, metric.canonical, seed, reference, True, None, ())
    asked = {
        check: workers.submit(_foreign_beside, metric.canonical, seed, reference, True, None, (check.name,))
        for check in CHECKS.values()
    }
    outcomes: list[Outcome] = []
    try:
        loaded: FoundBeside = outcome_of(loading, workers.limits)
        for check, future in asked.items():
            try:
                outcomes += outcome_of(future, workers.limits).contract
            except MetricError as error:
                outcomes.append(Outcome(check.name, check.group, "error", str(error), 0, None))
    except MetricError:
        for future in asked.values():
            future.cancel()
        return FoundBeside((_in_error(died),))
    if {outcome.status for outcome in outcomes} <= {"error", "not-applicable"}:
        return FoundBeside((_in_error(died),), loaded.notes)
    return replace(loaded, contract=tuple(outcomes))


def _submitted(
    metric: Metric | Foreign,
    seed: int,
    workers: Workers,
    reference: str | None,
    loaded: bool,
    seconds: float | None = None,
) -> Future[Work]:
    """The contract checks, on their way in a worker, which has so many seconds for them where there is a budget."""
    name = metric.canonical
    work = (_foreign_beside, name, seed, reference, loaded, seconds, None)
    return workers.submit(*work, needs=library_of(name), seconds=seconds)


def _found_beside(
    checks: Future[Work],
    workers: Workers,
    seconds: float | None = None,
    died: Callable[[str], FoundBeside] | None = None,
) -> FoundBeside:
    """What came of the checks; where they ended their process, what ``died`` makes of the reason."""
    limits = workers.limits if seconds is None else replace(workers.limits, seconds=round(seconds, 1))
    try:
        found: FoundBeside = outcome_of(checks, limits)
    except MetricError as error:
        # Of what ran out of time, each check by itself may, too.
        if died is not None and isinstance(error, OverLimit) and not isinstance(error, TimedOut):
            return died(str(error))
        return FoundBeside((_in_error(str(error)),))
    return found


def _in_error(why: str) -> Outcome:
    return Outcome("contract", "purity", "error", why, 0, None)


def _beside(
    metric: Metric,
    seed: int,
    reference: Metric | None,
    seconds: float | None = None,
    checks: Sequence[str] | None = None,
) -> FoundBeside:
    checked = for_contract(metric, seconds)
    # A limit on time is for verdicts: where there is one, no fold is looked for.
    fold = proposed_fold(metric) if seconds is None and checks is None else None
    outcomes = run_contract(checked, reference=reference, seed=seed, checks=checks)
    return FoundBeside(tuple(outcomes), checked.abilities.notes, fold)


def _foreign_beside(
    name: str, seed: int, reference: str | None, loaded: bool, seconds: float | None, checks: tuple[str, ...] | None
) -> FoundBeside:
    """In a worker."""
    try:
        metric = resolve(name)
    except InvalidInput as error:
        if loaded:
            raise MetricError(str(error)) from None
        raise
    return _beside(metric, seed, resolve(reference) if reference else None, seconds, checks)

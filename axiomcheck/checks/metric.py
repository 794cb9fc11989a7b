"""Check one metric: verdicts in all three regimes, contract checks, undeclared properties, and known definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass, replace

from axiomcheck.axioms import Axiom
from axiomcheck.checks.contract import CHECKS, Outcome, cut_short, run_contract
from axiomcheck.checks.definitions.known import KnownDefinition, known_definition
from axiomcheck.checks.inferred import Inference, inferred
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.decide.budgets import Settings
from axiomcheck.engine.budget import for_contract
from axiomcheck.engine.cells import ledger_of, missing
from axiomcheck.engine.events import Event, Interrupted, Progress, within
from axiomcheck.engine.external import LATE, prepare, prepared
from axiomcheck.engine.memory import Memory, Remembered
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import Stopped, run
from axiomcheck.engine.tasks import Deadline, External, Plan, Question
from axiomcheck.ledger.file import LedgerFile
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, TimedOut, Work, Workers, outcome_of
from axiomcheck.processes.piece import answer_so_far, naming_memory_limit
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.records.values import ReadingRecord
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.names import library_of
from axiomcheck.sources.provenance import Origin, is_genuine, origin_of
from axiomcheck.sources.resolve import resolve

_FOR_CELLS = 0.85
"""Share of a budget that is reserved for the cells. The contract checks get the remaining time."""


@dataclass(frozen=True)
class Checked:
    """Result of checking one metric.

    Args:
        metric: Canonical name.
        ledgers: Row of cells in each regime: ``stated``, ``limit``, ``finite``.
        tried: Results other than the cells, such as the contract checks.
        remembered: Number of searches that were not run, because their results were in the user's ledger file.

    """

    metric: str
    ledgers: tuple[Ledger, ...]
    tried: Examined
    remembered: int = 0

    @property
    def cells(self) -> list[Cell]:
        """Cells of all regimes, regime by regime."""
        return [cell for ledger in self.ledgers for cell in ledger.cells]


def check_metric(
    metric: Metric | External,
    axioms: Sequence[Axiom],
    domain: Domain = Domain.GRADED,
    settings: Settings = Settings(),  # noqa: B008 - immutable
    jobs: int = 1,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    reference: str | Metric | None = None,
    listen: Callable[[Event], None] = lambda event: None,
    budget: Deadline | None = None,
    ledger: LedgerFile | None = None,
) -> Checked:
    """Decide which axioms a metric satisfies in every regime, and run its contract checks.

    Args:
        metric: Catalogue metric, other metric object, or `External` name.
        axioms: Axioms in report order; if empty, only the contract is checked.
        domain: Domain of grades, graded or binary.
        settings: Seed and budgets.
        jobs: Number of worker processes.
        limits: Limits on each task of an external metric.
        reference: Reference metric that the metric should agree with. If it is given by name, it is loaded in the
            same process as the metric.
        listen: Callback for every event.
        budget: Time limit for the whole check; see `axiomcheck.engine.tasks.Plan`.
        ledger: Cache of cells of catalogue metrics. It is not used with a budget.

    Raises:
        InvalidInput: The metric or its reference does not exist or cannot be loaded.
        Interrupted: The user interrupted the check. The error contains the cells of the stated regime so far.

    """
    origin = None if isinstance(metric, External) else origin_of(metric)
    if origin is None and isinstance(reference, Metric):
        raise InvalidInput(
            f"{metric.canonical} runs in separate processes, which cannot access the object {reference}; give the "
            f"reference by name"
        )
    # A metric without a name that workers can resolve is checked in this process, like its cells.
    referred = origin is Origin.CATALOGUE and isinstance(reference, str)
    foreign = origin is None or budget is not None or referred
    part = None if budget is None else budget.part(_FOR_CELLS)
    asked = _plan(metric, axioms, domain, settings, part)
    with Workers(jobs, limits) if foreign else nullcontext() as workers:
        memory = Remembered(ledger) if ledger is not None and budget is None else Memory()
        if budget is not None and isinstance(reference, Metric):
            raise InvalidInput(f"{reference} is an object; with a budget, give the reference by name")
        machine = Machine(jobs, limits, workers)
        ledgers = _rows(asked, axioms, domain, machine, memory, listen if budget else within(listen, 0.0, 0.9))
        listen(Progress(0.9, "contract"))
        try:
            seconds = None if budget is None else max(0.1, budget.left())
            reasons = {cell.reason for ledger in ledgers for cell in ledger.cells}
            if reasons and all(reason.endswith(LATE) for reason in reasons):  # the checks would be as late
                tried = _in_error(reasons.pop().removesuffix(LATE))
            else:
                tried = check_contract(metric, settings.seed, workers, reference, seconds, loaded=bool(axioms))
        except KeyboardInterrupt:
            raise Interrupted(ledgers[0]) from None
    listen(Progress(1.0, "contract"))
    return Checked(metric.canonical, tuple(ledgers), tried, memory.found)


def _plan(
    metric: Metric | External, axioms: Sequence[Axiom], domain: Domain, settings: Settings, budget: Deadline | None
) -> Plan:
    """Return the plan for deciding a metric's row in every regime.

    A cell depends on the regime only through the assumption r << 1. An axiom is therefore decided at most twice.
    """
    small_axioms = [axiom for axiom in axioms if axiom.can_be_small]
    readings = ((Reading(Regime.FINITE, domain), axioms), (Reading(Regime.LIMIT, domain), small_axioms))
    questions = tuple(Question(metric, axiom, reading) for reading, chosen in readings for axiom in chosen)
    return Plan(questions, settings, budget)


def _rows(
    plan: Plan,
    axioms: Sequence[Axiom],
    domain: Domain,
    machine: Machine,
    memory: Memory,
    listen: Callable[[Event], None],
) -> list[Ledger]:
    """Decide the plan's cells, and return the metric's row in every regime.

    Raises:
        Interrupted: The user interrupted the run. The error contains the row of the stated regime so far.

    """

    def ledgers(cells: Sequence[Cell]) -> list[Ledger]:
        asked = [(question.axiom.name, assumes_small(question.axiom, question.reading)) for question in plan.questions]
        decided = dict(zip(asked, cells, strict=True))
        seconds = None if plan.budget is None else plan.budget.seconds
        rows = []
        for regime in Regime:
            reading = Reading(regime, domain)
            record = ReadingRecord.of(reading)
            row = [decided[axiom.name, assumes_small(axiom, reading)].in_reading(record) for axiom in axioms]
            rows.append(ledger_of(row, reading, plan.settings, seconds))
        return rows

    try:
        return ledgers(run(plan, machine, memory, listen))
    except Stopped as stop:
        raise Interrupted(ledgers(stop.cells)[0]) from None


def unusable(
    metric: External, axioms: Sequence[Axiom], domain: Domain, settings: Settings, why: InvalidInput | MetricError
) -> Checked:
    """Return the result for a metric that cannot be loaded or scored, with the error in every cell."""
    cells = [failed(missing(metric, axiom), why) for axiom in axioms]
    ledgers = tuple(ledger_of(cells, Reading(regime, domain), settings) for regime in Regime)
    return Checked(metric.canonical, ledgers, _in_error(str(why)))


def check_contract(
    metric: Metric | External,
    seed: int,
    workers: Workers | None,
    reference: str | Metric | None = None,
    seconds: float | None = None,
    *,
    loaded: bool = True,
) -> Examined:
    """Run the contract checks, and infer undeclared properties.

    Args:
        metric: Catalogue metric, other metric object, or `External` name.
        seed: Seed for the random cases.
        workers: Workers for external code; None to run everything in this process.
        reference: Reference metric that the metric should agree with. With workers, it must be a name.
        seconds: Timeout for all checks in seconds, if the run has a budget; used only with workers.
        loaded: True if the metric was loaded before, so that a failure to load it now counts as an error in the metric.

    Raises:
        InvalidInput: The reference cannot be loaded, or a metric that was not loaded before cannot be loaded.

    """
    if workers is None:
        assert isinstance(metric, Metric)
        return _examine(metric, seed, reference)
    assert not isinstance(reference, Metric)
    try:
        found: Examined = outcome_of(_submit(metric, seed, workers, reference, loaded=loaded, seconds=seconds))
    except TimedOut as error:
        return _until_the_limit(error)
    except MetricError as error:
        if seconds is None and isinstance(error, OverLimit):  # the process died
            return _one_by_one(metric, seed, workers, reference, str(error))
        return _in_error(str(error))
    named = (replace(one, reason=naming_memory_limit(one.reason, workers.limits.megabytes)) for one in found.contract)
    return replace(found, contract=tuple(named))


def _one_by_one(metric: Metric | External, seed: int, workers: Workers, reference: str | None, died: str) -> Examined:
    """Run every check in its own process, after a process that ran all checks died, to find the ones to blame."""
    loading = _submit(metric, seed, workers, reference, checks=())
    asked = {c: _submit(metric, seed, workers, reference, checks=(c.name,)) for c in CHECKS.values()}
    outcomes: list[Outcome] = []
    try:
        loaded: Examined = outcome_of(loading)
    except MetricError:
        for future in asked.values():
            future.cancel()
        return _in_error(died)
    for check, future in asked.items():
        try:
            outcomes += outcome_of(future).contract
        except MetricError as error:
            outcomes.append(Outcome(check.name, check.group, "error", str(error), 0, None))
    if {outcome.status for outcome in outcomes} <= {"error", "not-applicable"}:
        return replace(_in_error(died), notes=loaded.notes)
    return replace(loaded, contract=tuple(outcomes))


def _submit(
    metric: Metric | External,
    seed: int,
    workers: Workers,
    reference: str | None,
    *,
    loaded: bool = True,
    seconds: float | None = None,
    checks: tuple[str, ...] | None = None,
) -> Future[Work[Examined]]:
    """Submit the contract checks to a worker, with a timeout of `seconds` if that is not None."""
    name = metric.canonical
    work = (_examine_named, name, seed, reference, loaded, seconds, checks)
    once = (prepare, (name,)) if checks is None else None
    return workers.submit(*work, needs=library_of(name), seconds=seconds, prepare=once)


def _until_the_limit(error: TimedOut) -> Examined:
    """Return the result after a timeout: the finished checks count, and the interrupted one is an error."""
    partial, why = error.partial, str(error)
    if not isinstance(partial, Examined):
        return _in_error(why)
    names = [outcome.check for outcome in partial.contract]
    if names == list(CHECKS):
        return replace(partial, notes=(*partial.notes, f"it {why} before its undeclared properties were probed"))
    if names != list(CHECKS)[: len(names)]:  # the metric's code may have tampered with them
        return _in_error(why)
    return replace(partial, contract=tuple(cut_short(partial.contract, why, f"more time: {error.option}")))


def _in_error(why: str) -> Examined:
    return Examined((Outcome("contract", "purity", "error", why, 0, None),))


def _examine(
    metric: Metric,
    seed: int,
    reference: str | Metric | None,
    seconds: float | None = None,
    checks: Sequence[str] | None = None,
) -> Examined:
    """Run the contract checks in this process, and infer undeclared properties."""
    checked = for_contract(metric, seconds)
    reference = metric.reference if reference is None else reference
    other = resolve(reference) if isinstance(reference, str) else reference
    known = Examined((), checked.abilities.notes)

    def ended(outcomes: Sequence[Outcome]) -> None:
        answer_so_far(replace(known, contract=tuple(outcomes)))

    outcomes = run_contract(checked, reference=other, seed=seed, checks=checks, ended=ended)
    known = replace(known, contract=tuple(outcomes))
    if checks is not None:
        return known
    if any(outcome.check in _DEPENDS_ON_CALLS and outcome.status == "failed" for outcome in outcomes):
        return replace(known, inferred=inferred(checked, seed))  # not a function, so it computes no definition
    if not (metric.partial or is_genuine(metric)):
        known = replace(known, known=known_definition(checked))
        answer_so_far(known)
    if isinstance(metric, FunctionMetric | CallableMetric):
        from axiomcheck.derivation.agreement import agreeing_fold  # lazy: metrics of the catalogue do not need it

        try:
            derivation = agreeing_fold(metric)
        except MetricError as error:
            return replace(known, underived=str(error))
        derived = derivation.metric.text if derivation.metric is not None else ""
        known = replace(known, derived=derived, underived=derivation.why_not)
    return replace(known, inferred=inferred(checked, seed))


_DEPENDS_ON_CALLS = ("repeatable", "call-order", "batch-as-alone", "hash-seed")
"""Contract checks that fail if a score depends on more than the ranking and its topic."""


def _examine_named(
    name: str, seed: int, reference: str | None, loaded: bool, seconds: float | None, checks: tuple[str, ...] | None
) -> Examined:
    """Load a metric in a worker, and run the contract checks there."""
    try:
        metric = prepared(name)
    except InvalidInput as error:
        if loaded:
            raise MetricError(str(error)) from None
        raise
    return _examine(metric, seed, reference, seconds, checks)


@dataclass(frozen=True)
class Examined:
    """Results of checking a metric other than its cells.

    Args:
        contract: Outcomes of the contract checks.
        notes: Conventions of a library (ties, unjudged documents, integer grades) that verdicts depend on.
        inferred: Properties that probes suggest but the metric does not declare.
        derived: Fold that was derived from the source of a user's function, as text; empty if there is none.
        underived: Reason why no fold was derived, or only one for topics with a single aspect, with a line of the code;
            empty if there is none.
        known: Known definition that an external metric computes; None if no definition is near.

    """

    contract: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    inferred: tuple[Inference, ...] = ()
    derived: str = ""
    underived: str = ""
    known: KnownDefinition | None = None

"""Runs: plans cells, has them decided (in worker processes if asked), and reports events."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress

from axiomcheck.axioms import Axiom, axiom_names
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.search import BLOCK, Settings
from axiomcheck.engine.budget import Deadline, Question, decided_within
from axiomcheck.engine.campaign import Campaign, TimeUp, in_time
from axiomcheck.engine.cells import ledger_of
from axiomcheck.engine.events import CellDecided, Event, Interrupted, Listener, Progress
from axiomcheck.engine.foreign import Isolated, missing
from axiomcheck.engine.memory import Memory, Nothing
from axiomcheck.engine.places import Place, Pool, ThisProcess
from axiomcheck.engine.run import MatrixRun
from axiomcheck.engine.tasks import Foreign
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.workers import travels
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.sources.provenance import each_once, is_genuine
from axiomcheck.trials.fresh_process import fork_again_in_this_run

__all__ = ["CellDecided", "Deadline", "Event", "Foreign", "Interrupted", "Limits", "Progress", "run_matrix"]


def run_matrix(
    metrics: Sequence[Metric | Foreign],
    axioms: Sequence[Axiom],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(),  # noqa: B008 - immutable
    jobs: int = 1,
    listen: Listener = lambda event: None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    workers: Workers | None = None,
    budget: Deadline | None = None,
    place: Place | None = None,
    memory: Memory = Nothing(),  # noqa: B008 - immutable
    until: Deadline | None = None,
) -> Ledger:
    """Decides every metric x axiom cell.

    The outcome depends on metrics, axioms, reading and settings alone, and on limits where they are met; with a budget
    or in a campaign also on the machine.

    Args:
        metrics: in report order. Catalogue metrics and metric objects are trusted with this process and its workers;
            `Foreign` ones are isolated.
        axioms: in report order.
        reading: regime and domain.
        settings: seed and budgets.
        jobs: worker processes; 1 works in this one, and so does any number if a metric object cannot be sent there,
            such as one made of a lambda, or of a function of the script or notebook at work.
        listen: called with every event.
        limits: on each cell of a foreign metric.
        workers: to decide foreign metrics in, within their limits; None starts as many as jobs.
        budget: a limit on the time of all of it, for metrics that have a name: then every one of them, the catalogue's
            too, is decided in worker processes, on as many instances as the time allows.
        place: where cells are decided, entered and left by the caller; None is this machine, with as many processes as
            jobs. Metric objects that are not the catalogue's are decided on this machine all the same.
        memory: of what was decided before, which is not decided again. A run with a budget has none.
        until: makes it a campaign, which goes on after that with what least is known of, until then; see
            `axiomcheck.engine.campaign`. A budget leaves no time for one.

    Raises:
        Interrupted: on KeyboardInterrupt, with what was decided so far.
        InvalidInput: a budget was given, and a metric object that is not the catalogue's.
        InvalidInput: two different metrics have one name; one that is not of the catalogue has a name of the
            catalogue's; all metrics are foreign, and none is there or can be loaded. One that cannot be loaded among
            others has cells in error.

    """
    _check_axioms_have_names(metrics, axioms)
    each_once((metric.canonical, metric, metric) for metric in metrics)
    if budget is not None:
        return _within(metrics, axioms, reading, settings, jobs, listen, limits, workers, budget)
    different = {metric.canonical: metric for metric in metrics}.values()
    own = [metric for metric in different if isinstance(metric, Metric)]
    fork_again_in_this_run(own)
    foreign = [metric for metric in different if isinstance(metric, Foreign)]
    if until is not None:
        listen = in_time(listen, until)
    run = MatrixRun(metrics, axioms, reading, settings, memory, listen, None if until is None else until.seconds)
    here: Place | None = None
    apart: Place | None = None
    try:
        with suppress(TimeUp), ExitStack() as places:
            elsewhere = place is not None and travels(axioms)
            sent = [metric for metric in own if elsewhere and is_genuine(metric)]
            if place is not None and sent:
                run.decide_own(sent, here := place)
            rest = [metric for metric in own if not (elsewhere and is_genuine(metric))]
            if rest:
                processes = jobs if travels((rest, axioms)) else 1
                several = until is not None or settings.examples > BLOCK  # of a cell may be at work at a time
                most = processes if several else len(rest) * len(axioms)
                here = places.enter_context(_on_this_machine(processes, most))
                run.decide_own(rest, here)
                if until is None:
                    places.close()
            if foreign:
                most = min(jobs, len(foreign) * len(axioms))
                keepers = workers or places.enter_context(Workers(most, limits))
                apart = place or Isolated(keepers, most)
                run.decide_foreign(foreign, keepers, apart, alone=not own)
            if until is not None:
                Campaign(run, until, here, apart).go_on()
    except KeyboardInterrupt:
        raise Interrupted(run.ledger(interrupted=True)) from None
    return run.ledger()


def _check_axioms_have_names(metrics: Sequence[Metric | Foreign], axioms: Sequence[Axiom]) -> None:
    """Refuse axiom objects for metrics that are decided in other processes, which find axioms by their names.

    Raises:
        InvalidInput: an axiom has a name that says nothing there.

    """
    foreign = next((metric for metric in metrics if isinstance(metric, Foreign)), None)
    known = axiom_names()
    for axiom in axioms:
        if foreign is not None and axiom.name not in known and ":" not in axiom.name:
            raise InvalidInput(
                f"the axiom {axiom.name} is an object of this process, and {foreign.canonical} is decided in others; "
                f"expected the axiom by name, such as 'my_axioms.py:{axiom.name}', or the metric as an object"
            )


def _on_this_machine(jobs: int, tasks: int) -> AbstractContextManager[Place]:
    return nullcontext(ThisProcess()) if jobs == 1 or tasks == 1 else Pool(min(jobs, tasks))


def _within(
    metrics: Sequence[Metric | Foreign],
    axioms: Sequence[Axiom],
    reading: Reading,
    settings: Settings,
    jobs: int,
    listen: Listener,
    limits: Limits,
    workers: Workers | None,
    budget: Deadline,
) -> Ledger:
    """As `run_matrix`, of a run with a budget."""
    questions = [Question(metric, axiom, reading) for metric in metrics for axiom in axioms]
    answers: dict[int, Cell] = {}

    def ledger() -> Ledger:
        cells = [
            answers.get(number) or missing(question.metric, question.axiom) for number, question in enumerate(questions)
        ]
        return ledger_of(cells, reading, settings, budget.seconds)

    try:
        with (
            nullcontext(workers) if workers else Workers(min(jobs, len(questions)), limits) as place,
            closing(decided_within(questions, settings, place, jobs, budget, answers)) as events,
        ):
            for event in events:
                listen(event)
    except KeyboardInterrupt:
        raise Interrupted(ledger()) from None
    return ledger()

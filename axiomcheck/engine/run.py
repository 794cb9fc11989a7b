"""Decide all questions of a plan, block by block in the order of `axiomcheck.engine.queue`.

Every command that needs cells calls `run` or `run_matrix`.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from contextlib import suppress

from axiomcheck.axioms import Axiom, axiom_names
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import AxiomcheckError, InvalidInput
from axiomcheck.decide.budgets import Settings
from axiomcheck.engine.cells import ledger_of
from axiomcheck.engine.events import Interrupted, Listener
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Machine, Place, TaskEnded
from axiomcheck.engine.queue import BlockQueue, TimeUp
from axiomcheck.engine.tasks import Deadline, External, Plan, Report, Task, TaskShare
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.sources.provenance import Origin, each_once
from axiomcheck.trials.fresh_process import fork_again_in_this_run

_OFTEN = 0.2
"""Time without a message, in seconds, after which an executor is checked."""


class Stopped(AxiomcheckError):
    """Raised when a run is interrupted. `cells` holds its cells so far, in the order of the plan's questions."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__("interrupted")
        self.cells = tuple(cells)


def run(
    plan: Plan,
    machine: Machine = Machine(),  # noqa: B008 - immutable
    memory: Memory = Memory(),  # noqa: B008 - immutable
    listen: Listener = lambda event: None,
) -> tuple[Cell, ...]:
    """Decide every question of a plan, and return the cells in the plan's order.

    The result depends only on the plan and on whether metrics exceed the machine's limits. With a time limit, the
    result also depends on the speed of the machine.

    Args:
        plan: Questions, settings and time limits. Catalogue metrics and metric objects are trusted and run in this
            process or its workers. `External` metrics are isolated.
        machine: Processes that decide the cells.
        memory: Cache of decided cells, which are not decided again. A run with a budget stores nothing there.
        listen: Callback for every event.

    Raises:
        Stopped: The user interrupted the run. The error contains the cells so far.
        InvalidInput: A budget was given together with a metric object that does not come from the catalogue; two
            different metrics have the same name; a metric outside the catalogue has the name of a catalogue metric; or
            all metrics are external, and none can be loaded. If only some cannot be loaded, their cells are errors.

    """
    if not plan.questions:
        return ()
    _check_axioms_have_names(plan)
    each_once((metric.canonical, metric, metric) for metric in plan.metrics)
    fork_again_in_this_run([metric for metric in plan.metrics if isinstance(metric, Metric)])
    if plan.budget is not None:
        for metric in plan.metrics:
            if isinstance(metric, Metric) and plan.origins[id(metric)] is not Origin.CATALOGUE:
                raise InvalidInput(
                    f"{metric} is an object; with a time budget, give metrics by name, such as file.py:metric"
                )
    tasks = BlockQueue(plan, memory, listen)
    try:
        with suppress(TimeUp), machine.entered(plan) as (place, workers):
            tasks.load(place, workers)
            try:
                work_through(tasks, place)
            finally:
                tasks.finish()
    except KeyboardInterrupt:
        raise Stopped(tasks.cells(interrupted=True)) from None
    return tasks.cells()


def run_matrix(
    metrics: Sequence[Metric | External],
    axioms: Sequence[Axiom],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(),  # noqa: B008 - immutable
    machine: Machine = Machine(),  # noqa: B008 - immutable
    *,
    memory: Memory = Memory(),  # noqa: B008 - immutable
    listen: Listener = lambda event: None,
    budget: Deadline | None = None,
    until: Deadline | None = None,
) -> Ledger:
    """Decide the cell of every metric and every axiom in one reading.

    Args:
        metrics: Metrics in report order.
        axioms: Axioms in report order.
        reading: Regime and domain.
        settings: Seed and budgets.
        machine: Processes that decide the cells.
        memory: Cache of decided cells, which are not decided again. A run with a budget stores nothing there.
        listen: Callback for every event.
        budget: Time limit of the whole run. See `axiomcheck.engine.tasks.Plan`.
        until: Time until which the search continues after all cells are decided. See `axiomcheck.engine.tasks.Plan`.

    Raises:
        Interrupted: The user interrupted the run. The error contains the cells so far.
        InvalidInput: `run` rejects the metrics or the budget.

    """
    seconds = [None if limit is None else limit.seconds for limit in (budget, until)]
    try:
        cells = run(Plan.of(metrics, axioms, reading, settings, budget, until), machine, memory, listen)
    except Stopped as stop:
        raise Interrupted(ledger_of(stop.cells, reading, settings, *seconds)) from None
    return ledger_of(cells, reading, settings, *seconds)


def work_through(tasks: BlockQueue, place: Place) -> None:
    """Run the tasks of a queue on an executor until none are left, and pass all reports about them to the queue.

    Raises:
        BaseException: The queue raised an error, or the executor reported one. The executor may still be working.

    """
    here = threading.current_thread()
    said: queue.SimpleQueue[Report | TaskEnded | BaseException] = queue.SimpleQueue()
    at_work: dict[int, Task] = {}

    def hear(report: Report | TaskEnded | BaseException) -> None:
        if isinstance(report, BaseException):
            raise report
        if isinstance(report, TaskEnded):
            del at_work[id(report.task)]
            report = TaskShare(report.task, 1.0)
        tasks.hear(report)

    def say(report: Report | TaskEnded | BaseException) -> None:
        if threading.current_thread() is here:
            hear(report)
        else:
            said.put(report)

    while True:
        while len(at_work) < place.most and (task := tasks.next()) is not None:
            at_work[id(task)] = task
            place.begin(task, say)
        if not at_work:
            return
        try:
            hear(said.get(timeout=_OFTEN))
        except queue.Empty:
            place.look()
            for task in [*at_work.values()][:1]:
                tasks.hear(TaskShare(task, 0.0))


def _check_axioms_have_names(plan: Plan) -> None:
    """Check that axioms for external metrics have names that another process can resolve.

    Raises:
        InvalidInput: An axiom is an object in this process. The message says how to name it.

    """
    known = axiom_names()
    for question in plan.questions:
        name = question.axiom.name
        if question.external is not None and name not in known and ":" not in name:
            raise InvalidInput(
                f"the axiom {name} is an object in this process, but {question.metric.canonical} is decided in other "
                f"processes; give the axiom by name, such as 'my_axioms.py:{name}', or the metric as an object"
            )

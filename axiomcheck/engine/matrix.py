"""Runs: plans cells, has them decided (in worker processes if asked), and reports events."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, nullcontext
from multiprocessing.queues import SimpleQueue

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import OverLimit
from axiomcheck.decide.search import Settings
from axiomcheck.engine.budget import Deadline, Question, decided_within
from axiomcheck.engine.cells import Task, decide, ledger_of
from axiomcheck.engine.events import CellDecided, Event, Interrupted, Listener, Progress
from axiomcheck.engine.foreign import Foreign, isolated, missing
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.workers import begin_worker, births, end_pool, travels
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.sources.provenance import each_once

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
) -> Ledger:
    """Decides every metric x axiom cell.

    The outcome depends on everything but ``jobs`` and ``listen``; with a budget also on the machine.

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

    Raises:
        Interrupted: on KeyboardInterrupt, with what was decided so far.
        InvalidInput: a budget was given, and a metric object that is not the catalogue's.
        InvalidInput: two different metrics have one name; one that is not of the catalogue has a name of the
            catalogue's; all metrics are foreign, and none is there or can be loaded. One that cannot be loaded among
            others has cells in error.

    """
    each_once((metric.canonical, metric, metric) for metric in metrics)
    if budget is not None:
        return _within(metrics, axioms, reading, settings, jobs, listen, limits, workers, budget)
    own = tuple(m for m in metrics if isinstance(m, Metric))
    foreign = [m for m in metrics if isinstance(m, Foreign)]
    tasks = [Task(axiom, own, reading, settings) for axiom in axioms] if own else []
    share = len(own) / len(metrics) if metrics else 1.0
    done: dict[tuple[str, str], Cell] = {}

    def heard(event: Event) -> None:
        if isinstance(event, CellDecided):
            done[event.cell.metric, event.cell.axiom] = event.cell
        elif own and foreign and isinstance(event, Progress):
            event = Progress(share * event.share, event.doing)
        listen(event)

    try:
        if jobs == 1 or len(tasks) == 1 or not travels(tasks):
            _in_this_process(tasks, heard)
        elif tasks:
            _in_workers(tasks, jobs, heard)
        if foreign:
            with (
                nullcontext(workers) if workers else Workers(min(jobs, len(foreign) * len(axioms)), limits) as place,
                closing(isolated(foreign, axioms, reading, settings, place, not own)) as events,
            ):
                for event in events:
                    if isinstance(event, CellDecided):
                        done[event.cell.metric, event.cell.axiom] = event.cell
                    elif isinstance(event, Progress):
                        event = Progress(share + (1 - share) * event.share, event.doing)
                    listen(event)
    except KeyboardInterrupt:
        cells = [
            done.get((m.canonical, a.name)) or missing(m, a, "interrupted before it was decided")
            for m in metrics
            for a in axioms
        ]
        raise Interrupted(ledger_of(cells, reading, settings)) from None
    return ledger_of(
        [
            done.get((m.canonical, a.name)) or failed(missing(m, a), OverLimit("its worker process died"))
            for m in metrics
            for a in axioms
        ],
        reading,
        settings,
    )


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
            answers.get(number) or missing(question.metric, question.axiom, "interrupted before it was decided")
            for number, question in enumerate(questions)
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


def _in_this_process(tasks: Sequence[Task], heard: Listener) -> None:
    for number, task in enumerate(tasks):

        def progress(share: float, done: int = number, name: str = task.axiom.name) -> None:
            heard(Progress((done + share) / len(tasks), name))

        progress(0.0)
        for cell in decide(task, progress):
            heard(CellDecided(cell))


def _in_workers(tasks: Sequence[Task], jobs: int, heard: Listener) -> None:
    """Runs tasks in processes, longest first, passing on their events as they come."""
    context = multiprocessing.get_context("spawn")
    events = context.SimpleQueue()
    longest_first = sorted(tasks, key=lambda t: t.axiom.group == "relevance")
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), context, _start_worker, (events,))
    shares: dict[str, float] = {}
    try:
        with births():
            running = {pool.submit(_decide_in_worker, task) for task in longest_first}
        while running:
            ended, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            while not events.empty():
                event = events.get()
                if isinstance(event, Progress):
                    shares[event.doing] = event.share
                    event = Progress(sum(shares.values()) / len(tasks), event.doing)
                heard(event)
            for future in ended:
                future.result()
    except BrokenProcessPool:  # out of memory, killed: the cells that are missing say so
        pool.shutdown(cancel_futures=True)
        return
    except BaseException:
        end_pool(pool)
        raise
    pool.shutdown()


_events: SimpleQueue[Event] | None = None
"""In a worker: where its events go."""


def _start_worker(events: SimpleQueue[Event]) -> None:
    global _events
    _events = events
    begin_worker()


def _decide_in_worker(task: Task) -> None:
    assert _events is not None
    events = _events
    for cell in decide(task, lambda share: events.put(Progress(share, task.axiom.name))):
        events.put(CellDecided(cell))
    events.put(Progress(1.0, task.axiom.name))

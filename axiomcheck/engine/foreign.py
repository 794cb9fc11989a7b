"""Cells of metrics from outside: each decided in a process of its own, whatever the metric does to that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

import numpy as np

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import cell_of, decide
from axiomcheck.engine.places import OFTEN, Found, Hear, TaskShare
from axiomcheck.engine.received import SentCell, as_asked
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Work, Workers, outcome_of
from axiomcheck.records.causes import NOT_DECIDED
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.axiom_files import resolve_axiom
from axiomcheck.sources.brought import rounding_of
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve


class Isolated:
    """A place where foreign metrics are decided, each cell in a process of its own, whatever they do to that.

    Args:
        workers: the processes, which somebody else begins and ends.
        jobs: how many there are.

    """

    def __init__(self, workers: Workers, jobs: int) -> None:
        self.workers, self.jobs = workers, jobs

    def decide(self, tasks: Sequence[Task], hear: Hear) -> None:
        """See `axiomcheck.engine.places.Place`; of tasks of one foreign metric each."""
        asked = {self._submit(task): number for number, task in enumerate(tasks)}
        try:
            self._hear(tasks, asked, hear)
        finally:
            for future in asked:  # of work that was ended there may be some left
                future.cancel()

    def _hear(self, tasks: Sequence[Task], asked: dict[Future[Work], int], hear: Hear) -> None:
        for decided in _as_completed(asked, lambda future: hear(TaskShare(asked[future], 0.0))):
            number = asked[decided]
            task = tasks[number]
            (metric,) = task.metrics
            try:
                sent = outcome_of(decided, self.workers.limits)
                cell = as_asked(sent, metric.canonical, task.axiom.name, task.reading)
            except (InvalidInput, MetricError) as error:
                cell = failed(missing(metric, task.axiom), error)
            hear(Found(number, cell))
            hear(TaskShare(number, 1.0))

    def _submit(self, task: Task) -> Future[Work]:
        (metric,) = task.metrics
        work = (metric.canonical, task.axiom.name, task.reading, task.settings, task.block)
        return self.workers.submit(decide_foreign, *work, needs=library_of(metric.canonical))


def _as_completed(asked: Collection[Future[Work]], waiting: Callable[[Future[Work]], None]) -> Iterator[Future[Work]]:
    """As `concurrent.futures.as_completed`, and calls back, with one that is not, while there is nothing."""
    left = set(asked)
    while left:
        done, left = wait(left, OFTEN, FIRST_COMPLETED)
        yield from done
        if not done:
            waiting(next(iter(left)))


def unusable(metrics: Sequence[Foreign], workers: Workers) -> dict[Foreign, InvalidInput | MetricError]:
    """The metrics that cannot be loaded, or fail on one small ranking: they are not asked about every cell."""
    probes = [
        (metric, workers.submit(_probe, metric.canonical, needs=library_of(metric.canonical))) for metric in metrics
    ]
    found: dict[Foreign, InvalidInput | MetricError] = {}
    for metric, probed in probes:
        try:
            outcome_of(probed, workers.limits)
        except (InvalidInput, MetricError) as error:
            found[metric] = error
    return found


def alike_elsewhere(cells: Sequence[Cell], workers: Workers) -> Iterator[Cell]:
    """Cells of foreign metrics that have a proof; errors where the metric has other scores in another process."""
    names = dict.fromkeys(cell.metric for cell in cells)
    asked = {name: workers.submit(check_elsewhere, name) for name in names}
    wrong: dict[str, InvalidInput | MetricError] = {}
    for name, future in asked.items():
        try:
            outcome_of(future, workers.limits)
        except (InvalidInput, MetricError) as error:
            wrong[name] = error
    for cell in cells:
        if cell.metric in wrong:
            yield failed(replace(cell, witness=None, certificate=None), wrong[cell.metric])
        else:
            yield cell


def check_elsewhere(name: str) -> None:
    """In a worker: a handful of rankings, and the same in a process of its own with another hash seed.

    Raises:
        MetricError: they score otherwise there.

    """
    from axiomcheck.trials.elsewhere import scores_elsewhere
    from axiomcheck.trials.subject import Subject

    subject = Subject(resolve(name))
    singles = subject.singles()
    (elsewhere,) = scores_elsewhere(name, singles, ["1"])
    for here, there in zip(subject.score(singles), elsewhere, strict=True):
        if not np.allclose(here.values, there.values, rtol=0, atol=rounding_of(subject.metric), equal_nan=True):
            raise MetricError(f"{name} scores the same rankings differently in another process")


def _probe(name: str) -> None:
    """In a worker: loads a foreign metric and has it score."""
    probe(resolve(name))


def probe(metric: Metric) -> None:
    """Has a metric score a ranking of one document.

    Raises:
        MetricError: it does not.

    """
    try:
        metric.evaluate(np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64))
    except MetricError:
        raise
    except Exception as error:
        raise MetricError(f"{metric} raised {type(error).__name__}: {error}") from error


def decide_foreign(name: str, axiom: str, reading: Reading, settings: Settings, block: int) -> SentCell:
    """In a worker: one cell of a foreign metric."""
    task = Task(resolve_axiom(axiom), (resolve(name),), reading, settings, block)
    (cell,) = decide(task, lambda share: None)
    return SentCell.of(cell)


def missing(metric: Metric | Foreign, axiom: Axiom) -> Cell:
    """A cell that was not decided, and why."""
    if isinstance(metric, Metric):
        return cell_of(metric, axiom)
    return Cell(metric.canonical, None, axiom.name, Verdict.UNDECIDED, None, NOT_DECIDED)

"""Cells of metrics from outside: each decided in a process of its own, whatever the metric does to that."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace

import numpy as np
from msgspec import structs

from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.decide.numerical import asked
from axiomcheck.decide.search import Settings, of_few
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.places import OFTEN, Found, OutOfTime, Queue, Report, TaskShare
from axiomcheck.engine.received import SentCell, as_asked
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import TimedOut, Work, Workers, outcome_of, seconds_of
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.evidence import PairEvidence
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.names import library_of
from axiomcheck.sources.provenance import runs_catalogue_code
from axiomcheck.sources.resolve import resolve, resolve_axiom


class Isolated:
    """A place where metrics are decided by their names, each cell in a process of its own, whatever they do to that.

    Args:
        workers: the processes, which somebody else begins and ends.
        jobs: how many there are.
        beside: other work that the workers are at, each of which takes the place of a task; fewer than ``jobs``.

    """

    def __init__(self, workers: Workers, jobs: int, beside: Sequence[Future[Work]] = ()) -> None:
        self.workers, self._jobs, self._beside = workers, jobs, beside

    @property
    def jobs(self) -> int:
        """Return how many tasks can be at work."""
        return self._jobs - sum(not future.done() for future in self._beside)

    def decide(self, tasks: Queue) -> None:
        """See `axiomcheck.engine.places.Place`; of tasks of one metric each."""
        running: dict[Future[Work], Task] = {}
        try:
            while True:
                while len(running) < self.jobs and (task := tasks.next()) is not None:
                    running[self._submit(task)] = task
                if not running:
                    return
                ended, _ = wait(running, OFTEN, FIRST_COMPLETED)
                for future in ended:
                    task = running.pop(future)
                    tasks.hear(self._outcome(task, future))
                    tasks.hear(TaskShare(task, 1.0))
                if not ended:
                    tasks.hear(TaskShare(next(iter(running.values())), 0.0))
        finally:
            for future in running:  # of work that was ended there may be some left
                future.cancel()

    def _outcome(self, task: Task, future: Future[Work]) -> Report:
        (metric,) = task.metrics
        try:
            sent = outcome_of(future, self.workers.limits)
            cell = as_asked(sent, metric.canonical, task.axiom.name, task.reading)
        except TimedOut as error:
            if task.seconds is not None:
                return OutOfTime(task)
            cell = failed(missing(metric, task.axiom), error)
        except (InvalidInput, MetricError) as error:
            cell = failed(missing(metric, task.axiom), error)
        return Found(task, cell, seconds_of(future))

    def _submit(self, task: Task) -> Future[Work]:
        (metric,) = task.metrics
        work = (metric.canonical, task.axiom.name, task.reading, task.settings, task.block, task.few)
        return self.workers.submit(decide_by_name, *work, needs=library_of(metric.canonical), seconds=task.seconds)


@dataclass(frozen=True)
class Measured:
    """What a metric from outside showed on a ranking of one document.

    Args:
        seconds: that a call took.
        at_once: whether it takes many rankings in a call, for little more than one.
        most_examples: see `axiomcheck.metrics.Metric`.

    """

    seconds: float
    at_once: bool
    most_examples: int | None


def probed(
    metrics: Sequence[Foreign], workers: Workers, seconds: float | None = None
) -> dict[Foreign, Measured | InvalidInput | MetricError]:
    """Load every metric and have it score one small ranking, and return what was measured, or why it cannot.

    Args:
        metrics: themselves. One that cannot be used is not asked about every cell.
        workers: to try them in.
        seconds: that each may take, with the time of a call being measured; None for the limits of the workers.

    """
    probes = {
        metric: workers.submit(
            _measure, metric.canonical, seconds is not None, needs=library_of(metric.canonical), seconds=seconds
        )
        for metric in metrics
    }
    found: dict[Foreign, Measured | InvalidInput | MetricError] = {}
    for metric, future in probes.items():
        try:
            found[metric] = outcome_of(future, workers.limits)
        except (InvalidInput, MetricError) as error:
            found[metric] = error
    return found


class Elsewhere:
    """Looks whether metrics from outside have the same scores in another process, of which something was proved.

    Args:
        workers: to look in.

    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._asked: dict[str, Future[Work]] = {}

    def begin(self, name: str, seconds: float | None = None) -> None:
        """Begin to look at a metric, which may take so many seconds."""
        if name not in self._asked:
            self._asked[name] = self._workers.submit(check_elsewhere, name, needs=library_of(name), seconds=seconds)

    def checked(self, cell: Cell) -> Cell:
        """Return a cell with a proof, or an error where the metric has other scores in another process.

        Raises:
            TimedOut: there were so many seconds, and not enough.

        """
        self.begin(cell.metric)
        try:
            outcome_of(self._asked[cell.metric], self._workers.limits)
        except (InvalidInput, MetricError) as error:
            return failed(replace(cell, witness=None, certificate=None), error)
        return cell


def check_elsewhere(name: str) -> None:
    """In a worker: a handful of rankings, and the same in a process of its own with another hash seed.

    Raises:
        MetricError: they score otherwise there.

    """
    from axiomcheck.trials.other_process import scores_by_hash_seed
    from axiomcheck.trials.subject import Subject

    subject = Subject(resolve(name))
    singles = subject.singles()
    (elsewhere,) = scores_by_hash_seed(name, singles, ["1"])
    for here, there in zip(subject.score(singles), elsewhere, strict=True):
        if not np.allclose(here.values, there.values, rtol=0, atol=rounding_of(subject.metric), equal_nan=True):
            raise MetricError(f"{name} scores the same rankings differently in another process")


_MANY = 24
_LITTLE_MORE = 4


def _measure(name: str, by_the_clock: bool) -> Measured:
    """In a worker: load a metric and have it score; time it where that is asked for, which takes more calls."""
    metric = resolve(name)
    probe(metric)
    if not by_the_clock:
        return Measured(0.0, True, metric.most_examples)
    one, many = timed(metric, 1), timed(metric, _MANY)
    return Measured(one, many < _LITTLE_MORE * one, metric.most_examples)


def timed(metric: Metric, rankings: int) -> float:
    """Return how many seconds a call on so many rankings of one document takes."""
    began = time.perf_counter()
    asked(metric, np.ones((rankings, 1, 1)), np.ones((rankings, 1)), np.zeros((rankings, 1), dtype=np.int64))
    return time.perf_counter() - began


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


def decide_by_name(
    name: str, axiom: str, reading: Reading, settings: Settings, block: int, few: int | None
) -> SentCell:
    """In a worker: decide one cell, on few instances unless that is None."""
    metric = resolve(name)
    if few is not None:
        if not runs_catalogue_code(metric):
            metric = of_few(metric, few)
        settings = replace(settings, examples=min(settings.examples, few))
    task = Task(resolve_axiom(axiom), (metric,), reading, settings, block)
    (cell,) = decide(task, lambda share: None)
    if few is not None and isinstance(cell.evidence, PairEvidence):
        witness = cell.witness
        if isinstance(witness, PairWitness):  # too little was enumerated to say so
            witness = structs.replace(witness, minimal=None)
        cell = replace(cell, evidence=structs.replace(cell.evidence, few=few), witness=witness)
    return SentCell.of(cell)

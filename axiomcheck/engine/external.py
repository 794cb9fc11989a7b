"""Cells of external metrics: each decided in a process of its own, whatever the metric does to that."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

import numpy as np
from msgspec import structs

from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.decide.numerical import asked
from axiomcheck.decide.search import Settings, of_few
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.received import SentCell, as_asked
from axiomcheck.engine.tasks import Deadline, External, Found, OutOfTime, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import TimedOut, Work, Workers, outcome_of, seconds_of
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.evidence import PairEvidence
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve, resolve_axiom


def decide_isolated(task: Task, workers: Workers, tell: Callable[[Found | OutOfTime | BaseException], None]) -> None:
    """Begin to decide a task of one metric by its name, and tell what came of it, from any thread.

    Args:
        task: itself.
        workers: to decide it in, within their limits.
        tell: called with the cell, or once the task's own time is over, or with what neither is an answer.

    """
    (metric,) = task.metrics

    def ended(future: Future[Work[SentCell]]) -> None:
        if future.cancelled():
            return
        try:
            sent = outcome_of(future, workers.limits)
            cell = as_asked(sent, metric.canonical, task.axiom.name, task.reading)
        except TimedOut as error:
            if task.seconds is not None:
                tell(OutOfTime(task))
                return
            cell = failed(missing(metric, task.axiom), error)
        except (InvalidInput, MetricError) as error:
            cell = failed(missing(metric, task.axiom), error)
        except BaseException as error:
            tell(error)
            return
        tell(Found(task, cell, seconds_of(future)))

    work = (metric.canonical, task.axiom.name, task.reading, task.settings, task.block, task.few)
    submitted = workers.submit(decide_by_name, *work, needs=library_of(metric.canonical), seconds=task.seconds)
    submitted.add_done_callback(ended)


def decide_by_name(
    name: str, axiom: str, reading: Reading, settings: Settings, block: int, few: int | None
) -> SentCell:
    """Decide one cell, on few instances unless that is None; in a worker."""
    metric = resolve(name)
    if few is not None:
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


@dataclass(frozen=True)
class Measured:
    """The measures of an external metric that scored a ranking of one document.

    Args:
        seconds: that a call took.
        at_once: whether it takes many rankings in a call, for little more than one.
        most_examples: see `axiomcheck.metrics.Metric`.

    """

    seconds: float
    at_once: bool
    most_examples: int | None


def measured(
    metrics: Sequence[External], workers: Workers, seconds: float | None = None, *, timed: bool = False
) -> dict[External, Measured | InvalidInput | MetricError]:
    """Load every metric and have it score one small ranking, and return what was measured, or why it cannot.

    Args:
        metrics: themselves. One that cannot be used is not asked about every cell.
        workers: to try them in.
        seconds: that each may take; None for the limits of the workers.
        timed: whether the time of a call is measured, which takes more calls.

    """
    asked_for = {
        metric: workers.submit(_measure, metric.canonical, timed, needs=library_of(metric.canonical), seconds=seconds)
        for metric in metrics
    }
    outcomes: dict[External, Measured | InvalidInput | MetricError] = {}
    for metric, future in asked_for.items():
        try:
            outcomes[metric] = outcome_of(future, workers.limits)
        except (InvalidInput, MetricError) as error:
            outcomes[metric] = error
    return outcomes


def _measure(name: str, timed: bool) -> Measured:
    """Load a metric and have it score, and time it where that is asked for; in a worker.

    Raises:
        MetricError: it cannot score a ranking of one document.

    """
    metric = resolve(name)
    try:
        metric.evaluate(np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64))
    except MetricError:
        raise
    except Exception as error:
        raise MetricError(f"{metric} raised {type(error).__name__}: {error}") from error
    if not timed:
        return Measured(0.0, True, metric.most_examples)
    one, many = seconds_of_calls(metric), seconds_of_calls(metric, _MANY)
    return Measured(one, many < _LITTLE_MORE * one, metric.most_examples)


_MANY = 24
_LITTLE_MORE = 4


def seconds_of_calls(metric: Metric, rankings: int = 1) -> float:
    """Return how many seconds a call on so many rankings of one document takes."""
    began = time.perf_counter()
    asked(metric, np.ones((rankings, 1, 1)), np.ones((rankings, 1)), np.zeros((rankings, 1), dtype=np.int64))
    return time.perf_counter() - began


class Elsewhere:
    """Looks whether external metrics of which something was proved have the same scores in another process.

    Args:
        workers: to look in.
        budget: the time that there is, if there is a limit.

    """

    def __init__(self, workers: Workers, budget: Deadline | None = None) -> None:
        self._workers, self._budget = workers, budget
        self._asked: dict[str, Future[Work[None]]] = {}

    def begin(self, name: str) -> None:
        """Begin to look at a metric."""
        if name not in self._asked:
            seconds = self._budget.left() if self._budget else None
            self._asked[name] = self._workers.submit(check_elsewhere, name, needs=library_of(name), seconds=seconds)

    def checked(self, cell: Cell) -> Cell:
        """Return a cell with a proof, or an error where the metric has other scores in another process.

        Raises:
            TimedOut: the time is over before that is known.

        """
        self.begin(cell.metric)
        try:
            outcome_of(self._asked[cell.metric], self._workers.limits)
        except (InvalidInput, MetricError) as error:
            if self._budget is not None and isinstance(error, TimedOut):
                raise
            return failed(replace(cell, witness=None, certificate=None), error)
        return cell


def check_elsewhere(name: str) -> None:
    """Score a handful of rankings, and the same in a process with another hash seed; in a worker.

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

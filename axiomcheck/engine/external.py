"""Cells of external metrics: each decided in a process of its own, whatever the metric does to that."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from msgspec import structs

from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.core.printable import printable
from axiomcheck.decide.distinct import check_marks
from axiomcheck.decide.numerical import asked
from axiomcheck.decide.search import Settings, of_few
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.tasks import Deadline, External, Found, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import TimedOut, Work, Workers, outcome_of, seconds_of
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.evidence import PairEvidence
from axiomcheck.records.matrix import cell_record, read_cell
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve, resolve_axiom


@dataclass(frozen=True)
class SentCell:
    """A cell as a process sends it in which external code ran: a JSON object, with what is no part of one.

    Args:
        document: the cell as a report has it.
        seconds: taken to search, to find a proof, and to check it.
        marks: see `axiomcheck.decide.distinct`.
        searched: the JSON object of the cell that no proof was asked for, where that is another one.

    """

    document: dict[str, Any]
    seconds: tuple[float, float, float]
    marks: bytes
    searched: dict[str, Any] | None = None

    @classmethod
    def of(cls, cell: Cell) -> SentCell:
        """Return what to send of a cell."""
        seconds = (cell.seconds, cell.proof_seconds, cell.check_seconds)
        searched = None if cell.searched is None else document_of(cell_record(cell.searched))
        return cls(document_of(cell_record(cell)), seconds, cell.marks, searched)


def as_asked(sent: SentCell, metric: str, axiom: str, reading: Reading) -> Cell:
    """Return a cell that was sent, as the one that was asked for, whatever it says which one it is.

    Raises:
        MetricError: no report could hold it.

    """
    seconds, proof_seconds, check_seconds = sent.seconds

    def read(document: dict[str, Any], **more: Any) -> Cell:
        document = document | {"metric": metric, "axiom": axiom}
        if isinstance(witness := document.get("witness"), dict):
            document["witness"] = witness | {"metric": metric}
        if isinstance(cause := document.get("cause"), dict) and isinstance(text := cause.get("text"), str):
            document["cause"] = cause | {"text": printable(text)}  # it may hold what the metric raised
        cell = read_cell(document, ReadingRecord.of(reading), (), "cell")
        return replace(cell, seconds=seconds, marks=sent.marks, **more)

    try:
        check_marks(sent.marks)
        searched = None if sent.searched is None else read(sent.searched)
        return read(sent.document, proof_seconds=proof_seconds, check_seconds=check_seconds, searched=searched)
    except (InvalidInput, TypeError, ValueError, RecursionError) as error:
        raise MetricError(f"its process sent what is no cell ({printable(str(error))})") from None


def begin_isolated(task: Task, workers: Workers) -> Future[Work[SentCell]]:
    """Begin to decide a task of one metric by its name in a process of its own; see `found_in`."""
    (metric,) = task.metrics
    work = (metric.canonical, task.axiom.name, task.reading, task.settings, task.block, task.few)
    return workers.submit(decide_by_name, *work, needs=library_of(metric.canonical), seconds=task.seconds)


def found_in(task: Task, future: Future[Work[SentCell]], workers: Workers) -> Found:
    """Return the cell that a process left, in error where the metric or the process failed."""
    (metric,) = task.metrics
    try:
        cell = as_asked(outcome_of(future, workers.limits), metric.canonical, task.axiom.name, task.reading)
    except (InvalidInput, MetricError) as error:
        if task.seconds is not None and isinstance(error, TimedOut):
            error = OverLimit(f"it was not done in the {task.seconds:.1f} s that it had")
        cell = failed(missing(metric, task.axiom), error)
    return Found(task, cell, seconds_of(future))


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
        seconds: that a ranking took, of several in a call; 0 where that was not asked for.
        most_examples: see `axiomcheck.metrics.Metric`.

    """

    seconds: float
    most_examples: int | None


def measured(
    metrics: Sequence[External], workers: Workers, budget: Deadline | None = None, jobs: int = 1
) -> dict[External, Measured | InvalidInput | MetricError]:
    """Load every metric and have it score one small ranking, and return what was measured, or why it cannot.

    Args:
        metrics: themselves. One that cannot be used is not asked about every cell.
        workers: to try them in.
        budget: the time that there is, if there is a limit: then a ranking is timed.
        jobs: how many workers are to be at work by then, so that what they import is not counted among what cells take.

    """
    seconds = None if budget is None else budget.left_for_work() or _AT_LEAST
    for _ in range(jobs if budget is not None else 0):
        workers.submit(_ready, seconds=seconds)
    asked_for = {
        metric: workers.submit(
            _measure, metric.canonical, bool(budget), needs=library_of(metric.canonical), seconds=seconds
        )
        for metric in metrics
    }
    outcomes: dict[External, Measured | InvalidInput | MetricError] = {}
    for metric, future in asked_for.items():
        try:
            outcomes[metric] = outcome_of(future, workers.limits)
        except (InvalidInput, MetricError) as error:
            if budget is not None and isinstance(error, TimedOut):
                error = OverLimit(f"could not be loaded and called within {budget.seconds:g} s")
            outcomes[metric] = error
    return outcomes


def _ready() -> None:
    """Have loaded what every piece needs; in a worker."""


def _measure(name: str, is_timed: bool) -> Measured:
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
    seconds = max(_LEAST_SECONDS, seconds_of_calls(metric, _MANY) / _MANY) if is_timed else 0.0
    return Measured(seconds, metric.most_examples)


_AT_LEAST = 0.05
"""Seconds of a piece where there are none left."""

_MANY = 8
_LEAST_SECONDS = 1e-7


def seconds_of_calls(metric: Metric, rankings: int = 1) -> float:
    """Return how many seconds a call on so many rankings of one document takes."""
    began = time.perf_counter()
    asked(metric, np.ones((rankings, 1, 1)), np.ones((rankings, 1)), np.zeros((rankings, 1), dtype=np.int64))
    return time.perf_counter() - began


class Elsewhere:
    """Looks whether external metrics of which something was proved have the same scores in another process.

    Args:
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

        Where the time is over before that is known, the cell is as it was searched.
        """
        self.begin(cell.metric)
        try:
            outcome_of(self._asked[cell.metric], self._workers.limits)
        except (InvalidInput, MetricError) as error:
            if self._budget is not None and isinstance(error, TimedOut) and cell.searched is not None:
                return cell.searched
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

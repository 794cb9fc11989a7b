"""Decide the cells of external metrics, each in its own isolated process."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import psutil
from msgspec import structs

from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import AxiomcheckError, InvalidInput, MetricError, OverLimit
from axiomcheck.core.printable import printable
from axiomcheck.decide.distinct import check_marks
from axiomcheck.decide.numerical import asked
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import decide, missing
from axiomcheck.engine.tasks import Deadline, External, Found, Task
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import FoldOfFunction
from axiomcheck.metrics.scores import calling
from axiomcheck.processes.isolation import TimedOut, Work, Workers, outcome_of, seconds_of
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.matrix import cell_record, read_cell
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve, resolve_axiom
from axiomcheck.trials.fresh_process import FORKS
from axiomcheck.trials.passport import try_once


@dataclass(frozen=True)
class SentCell:
    """Cell as an isolated process sends it: a JSON object, and the fields that reports omit.

    Args:
        document: The cell as a JSON object, as in a report.
        seconds: Seconds spent on the search, on finding a proof and on checking the proof.
        marks: Marked keys of its instances; see `axiomcheck.decide.distinct`.
        searched: The cell that a run without proofs would give, as a JSON object; None if it is the same.

    """

    document: dict[str, Any]
    seconds: tuple[float, float, float]
    marks: bytes
    searched: dict[str, Any] | None = None

    @classmethod
    def of(cls, cell: Cell) -> SentCell:
        """Convert a decided cell to the format that an isolated process sends."""
        seconds = (cell.seconds, cell.proof_seconds, cell.check_seconds)
        searched = None if cell.searched is None else document_of(cell_record(cell.searched))
        return cls(document_of(cell_record(cell)), seconds, cell.marks, searched)


def as_asked(sent: SentCell, metric: str, axiom: str, reading: Reading) -> Cell:
    """Convert a sent cell back to a cell of the requested metric and axiom, whatever names the process sent.

    Raises:
        MetricError: The data is not a valid cell.

    """
    seconds, proof_seconds, check_seconds = sent.seconds

    def read(document: dict[str, Any], **more: Any) -> Cell:
        document = document | {"metric": metric, "axiom": axiom}
        if isinstance(witness := document.get("witness"), dict):
            document["witness"] = witness | {"metric": metric}
        if isinstance(cause := document.get("cause"), dict) and isinstance(text := cause.get("text"), str):
            document["cause"] = cause | {"text": printable(text)}  # the text may quote the metric's error message
        cell = read_cell(document, ReadingRecord.of(reading), (), "cell")
        return replace(cell, seconds=seconds, marks=sent.marks, **more)

    try:
        check_marks(sent.marks)
        searched = None if sent.searched is None else read(sent.searched)
        return read(sent.document, proof_seconds=proof_seconds, check_seconds=check_seconds, searched=searched)
    except (InvalidInput, TypeError, ValueError, RecursionError) as error:
        raise MetricError(f"its process sent an invalid cell ({printable(str(error))})") from None


def begin_isolated(task: Task, workers: Workers) -> Future[Work[SentCell]]:
    """Start a task with one external metric in its own process; pass the future to `finished_cell` for the cell."""
    (metric,) = task.metrics
    name = metric.canonical
    work = (name, task.axiom.name, task.reading, task.settings, task.block, task.few)
    return workers.submit(
        decide_by_name, *work, needs=library_of(name), seconds=task.seconds, prepare=(prepare, (name,))
    )


def finished_cell(task: Task, future: Future[Work[SentCell]]) -> Found:
    """Return the cell that a finished process sent, or an error cell if the metric or the process failed."""
    (metric,) = task.metrics
    try:
        cell = as_asked(outcome_of(future), metric.canonical, task.axiom.name, task.reading)
    except (InvalidInput, MetricError) as error:
        if task.seconds is not None and isinstance(error, TimedOut):
            error = OverLimit(f"it did not finish within {task.seconds:.1f} s")
        cell = failed(missing(metric, task.axiom), error)
    return Found(task, cell, seconds_of(future))


def decide_by_name(
    name: str, axiom: str, reading: Reading, settings: Settings, block: int, few: int | None
) -> SentCell:
    """Decide one cell in a worker, with at most `few` instances of each kind unless `few` is None."""
    if few is not None:
        settings = replace(settings, examples=min(settings.examples, few))
    task = Task(resolve_axiom(axiom), (prepared(name),), reading, settings, block, few)
    (cell,) = decide(task, lambda share: None)
    if few is not None and isinstance(cell.witness, PairWitness):  # too few instances were enumerated
        cell = replace(cell, witness=structs.replace(cell.witness, minimal=None))
    return SentCell.of(cell)


@dataclass(frozen=True)
class Measured:
    """Measurements of an external metric, made while it scored rankings of one document.

    Args:
        seconds: Seconds per ranking in a call with several rankings; 0 if not measured.
        most_examples: See `axiomcheck.metrics.Metric`.
        is_fold: Whether a fold was derived from the metric's source. The fold is searched and proved instead.

    """

    seconds: float
    most_examples: int | None
    is_fold: bool = False


def measured(
    metrics: Sequence[External], workers: Workers, budget: Deadline | None = None, jobs: int = 1
) -> dict[External, Measured | InvalidInput | MetricError]:
    """Load every metric, score one small ranking with it, and map it to its measurements or its error.

    Args:
        metrics: External metrics. A metric that fails here should not be tried again for each cell.
        workers: Workers that load the metrics.
        budget: Remaining time, if there is a limit. With a limit, or for a single metric, the scoring is timed.
        jobs: Number of workers that load the metrics in advance if there is a limit, so that deciding a cell does not
            include loading.

    """
    seconds = None if budget is None else budget.left_for_work() or _AT_LEAST
    is_timed = budget is not None or len(metrics) == 1  # several metrics would end each other's hosts
    asked_for = {}
    for metric in metrics:
        work = (_measure, metric.canonical, is_timed)
        once = (prepare, (metric.canonical,)) if is_timed else None
        for _ in range(-(-jobs // len(metrics)) if budget is not None else 1):
            asked_for[metric] = workers.submit(*work, needs=library_of(metric.canonical), seconds=seconds, prepare=once)
    outcomes: dict[External, Measured | InvalidInput | MetricError] = {}
    for metric, future in asked_for.items():
        try:
            outcomes[metric] = outcome_of(future)
        except (InvalidInput, MetricError) as error:
            if budget is not None and isinstance(error, TimedOut):
                error = OverLimit(f"no answer within the budget of {budget.seconds:g} s: it {error} when it was loaded")
            elif isinstance(error, TimedOut):
                error = OverLimit(f"{error}{LATE}")
            outcomes[metric] = error
    return outcomes


def _measure(name: str, is_timed: bool) -> Measured:
    """Load a metric in a worker, score one ranking with it, and measure its speed if requested.

    Raises:
        MetricError: The metric cannot score a ranking of one document.

    """
    metric = prepared(name)
    with calling(metric):
        metric.evaluate(np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64))
    seconds = max(_LEAST_SECONDS, seconds_of_calls(metric, _MANY) / _MANY) if is_timed else 0.0
    _, is_fold = _PREPARED.get(name, (metric, False))
    return Measured(seconds, metric.most_examples, is_fold)


LATE = " when it was loaded and tried"
"""End of the reason for an error cell if the metric ran past its timeout before any cell was begun."""

_AT_LEAST = 0.05
"""Timeout, in seconds, for loading a metric if no time is left."""

_MANY = 8
_LEAST_SECONDS = 1e-7


def seconds_of_calls(metric: Metric, rankings: int = 1) -> float:
    """Measure how many seconds a metric takes to score `rankings` rankings of one document in one call."""
    began = time.perf_counter()
    asked(metric, np.ones((rankings, 1, 1)), np.ones((rankings, 1)), np.zeros((rankings, 1), dtype=np.int64))
    return time.perf_counter() - began


def too_long(measures: Measured, examples: int, timeout: float | None) -> str:
    """Return advice if scoring the random instances of a cell would exceed the timeout, else an empty string."""
    examples = examples if measures.most_examples is None else min(examples, measures.most_examples)
    seconds = 2 * measures.seconds * examples  # an instance has two rankings
    if timeout is None or seconds < timeout:
        return ""
    return (
        f"; the instances of a cell need more than {seconds:.0f} s, but the timeout is {timeout:g} s: use --budget, "
        "such as --budget 2m"
    )


class OtherProcessCheck:
    """Comparison of an external metric's scores in two processes, made once, when a cell of the metric is proved.

    Args:
        workers: Workers that run the check.
        budget: Remaining time, if there is a limit.

    """

    def __init__(self, workers: Workers, budget: Deadline | None = None) -> None:
        self._workers, self._budget = workers, budget
        self._asked: dict[str, Future[Work[None]]] = {}

    def checked(self, cell: Cell) -> Cell:
        """Return the cell unchanged, or an error cell if the metric's scores differ in another process.

        If the time limit ends the check, the cell is returned as it was before its proof.
        """
        name, seconds = cell.metric, self._budget.left() if self._budget else None
        if name not in self._asked:
            self._asked[name] = self._workers.submit(
                compare_with_another_process, name, needs=library_of(name), seconds=seconds
            )
        try:
            outcome_of(self._asked[name])
        except (InvalidInput, MetricError) as error:
            if self._budget is not None and isinstance(error, TimedOut) and cell.searched is not None:
                return cell.searched
            return failed(replace(cell, witness=None, certificate=None), error)
        return cell


def compare_with_another_process(name: str) -> None:
    """Compare a few scores in this worker with those computed in a process with a different hash seed.

    Raises:
        MetricError: The scores differ.

    """
    from axiomcheck.trials.calls import scores_by_hash_seed
    from axiomcheck.trials.subject import Subject

    subject = Subject(resolve(name))
    singles = subject.singles()
    (elsewhere,) = scores_by_hash_seed(name, singles, ["1"])
    for here, there in zip(subject.score(singles), elsewhere, strict=True):
        if not np.allclose(here.values, there.values, rtol=0, atol=rounding_of(subject.metric), equal_nan=True):
            raise MetricError(f"{name} scores the same rankings differently in another process")


_PREPARED: dict[str, tuple[Metric, bool]] = {}
"""Metrics that were prepared in this process, by name, each with True if a fold was derived from its source."""


def prepare(name: str) -> bool:
    """Load and try a metric in a host, whose forks then decide its cells; see `axiomcheck.processes.keeper.Host`.

    Returns:
        True if cells may be decided in forks of this process. They must not be if the metric fails its trials, if it
        has started threads, which a fork does not have, or if it has opened files, which a fork shares.

    """
    files, children = _held()
    try:
        metric = resolve(name)
        if not FORKS or metric.partial or _held() != (files, children):
            return False
        if isinstance(metric, FunctionMetric | CallableMetric):
            import axiomcheck.proof.check.derived
            import axiomcheck.proof.find.bounded
            import axiomcheck.proof.find.induction
            import axiomcheck.proof.find.thresholds  # noqa: F401 - so that no fork has to import it
        is_fold = isinstance(try_once(metric), FoldOfFunction)
    except AxiomcheckError:
        return False  # the process of each cell raises the error again and reports it
    _PREPARED[name] = metric, is_fold
    threads = len(os.listdir("/proc/self/task"))
    return threads == 1 and _held() == (files + 1, children + 1)  # one more each: the channel and the fresh process


def prepared(name: str) -> Metric:
    """Return the metric prepared by this process, or by the one it was forked from; load it if there is none."""
    return _PREPARED[name][0] if name in _PREPARED else resolve(name)


def _held() -> tuple[int, int]:
    """Return the number of open files of this process, and the number of its child processes."""
    return len(os.listdir("/proc/self/fd")), len(psutil.Process().children())

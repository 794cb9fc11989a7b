"""Cells of metrics from outside: each decided in a process of its own, whatever the metric does to that."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axiomcheck.axioms import Axiom, find_axiom
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import Task, cell_of, decide
from axiomcheck.engine.events import CellDecided, Event, Progress
from axiomcheck.engine.received import SentCell, as_asked
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Workers, outcome_of
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.brought import rounding_of
from axiomcheck.sources.names import library_of
from axiomcheck.sources.resolve import resolve


@dataclass(frozen=True)
class Foreign:
    """A metric from outside the catalogue, by name: loaded and run in worker processes only.

    Args:
        canonical: as `axiomcheck.sources.resolve.resolve` takes it.

    """

    canonical: str


def isolated(
    metrics: Sequence[Foreign],
    axioms: Sequence[Axiom],
    reading: Reading,
    settings: Settings,
    workers: Workers,
    alone: bool,
) -> Generator[Event, None, None]:
    """Decides the cells of foreign metrics, each in a process of its own, whatever they do to that.

    A metric that cannot be loaded has its row of errors.

    Raises:
        InvalidInput: they are alone in the run, and none of them can be loaded.

    """
    planned = len(metrics) * len(axioms)
    ended = 0
    # What hangs or crashes on one small ranking is not asked about every cell.
    probes = [
        (metric, workers.submit(_probe, metric.canonical, needs=library_of(metric.canonical))) for metric in metrics
    ]
    asked: dict[Any, tuple[Foreign, Axiom]] = {}
    unusable: list[tuple[Foreign, InvalidInput | MetricError]] = []
    for metric, probe in probes:
        try:
            outcome_of(probe, workers.limits)
        except (InvalidInput, MetricError) as error:
            unusable.append((metric, error))
            continue
        for axiom in axioms:
            work = (_decide_foreign, metric.canonical, axiom.name, reading, settings)
            asked[workers.submit(*work, needs=library_of(metric.canonical))] = (metric, axiom)
    if alone and len(unusable) == len(metrics) and isinstance(unusable[0][1], InvalidInput):
        raise unusable[0][1]
    for metric, why in unusable:
        yield from (CellDecided(failed(missing(metric, axiom), why)) for axiom in axioms)
        ended += len(axioms)
        yield Progress(ended / planned, axioms[-1].name)
    proved: dict[Foreign, list[Cell]] = {}
    for decided in as_completed(asked):
        metric, axiom = asked[decided]
        try:
            cell = as_asked(outcome_of(decided, workers.limits), metric.canonical, axiom.name, reading)
        except (InvalidInput, MetricError) as error:
            cell = failed(missing(metric, axiom), error)
        if cell.certificate is None:
            yield CellDecided(cell)
        else:
            proved.setdefault(metric, []).append(cell)
        ended += 1
        yield Progress(ended / planned, axiom.name)
    yield from _proved_of_functions(proved, workers)


def _proved_of_functions(proved: dict[Foreign, list[Cell]], workers: Workers) -> Iterator[Event]:
    """Cells with a proof, or errors where the metric has other scores in another process."""
    again = {metric: workers.submit(check_elsewhere, metric.canonical) for metric in proved}
    for metric, cells in proved.items():
        try:
            outcome_of(again[metric], workers.limits)
        except (InvalidInput, MetricError) as error:
            cells = [failed(replace(c, witness=None, certificate=None), error) for c in cells]
        yield from map(CellDecided, cells)


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


def _decide_foreign(name: str, axiom: str, reading: Reading, settings: Settings) -> SentCell:
    """In a worker: one cell of a foreign metric."""
    (cell,) = decide(Task(find_axiom(axiom), (resolve(name),), reading, settings), lambda share: None)
    return SentCell.of(cell)


def missing(metric: Metric | Foreign, axiom: Axiom, reason: str = "") -> Cell:
    """A cell that was not decided, and why."""
    if isinstance(metric, Metric):
        return cell_of(metric, axiom, Verdict.UNDECIDED, reason)
    return Cell(metric.canonical, None, axiom.name, Verdict.UNDECIDED, None, reason)

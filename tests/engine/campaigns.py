"""Blocks and campaigns so small that a test has several of them, what they end by, and a place that notes tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from axiomcheck.decide import search
from axiomcheck.engine import blocks, campaign
from axiomcheck.engine.deadline import Deadline
from axiomcheck.engine.events import Event, Said
from axiomcheck.engine.places import Queue, Report, ThisProcess
from axiomcheck.engine.tasks import Task
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Arithmetic

SIZE = 1_000
"""Instances of a block."""


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    """Make blocks have so few instances."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (search, blocks, campaign):
            patch.setattr(module, "BLOCK", size)
        yield


@dataclass(frozen=True)
class Until(Deadline):
    """Ends when something says so, whatever the clock says, and half of it is over before."""

    over: Callable[[], bool] = lambda: True

    def left(self) -> float:
        """None, or half."""
        return 0.0 if self.over() else self.seconds / 2


def said(heard: Sequence[Event]) -> list[str]:
    """Return the texts among events."""
    return [event.text for event in heard if isinstance(event, Said)]


class Tilted(Metric):
    """Sums grades over ranks, but ranks count the other way round where a ranking is of some kind."""

    summary = source = ""

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        n = grades.shape[-2]
        ranks = range(n)[::-1] if self.tilted(n, pool.shape[-2]) else range(n)
        return sum(grades[..., rank, 0] * a.number(Fraction(1, k + 2)) for k, rank in enumerate(ranks))

    def tilted(self, ranked: int, documents: int) -> bool:
        raise NotImplementedError


class OfOneLength(Tilted):
    name = "of-one-length"

    def tilted(self, ranked: int, documents: int) -> bool:
        return ranked == 36


@dataclass
class Tapped:
    """A queue between another one and a place.

    Args:
        tasks: the other one.
        handed: what a task becomes that is handed out.
        heard: called with every report before the other one hears it; of the task that the other one knows.

    """

    tasks: Queue
    handed: Callable[[Task], Task] = lambda task: task
    heard: Callable[[Report], None] = lambda report: None

    def __post_init__(self) -> None:
        self._known: dict[int, tuple[Task, Task]] = {}

    def next(self) -> Task | None:
        """Hand out a task."""
        task = self.tasks.next()
        if task is None:
            return None
        handed = self.handed(task)
        self._known[id(handed)] = handed, task
        return handed

    def hear(self, report: Report) -> None:
        """Hand on a report."""
        report = replace(report, task=self._known[id(report.task)][1])
        self.heard(report)
        self.tasks.hear(report)


class Asked(ThisProcess):
    """Notes the cells that it is asked for, and decides none."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def decide(self, tasks: Queue) -> None:
        """Note the cells."""
        while (task := tasks.next()) is not None:
            self.note(task)

    def note(self, task: Task) -> Task:
        """Note the cells of a task."""
        self.asked += [(metric.canonical, task.axiom.name) for metric in task.metrics]
        return task

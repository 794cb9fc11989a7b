"""Blocks and campaigns so small that a test has several of them, what they end by, and a place that notes tasks."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from axiomcheck.decide import search
from axiomcheck.engine import blocks, queue
from axiomcheck.engine.events import Event, Said
from axiomcheck.engine.places import Say, TaskEnded, ThisMachine
from axiomcheck.engine.tasks import Deadline, Report, Task
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.processes.isolation import Workers

SIZE = 500
"""Instances of a block."""


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    """Make blocks have so few instances."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (search, blocks, queue):
            patch.setattr(module, "BLOCK", size)
        yield


@dataclass(frozen=True)
class Until(Deadline):
    """Ends when something says so, whatever the clock says, and half of it is over before."""

    over: Callable[[], bool] = lambda: True

    def left(self) -> float:
        return 0.0 if self.over() else self.seconds / 2


def said(heard: Sequence[Event]) -> list[str]:
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


class Here(ThisMachine):
    """Decides tasks in this process, as they are changed, and changes what is told of them."""

    def __init__(self) -> None:
        super().__init__(Workers(1))

    def begin(self, task: Task, say: Say) -> None:
        def tell(report: Report | TaskEnded | BaseException) -> None:
            assert not isinstance(report, BaseException)
            report = replace(report, task=task)
            say(report if isinstance(report, TaskEnded) else self.heard(report))

        super().begin(self.change(task), tell)

    def change(self, task: Task) -> Task:
        return task

    def heard(self, report: Report) -> Report:
        return report


class Asked(Here):
    """Notes the cells that it is asked for, and decides none."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []

    def begin(self, task: Task, say: Say) -> None:
        self.change(task)
        say(TaskEnded(task))

    def change(self, task: Task) -> Task:
        self.asked += [(metric.canonical, task.axiom.name) for metric in task.metrics]
        return task

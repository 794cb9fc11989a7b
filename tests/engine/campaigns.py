"""Blocks and campaigns so small that a test has several of them, what they end by, and a place that notes tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from axiomcheck.decide import search
from axiomcheck.engine import blocks, campaign
from axiomcheck.engine.budget import Deadline
from axiomcheck.engine.events import Event, Said
from axiomcheck.engine.places import Hear, ThisProcess
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


class Asked(ThisProcess):
    """Notes the cells that it is asked for, and decides none."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def decide(self, tasks: Sequence[Task], hear: Hear) -> None:
        """Notes the cells."""
        self.asked += [(metric.canonical, task.axiom.name) for task in tasks for metric in task.metrics]

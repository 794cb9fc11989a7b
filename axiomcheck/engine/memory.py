"""What was decided before under the same circumstances, and is not decided again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from axiomcheck.engine.places import Found, Hear, Place, Report, TaskShare
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell


class Memory(Protocol):
    """Cells by the task that they are of, and the metric."""

    def before(self, task: Task, metric: Metric | Foreign) -> Cell | None:
        """The cell as that task left it before; None where that is not known."""

    def keep(self, task: Task, metric: Metric | Foreign, cell: Cell) -> None:
        """Keeps a cell as that task left it, unless it may come out otherwise next time."""

    def disbelieve(self, task: Task, metric: Metric | Foreign) -> None:
        """Have a cell decided again, since its counterexample is none any more."""


class Nothing:
    """No memory."""

    def before(self, task: Task, metric: Metric | Foreign) -> Cell | None:
        """Return None."""

    def keep(self, task: Task, metric: Metric | Foreign, cell: Cell) -> None:
        """Keep nothing."""

    def disbelieve(self, task: Task, metric: Metric | Foreign) -> None:
        """Do nothing: nothing was believed."""


def decide_what_is_new(tasks: Sequence[Task], place: Place, memory: Memory, hear: Hear) -> None:
    """Tells all cells of tasks: those that are remembered at once, the others as they are decided, which are kept.

    Args:
        tasks: the work.
        place: where it is done.
        memory: of what was done before.
        hear: is told; numbers are those of tasks.

    """
    left: list[tuple[int, Task]] = []
    for number, task in enumerate(tasks):
        new = []
        for metric in task.metrics:
            cell = memory.before(task, metric)
            if cell is None:
                new.append(metric)
            else:
                hear(Found(number, cell))
        if new:
            left.append((number, replace(task, metrics=tuple(new))))
        else:
            hear(TaskShare(number, 1.0))
    if not left:
        return

    def heard(report: Report) -> None:
        number, task = left[report.number]
        if isinstance(report, Found):
            asked = [metric for metric in task.metrics if metric.canonical == report.cell.metric]
            if not asked:  # an object that was another one where it was sent to: its own cell is not there
                return
            memory.keep(task, asked[0], report.cell)
        hear(replace(report, number=number))

    place.decide([task for _, task in left], heard)

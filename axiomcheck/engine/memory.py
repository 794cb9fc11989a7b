"""What was decided before under the same circumstances, and is not decided again."""

from __future__ import annotations

from typing import Protocol

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

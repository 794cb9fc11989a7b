"""The questions of a run, and the answers so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from axiomcheck.core.domain import assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.engine.cells import missing
from axiomcheck.engine.events import CellDecided, CellSoFar, Listener, Progress
from axiomcheck.engine.external import Measured
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.tasks import External, Found, Key, Plan, Question, Task
from axiomcheck.records.cells import Cell, failed


class Answers:
    """The questions of a plan, and the answers so far.

    Args:
        plan, memory, listen: as `axiomcheck.engine.run.run` takes them.

    """

    def __init__(self, plan: Plan, memory: Memory, listen: Listener) -> None:
        self.plan, self.tell = plan, listen
        self.questions = {question.key: question for question in plan.questions}
        self._memory = memory
        self._first: dict[Key, Cell] = {}
        self._settled: dict[Key, Cell] = {}
        self._progress = 0.0

    def progress(self, share: float, axiom: str) -> None:
        """Tell how far a run is, which never goes back, with the axiom at work.

        One that goes on until some time is as far as the time is.
        """
        if (until := self.plan.until) is not None:
            share = 1 - until.left() / until.seconds
        self._progress = max(self._progress, share)
        self.tell(Progress(self._progress, axiom))

    def cells(self, interrupted: bool = False) -> tuple[Cell, ...]:
        """Return all cells; of an interrupted run those that have a first answer with that."""
        return tuple(self._cell(question, interrupted) for question in self.plan.questions)

    def _cell(self, question: Question, interrupted: bool) -> Cell:
        settled = self._settled.get(question.key)
        if settled is not None:
            return settled
        undecided = missing(question.metric, question.axiom)
        if interrupted:
            return self._first.get(question.key, undecided)
        return failed(undecided, OverLimit("its worker process died"))

    def usable(self, measured: Mapping[External, Measured | InvalidInput | MetricError]) -> list[Question]:
        """Settle the questions of external metrics that cannot be used as errors, and return the others.

        Raises:
            InvalidInput: no metric of the run can be used, and none of them can be loaded.

        """
        broken = {metric: why for metric, why in measured.items() if isinstance(why, Exception)}
        first = next(iter(broken.values()), None)
        if len(broken) == len({metric.canonical for metric in self.plan.metrics}) and isinstance(first, InvalidInput):
            raise first
        usable = []
        for key, question in self.questions.items():
            why = broken.get(question.metric) if isinstance(question.metric, External) else None
            if why is None:
                usable.append(question)
            else:
                self.settle(key, failed(missing(question.metric, question.axiom), why))
        return usable

    def await_more(self, key: Key, cell: Cell) -> None:
        """Take a first answer, to which more is to come."""
        is_new = key not in self._first
        self._first[key] = cell
        if is_new:
            self.tell(CellSoFar(cell, self._is_small(key)))

    def settle(self, key: Key, cell: Cell) -> None:
        """Take a cell as the run leaves it."""
        self._settled[key] = cell
        self.tell(CellDecided(cell, self._is_small(key)))

    def _is_small(self, key: Key) -> bool:
        return assumes_small(self.questions[key].axiom, key[2])

    def recall(self, task: Task, take: Callable[[Found], None]) -> Task | None:
        """Take the cells of a task that are remembered, and return the task of the others; None if there are none."""
        new = []
        for metric in task.metrics:
            cell = self._memory.before(task, metric)
            if cell is None:
                new.append(metric)
            else:
                take(Found(task, cell))
        if len(new) == len(task.metrics):
            return task
        return replace(task, metrics=tuple(new)) if new else None

    def keep(self, found: Found) -> bool:
        """Keep a cell in the memory; false for one that nobody asked for.

        An object may be another one where it was sent to: its own cell is not there.
        """
        for metric in found.task.metrics:
            if metric.canonical == found.cell.metric:
                self._memory.keep(found.task, metric, found.cell)
                return True
        return False

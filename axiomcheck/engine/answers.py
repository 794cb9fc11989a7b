"""The questions of a run, the answers so far, and the queues of pieces that are known from the beginning."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.blocks import Together, can_go_on, later_block, later_examples
from axiomcheck.engine.cells import missing
from axiomcheck.engine.events import CellDecided, CellSoFar, Listener, Progress
from axiomcheck.engine.foreign import Measured
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Found, Place, Report, TaskShare
from axiomcheck.engine.tasks import Foreign, Plan, Question, Task
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.provenance import runs_catalogue_code

_TASKS_PER_JOB = 3
"""So that no process is left with the last task for long; of every task its axiom's instances are drawn again."""

_MOST_METRICS = 64
"""Of one task, for what it holds of each."""

Key: TypeAlias = tuple[str, str, Reading]
"""The names of metric and axiom, and the reading."""


class Answers:
    """The questions of a plan, and the answers so far.

    Args:
        plan, memory, listen: as `run` takes them.

    """

    def __init__(self, plan: Plan, memory: Memory, listen: Listener) -> None:
        self.plan, self.memory, self.tell = plan, memory, listen
        self.questions = {question.key: question for question in plan.questions}
        self.open: dict[Key, Together] = {}
        """Of a run that goes on: the cells that were decided, of which further blocks may tell more."""
        self.so_far: dict[Key, Cell] = {}
        """First answers, to which others are to come."""
        self._done: dict[Key, Cell] = {}

    def progress(self, share: float, axiom: str) -> None:
        """Tell how far a run is, with the axiom at work; one that goes on until some time is as far as the time is."""
        until = self.plan.until
        self.tell(Progress(share if until is None else 1 - until.left() / until.seconds, axiom))

    def cells(self, interrupted: bool = False) -> tuple[Cell, ...]:
        """Return all cells; of an interrupted run those that have a first answer with that."""
        return tuple(self._cell(question, interrupted) for question in self.plan.questions)

    def _cell(self, question: Question, interrupted: bool) -> Cell:
        key = question.key
        found = self.open[key].cell if key in self.open else self._done.get(key)
        if found is None and interrupted:
            found = self.so_far.get(key) or missing(question.metric, question.axiom)
        if found is None:
            found = failed(missing(question.metric, question.axiom), OverLimit("its worker process died"))
        return found

    def usable(
        self, questions: Sequence[Question], tried: Mapping[Foreign, Measured | InvalidInput | MetricError], alone: bool
    ) -> list[Question]:
        """Settle the questions of metrics that cannot be used as errors, and return the others.

        Raises:
            InvalidInput: there are no others in the run, and none of these can be loaded.

        """
        broken = {metric: why for metric, why in tried.items() if isinstance(why, Exception)}
        first = next(iter(broken.values()), None)
        if alone and len(broken) == len(tried) and isinstance(first, InvalidInput):
            raise first
        usable = []
        for question in questions:
            why = broken.get(question.metric) if isinstance(question.metric, Foreign) else None
            if why is None:
                usable.append(question)
            else:
                self.settle(question.key, failed(missing(question.metric, question.axiom), why))
        return usable

    def _is_proved(self, key: Key) -> bool:
        return key in self.so_far and self.so_far[key].certificate is not None

    def is_proved(self, key: Key) -> bool:
        """Return true for a first answer with a proof."""
        return key in self.so_far and self.so_far[key].certificate is not None

    def take_first(self, task: Task, cell: Cell) -> None:
        """Take a cell as its first block left it."""
        if later_examples(cell, self.plan.settings):
            self.await_more(task, cell)
        else:
            self.settle(key_of(task, cell), cell)

    def await_more(self, task: Task, cell: Cell) -> None:
        """Take a first answer to which more is to come."""
        self.so_far[key_of(task, cell)] = cell
        self.tell(CellSoFar(cell, assumes_small(task.axiom, task.reading)))

    def settle(self, key: Key, cell: Cell, search: Together | None = None) -> None:
        """Take a cell as the run leaves it; until some time it may go on."""
        self.so_far.pop(key, None)
        goes_on = self.plan.until is not None and cell.verdict in (Verdict.HELD, Verdict.BOUNDED) and can_go_on(cell)
        if goes_on:
            self.open[key] = search or self.search_of(key, cell)
        else:
            self._done[key] = cell
        self.tell((CellSoFar if goes_on else CellDecided)(cell, self._small(key)))

    def close(self, key: Key) -> Cell:
        """Take an open cell as its blocks so far left it."""
        search = self.open.pop(key)
        search.add_what_waits()
        self._done[key] = cell = search.cell
        self.tell(CellDecided(cell, self._small(key)))
        return cell

    def _small(self, key: Key) -> bool:
        return assumes_small(self.questions[key].axiom, key[2])

    def later_tasks(self, keys: Sequence[Key], block: int, examples: int, groups: int, jobs: int) -> list[Task]:
        """Return the tasks of a later block of several cells of an axiom, those of objects together."""
        question, settings = self.questions[keys[0]], later_block(self.plan.settings, examples)
        metrics = [self.questions[key].metric for key in keys]
        objects = [metric for metric in metrics if isinstance(metric, Metric)]
        shared = [*parts(objects, groups, jobs)] if objects else []
        shared += [(metric,) for metric in metrics if isinstance(metric, Foreign)]
        return [Task(question.axiom, part, question.reading, settings, block) for part in shared]

    def search_of(self, key: Key, cell: Cell) -> Together:
        """Return a cell as its first block left it, to which others are added."""
        metric = self.questions[key].metric
        return Together(cell, isinstance(metric, Metric) and runs_catalogue_code(metric))

    def search(self, tasks: Sequence[Task], place: Place, take: Callable[[Task, Cell], None]) -> None:
        """Have tasks decided, and take their cells."""
        if tasks:
            place.decide(TaskList(tasks, self, take))

    def new(self, task: Task, take: Callable[[Task, Cell], None]) -> Task | None:
        """Take the cells of a task that are remembered, and return the task of the others; None if there are none."""
        new = []
        for metric in task.metrics:
            cell = self.memory.before(task, metric)
            if cell is None:
                new.append(metric)
            else:
                take(task, cell)
        if len(new) == len(task.metrics):
            return task
        return replace(task, metrics=tuple(new)) if new else None

    def keep(self, found: Found) -> bool:
        """Keep a cell in the memory; false for one that nobody asked for.

        An object may be another one where it was sent to: its own cell is not there.
        """
        asked = [metric for metric in found.task.metrics if metric.canonical == found.cell.metric]
        if asked:
            self.memory.keep(found.task, asked[0], found.cell)
        return bool(asked)


class TaskList:
    """A queue of tasks that are known from the beginning, in their order.

    Args:
        tasks: themselves.
        answers: which remembers cells, and tells how far it is.
        take: called with every cell and its task.

    """

    def __init__(self, tasks: Sequence[Task], answers: Answers, take: Callable[[Task, Cell], None]) -> None:
        self._left, self._count = deque(enumerate(tasks)), len(tasks)
        self._answers, self._take = answers, take
        self._numbers: dict[int, tuple[int, Task]] = {}
        self._shares = [0.0] * len(tasks)

    def next(self) -> Task | None:
        """See `axiomcheck.engine.places.Queue`."""
        while self._left:
            number, task = self._left.popleft()
            new = self._answers.new(task, self._take)
            if new is not None:
                self._numbers[id(new)] = number, new
                return new
            self._tell(number, task, 1.0)
        return None

    def hear(self, report: Report) -> None:
        """See `axiomcheck.engine.places.Queue`."""
        if isinstance(report, TaskShare):
            self._tell(self._numbers[id(report.task)][0], report.task, report.share)
        elif isinstance(report, Found) and self._answers.keep(report):
            self._take(report.task, report.cell)

    def _tell(self, number: int, task: Task, share: float) -> None:
        self._shares[number] = share
        self._answers.progress(sum(self._shares) / self._count, task.axiom.name)


def key_of(task: Task, cell: Cell) -> Key:
    """Return the key of a task's cell."""
    return cell.metric, task.axiom.name, task.reading


def parts(
    metrics: Sequence[Metric | Foreign], tasks: int, jobs: int, most: int = _MOST_METRICS
) -> list[tuple[Metric | Foreign, ...]]:
    """Return metrics in parts that are about equal and not above the most, for about so many tasks of each part."""
    wanted = 1 if jobs == 1 else -(-_TASKS_PER_JOB * jobs // max(1, tasks))
    count = min(len(metrics), max(wanted, -(-len(metrics) // most)))
    return [tuple(metrics[number::count]) for number in range(count)]

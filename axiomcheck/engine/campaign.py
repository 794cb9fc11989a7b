"""Runs that go on, as long as there is time, with those of their cells of which least is known.

The run itself is an ordinary one. Then every process that is free takes the next block of the cell whose evidence is
weakest, with its blocks at work counted. A block that has come to its end counts, and one that the end of the time
finds at work does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from axiomcheck.core.counting import counted
from axiomcheck.decide.marks import of_few
from axiomcheck.decide.search import BLOCK
from axiomcheck.engine.answers import Answers, Key, key_of
from axiomcheck.engine.deadline import Deadline, TimeUp
from axiomcheck.engine.events import Said
from axiomcheck.engine.machine import Places
from axiomcheck.engine.places import Found, Place, Report, TaskShare
from axiomcheck.engine.priority import least_known
from axiomcheck.engine.tasks import Task
from axiomcheck.records.cells import Cell

_MOST_AT_ONCE = 8
"""Cells of one task: the end of the time drops the tasks at work; drawing takes a small part of such a task's time."""

_TELLING = 1.25
"""Times as many instances of the weakest cell as there were, before a line tells of them again."""


class Campaign:
    """The blocks that come after an ordinary run, least known first: a queue for every place.

    Args:
        answers: which says what is open, and listens.
        until: when the campaign ends.
        places: of the run.

    """

    def __init__(self, answers: Answers, until: Deadline, places: Places) -> None:
        self.answers, self.until = answers, until
        questions = [*places.own, places.by_name]
        self._place_of: dict[Key, Place] = {q.key: place for place, asked in questions for q in asked}
        self._at_work: Counter[Key] = Counter()
        self._begun: Counter[Key] = Counter()
        self._told = 0

    def go_on(self) -> None:
        """Have blocks decided until nothing is open; whatever ends it, what was found is then in the run.

        Raises:
            TimeUp: the time is up. Places may still be at work, at what does not count any more.

        """
        try:
            while self.answers.open:
                self._tell_standing()
                place = self._place_of[self._weakest()]
                place.decide(_Blocks(self, place))
        finally:
            for key in list(self.answers.open):
                self.answers.close(key)

    def next(self, place: Place) -> Task | None:
        """Return the next block of the weakest cell, and of others that draw the same; None if it is of another place.

        Raises:
            TimeUp: the time is up.

        """
        self._check_time()
        if not self.answers.open:
            return None
        weakest = self._weakest()
        if self._place_of[weakest] is not place:
            return None
        block, examples = self._next_block(weakest)
        same = [
            key
            for key in weakest_of(self._cells(), self._at_work)
            if key[1:] == weakest[1:] and self._place_of[key] is place and self._next_block(key) == (block, examples)
        ]
        share = -(-len(same) // place.jobs)  # so that every process has some
        tasks = self.answers.later_tasks(same[: min(share, _MOST_AT_ONCE)], block, examples, 1, 1)
        task = tasks[0]
        for metric in task.metrics:
            key = (metric.canonical, *weakest[1:])
            self._at_work[key] += 1
            self._begun[key] = block
        return task

    def hear(self, report: Report) -> None:
        """Take what came of a block.

        Raises:
            TimeUp: the time is up.

        """
        if isinstance(report, Found) and self.answers.keep(report):
            self.take(report.task, report.cell)
        elif isinstance(report, TaskShare):
            self.answers.progress(report.share, report.task.axiom.name)
            self._check_time()

    def take(self, task: Task, block: Cell) -> None:
        """Add a block to its cell, which it may settle."""
        key = key_of(task, block)
        self._at_work[key] -= 1
        search = self.answers.open.get(key)
        if search is None:
            return
        search.add(task.block, block)
        if not search.is_open:
            cell = self.answers.close(key)
            self.answers.tell(Said(f"{cell.metric} on {cell.axiom}: {cell.verdict}, {cell.reason}"))
        self._tell_standing()

    def _next_block(self, key: Key) -> tuple[int, int]:
        """Return the number and the examples of a cell's next block."""
        search = self.answers.open[key]
        examples = BLOCK
        if of_few(search.cell.marks):  # as its first block had, by which the size of what it enumerated went
            examples = min(BLOCK, self.answers.plan.settings.examples)
        return max(search.next, self._begun[key] + 1), examples

    def _cells(self) -> dict[Key, Cell]:
        return {key: search.cell for key, search in self.answers.open.items()}

    def _weakest(self) -> Key:
        return weakest_of(self._cells(), self._at_work)[0]

    def _check_time(self) -> None:
        if not self.until.left():
            raise TimeUp

    def _tell_standing(self) -> None:
        """Say how much is known of the weakest cell, if that is a good deal more than what was said before."""
        cells = list(self._cells().values())
        least = min((cell.instances for cell in cells), default=0)
        if cells and (not self._told or least >= _TELLING * self._told):
            self._told = max(1, least)
            self.answers.tell(Said(standing(cells)))


class _Blocks:
    """The queue of one place; what is remembered comes from the memory."""

    def __init__(self, campaign: Campaign, place: Place) -> None:
        self._campaign, self._place = campaign, place

    def next(self) -> Task | None:
        """See `axiomcheck.engine.places.Queue`."""
        while (task := self._campaign.next(self._place)) is not None:
            new = self._campaign.answers.new(task, self._campaign.take)
            if new is not None:
                return new
        return None

    def hear(self, report: Report) -> None:
        """See `axiomcheck.engine.places.Queue`."""
        self._campaign.hear(report)


def weakest_of(cells: Mapping[Key, Cell], at_work: Mapping[Key, int]) -> list[Key]:
    """Return the weakest of some cells, and those that would be weaker than that after a block, the weakest first.

    Args:
        cells: themselves.
        at_work: how many blocks of each are at work, which count as if they had come.

    """
    known = {}
    for key, cell in cells.items():
        standing, instances = least_known(cell)
        known[key] = standing, instances + BLOCK * at_work.get(key, 0)
    least = min(known.values())
    return sorted((key for key in cells if known[key] < (least[0], least[1] + BLOCK)), key=lambda key: known[key])


def standing(cells: Sequence[Cell]) -> str:
    """Say how much is known of the weakest of some cells."""
    cell = min(cells, key=least_known)
    share = f", so that what 1 in {cell.pairs.one_in:,} random ones violates is found with 99 %" if cell.pairs else ""
    return (
        f"{counted(len(cells), 'cell')} open; least is known of {cell.metric} on {cell.axiom}: {cell.verdict}, "
        f"{counted(cell.instances, 'distinct instance')} at least{share}"
    )

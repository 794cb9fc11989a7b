"""The queue of a run: the blocks of its cells, in the order of their priority.

What was asked for comes first: the first block of every cell, and then the others that it is to have. In a run that
goes on until some time, every process that is free then takes the next block of the cell of which least is known, with
its blocks at work counted. A block that has come to its end counts, and one that the end of the time finds at work does
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.distinct import of_few
from axiomcheck.decide.search import BLOCK
from axiomcheck.engine.answers import Answers
from axiomcheck.engine.blocks import Together, can_go_on, first_block, later_block, later_examples
from axiomcheck.engine.events import Said
from axiomcheck.engine.external import Elsewhere
from axiomcheck.engine.places import Report
from axiomcheck.engine.tasks import External, Found, Key, Question, Task, TaskShare
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell
from axiomcheck.sources.provenance import is_genuine, runs_catalogue_code

_TASKS_PER_JOB = 3
"""So that no process is left with the last task for long; of every task its axiom's instances are drawn again."""

_MOST_METRICS = 64
"""Metrics of one task at most, for what it holds of each."""

_MOST_AT_ONCE = 8
"""Likewise, of a block that the end of the time may drop; drawing takes a small part of such a task's time."""

_TELLING = 1.25
"""Times as many instances of the weakest cell as there were, before a line tells of them again."""


class TimeUp(Exception):
    """Ends the work of a run whose time is over. Places may still be at work, at what does not count any more."""


def least_known(cell: Cell | None) -> tuple[int, int]:
    """Return how much is known of a cell: the least is first.

    A cell without an answer comes before one that is undecided, that before one that only a search speaks for, that
    before one with a proof of some sizes, and a refuted one, which may be refuted more simply, is last. Among equals
    the one with the fewest distinct instances is first.
    """
    if cell is None:
        return 0, 0
    standing = {Verdict.UNDECIDED: 1, Verdict.REFUTED: 4}.get(cell.verdict, 2)
    if standing == 2 and cell.certificate is not None:
        standing = 3
    return standing, cell.instances


@dataclass
class _Open:
    """A cell that is not settled.

    Args:
        question: itself.
        group: axiom, reading, and whether the metric is the catalogue's: what cells have in common that are searched
            together; None in place of the last is an external metric, whose cells are searched alone.
        search: the cell after the blocks so far; None until the first one came.
        later: the examples of every block after the first that was asked for.
        begun: how many blocks were handed out.
        came: how many of them came back.
        share: the part of the block at work that is done.
        goes_on: whether all that was asked for is done, and further blocks may tell more.

    """

    question: Question
    group: tuple[str, Reading, bool | None]
    search: Together | None = None
    later: list[int] = field(default_factory=list)
    begun: int = 0
    came: int = 0
    share: float = 0.0
    goes_on: bool = False

    @property
    def rank(self) -> tuple[int, ...]:
        """Return its place among the others, of which the least is first.

        Of blocks that were asked for those of objects are first, which have other processes, and of these the longest.
        """
        if not self.goes_on:
            return bool(self.begun), self.group[2] is None, self.question.axiom.group == "relevance", self.begun
        assert self.search is not None
        standing, instances = least_known(self.search.cell)
        return 2 + standing, instances + BLOCK * (self.begun - self.came)

    @property
    def done(self) -> float:
        """Return the part of its blocks that is done."""
        return min(1.0, (self.came + self.share) / (1 + len(self.later)))


class BlockQueue:
    """The blocks of a run: a queue.

    Args:
        answers: which says what is asked, and takes answers.
        questions: those whose metrics can be used.
        jobs: how many tasks of metric objects are decided at a time.
        elsewhere: to look whether external metrics have the same scores in other processes.

    """

    def __init__(self, answers: Answers, questions: Sequence[Question], jobs: int, elsewhere: Elsewhere) -> None:
        self._answers, self._elsewhere, self._jobs = answers, elsewhere, jobs
        self._settings, self._until = answers.plan.settings, answers.plan.until
        genuine = {id(metric): is_genuine(metric) for metric in answers.plan.metrics if isinstance(metric, Metric)}
        self.open = {
            question.key: _Open(question, (*question.key[1:], genuine.get(id(question.metric))))
            for question in questions
        }
        self._groups = Counter(one.group for one in self.open.values() if one.group[2] is not None)
        self._told = 0

    def next(self) -> Task | None:
        """Return the next block of the cell that comes first, and of others that draw the same.

        Blocks that are remembered are taken. See `axiomcheck.engine.places.Queue`.
        """
        while (task := self._next()) is not None:
            new = self._answers.recall(task, self._take)
            if new is not None:
                return new
            self._tell_progress(task)
        return None

    def _next(self) -> Task | None:
        waiting = {id(one): examples for one in self.open.values() if (examples := self._examples(one)) is not None}
        candidates = [one for one in self.open.values() if id(one) in waiting]
        if not candidates:
            return None
        first = min(candidates, key=lambda one: one.rank)
        block, examples = first.begun, waiting[id(first)]
        same = [first]
        if first.group[2] is not None:
            alike = (one for one in candidates if (one.group, one.begun) == (first.group, block))
            same = sorted((one for one in alike if waiting[id(one)] == examples), key=lambda one: one.rank)
            same = same[: self._most(first)]
        for one in same:
            one.begun += 1
        asked = first.question
        settings = later_block(self._settings, examples) if block else first_block(self._settings)
        return Task(asked.axiom, tuple(one.question.metric for one in same), asked.reading, settings, block)

    def _most(self, first: _Open) -> int:
        """Return how many cells one task may have, so that all processes have some."""
        tasks = 1 if self._jobs == 1 else -(-_TASKS_PER_JOB * self._jobs // len(self._groups))
        return min(-(-self._groups[first.group] // tasks), _MOST_AT_ONCE if first.goes_on else _MOST_METRICS)

    def _examples(self, one: _Open) -> int | None:
        """Return the examples of a cell's next block; None where it has none for now."""
        if not one.begun:
            return min(self._settings.examples, BLOCK)
        if one.search is None:
            return None
        if one.begun <= len(one.later):
            return one.later[one.begun - 1]
        if not one.goes_on or self._until is None or not self._until.left():
            return None
        # As its first block had, by which the size of what it enumerated went.
        return min(BLOCK, self._settings.examples) if of_few(one.search.cell.marks) else BLOCK

    def hear(self, report: Report) -> None:
        """Take what is known of a block.

        Raises:
            TimeUp: all that was asked for is done, and the time is up.

        """
        if isinstance(report, Found):
            if self._answers.keep(report):
                self._take(report)
        elif isinstance(report, TaskShare):
            for metric in report.task.metrics:
                key = metric.canonical, report.task.axiom.name, report.task.reading
                if (one := self.open.get(key)) is not None and one.begun > one.came:
                    one.share = report.share
            self._tell_progress(report.task)
            if self._until is not None and self._all_go_on() and not self._until.left():
                raise TimeUp

    def finish(self) -> None:
        """Settle the cells that go on as their blocks so far left them."""
        for key, one in list(self.open.items()):
            if one.goes_on:
                assert one.search is not None
                one.search.add_what_waits()
                self._settle(key, one.search.cell)

    def _take(self, found: Found) -> None:
        """Take a cell as a block left it."""
        key, cell = found.key, found.cell
        one = self.open.get(key)
        if one is None:
            return
        one.came += 1
        one.share = 0.0
        if one.search is not None:
            one.search.add(found.task.block, cell)
        else:
            if cell.certificate is not None and isinstance(one.question.metric, External):
                cell = self._elsewhere.checked(cell)
            one.later = later_examples(cell, self._settings)
            if not one.later and not self._can_go_on(cell):
                self._settle(key, cell)
                return
            metric = one.question.metric
            one.search = Together(cell, not isinstance(metric, External) and runs_catalogue_code(metric))
            self._answers.await_more(key, cell)
        self._settle_or_go_on(key, one, one.search)

    def _settle_or_go_on(self, key: Key, one: _Open, search: Together) -> None:
        if one.goes_on and not search.is_open:
            cell = search.cell
            self._settle(key, cell)
            self._answers.tell(Said(f"{cell.metric} on {cell.axiom}: {cell.verdict}, {cell.reason}"))
        elif not one.goes_on and (search.has_ended or one.came > len(one.later)):
            if self._can_go_on(search.cell):
                one.goes_on = True
                self._answers.await_more(key, search.cell)
            else:
                self._settle(key, search.cell)
        if self._all_go_on():
            self._tell_standing()

    def _can_go_on(self, cell: Cell) -> bool:
        return self._until is not None and cell.verdict in (Verdict.HELD, Verdict.BOUNDED) and can_go_on(cell)

    def _settle(self, key: Key, cell: Cell) -> None:
        del self.open[key]
        self._answers.settle(key, cell)

    def _all_go_on(self) -> bool:
        """Tell whether all that was asked for is done."""
        return all(one.goes_on for one in self.open.values())

    def _tell_progress(self, task: Task) -> None:
        total = len(self._answers.questions)
        done = total - len(self.open) + sum(one.done for one in self.open.values())
        self._answers.progress(done / total, task.axiom.name)

    def _tell_standing(self) -> None:
        """Say how much is known of the weakest cell, if that is a good deal more than what was said before."""
        cells = [one.search.cell for one in self.open.values() if one.search is not None]
        if not cells:
            return
        weakest = min(cells, key=least_known)
        if not self._told or weakest.instances >= _TELLING * self._told:
            self._told = max(1, weakest.instances)
            self._answers.tell(Said(_standing(weakest, len(cells))))


def _standing(weakest: Cell, cells: int) -> str:
    """Say how much is known of the weakest of so many cells."""
    share = ""
    if weakest.pairs:
        share = f", so that what 1 in {weakest.pairs.one_in:,} random ones violates is found with 99 %"
    return (
        f"{counted(cells, 'cell')} open; least is known of {weakest.metric} on {weakest.axiom}: {weakest.verdict}, "
        f"{counted(weakest.instances, 'distinct instance')} at least{share}"
    )

"""Order a run's blocks by priority, and keep the answers so far.

The requested blocks come first: the first block of every cell, and then its later ones. A run with a deadline or a time
limit (see `axiomcheck.engine.budget`) may have time left after them. An idle process then takes the next block of the
cell with the least evidence; running blocks count as evidence. Only blocks that finish by the deadline count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InvalidInput, OverLimit
from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.distinct import belong_to_few
from axiomcheck.decide.search import BLOCK
from axiomcheck.engine.blocks import Block, Together, can_go_on, later_blocks
from axiomcheck.engine.budget import FIRST_LOOK, Budget
from axiomcheck.engine.cells import missing
from axiomcheck.engine.events import CellDecided, CellSoFar, Listener, Progress, Said
from axiomcheck.engine.external import Measured, OtherProcessCheck, measured, too_long
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Place
from axiomcheck.engine.tasks import External, Found, Key, Plan, Question, Report, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Workers
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.provenance import Origin

_TASKS_PER_JOB = 3
"""Number of tasks per process. More tasks would keep processes busy to the end, but each task draws new instances."""

_MOST_METRICS = 64
"""Maximum number of metrics per task, which bounds its memory."""

_MOST_AT_ONCE = 8
"""Maximum number of metrics per task if the deadline may discard the task.

Smaller tasks draw the same instances more often, which takes little time.
"""

_SLOW = 0.001
"""Seconds per call above which all cells of an external metric first get a short search.

Without this short search, the last verdict on a metric that takes 10 ms per call would come only after minutes.
"""

_TELLING = 1.25
"""A line about the cell with the least evidence is printed when its number of instances has grown by this factor."""


class TimeUp(Exception):
    """Raised when the deadline of a run has passed. Executors may still be working on blocks that no longer count."""


def least_known(cell: Cell) -> tuple[int, int]:
    """Return a sort key for the evidence of a cell. The cell with the least evidence sorts first.

    The order is: undecided cells, cells that were only searched, cells with a proof for some sizes, and refuted cells,
    whose counterexamples may still become simpler. Within each group, cells with fewer distinct instances come first.
    """
    standing = {Verdict.UNDECIDED: 1, Verdict.REFUTED: 4}.get(cell.verdict, 2)
    if standing == 2 and cell.certificate is not None:
        standing = 3
    return standing, cell.instances


@dataclass
class _Open:
    """Cell that may still get blocks.

    Args:
        question: Question of the cell.
        group: Axiom's name, reading, and whether the metric comes from the catalogue. Cells of one group are searched
            together. The last item is None for a cell that is searched alone: in a run with a budget, and for external
            metrics.
        answer: Cell with the evidence of the finished blocks; None before the first one.
        search: Combined blocks so far; None while there is no block to which others can add.
        later: Requested blocks after the first.
        begun: Number of blocks that were started, excluding failed ones.
        tried: Number of blocks that were started.
        came: Number of blocks whose results have arrived.
        share: Share of the running block that is done, from 0 to 1.
        goes_on: Whether all requested blocks are done, but time is left in which further blocks may add evidence.
        few: Number of instances in a short first block, which the requested blocks replace; None if there is none.

    """

    question: Question
    group: tuple[str, Reading, bool | None]
    answer: Cell | None = None
    search: Together | None = None
    later: list[Block] = field(default_factory=list)
    begun: int = 0
    tried: int = 0
    came: int = 0
    share: float = 0.0
    goes_on: bool = False
    few: int | None = None

    @property
    def known(self) -> Cell | None:
        """Cell with the evidence so far."""
        return self.answer if self.search is None else self.search.cell

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key for the cell's next block. The block with the lowest value is started first.

        First blocks come before later ones. Then metric objects come before external metrics, and axioms that take
        longer before others. Blocks that were not requested come last, in the order of `least_known`.
        """
        if not self.goes_on:
            return bool(self.tried), self.group[2] is None, self.question.axiom.group == "relevance", self.begun
        assert self.known is not None
        standing, instances = least_known(self.known)
        return 2 + standing, instances + BLOCK * (self.begun - self.came)

    @property
    def done(self) -> float:
        """Share of the cell's blocks that is done, from 0 to 1."""
        return min(1.0, (self.came + self.share) / (1 + len(self.later)))


class BlockQueue:
    """Priority queue of a plan's blocks, with the answers so far."""

    def __init__(self, plan: Plan, memory: Memory, listen: Listener) -> None:
        self._plan, self._memory, self._tell = plan, memory, listen
        self._questions = {question.key: question for question in plan.questions}
        self._open: dict[Key, _Open] = {}
        self._settled: dict[Key, Cell] = {}
        self._budget: Budget | None = None
        self._progress = 0.0
        self._told = 0

    def load(self, place: Place, workers: Workers) -> None:
        """Load the external metrics and open the cells.

        If an external metric cannot be used, its cells are errors.

        Args:
            place: Executor that decides the cells.
            workers: Workers that load external metrics and check their scores.

        Raises:
            InvalidInput: No metric of the run can be used, and the first one cannot be loaded.

        """
        plan = self._plan
        # Cells of catalogue metrics, or of other metric objects, are searched together if their instances are the same.
        genuine = {} if plan.budget is not None else {key: one is Origin.CATALOGUE for key, one in plan.origins.items()}
        if plan.budget is not None:
            self._budget = Budget(plan.budget, plan.settings, place.most, workers.limits.seconds)
        self._jobs, self._other_process = place.jobs, OtherProcessCheck(workers, plan.budget)
        self._open = {
            key: _Open(question, (*key[1:], genuine.get(id(question.metric))))
            for key, question in self._questions.items()
        }
        needed: dict[External, None] = {}
        for key, one in list(self._open.items()):
            external = one.question.external
            if one.group[2] is None and not self._is_remembered(key, one) and external is not None:
                needed[external] = None
        loaded = measured([*needed], workers, plan.budget, place.most)
        usable = {metric: outcome for metric, outcome in loaded.items() if isinstance(outcome, Measured)}
        first = next((outcome for outcome in loaded.values() if not isinstance(outcome, Measured)), None)
        if len(loaded) == len(plan.metrics) and not usable and isinstance(first, InvalidInput):
            raise first
        for key, one in list(self._open.items()):
            external = one.question.external
            outcome = None if external is None or one.begun else loaded.get(external)
            if isinstance(outcome, Exception):
                self._settle(key, failed(missing(one.question.metric, one.question.axiom), outcome))
        if self._budget is not None:
            self._budget.measured |= {metric.canonical: known for metric, known in usable.items()}
        for metric, measures in usable.items():
            is_slow = measures.seconds > _SLOW and not measures.is_fold
            if self._budget is not None or is_slow:
                each = f"{1000 * measures.seconds:.2g} ms" if measures.seconds < 1 else f"{measures.seconds:.1f} s"
                advice = too_long(measures, plan.settings.examples, workers.limits.seconds)
                self._tell(Said(f"{metric.canonical}: {each} a call{'' if plan.budget else advice}"))
            for one in self._open.values() if self._budget is None and is_slow else ():
                if one.question.external is metric:
                    one.few = min(FIRST_LOOK, plan.settings.examples)
        self._groups = Counter(one.group for one in self._open.values() if one.group[2] is not None)

    def cells(self, interrupted: bool = False) -> tuple[Cell, ...]:
        """Return all cells in the order of the plan.

        If the run was interrupted, an open cell is its answer so far or undecided; if not, it is an error.
        """
        cells = []
        for key, question in self._questions.items():
            cell = self._settled.get(key)
            if cell is None and interrupted and key in self._open:
                cell = self._open[key].answer
            if cell is None:
                cell = missing(question.metric, question.axiom)
                cell = cell if interrupted else failed(cell, OverLimit("its worker process died"))
            cells.append(cell)
        return tuple(cells)

    def next(self) -> Task | None:
        """Return a task with the most urgent block, combined with blocks of other cells on the same instances.

        Cached blocks are recorded instead of being returned. The result is None if there is no block to start until
        another task has ended.
        """
        while (task := self._next()) is not None:
            # `load` has looked for first blocks of external metrics, whose other blocks are never stored.
            decided_here = self._budget is not None or task.external
            new = [m for m in task.metrics if decided_here or not self._recall(task, m)]
            if new:
                return replace(task, metrics=tuple(new))
            self._tell_progress(task)
        return None

    def _next(self) -> Task | None:
        peers = Counter(one.rank[0] for one in self._open.values())
        found = {key: self._block(key, one, peers[one.rank[0]]) for key, one in self._open.items()}
        blocks = {key: block for key, block in found.items() if block is not None}
        if not blocks:
            return None
        key = min(blocks, key=lambda key: self._open[key].rank)
        first, block, number = self._open[key], blocks[key], self._open[key].begun
        if self._budget is not None and block.few is None:
            number = 0
        same = [first]
        if first.group[2] is not None:
            candidates = (self._open[other] for other in blocks if blocks[other] == block)
            alike = (one for one in candidates if (one.group, one.begun) == (first.group, number))
            same = sorted(alike, key=lambda one: one.rank)[: self._most(first)]
        for one in same:
            one.begun += 1
            one.tried += 1
        asked = first.question
        settings = self._plan.settings_for(asked.axiom)
        proofs = settings.proofs and not number and block.few is None
        return Task(
            asked.axiom,
            tuple(one.question.metric for one in same),
            asked.reading,
            replace(settings, examples=block.examples, proofs=proofs),
            number,
            block.few,
            block.seconds,
        )

    def _most(self, first: _Open) -> int:
        """Return the maximum number of cells per task, so that every process has work."""
        tasks = 1 if self._jobs == 1 else -(-_TASKS_PER_JOB * self._jobs // len(self._groups))
        return min(-(-self._groups[first.group] // tasks), _MOST_AT_ONCE if first.goes_on else _MOST_METRICS)

    def _block(self, key: Key, one: _Open, peers: int) -> Block | None:
        """Return the next block of a cell, or None if it has none at present; for `peers`, see `Budget.block`."""
        examples, until = self._plan.settings.examples, self._plan.until
        if self._budget is not None:
            if one.begun > one.came:
                return None
            return self._budget.block(key, one.known, one.search is not None, peers)
        if not one.begun:
            return Block(min(examples, BLOCK), one.few)
        if one.search is None:
            return None
        if one.begun <= len(one.later):
            return one.later[one.begun - 1]
        if not one.goes_on or until is None or not until.left():
            return None
        # The enumeration for a slow metric depends on the number of examples, so all of its blocks have the same size.
        return Block(min(BLOCK, examples) if belong_to_few(one.search.cell.marks) else BLOCK)

    def _is_remembered(self, key: Key, one: _Open) -> bool:
        """Record the first block of an external metric's cell if the cache has it, and return whether it does.

        The cache has it only if a pinned witness decides the cell. The metric need not be loaded for this.
        """
        settings = self._plan.settings_for(one.question.axiom)
        settings = replace(settings, examples=min(settings.examples, BLOCK))
        task = Task(one.question.axiom, (one.question.metric,), one.question.reading, settings)
        one.begun = 1
        if self._recall(task, one.question.metric):
            return True
        one.begun = 0
        return False

    def _recall(self, task: Task, metric: Metric | External) -> bool:
        """Record the result of a block if it is in the cache, and return whether it is."""
        cell = self._memory.before(task, metric)
        if cell is not None:
            self._take(Found(task, cell))
        return cell is not None

    def hear(self, report: Report) -> None:
        """Record a report about a block: one of its cells, or its progress.

        Raises:
            TimeUp: All requested blocks are done, and the deadline has passed.

        """
        task, until = report.task, self._plan.until
        if isinstance(report, Found):
            for metric in task.metrics:
                # A sent object may arrive as another metric, in which case its own cell is missing.
                if metric.canonical == report.cell.metric:
                    if self._budget is None and task.few is None:
                        self._memory.keep(task, metric, report.cell)
                    self._take(report)
            return
        for metric in task.metrics:
            one = self._open.get((metric.canonical, task.axiom.name, task.reading))
            if one is not None and one.begun > one.came:
                one.share = report.share
        self._tell_progress(task)
        if until is not None and self._all_go_on() and not until.left():
            raise TimeUp

    def finish(self) -> None:
        """Settle the cells that are still open, with the evidence so far."""
        for key, one in list(self._open.items()):
            if one.search is not None and one.goes_on:
                one.search.add_waiting()
                self._settle(key, one.search.cell)
            elif self._budget is not None:
                unknown = missing(one.question.metric, one.question.axiom)
                self._settle(key, one.answer or failed(unknown, self._budget.no_answer(key)))

    def _take(self, found: Found) -> None:
        """Add the result of a finished block to the answer of its cell."""
        key, cell = found.key, found.cell
        one = self._open.get(key)
        if one is None:
            return
        if self._budget is None and found.task.few is not None:
            one.begun, one.few = one.came, None
            if cell.verdict is Verdict.NOT_APPLICABLE:
                self._settle(key, cell)
            elif cell.verdict is not Verdict.ERROR:
                self._await_more(key, one, cell)
            return
        if self._budget is not None and not self._budget.counts(found):
            one.begun = one.came
            if cell.failure is Failure.LIMIT:
                return
            if cell.verdict in (Verdict.ERROR, Verdict.NOT_APPLICABLE):
                self._settle(key, cell)
            else:
                one.goes_on = True
                self._await_more(key, one, cell)
            return
        one.came += 1
        one.share = 0.0
        if one.search is not None and found.task.block:
            one.search.add(found.task.block, cell)
        else:
            one.begun, one.came = (one.begun, one.came) if self._budget is None else (1, 1)
            if cell.certificate is not None and one.question.external is not None:
                cell = self._other_process.checked(cell)
            one.later = [] if self._budget is not None else later_blocks(cell, self._plan.settings)
            if not one.later and not self._can_go_on(key, cell):
                self._settle(key, cell)
                return
            origin = self._plan.origins.get(id(one.question.metric))
            one.search = Together(cell, origin is Origin.CATALOGUE)
            self._await_more(key, one, cell)
        self._settle_or_go_on(key, one, one.search)

    def _settle_or_go_on(self, key: Key, one: _Open, search: Together) -> None:
        if search.has_ended or one.came > len(one.later):
            if not search.is_open or not self._can_go_on(key, search.cell):
                self._settle(key, search.cell)
                if one.goes_on and self._plan.until is not None:
                    cell = search.cell
                    self._tell(Said(f"{cell.metric} on {cell.axiom}: {cell.verdict}, {cell.reason}"))
            elif not one.goes_on or self._budget is not None:
                one.goes_on = True
                self._await_more(key, one, search.cell)
        if self._plan.until is not None and self._all_go_on():
            self._tell_standing()

    def _can_go_on(self, key: Key, cell: Cell) -> bool:
        """Return whether a cell may get more blocks than were requested, to use the remaining time for evidence."""
        if self._budget is not None:
            return self._budget.has_more(key) and can_go_on(cell)
        return self._plan.until is not None and cell.verdict in (Verdict.HELD, Verdict.BOUNDED) and can_go_on(cell)

    def _await_more(self, key: Key, one: _Open, cell: Cell) -> None:
        """Record the answer so far of a cell that stays open; if it is the first one, report it."""
        is_new = one.answer is None
        one.answer = cell
        if is_new:
            self._tell(CellSoFar(cell, self._is_small(key)))

    def _settle(self, key: Key, cell: Cell) -> None:
        """Record the final cell of a question, close the question, and report the cell."""
        self._open.pop(key, None)
        self._settled[key] = cell
        self._tell(CellDecided(cell, self._is_small(key)))

    def _is_small(self, key: Key) -> bool:
        return assumes_small(self._questions[key].axiom, key[2])

    def _all_go_on(self) -> bool:
        """Return whether all requested blocks of all open cells are done."""
        return all(one.goes_on for one in self._open.values())

    def _tell_progress(self, task: Task) -> None:
        """Report the axiom of a task, and the progress of the run, which never decreases.

        In a run with a deadline, progress is the elapsed share of the time. With a time limit, progress is at least
        that share.
        """
        total, plan = len(self._questions), self._plan
        share = (total - len(self._open)) / total
        if plan.budget is not None:
            share = max(share, 1 - plan.budget.left() / plan.budget.seconds)
        elif plan.until is not None:
            share = 1 - plan.until.left() / plan.until.seconds
        else:
            share += sum(one.done for one in self._open.values()) / total
        self._progress = max(self._progress, min(1.0, share))
        self._tell(Progress(self._progress, task.axiom.name))

    def _tell_standing(self) -> None:
        """Report the cell with the least evidence, if its evidence has grown considerably since the last report."""
        cells = [one.search.cell for one in self._open.values() if one.search is not None]
        if not cells:
            return
        weakest = min(cells, key=least_known)
        if self._told and weakest.instances < _TELLING * self._told:
            return
        self._told = max(1, weakest.instances)
        share = ""
        if weakest.pairs:
            share = (
                f"; with 99 % probability, a violation in 1 of {weakest.pairs.one_in:,} random instances would "
                f"have been found"
            )
        self._tell(
            Said(
                f"{counted(len(cells), 'cell')} open; the one with the fewest instances is {weakest.metric} on "
                f"{weakest.axiom} ({weakest.verdict}): at least "
                f"{counted(weakest.instances, 'distinct instance')}{share}"
            )
        )

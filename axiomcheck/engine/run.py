"""The work of a run without a limit on time: tasks are planned, and their cells put together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput, OverLimit
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.blocks import Together, can_go_on, first_block, later_block, later_examples
from axiomcheck.engine.cells import ledger_of
from axiomcheck.engine.events import CellDecided, CellSoFar, Listener, Progress
from axiomcheck.engine.foreign import alike_elsewhere, missing, unusable
from axiomcheck.engine.memory import Memory, decide_what_is_new
from axiomcheck.engine.places import Found, Place, Report
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Workers
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.sources.provenance import runs_catalogue_code

_TASKS_PER_JOB = 3
"""So that no process is left with the last task for long; of every task its axiom's instances are drawn again."""

_MOST_METRICS = 64
"""Of one task, for what it holds of each."""

MOST_AT_ONCE = 8
"""Of one task of a campaign, whose end drops the tasks at work; drawing takes a small part of such a task's time."""

Key: TypeAlias = tuple[str, str]
"""Metric and axiom."""

Wanted: TypeAlias = Mapping[Key, Iterable[tuple[int, int]]]
"""Of each cell the later blocks that it is to have: their numbers, and how many examples each has."""


class MatrixRun:
    """What a run is to decide, and what is decided of it.

    Args:
        metrics, axioms, reading, settings, listen: as `axiomcheck.engine.matrix.run_matrix` takes them.
        memory: of what was decided before.
        until: seconds after which a campaign ends; None for a run that is no campaign.

    """

    def __init__(
        self,
        metrics: Sequence[Metric | Foreign],
        axioms: Sequence[Axiom],
        reading: Reading,
        settings: Settings,
        memory: Memory,
        listen: Listener,
        until: float | None = None,
    ) -> None:
        self.metrics, self.axioms, self.reading, self.settings = metrics, axioms, reading, settings
        self.memory, self.listen, self.until = memory, listen, until
        self.open: dict[Key, Together] = {}
        """Of a campaign: the cells that were decided, of which further blocks may tell more."""
        self._by_name = {metric.canonical: metric for metric in metrics}
        self._done: dict[Key, Cell] = {}
        self._so_far: dict[Key, Cell] = {}

    @property
    def goes_on(self) -> bool:
        """Whether this is a campaign."""
        return self.until is not None

    def ledger(self, interrupted: bool = False) -> Ledger:
        """All cells, those that have a first answer with that; others were interrupted, or else their worker died."""
        died = OverLimit("its worker process died")

        def cell(metric: Metric | Foreign, axiom: Axiom) -> Cell:
            key = (metric.canonical, axiom.name)
            found = self.open[key].cell if key in self.open else self._done.get(key)
            if found is None and interrupted:
                found = self._so_far.get(key) or missing(metric, axiom)
            return found or failed(missing(metric, axiom), died)

        cells = [cell(metric, axiom) for metric in self.metrics for axiom in self.axioms]
        return ledger_of(cells, self.reading, self.settings, until=self.until)

    def decide_own(self, metrics: Sequence[Metric], place: Place) -> None:
        """Decides the cells of the catalogue's metrics and of metric objects."""
        first = first_block(self.settings)
        # the longest first
        tasks = [
            Task(axiom, part, self.reading, first)
            for axiom in sorted(self.axioms, key=lambda axiom: axiom.group == "relevance")
            for part in _parts(metrics, len(self.axioms), place.jobs)
        ]
        self._search_first(tasks, place, lambda cell: False)
        self._search_later(place)

    def decide_foreign(self, metrics: Sequence[Foreign], workers: Workers, place: Place, alone: bool) -> None:
        """Decides the cells of metrics from outside, each of which is tried first and has its row of errors.

        Args:
            metrics: themselves.
            workers: to try them in.
            place: to decide them.
            alone: whether there are no others in the run.

        Raises:
            InvalidInput: they are alone, and none of them can be loaded.

        """
        broken = unusable(metrics, workers)
        if alone and len(broken) == len(metrics):
            for why in broken.values():
                if isinstance(why, InvalidInput):
                    raise why
                break
        for metric, why in broken.items():
            for axiom in self.axioms:
                self._settle(failed(missing(metric, axiom), why))
        first = first_block(self.settings)
        usable = [metric for metric in metrics if metric not in broken]
        tasks = [Task(axiom, (metric,), self.reading, first) for metric in usable for axiom in self.axioms]
        self._search_first(tasks, place, lambda cell: cell.certificate is not None)
        proved = [cell for cell in self._so_far.values() if cell.certificate is not None]
        for cell in alike_elsewhere(proved, workers):
            self._book(cell)
        self._search_later(place)

    def _search_first(self, tasks: Sequence[Task], place: Place, open_: Callable[[Cell], bool]) -> None:
        """Has the first block of cells decided; those that are not done yet are left in what there is so far."""

        def found(task: Task, cell: Cell) -> None:
            if open_(cell):
                self._so_far[cell.metric, cell.axiom] = cell
                self.listen(CellSoFar(cell))
            else:
                self._book(cell)

        self._decide(tasks, place, found)

    def _book(self, cell: Cell) -> None:
        """Takes a cell as its first block left it."""
        if later_examples(cell, self.settings):
            self._so_far[cell.metric, cell.axiom] = cell
            self.listen(CellSoFar(cell))
        else:
            self._settle(cell)

    def _settle(self, cell: Cell, search: Together | None = None) -> None:
        """Takes a cell as the run leaves it; in a campaign it may go on."""
        key = (cell.metric, cell.axiom)
        self._so_far.pop(key, None)
        if self.goes_on and cell.verdict in (Verdict.HELD, Verdict.BOUNDED) and can_go_on(cell):
            self.open[key] = search or self.search_of(cell)
            self.listen(CellSoFar(cell))
        else:
            self._done[key] = cell
            self.listen(CellDecided(cell))

    def close(self, key: Key) -> Cell:
        """Takes an open cell as its blocks so far left it."""
        search = self.open.pop(key)
        search.add_what_waits()
        self._done[key] = cell = search.cell
        self.listen(CellDecided(cell))
        return cell

    def _search_later(self, place: Place) -> None:
        """Has the later blocks decided of the cells that are to have some, and puts them together."""
        examples = {key: later_examples(cell, self.settings) for key, cell in self._so_far.items()}
        searches = {key: self.search_of(cell) for key, cell in self._so_far.items()}
        left = {key: len(counts) for key, counts in examples.items()}

        def added(key: Key) -> None:
            left[key] -= 1
            if not left[key]:
                search = searches.pop(key)
                self._settle(search.cell, search)

        wanted = {key: enumerate(counts, start=1) for key, counts in examples.items()}
        self.search_further(wanted, searches, place, added)
        self._so_far.clear()  # what is left had a worker that died

    def metric_of(self, key: Key) -> Metric | Foreign:
        """The metric of a cell."""
        return self._by_name[key[0]]

    def search_of(self, cell: Cell) -> Together:
        """A cell as its first block left it, to which others are added."""
        metric = self._by_name[cell.metric]
        return Together(cell, isinstance(metric, Metric) and runs_catalogue_code(metric))

    def search_further(
        self, wanted: Wanted, searches: Mapping[Key, Together], place: Place, added: Callable[[Key], None]
    ) -> None:
        """Has blocks decided, and adds each where it belongs; then tells whose it was."""

        def found(task: Task, block: Cell) -> None:
            key = (block.metric, block.axiom)
            searches[key].add(task.block, block)
            added(key)

        self._decide(self._later_tasks(wanted, place), place, found)

    def _later_tasks(self, wanted: Wanted, place: Place) -> list[Task]:
        """The tasks of later blocks, each for all the metrics that draw the same instances, as far as is known."""
        groups: dict[tuple[str, int, int], list[Metric]] = defaultdict(list)
        tasks: list[Task] = []
        axioms = {axiom.name: axiom for axiom in self.axioms}
        for (name, axiom), blocks in wanted.items():
            metric = self._by_name[name]
            for block, count in blocks:
                if isinstance(metric, Metric):
                    groups[axiom, block, count].append(metric)
                else:
                    tasks.append(self._later_task(axioms[axiom], (metric,), count, block))
        for (axiom, block, count), metrics in groups.items():
            parts = _parts(metrics, len(groups), place.jobs, MOST_AT_ONCE if self.goes_on else _MOST_METRICS)
            tasks += [self._later_task(axioms[axiom], part, count, block) for part in parts]
        return tasks

    def _later_task(self, axiom: Axiom, metrics: tuple[Metric | Foreign, ...], examples: int, block: int) -> Task:
        return Task(axiom, metrics, self.reading, later_block(self.settings, examples), block)

    def _decide(self, tasks: Sequence[Task], place: Place, found: Callable[[Task, Cell], None]) -> None:
        """Has tasks decided, and tells what comes, and how far it is."""
        shares = [0.0] * len(tasks)

        def hear(report: Report) -> None:
            task = tasks[report.number]
            if isinstance(report, Found):
                found(task, report.cell)
            else:
                shares[report.number] = report.share
                self.listen(Progress(sum(shares) / len(tasks), task.axiom.name))

        decide_what_is_new(tasks, place, self.memory, hear)


def _parts(metrics: Sequence[Metric], tasks: int, jobs: int, most: int = _MOST_METRICS) -> list[tuple[Metric, ...]]:
    """Metrics in parts that are about equal and not above the most, for about so many tasks of each part."""
    wanted = 1 if jobs == 1 else -(-_TASKS_PER_JOB * jobs // max(1, tasks))
    parts = min(len(metrics), max(wanted, -(-len(metrics) // most)))
    return [tuple(metrics[number::parts]) for number in range(parts)]

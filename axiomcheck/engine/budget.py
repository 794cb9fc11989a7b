"""Runs with a limit on time: every cell on few instances first, then on as many as the time that is left allows.

Each piece of work comes to its end or to nothing, so that no answer is cut short: a cell is what the search finds with
so many instances, whatever the time is. What speed decides is how many those are, which the evidence says.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby

from axiomcheck.axioms import about_blocks
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import assumes_small
from axiomcheck.core.errors import InvalidInput, OverLimit
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import of_few
from axiomcheck.engine.answers import Answers, Key, key_of
from axiomcheck.engine.cells import missing
from axiomcheck.engine.deadline import Deadline
from axiomcheck.engine.events import CellSoFar, Said
from axiomcheck.engine.foreign import Elsewhere, Measured, probed, timed
from axiomcheck.engine.machine import Places
from axiomcheck.engine.places import Found, OutOfTime, Report
from axiomcheck.engine.priority import least_known
from axiomcheck.engine.tasks import Foreign, Question, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import TimedOut
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.provenance import runs_catalogue_code

FEWEST = 15
"""Instances of the first answer: a few of every kind, in a second or two of a metric of 10 ms a call."""

_CAREFUL = 0.75
"""The part of its time that a piece is planned to take: a piece that takes more than all of it was for nothing."""

_MOST_GROWTH = 200
_LEAST_GROWTH = 1.6
_CONTRACT_CALLS = 6_000
"""More than the contract checks make of a metric that is called ranking by ranking."""

_FEW_CASES = 500
"""As a metric's most examples, the fewest cases that the contract checks have."""

_RESERVE = 0.5
"""Seconds at the end for the report."""


@dataclass(frozen=True)
class _Effort:
    """How much is tried of a cell: at most so many instances of each kind, or, with None, whatever there is."""

    few: int | None
    proofs: bool = False


@dataclass
class _Open:
    """A cell that may get a better answer.

    Args:
        question: itself.
        full: instances with which nothing is left out.
        at_once: as `Measured` has it.
        answer: the best so far.
        points: how long so many instances took, with what comes before a search.
        searched: how long the first search took.
        too_many: instances that took too long.
        had: the time of the last piece that came to nothing.
        rounds: pieces so far.
        whole: whether all instances were tried.
        attempted: whether proofs were.

    """

    question: Question
    full: int
    at_once: bool
    answer: Cell | None = None
    points: list[tuple[int, float]] = field(default_factory=list)
    searched: float = 0.0
    too_many: int | None = None
    had: float = 0.0
    rounds: int = 0
    whole: bool = False
    attempted: bool = False

    @property
    def standing(self) -> int:
        """Return where it comes among the others; the number of instances does not count, of which all have few."""
        return least_known(self.answer)[0]

    def effort(self, seconds: float, proofs: bool) -> _Effort | None:
        """What to try next in so many seconds; None where that would tell nothing more."""
        if self.answer is None:
            if self.rounds and seconds < 1.5 * self.had:
                return None
            all_at_once = about_blocks(self.question.axiom) or self.full <= FEWEST
            return _Effort(None if all_at_once else FEWEST)
        verdict = self.answer.verdict
        if verdict in (Verdict.NOT_APPLICABLE, Verdict.ERROR) or self.attempted:
            return None
        if self.whole:
            provable = about_blocks(self.question.axiom) or verdict is Verdict.HELD
            return _Effort(None, True) if proofs and provable else None
        few, _ = self.points[-1]
        more = self._affordable(_CAREFUL * seconds)
        if self.too_many is not None:
            more = min(more, self.too_many // 2)
        if more >= self.full:
            return _Effort(None)
        return _Effort(more) if more >= _LEAST_GROWTH * few else None

    def _affordable(self, seconds: float) -> int:
        """How many instances fit, by what fewer took: in proportion to one search, on the line through two pieces.

        Where a call takes many at once, the first measurement says nothing of more, and many are tried.
        """
        few, took = self.points[-1]
        if len(self.points) == 1:
            slope = max(self.searched, took / 5) / few
        else:
            before, then = self.points[-2]
            slope = max((took - then) / (few - before), took / few / 50)
        more = min(few + (seconds - took) / slope, few * _MOST_GROWTH)
        if self.at_once and len(self.points) == 1 and seconds >= took:
            more = few * _MOST_GROWTH
        return 0 if more < 1 else int(float(f"{more:.1e}"))

    def book(self, cell: Cell, effort: _Effort, seconds: float) -> None:
        """Takes an answer, unless a counterexample is there and this one has none."""
        self.whole |= effort.few is None
        self.attempted |= effort.proofs
        if effort.few is not None:
            self.searched = self.searched or cell.seconds
            self.points.append((effort.few, seconds))
        shown = self.answer is not None and self.answer.verdict is Verdict.REFUTED
        if not shown or cell.verdict in (Verdict.REFUTED, Verdict.ERROR):
            self.answer = cell

    def ran_out(self, effort: _Effort, seconds: float) -> None:
        """Takes that a piece came to nothing in so many seconds."""
        self.had = seconds
        if effort.proofs or (self.answer is not None and not self.points):
            self.attempted = True
        elif self.answer is not None:
            self.too_many = effort.few or self.full


class Growing:
    """The pieces of a run with a limit on its time, least known first: a queue.

    Args:
        answers: which says what is asked, and takes answers.
        budget: the time.
        places: of the run.

    Raises:
        InvalidInput: one of the metrics has no name to be found again by.

    """

    def __init__(self, answers: Answers, budget: Deadline, places: Places) -> None:
        for metric in answers.plan.objects:
            if isinstance(metric, Metric) and not runs_catalogue_code(metric):
                raise InvalidInput(
                    f"{metric} is an object; a budget of time is for metrics by name, such as file.py:metric"
                )
        self.answers, self.budget = answers, budget
        self._place, _ = places.by_name
        self._workers, self._elsewhere = places.workers, Elsewhere(places.workers)
        self._limit = places.workers.limits.seconds
        self.idle: dict[Key, _Open] = {}
        self.running: dict[Key, tuple[_Open, _Effort, float]] = {}
        self._estimated = False

    def go_on(self) -> None:
        """Decide every cell again and again, as long as there is time for more.

        Raises:
            InvalidInput: none of the metrics can be loaded.

        """
        self._begin()
        self._place.decide(self)
        for one in list(self.idle.values()):
            self._close(one)

    def _begin(self) -> None:
        """Load every metric from outside and time it; those that cannot be used are not asked about their cells."""
        workers, metrics = self._workers, self.answers.plan.metrics
        for _ in range(self._place.jobs):  # what workers import is not to be counted among what cells take
            workers.submit(_ready, seconds=self._left())
        tried = probed([metric for metric in metrics if isinstance(metric, Foreign)], workers, self._left())
        late = OverLimit(f"could not be loaded and called within {self.budget.seconds:g} s")
        tried = {metric: late if isinstance(found, TimedOut) else found for metric, found in tried.items()}
        for question in self.answers.usable(self.answers.plan.questions, tried, alone=len(tried) == len(metrics)):
            measured = tried.get(question.metric) if isinstance(question.metric, Foreign) else None
            assert not isinstance(measured, Exception)
            self.idle[question.key] = self._opened(question, measured)
        for metric, measured in tried.items():
            if isinstance(measured, Measured):
                self.answers.tell(Said(f"{metric.canonical}: {_milliseconds(measured.seconds)} a call"))
                if self.answers.plan.settings.proofs:
                    self._elsewhere.begin(metric.canonical, self._left())

    def _opened(self, question: Question, measured: Measured | None) -> _Open:
        most = measured.most_examples if measured else getattr(question.metric, "most_examples", None)
        full = min(value for value in (most, self.answers.plan.settings.examples) if value is not None)
        return _Open(question, full, measured.at_once if measured else True)

    def _left(self) -> float:
        return max(0.05, self.budget.left() - _RESERVE)

    def next(self) -> Task | None:
        """Return what to try next of the idle cell that comes first, if there is time; see `places.Queue`."""
        if self.budget.left() <= _RESERVE:
            return None
        chosen = self._first()
        if chosen is None:
            return None
        one, effort, share = chosen
        # An unknown cell may take what the others can do without.
        seconds = min(self._left(), self._limit, share * (2 if one.rounds == 0 else 1))
        one.rounds += 1
        key = one.question.key
        self.running[key] = self.idle.pop(key), effort, seconds
        settings = replace(self.answers.plan.settings, proofs=effort.proofs)
        question = one.question
        return Task(question.axiom, (question.metric,), question.reading, settings, few=effort.few, seconds=seconds)

    def _first(self) -> tuple[_Open, _Effort, float] | None:
        """Return the first cell that can make something of its share of the time, or else of several shares; and those.

        Cells of one standing share the time among themselves, before any of the next have more.
        """
        left, jobs, proofs = self._left(), self._place.jobs, self.answers.plan.settings.proofs
        order = sorted(self.idle.values(), key=lambda one: (one.standing, about_blocks(one.question.axiom), one.rounds))
        for _, same in groupby(order, key=lambda one: one.standing):
            open_ = list(same)
            for several in (1, 2, 4, 8, 16, 32):
                share = min(left, several * left * jobs / (len(open_) + len(self.running) or 1))
                for one in open_:
                    effort = one.effort(share, proofs)
                    if effort is not None:
                        return one, effort, share
        return None

    def hear(self, report: Report) -> None:
        """Take what came of a piece."""
        if isinstance(report, OutOfTime):
            (metric,) = report.task.metrics
            one, effort, seconds = self.running.pop((metric.canonical, report.task.axiom.name, report.task.reading))
            one.ran_out(effort, seconds)
            self.idle[one.question.key] = one
        elif isinstance(report, Found):
            self._take(report)
        self._estimate()
        self.answers.progress(self._share(), report.task.axiom.name)

    def _take(self, found: Found) -> None:
        key, cell = key_of(found.task, found.cell), found.cell
        one, effort, seconds = self.running.pop(key)
        if cell.certificate is not None and isinstance(one.question.metric, Foreign):
            try:
                cell = self._elsewhere.checked(cell)
            except TimedOut:
                one.ran_out(effort, seconds)
                self.idle[key] = one
                return
        first = one.answer is None
        one.book(cell, effort, found.seconds)
        assert one.answer is not None
        self.answers.so_far[key] = one.answer
        if one.effort(self._left(), self.answers.plan.settings.proofs) is None:
            self._close(one)
            return
        if first:
            self.answers.tell(CellSoFar(one.answer, assumes_small(one.question.axiom, one.question.reading)))
        self.idle[key] = one

    def _share(self) -> float:
        """Return the part of the time, or of the cells, that is done."""
        done = 1 - (len(self.idle) + len(self.running)) / len(self.answers.questions)
        return max(1 - self.budget.left() / self.budget.seconds, done)

    def _estimate(self) -> None:
        """Say what all instances would take, once every cell has had its first piece."""
        everyone = [*self.idle.values(), *(one for one, *_ in self.running.values())]
        if self._estimated or any(one.answer is None and not one.had for one in everyone):
            return
        self._estimated = True
        took = [(one.points[0], one.full) for one in everyone if one.points and not one.at_once]
        if took:
            seconds = sum(then * full / few for (few, then), full in took) / self._place.jobs
            self.answers.tell(
                Said(f"estimate: {counted(len(took), 'open cell')}, at most {_minutes(seconds)} with every instance")
            )

    def _close(self, one: _Open) -> None:
        cell, question = one.answer, one.question
        self.idle.pop(question.key, None)
        if cell is None:
            had = f"{one.had:.1f} s" if one.rounds else "none"
            why = f"no answer within the budget of {self.budget.seconds:g} s, of which it had {had}"
            cell = failed(missing(question.metric, question.axiom), OverLimit(why))
        self.answers.settle(question.key, cell)


def _ready() -> None:
    """In a worker: have loaded what every piece needs."""


def cut_short(cell: Cell) -> bool:
    """Whether a budget of time left a cell fewer instances than there are, or none."""
    if cell.pairs is not None:
        return bool(cell.pairs.few)
    return cell.failure is Failure.LIMIT


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 1 else f"{seconds:.1f} s"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{max(1, round(seconds))} s"


def for_contract(metric: Metric, seconds: float | None) -> Metric:
    """A metric as the contract checks are to try it: on fewer cases where they would not be done in so many seconds."""
    if seconds is None or runs_catalogue_code(metric) or timed(metric, 1) * _CONTRACT_CALLS < seconds:
        return metric
    return of_few(metric, _FEW_CASES)

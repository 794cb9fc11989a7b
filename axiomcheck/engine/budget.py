"""The queue of a run with a limit on time: few instances of every cell first, then as many as the time left allows.

Each search comes to its end or to nothing, so that no answer is cut short: a cell is what the search finds with so many
instances, whatever the time is. What speed decides is how many those are, which the evidence says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings, of_few
from axiomcheck.engine.answers import Answers
from axiomcheck.engine.cells import missing
from axiomcheck.engine.events import Said
from axiomcheck.engine.external import Elsewhere, Measured, measured, seconds_of_calls
from axiomcheck.engine.places import Place, Report
from axiomcheck.engine.priority import least_known
from axiomcheck.engine.tasks import Deadline, External, Found, Key, OutOfTime, Question, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import TimedOut, Workers
from axiomcheck.records.cells import Cell, failed

FEWEST = 15
"""Instances of the first answer: a few of every kind, in a second or two of a metric of 10 ms a call."""

_CAREFUL = 0.75
"""The part of its time that a piece is planned to take: a piece that takes more than all of it was for nothing."""

_MOST_GROWTH = 200
_LEAST_GROWTH = 1.6
_CONTRACT_CALLS = 6_000
"""More than the contract checks make of a metric that is called ranking by ranking."""

_FEW_CASES = 500
"""The fewest cases that the contract checks have, as a metric's most examples."""

_RESERVE = 0.5
"""Seconds at the end for the report."""


@dataclass(frozen=True)
class Effort:
    """A search of a cell: of at most so many instances of each kind, or, with None, of whatever there is."""

    few: int | None
    proofs: bool = False


@dataclass
class _Growing:
    """A cell that may get a better answer.

    Args:
        question: itself.
        full: instances with which nothing is left out.
        at_once: as `Measured` has it.
        answer: the best so far.
        trying: the search at work, or the last one.
        seconds: that it may take.
        points: how long so many instances took, with what comes before a search.
        searched: how long the first search took.
        too_many: instances that took too long.
        rounds: searches so far.
        whole: whether all instances were tried.
        attempted: whether proofs were.

    """

    question: Question
    full: int
    at_once: bool
    answer: Cell | None = None
    trying: Effort = Effort(None)
    seconds: float = 0.0
    points: list[tuple[int, float]] = field(default_factory=list)
    searched: float = 0.0
    too_many: int | None = None
    rounds: int = 0
    whole: bool = False
    attempted: bool = False

    @property
    def rank(self) -> tuple[int, bool, int]:
        """Return its place among the others; the number of instances does not count, of which all have few."""
        return least_known(self.answer)[0], not self.question.axiom.drawn, self.rounds

    def effort(self, seconds: float, proofs: bool) -> Effort | None:
        """Return what to try next in so many seconds; None where that would tell nothing more."""
        if self.answer is None:
            if self.rounds and seconds < 1.5 * self.seconds:
                return None
            all_at_once = not self.question.axiom.drawn or self.full <= FEWEST
            return Effort(None if all_at_once else FEWEST)
        verdict = self.answer.verdict
        if verdict in (Verdict.NOT_APPLICABLE, Verdict.ERROR) or self.attempted:
            return None
        if self.whole:
            provable = not self.question.axiom.drawn or verdict is Verdict.HELD
            return Effort(None, True) if proofs and provable else None
        more = self._affordable(_CAREFUL * seconds)
        if self.too_many is not None:
            more = min(more, self.too_many // 2)
        if more >= self.full:
            return Effort(None)
        return Effort(more) if more >= _LEAST_GROWTH * self.points[-1][0] else None

    def _affordable(self, seconds: float) -> int:
        """Return how many instances fit, by what fewer took: in proportion to one search, on the line through two.

        Where a call takes many at once, the first measurement says nothing of more, and many are tried.
        """
        few, took = self.points[-1]
        if len(self.points) == 1 and self.at_once and seconds >= took:
            return few * _MOST_GROWTH
        if len(self.points) == 1:
            slope = max(self.searched, took / 5) / few
        else:
            before, then = self.points[-2]
            slope = max((took - then) / (few - before), took / few / 50)
        more = min(few + (seconds - took) / slope, few * _MOST_GROWTH)
        return 0 if more < 1 else int(float(f"{more:.1e}"))

    def begin(self, effort: Effort, seconds: float) -> None:
        """Begin a search, which may take so many seconds."""
        self.trying, self.seconds = effort, seconds
        self.rounds += 1

    def task(self, settings: Settings) -> Task:
        """Return the search at work."""
        asked, effort = self.question, self.trying
        settings = replace(settings, proofs=effort.proofs)
        return Task(asked.axiom, (asked.metric,), asked.reading, settings, few=effort.few, seconds=self.seconds)

    def take(self, cell: Cell, seconds: float) -> None:
        """Take an answer after so many seconds, unless a counterexample is there and this one has none."""
        self.whole |= self.trying.few is None
        self.attempted |= self.trying.proofs
        if self.trying.few is not None:
            self.searched = self.searched or cell.seconds
            self.points.append((self.trying.few, seconds))
        shown = self.answer is not None and self.answer.verdict is Verdict.REFUTED
        if not shown or cell.verdict in (Verdict.REFUTED, Verdict.ERROR):
            self.answer = cell

    def ran_out(self) -> None:
        """Take that the search at work came to nothing in its seconds."""
        if self.trying.proofs or (self.answer is not None and not self.points):
            self.attempted = True
        elif self.answer is not None:
            self.too_many = self.trying.few or self.full


class BudgetQueue:
    """The searches of a run with a limit on its time, least known first: a queue.

    Args:
        answers: which says what is asked, and takes answers.
        questions: those whose metrics can be used.
        measured: the time that a call of each external metric takes.
        place: where they are decided.
        limit: the most seconds of one search.
        elsewhere: to look whether external metrics have the same scores in other processes.

    """

    def __init__(
        self,
        answers: Answers,
        questions: Sequence[Question],
        measured: Mapping[External, Measured],
        place: Place,
        limit: float,
        elsewhere: Elsewhere,
    ) -> None:
        assert answers.plan.budget is not None
        self._answers, self._budget, self._settings = answers, answers.plan.budget, answers.plan.settings
        self._place, self._limit, self._elsewhere = place, limit, elsewhere
        self._idle: dict[Key, _Growing] = {}
        self._running: dict[Key, _Growing] = {}
        self._is_estimated = False
        for question in questions:
            known = measured[question.metric] if isinstance(question.metric, External) else None
            most = known.most_examples if known else getattr(question.metric, "most_examples", None)
            full = min(value for value in (most, self._settings.examples) if value is not None)
            self._idle[question.key] = _Growing(question, full, known is None or known.at_once)
        for metric, known in measured.items():
            answers.tell(Said(f"{metric.canonical}: {_milliseconds(known.seconds)} a call"))
            if self._settings.proofs:
                elsewhere.begin(metric.canonical)

    def next(self) -> Task | None:
        """Return the search of the idle cell that comes first, if there is time; see `axiomcheck.engine.places.Queue`.

        The first cell is the one that can make something of its share of the time, or else of several shares. Cells of
        one standing share the time among themselves, before any of the next have more.
        """
        if self._budget.left() <= _RESERVE:
            return None
        left = time_left(self._budget)
        order = sorted(self._idle.values(), key=lambda one: one.rank)
        for _, group in groupby(order, key=lambda one: one.rank[0]):
            same = list(group)
            share = left * self._place.most / (len(same) + len(self._running))
            for shares, one in product((1, 2, 4, 8, 16, 32), same):
                seconds = min(left, shares * share)
                effort = one.effort(seconds, self._settings.proofs)
                if effort is not None:
                    # An unknown cell may take what the others can do without.
                    one.begin(effort, min(left, self._limit, seconds * (2 if one.rounds == 0 else 1)))
                    self._running[one.question.key] = self._idle.pop(one.question.key)
                    return one.task(self._settings)
        return None

    def hear(self, report: Report) -> None:
        """Take what came of a search."""
        if isinstance(report, OutOfTime):
            (metric,) = report.task.metrics
            key = metric.canonical, report.task.axiom.name, report.task.reading
            one = self._idle[key] = self._running.pop(key)
            one.ran_out()
        elif isinstance(report, Found):
            self._take(report)
        self._estimate()
        open_cells = len(self._idle) + len(self._running)
        done = 1 - open_cells / len(self._answers.questions)
        self._answers.progress(max(1 - self._budget.left() / self._budget.seconds, done), report.task.axiom.name)

    def _take(self, found: Found) -> None:
        one, cell = self._running.pop(found.key), found.cell
        self._idle[found.key] = one
        if cell.certificate is not None and isinstance(one.question.metric, External):
            try:
                cell = self._elsewhere.checked(cell)
            except TimedOut:
                one.ran_out()
                return
        one.take(cell, found.seconds)
        assert one.answer is not None
        if one.effort(time_left(self._budget), self._settings.proofs) is None:
            self._settle(one)
        else:
            self._answers.await_more(found.key, one.answer)

    def finish(self) -> None:
        """Settle the cells that have no more time."""
        for one in list(self._idle.values()):
            self._settle(one)

    def _settle(self, one: _Growing) -> None:
        cell, question = one.answer, one.question
        del self._idle[question.key]
        if cell is None:
            had = f"{one.seconds:.1f} s" if one.rounds else "none"
            why = f"no answer within the budget of {self._budget.seconds:g} s, of which it had {had}"
            cell = failed(missing(question.metric, question.axiom), OverLimit(why))
        self._answers.settle(question.key, cell)

    def _estimate(self) -> None:
        """Say what all instances would take, once every cell has had its first search."""
        ended = [(one, one.rounds) for one in self._idle.values()]
        ended += [(one, one.rounds - 1) for one in self._running.values()]
        if self._is_estimated or any(not rounds for _, rounds in ended):
            return
        self._is_estimated = True
        took = [(one.points[0], one.full) for one, _ in ended if one.points and not one.at_once]
        if took:
            seconds = sum(then * full / few for (few, then), full in took) / self._place.most
            self._answers.tell(
                Said(f"estimate: {counted(len(took), 'open cell')}, at most {_minutes(seconds)} with every instance")
            )


def load_external(
    metrics: Sequence[External], workers: Workers, jobs: int, budget: Deadline
) -> dict[External, Measured | InvalidInput | MetricError]:
    """Load every external metric within a budget, and time it; see `axiomcheck.engine.external.measured`."""
    for _ in range(jobs):  # what workers import is not to be counted among what cells take
        workers.submit(_ready, seconds=time_left(budget))
    late = OverLimit(f"could not be loaded and called within {budget.seconds:g} s")
    outcomes = measured(metrics, workers, time_left(budget), timed=True)
    return {metric: late if isinstance(outcome, TimedOut) else outcome for metric, outcome in outcomes.items()}


def time_left(budget: Deadline) -> float:
    """Return the seconds that are left for searches, some at least."""
    return max(0.05, budget.left() - _RESERVE)


def _ready() -> None:
    """Have loaded what every piece needs; in a worker."""


def cut_short(cell: Cell) -> bool:
    """Tell whether a budget of time left a cell fewer instances than there are, or none."""
    if cell.pairs is not None:
        return bool(cell.pairs.few)
    return cell.failure is Failure.LIMIT


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 1 else f"{seconds:.1f} s"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{max(1, round(seconds))} s"


def for_contract(metric: Metric, seconds: float | None) -> Metric:
    """Return a metric as the contract checks are to try it: on fewer cases where so many seconds are too few."""
    if seconds is None or seconds_of_calls(metric) * _CONTRACT_CALLS < seconds:
        return metric
    return of_few(metric, _FEW_CASES)

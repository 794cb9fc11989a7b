"""Runs with a limit on time: every cell on few instances first, then on as many as the time that is left allows.

Each piece of work comes to its end or to nothing, so that no answer is cut short: a cell is what the search finds with
so many instances, whatever the time is. What speed decides is how many those are, which the evidence says.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
from msgspec import structs

from axiomcheck.axioms import Axiom, about_blocks
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.numerical import asked
from axiomcheck.decide.search import Settings, of_few
from axiomcheck.engine.cells import decide
from axiomcheck.engine.events import CellDecided, CellSoFar, Event, Progress, Said
from axiomcheck.engine.foreign import check_elsewhere, missing, probe
from axiomcheck.engine.received import SentCell, as_asked
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import TimedOut, Work, Workers, outcome_of
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.evidence import PairEvidence
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.axiom_files import resolve_axiom
from axiomcheck.sources.names import library_of
from axiomcheck.sources.provenance import runs_catalogue_code
from axiomcheck.sources.resolve import resolve

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

_MANY = 24
_LITTLE_MORE = 4
_RESERVE = 0.5
"""Seconds at the end for the report."""


@dataclass(frozen=True)
class Deadline:
    """A limit on the time of a run, by the clock on the wall.

    Args:
        seconds: of the whole run.
        ends: when it ends, as `time.monotonic` has it.

    """

    seconds: float
    ends: float

    @classmethod
    def starting_now(cls, seconds: float) -> Deadline:
        """One that is all there yet."""
        return cls(seconds, time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds until it ends; never below 0."""
        return max(0.0, self.ends - time.monotonic())

    def part(self, share: float) -> Deadline:
        """One that ends after a share of what is left."""
        return replace(self, ends=time.monotonic() + share * self.left())


@dataclass(frozen=True)
class Question:
    """One cell to be decided: of a metric by its name, which is the catalogue's or one from outside."""

    metric: Metric | Foreign
    axiom: Axiom
    reading: Reading


@dataclass(frozen=True)
class Measured:
    """What a metric from outside showed on a ranking of one document.

    Args:
        seconds: that a call took.
        at_once: whether it takes many rankings in a call, for little more than one.
        most_examples: see `axiomcheck.metrics.Metric`.

    """

    seconds: float
    at_once: bool
    most_examples: int | None


@dataclass(frozen=True)
class _Effort:
    """How much is tried of a cell: at most so many instances of each kind, or, with None, whatever there is."""

    few: int | None
    proofs: bool = False


@dataclass
class _Open:
    """A cell that may get a better answer.

    Args:
        number: of the question.
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

    number: int
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
        """Who is first: what has no answer, what is undecided, what may yet be refuted, what may be so more simply."""
        if self.answer is None:
            return 0
        return {Verdict.UNDECIDED: 1, Verdict.REFUTED: 3}.get(self.answer.verdict, 2)

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


_Probed: TypeAlias = "Measured | InvalidInput | MetricError"


def decided_within(
    questions: Sequence[Question],
    settings: Settings,
    workers: Workers,
    jobs: int,
    budget: Deadline,
    answers: dict[int, Cell],
    beside: Sequence[Future[Work]] = (),
) -> Generator[Event, None, None]:
    """Decides cells until all is decided or the time is up.

    A cell that never came to an answer is an error that says so.

    Args:
        questions: in report order.
        settings: seed and budgets; the most that any cell gets.
        workers: to decide them in.
        jobs: how many at a time.
        budget: the time.
        answers: where the best answer of every question is, by its number, at any time, an interrupt's included.
        beside: other work that the workers are at, each of which takes the place of a cell; fewer than ``jobs``.

    Raises:
        InvalidInput: none of the metrics can be loaded; one has no name to be found again by.

    """
    for metric in (question.metric for question in questions):
        if isinstance(metric, Metric) and not runs_catalogue_code(metric):
            raise InvalidInput(
                f"{metric} is an object; a budget of time is for metrics by name, such as file.py:metric"
            )
    run = _Rounds(questions, settings, workers, jobs, budget, answers, beside)
    yield from run.probe()
    yield from run.decide()


class _Rounds:
    def __init__(
        self,
        questions: Sequence[Question],
        settings: Settings,
        workers: Workers,
        jobs: int,
        budget: Deadline,
        answers: dict[int, Cell],
        beside: Sequence[Future[Work]],
    ) -> None:
        self.questions, self.settings, self.workers, self._jobs = questions, settings, workers, jobs
        self.budget, self.answers, self._beside = budget, answers, beside
        self.idle: list[_Open] = []
        self.running: dict[Future[Work], tuple[_Open, _Effort, float, float]] = {}
        self.elsewhere: dict[Metric | Foreign, Future[Work]] = {}
        self.estimated = False

    @property
    def jobs(self) -> int:
        """How many cells can be at work."""
        return self._jobs - sum(not future.done() for future in self._beside)

    def probe(self) -> Generator[Event, None, None]:
        """Loads every metric, and has it score once: what cannot be is not asked about its cells."""
        for _ in range(self.jobs):  # what workers import is not to be counted among what cells take
            self.workers.submit(_ready, seconds=self._left())
        metrics = list(dict.fromkeys(question.metric for question in self.questions))
        outside = [metric for metric in metrics if isinstance(metric, Foreign)]
        probes = [(metric, self._submit(metric, self._left(), _measure, metric.canonical)) for metric in outside]
        found: dict[Metric | Foreign, _Probed] = {}
        for probed, future in probes:
            try:
                found[probed] = outcome_of(future, self.workers.limits)
            except TimedOut:
                found[probed] = OverLimit(f"could not be loaded and called within {self.budget.seconds:g} s")
            except (InvalidInput, MetricError) as error:
                found[probed] = error
        broken = [why for why in found.values() if isinstance(why, Exception)]
        if broken and len(broken) == len(metrics) and isinstance(broken[0], InvalidInput):
            raise broken[0]
        for metric, measured in found.items():
            if isinstance(measured, Measured):
                yield Said(f"{metric.canonical}: {_milliseconds(measured.seconds)} a call")
                if self.settings.proofs:
                    self.elsewhere[metric] = self._submit(metric, self._left(), check_elsewhere, metric.canonical)
        for number, question in enumerate(self.questions):
            why = found.get(question.metric)
            if isinstance(why, Exception):
                yield self._settled(number, failed(missing(question.metric, question.axiom), why))
            else:
                most = why.most_examples if why else getattr(question.metric, "most_examples", None)
                full = min(value for value in (most, self.settings.examples) if value is not None)
                self.idle.append(_Open(number, question, full, why.at_once if why else True))

    def decide(self) -> Generator[Event, None, None]:
        """Every cell again and again, as long as there is time for more."""
        while self.idle or self.running:
            self._start()
            yield from self._estimate()
            if not self.running:
                break
            ended, _ = wait(self.running, return_when=FIRST_COMPLETED)
            for future in ended:
                yield from self._ended(future)
        for one in self.idle:
            yield self._close(one)

    def _left(self) -> float:
        return max(0.05, self.budget.left() - _RESERVE)

    def _start(self) -> None:
        """Puts idle cells to work, those that tell most first."""
        while self.idle and len(self.running) < self.jobs and self.budget.left() > _RESERVE:
            self.idle.sort(key=lambda one: (one.standing, about_blocks(one.question.axiom), one.rounds))
            found = self._next()
            if found is None:
                return
            one, effort, share = found
            self.idle.remove(one)
            # An unknown cell may take what the others can do without.
            seconds = min(self._left(), self.workers.limits.seconds, share * (2 if one.rounds == 0 else 1))
            one.rounds += 1
            question, settings = one.question, replace(self.settings, proofs=effort.proofs)
            work = (question.metric.canonical, question.axiom.name, question.reading, settings, effort.few)
            future = self._submit(question.metric, seconds, _decide_few, *work)
            self.running[future] = one, effort, time.monotonic(), seconds

    def _next(self) -> tuple[_Open, _Effort, float] | None:
        """The first cell that can make something of its share of the time, or else of several shares; and those.

        Cells of one standing share the time among themselves, before any of the next have more.
        """
        left = self._left()
        for _, same in groupby(self.idle, key=lambda one: one.standing):
            open_ = list(same)
            for several in (1, 2, 4, 8, 16, 32):
                share = min(left, several * left * self.jobs / (len(open_) + len(self.running) or 1))
                for one in open_:
                    effort = one.effort(share, self.settings.proofs)
                    if effort is not None:
                        return one, effort, share
        return None

    def _submit(self, metric: Metric | Foreign, seconds: float, work: Any, *args: Any) -> Future[Work]:
        return self.workers.submit(work, *args, needs=library_of(metric.canonical), seconds=seconds)

    def _ended(self, future: Future[Work]) -> Generator[Event, None, None]:
        one, effort, began, seconds = self.running.pop(future)
        question = one.question
        try:
            sent = outcome_of(future, self.workers.limits)
            cell = as_asked(sent, question.metric.canonical, question.axiom.name, question.reading)
            if cell.certificate is not None and question.metric in self.elsewhere:
                cell = self._alike_elsewhere(cell, question.metric)
        except TimedOut:
            one.ran_out(effort, seconds)
            self.idle.append(one)
            return
        except (InvalidInput, MetricError) as error:
            cell = failed(missing(question.metric, question.axiom), error)
        first = one.answer is None
        one.book(cell, effort, time.monotonic() - began)
        assert one.answer is not None
        self.answers[one.number] = one.answer
        yield Progress(self._share(), question.axiom.name)
        if one.effort(self._left(), self.settings.proofs) is None:
            yield self._close(one)
            return
        if first:
            yield CellSoFar(one.answer, assumes_small(question.axiom, question.reading))
        self.idle.append(one)

    def _alike_elsewhere(self, cell: Cell, metric: Metric | Foreign) -> Cell:
        """A cell with a proof, or an error where the metric has other scores in another process.

        Raises:
            TimedOut: there was no time to see.

        """
        try:
            outcome_of(self.elsewhere[metric], self.workers.limits)
        except TimedOut:
            raise
        except (InvalidInput, MetricError) as error:
            return failed(replace(cell, witness=None, certificate=None), error)
        return cell

    def _share(self) -> float:
        """The part of the time, or of the cells, that is done."""
        return max(1 - self.budget.left() / self.budget.seconds, 1 - len(self.idle) / len(self.questions))

    def _estimate(self) -> Generator[Event, None, None]:
        """Says what all instances would take, once every cell had its first piece."""
        everyone = [*self.idle, *(one for one, *_ in self.running.values())]
        if self.estimated or any(one.rounds == 0 for one in everyone):
            return
        self.estimated = True
        took = [(one.points[0], one.full) for one in everyone if one.points and not one.at_once]
        if took:
            seconds = sum(then * full / few for (few, then), full in took) / self.jobs
            yield Said(f"estimate: {counted(len(took), 'open cell')}, at most {_minutes(seconds)} with every instance")

    def _close(self, one: _Open) -> CellDecided:
        cell = one.answer
        if cell is None:
            had = f"{one.had:.1f} s" if one.rounds else "none"
            why = f"no answer within the budget of {self.budget.seconds:g} s, of which it had {had}"
            cell = failed(missing(one.question.metric, one.question.axiom), OverLimit(why))
        return self._settled(one.number, cell)

    def _settled(self, number: int, cell: Cell) -> CellDecided:
        self.answers[number] = cell
        question = self.questions[number]
        return CellDecided(cell, assumes_small(question.axiom, question.reading))


def cut_short(cell: Cell) -> bool:
    """Whether a budget of time left a cell fewer instances than there are, or none."""
    if cell.pairs is not None:
        return bool(cell.pairs.few)
    return cell.failure is Failure.LIMIT


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 1 else f"{seconds:.1f} s"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{max(1, round(seconds))} s"


def _ready() -> None:
    """In a worker: nothing."""


def _measure(name: str) -> Measured:
    """In a worker: as `probe`, and how long a second call takes."""
    metric = resolve(name)
    probe(metric)
    one, many = _timed(metric, 1), _timed(metric, _MANY)
    return Measured(one, many < _LITTLE_MORE * one, metric.most_examples)


def for_contract(metric: Metric, seconds: float | None) -> Metric:
    """A metric as the contract checks are to try it: on fewer cases where they would not be done in so many seconds."""
    if seconds is None or runs_catalogue_code(metric) or _timed(metric, 1) * _CONTRACT_CALLS < seconds:
        return metric
    return of_few(metric, _FEW_CASES)


def _timed(metric: Metric, rankings: int) -> float:
    """How many seconds a call on so many rankings of one document takes."""
    began = time.perf_counter()
    asked(metric, np.ones((rankings, 1, 1)), np.ones((rankings, 1)), np.zeros((rankings, 1), dtype=np.int64))
    return time.perf_counter() - began


def _decide_few(name: str, axiom: str, reading: Reading, settings: Settings, few: int | None) -> SentCell:
    """In a worker: one cell, on few instances unless that is None."""
    metric = resolve(name)
    if few is not None:
        if not runs_catalogue_code(metric):
            metric = of_few(metric, few)
        settings = replace(settings, examples=min(settings.examples, few))
    (cell,) = decide(Task(resolve_axiom(axiom), (metric,), reading, settings), lambda share: None)
    if few is not None and isinstance(cell.evidence, PairEvidence):
        witness = cell.witness
        if isinstance(witness, PairWitness):  # too little was enumerated to say so
            witness = structs.replace(witness, minimal=None)
        cell = replace(cell, evidence=structs.replace(cell.evidence, few=few), witness=witness)
    return SentCell.of(cell)

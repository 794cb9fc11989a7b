"""The questions that a run is to decide, the tasks that they are cut into, and what is heard of a task."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from axiomcheck.axioms import Axiom, about_pairs, about_scores
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.metrics import LiftedMetric, Metric
from axiomcheck.records.causes import Cause, cause
from axiomcheck.records.cells import Cell
from axiomcheck.sources.provenance import Origin, origin_of

_RESERVE = 0.5
"""Seconds at the end for the report."""

Key: TypeAlias = tuple[str, str, Reading]
"""Key of a question in a run: the names of metric and axiom, and the reading."""


@dataclass(frozen=True)
class External:
    """A metric that is not the catalogue's, by name: loaded and run in isolated worker processes only.

    Args:
        canonical: as `axiomcheck.sources.resolve.resolve` takes it.

    """

    canonical: str


@dataclass(frozen=True)
class Question:
    """One cell to be decided.

    Args:
        metric: an object, or an external metric by its name.

    """

    metric: Metric | External
    axiom: Axiom
    reading: Reading

    @property
    def key(self) -> Key:
        """Return what tells this cell from the others of a run."""
        return self.metric.canonical, self.axiom.name, self.reading

    @property
    def external(self) -> External | None:
        """Return the metric if it is external; None of an object."""
        return self.metric if isinstance(self.metric, External) else None


def not_applicable(metric: Metric, axiom: Axiom, small: bool) -> Cause | None:
    """Return why an axiom says nothing of a metric; None where it does.

    Args:
        metric: of any kind.
        axiom: which one is asked.
        small: whether r << 1 is assumed.

    """
    if axiom.group == "diversity" and not metric.applies_to_aspects():
        return cause("not-lifted" if isinstance(metric, LiftedMetric) else "one-aspect")
    levels = metric.abilities.levels
    if small and levels is not None and not metric.binary_only:
        return cause("grades-too-coarse", levels=levels)
    if not about_pairs(axiom):
        return None
    if about_scores(axiom) and metric.partial:
        return cause("no-score")
    if axiom.weighted and not metric.abilities.weights:
        return cause("no-weights")
    if metric.cutoff is not None and axiom.longest(metric.cutoff) < axiom.min_ranked:
        return cause("cutoff-too-short", cutoff=metric.cutoff, rank=axiom.min_ranked + axiom.appends)
    return None


@dataclass(frozen=True)
class Deadline:
    """A limit on the time of a run, by the clock on the wall.

    Args:
        ends: when it ends, as `time.monotonic` has it.

    """

    seconds: float
    ends: float

    @classmethod
    def starting_now(cls, seconds: float) -> Deadline:
        """Return a limit that begins to run."""
        return cls(seconds, time.monotonic() + seconds)

    def left(self) -> float:
        """Return the seconds until it ends; never below 0."""
        return max(0.0, self.ends - time.monotonic())

    def left_for_work(self) -> float:
        """Return the seconds until it ends, but for those that a report takes."""
        return max(0.0, self.left() - _RESERVE)

    def part(self, share: float) -> Deadline:
        """Return a limit that ends after a share of the time that is left."""
        return replace(self, ends=time.monotonic() + share * self.left())


@dataclass(frozen=True)
class Plan:
    """The questions that a run is to decide, and the time that it has.

    Args:
        questions: in report order.
        settings: seed and budgets; the most that any cell gets, but for a run that goes on until some time.
        budget: a limit on the time of all of it, for metrics that have a name. Each question is asked of few instances
            first, and then of as many as the time allows.
        until: once all is decided, the search goes on until then, with the cells of which least is known. A budget
            leaves no time for that.

    """

    questions: tuple[Question, ...]
    settings: Settings = Settings()  # noqa: RUF009 - immutable
    budget: Deadline | None = None
    until: Deadline | None = None

    @classmethod
    def of(
        cls,
        metrics: Sequence[Metric | External],
        axioms: Sequence[Axiom],
        reading: Reading = Reading(),  # noqa: B008 - immutable
        settings: Settings = Settings(),  # noqa: B008 - immutable
        budget: Deadline | None = None,
        until: Deadline | None = None,
    ) -> Plan:
        """Return a plan for every metric and every axiom in one reading, metric by metric."""
        questions = tuple(Question(metric, axiom, reading) for metric in metrics for axiom in axioms)
        return cls(questions, settings, budget, until)

    @property
    def metrics(self) -> list[Metric | External]:
        """Return its metrics, each object once."""
        return list({id(question.metric): question.metric for question in self.questions}.values())

    @cached_property
    def origins(self) -> dict[int, Origin]:
        """Return whose code each metric object of the run is, by the object's id."""
        return {id(metric): origin_of(metric) for metric in self.metrics if isinstance(metric, Metric)}

    @property
    def axioms(self) -> list[Axiom]:
        """Return its axioms, one of each name."""
        return list({question.axiom.name: question.axiom for question in self.questions}.values())


@dataclass(frozen=True)
class Task:
    """A piece of work: one axiom to be decided for several metrics, or searched further.

    What comes of it depends on nothing else, and for each metric on that one alone.

    Args:
        metrics: the catalogue's, or other objects; or a single external one.
        block: which of the searches of its cells, see `axiomcheck.decide.search.Search`.
        few: the most instances of each kind; None for as many as the settings say. Of metrics by name only.
        seconds: the time that it may take; None for the limits of the place. Of metrics by name only.

    """

    axiom: Axiom
    metrics: tuple[Metric | External, ...]
    reading: Reading
    settings: Settings
    block: int = 0
    few: int | None = None
    seconds: float | None = None

    @property
    def own(self) -> tuple[Metric, ...]:
        """Return the metrics that are there as objects."""
        return tuple(metric for metric in self.metrics if isinstance(metric, Metric))

    @property
    def external(self) -> tuple[External, ...]:
        """Return the others, which are there by name."""
        return tuple(metric for metric in self.metrics if isinstance(metric, External))


@dataclass(frozen=True)
class Found:
    """A cell of a task, as its search left it.

    Args:
        task: as it was handed out.
        seconds: that all of the task took, for a task of one cell in a process of its own.

    """

    task: Task
    cell: Cell
    seconds: float = 0.0

    @property
    def key(self) -> Key:
        """Return the key of the cell's question."""
        return self.cell.metric, self.task.axiom.name, self.task.reading


@dataclass(frozen=True)
class TaskShare:
    """A share of a task is done, from 0 to 1."""

    task: Task
    share: float


Report: TypeAlias = Found | TaskShare
"""A part of what is known of a task that is being decided."""

"""Define the questions that a run decides, the tasks that group them, and the reports about a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from axiomcheck.axioms import Axiom, about_blocks, about_pairs, about_scores
from axiomcheck.core.domain import Reading
from axiomcheck.decide.budgets import Settings
from axiomcheck.metrics import LiftedMetric, Metric
from axiomcheck.processes.limits import Deadline as Deadline
from axiomcheck.records.causes import Cause, cause
from axiomcheck.records.cells import Cell
from axiomcheck.sources.names import External as External
from axiomcheck.sources.provenance import Origin, origin_of

Key: TypeAlias = tuple[str, str, Reading]
"""Key of a question in a run: metric name, axiom name, and reading."""


@dataclass(frozen=True)
class Question:
    """Question that a run decides: whether a metric satisfies an axiom in one reading.

    Args:
        metric: Metric object, or an external metric by name.
        reading: Regime and domain of grades.

    """

    metric: Metric | External
    axiom: Axiom
    reading: Reading

    @property
    def key(self) -> Key:
        """Key that identifies the question's cell within a run: metric, axiom and reading."""
        return self.metric.canonical, self.axiom.name, self.reading

    @property
    def external(self) -> External | None:
        """The metric if it is external (given by name), or None if it is an object."""
        return self.metric if isinstance(self.metric, External) else None


def not_applicable(metric: Metric, axiom: Axiom, small: bool) -> Cause | None:
    """Return why an axiom does not apply to a metric, such as grades that are too coarse, or None if it applies.

    Args:
        metric: Metric of any kind.
        axiom: Axiom to apply.
        small: Whether r << 1 is assumed.

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
class Plan:
    """Questions that a run decides, with its settings and time limits.

    Args:
        questions: Questions in report order.
        settings: Seed and budgets. The budgets are the maximum for each cell, except in a run that continues until a
            deadline.
        budget: Time limit of the whole run, for catalogue metrics and external metrics. Each question is first searched
            on few instances, and then on as many as time allows.
        until: Time until which the search continues after all cells are decided, for the cells with the least
            evidence. It has no effect together with a budget.
        settles_thresholds: Whether threshold axioms are proved even if the settings ask for no proofs. Only a proof can
            show that such an axiom fails at every n.

    """

    questions: tuple[Question, ...]
    settings: Settings = Settings()  # noqa: RUF009 - immutable
    budget: Deadline | None = None
    until: Deadline | None = None
    settles_thresholds: bool = False

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
        """Return a plan for every metric and every axiom in one reading, ordered by metric."""
        questions = tuple(Question(metric, axiom, reading) for metric in metrics for axiom in axioms)
        return cls(questions, settings, budget, until)

    def settings_for(self, axiom: Axiom) -> Settings:
        """Return the plan's settings for one axiom, with proofs turned on where `settles_thresholds` requires it."""
        proofs = self.settings.proofs or (self.settles_thresholds and about_blocks(axiom))
        return replace(self.settings, proofs=proofs)

    @property
    def metrics(self) -> list[Metric | External]:
        """Metrics of the plan, with each object listed once."""
        return list({id(question.metric): question.metric for question in self.questions}.values())

    @cached_property
    def origins(self) -> dict[int, Origin]:
        """Map the ``id`` of every metric object to the origin of its code."""
        return {id(metric): origin_of(metric) for metric in self.metrics if isinstance(metric, Metric)}

    @property
    def axioms(self) -> list[Axiom]:
        """Axioms of the plan, one per name."""
        return list({question.axiom.name: question.axiom for question in self.questions}.values())


@dataclass(frozen=True)
class Task:
    """Unit of work for an executor: decide one axiom for several metrics, or test these on more instances.

    The result depends only on these arguments. The cell of a metric does not depend on the other metrics.

    Args:
        metrics: Catalogue metrics or other objects, or a single external metric.
        reading: Regime and domain of grades.
        settings: Seed and budgets.
        block: Index of the block among the blocks of each cell, from 0. See `axiomcheck.decide.search.Search`.
        few: Maximum number of instances of each kind, for external metrics only; None for the number in the settings.
        seconds: Timeout in seconds, for external metrics only; None to use the executor's limits.

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
        """Metrics of the task that are objects in this process."""
        return tuple(metric for metric in self.metrics if isinstance(metric, Metric))

    @property
    def external(self) -> tuple[External, ...]:
        """External metrics of the task, which are given by name."""
        return tuple(metric for metric in self.metrics if isinstance(metric, External))


@dataclass(frozen=True)
class Found:
    """Report that a task has decided a cell.

    Args:
        task: Task as it was given to the executor.
        seconds: Duration of the whole task in seconds, for a task with one cell in a process of its own; else 0.

    """

    task: Task
    cell: Cell
    seconds: float = 0.0

    @property
    def key(self) -> Key:
        """Key of the question that the cell answers; see `Question.key`."""
        return self.cell.metric, self.task.axiom.name, self.task.reading


@dataclass(frozen=True)
class TaskShare:
    """Report on a task's progress, as a share from 0 to 1."""

    task: Task
    share: float


Report: TypeAlias = Found | TaskShare
"""Report about a running task: one of its cells, or its progress."""

"""What a run is to decide, and the pieces of work that it is cut into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.engine.deadline import Deadline
from axiomcheck.metrics import Metric


@dataclass(frozen=True)
class Foreign:
    """A metric from outside the catalogue, by name: loaded and run in worker processes only.

    Args:
        canonical: as `axiomcheck.sources.resolve.resolve` takes it.

    """

    canonical: str


@dataclass(frozen=True)
class Question:
    """One cell to be decided.

    Args:
        metric: an object, or a metric from outside by its name.
        axiom: which one is asked.
        reading: regime and domain.

    """

    metric: Metric | Foreign
    axiom: Axiom
    reading: Reading

    @property
    def key(self) -> tuple[str, str, Reading]:
        """Return what tells this cell from the others of a run."""
        return self.metric.canonical, self.axiom.name, self.reading


@dataclass(frozen=True)
class Plan:
    """What a run is to decide.

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
        metrics: Sequence[Metric | Foreign],
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
    def objects(self) -> list[Metric | Foreign]:
        """Return its metrics, each object once."""
        return list({id(question.metric): question.metric for question in self.questions}.values())

    @property
    def metrics(self) -> list[Metric | Foreign]:
        """Return its metrics, one of each name."""
        return list({question.metric.canonical: question.metric for question in self.questions}.values())

    @property
    def axioms(self) -> list[Axiom]:
        """Return its axioms, one of each name."""
        return list({question.axiom.name: question.axiom for question in self.questions}.values())


@dataclass(frozen=True)
class Task:
    """A piece of work: one axiom to be decided for several metrics, or searched further.

    What comes of it depends on nothing else, and for each metric on that one alone.

    Args:
        axiom, reading, settings: as in `Question` and `Plan`.
        metrics: the catalogue's and metric objects; or a single one by name.
        block: which of the searches of its cells, see `axiomcheck.decide.search.Search`.
        few: the most instances of each kind; None for as many as the settings say. Of metrics by name only.
        seconds: the time that it may take; None for the limits of the place. Of metrics by name only.

    """

    axiom: Axiom
    metrics: tuple[Metric | Foreign, ...]
    reading: Reading
    settings: Settings
    block: int = 0
    few: int | None = None
    seconds: float | None = None

    @property
    def own(self) -> tuple[Metric, ...]:
        """Return the metrics that are there as objects."""
        return tuple(metric for metric in self.metrics if isinstance(metric, Metric))

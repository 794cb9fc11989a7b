"""Describe entry points that take judgments and runs of several topics, and score their first measure as a metric."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.metrics.scores import real_score
from axiomcheck.sources.function_metrics import FloatTopic, NamedMetric

ByTopic: TypeAlias = Mapping[str, Mapping[str, float]]
"""Topic -> document -> its judgment, or its run score."""

Mean: TypeAlias = Callable[[ByTopic, ByTopic, list[str]], Mapping[str, float]]
"""Takes what `Evaluator.evaluate` takes, and returns the mean over topics of every measure."""


class Ties(StrEnum):
    """Say what is documented of documents with the same run score."""

    UNSAID = "nothing is documented"
    NAME = "earlier names first"
    NAME_LAST = "later names first"
    LISTED = "as listed in the run"
    AVERAGED = "averaged over all their orders"
    TOGETHER = "taken at once, as one set of results"


@dataclass(frozen=True)
class Documented:
    """Quote what a library's documentation says."""

    says: str
    source: str

    def __str__(self) -> str:
        return f"{self.says} ({self.source})"


@dataclass(frozen=True)
class JudgmentRange:
    """The judgments that a library documents to take.

    Args:
        low, high: whole numbers from one to the other.
        documented: where that is said; what comes of other judgments is told with it.

    Raises:
        InvalidInput: the ends are no whole numbers, or the wrong way round; nothing says where it is documented.

    """

    low: int
    high: int
    documented: Documented

    def __post_init__(self) -> None:
        said = f"JudgmentRange({self.low!r}, {self.high!r}, {self.documented!r})"
        if not (type(self.low) is type(self.high) is int and self.low <= self.high):
            raise InvalidInput(f"{said}: expected whole numbers, the lowest judgment first")
        if not isinstance(self.documented, Documented):
            raise InvalidInput(f"{said}: expected Documented(sentence, where it stands) at the end")

    def __contains__(self, judgment: object) -> bool:
        return isinstance(judgment, int | float) and self.low <= judgment <= self.high and judgment == int(judgment)


@dataclass(frozen=True)
class DeclaredMeasure:
    """Declare what a library documents of a measure.

    Args:
        name: as the entry point takes it.
        low, high: no score is outside; None if there is no such bound.
        ideal: a ranking by descending judgment scores ``high`` where something is relevant, whatever judgments are.
        cutoff: results below this rank do not count; None if all do.
        above: it stays in its range with judgments above the scale: those of `Evaluator.grades` are examples.
        undefined: the score of a topic without a relevant document is None or nan, and means leave such topics out.

    """

    name: str
    low: float | None = None
    high: float | None = None
    ideal: bool = False
    cutoff: int | None = None
    above: bool = False
    undefined: bool = False


@dataclass(frozen=True)
class Evaluator:
    """An entry point, and what is documented of it.

    Args:
        evaluate: takes judgments, run and the names of measures; returns measure -> topic -> score, where a
            topic may be left out.
        measures: what is checked: a measure, and the same one with other parameters.
        program: Python text that defines ``evaluate``, and ``mean`` if there is one: what a counterexample is run with.
        mean: the mean over topics, computed by the library; None if it computes none.
        grades: judgments of the documented scale, 0 first.
        ties: what is documented of equal run scores.
        beside: other measures that it computes in the same call; they are not checked.
        single_precision: where it is documented that run scores are kept in single precision; None if it is not.
        judgments: which judgments it is documented to take; None if nothing is said of that.

    """

    name: str
    evaluate: Callable[[ByTopic, ByTopic, list[str]], Mapping[str, Mapping[str, float]]]
    measures: tuple[DeclaredMeasure, ...]
    program: str = ""
    mean: Mean | None = None
    grades: tuple[float, ...] = (0, 1, 2)
    ties: Ties = Ties.UNSAID
    beside: tuple[str, ...] = ()
    single_precision: Documented | None = None
    judgments: JudgmentRange | None = None

    def defined(self, measure: str, qrels: ByTopic, scores: Mapping[str, Any]) -> dict[str, Any]:
        """Return the scores of topics by a measure, without topics for which it is documented to be undefined.

        None for any other topic is nan there, as a score that is missing.
        """
        if not any(declared.undefined for declared in self.measures if declared.name == measure):
            return dict(scores)
        known = {topic: math.nan if score is None else score for topic, score in scores.items()}
        relevant = {topic for topic, judged in qrels.items() if any(judgment > 0 for judgment in judged.values())}
        return {topic: score for topic, score in known.items() if str(topic) in relevant or score == score}


def program_of(imports: Sequence[str], *functions: Callable[..., object], after: str = "") -> str:
    """Write functions as a program of its own, which leaves their annotations unread, for it lacks those names.

    Args:
        imports: lines that come first.
        functions: that use nothing but what is imported, and one another.
        after: lines that come last.

    """
    head = "\n".join(("from __future__ import annotations", *imports))
    texts = (head, *(inspect.getsource(function).rstrip() for function in functions), after)
    return "\n\n\n".join(filter(None, texts)) + "\n"


class EvaluatedMetric(NamedMetric):
    """The first measure of an entry point.

    Args:
        native: the entry point, and what is declared of it; judgments are whole numbers from 0 to its highest.

    """

    most_examples = 2_000

    def __init__(self, native: Evaluator) -> None:
        first = native.measures[0]
        self.evaluator = native
        self.levels = int(max(native.grades))
        super().__init__(
            native.name,
            cutoff=first.cutoff,
            binary_only=self.levels == 1,
            single_aspect=True,
            abilities=Abilities(
                weights=False,
                levels=None if self.levels == 1 else 1 << (self.levels.bit_length() - 1),
                notes=(
                    f"scored by {first.name}, the first of {len(native.measures)} declared measures",
                    f"equal run scores: {native.ties}",
                ),
            ),
            claims=Claims(first.low, first.high, first.ideal),
        )

    @property
    def native(self) -> Evaluator:
        """The entry point under the name that the metric has in reports."""
        load = f"metric = resolve({self.canonical!r})\nevaluate, mean = metric, metric.native.mean\n"
        program = f"from axiomcheck.sources.resolve import resolve\n\n{load}"
        return replace(self.evaluator, name=self.canonical, program=program)

    def __call__(self, qrels: Any, run: Any, measures: Any) -> Any:  # type: ignore[override]  # the function's
        """Calls the entry point."""
        return self.evaluator.evaluate(qrels, run, measures)

    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> list[float]:
        """One call with a topic per case; a topic that is left out scores 0."""
        name = self.evaluator.measures[0].name
        unit = self.abilities.levels or self.levels
        qrels, run = {}, {}
        for number, (topic, ranking) in enumerate(cases, start=1):
            if len(topic.weights) != 1:
                raise MetricError(f"{self} knows one aspect and was given {len(topic.weights)}")
            if len(set(ranking)) != len(ranking):
                raise MetricError("a document is listed twice, and a run has one score per document")
            judgments = {document: grades[0] for document, grades in topic.pool.items()}
            qrels[f"q{number}"] = {
                document: int(grade > 0) if self.binary_only else int(k) if (k := grade * unit) == int(k) else k
                for document, grade in judgments.items()
            }
            run[f"q{number}"] = {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}
        found = self.evaluator.evaluate(qrels, run, [name])
        scores = self.evaluator.defined(name, qrels, found[name])
        return [real_score(self, scores.get(query, 0.0)) for query in qrels]


def evaluator(
    *,
    measures: Mapping[str, Mapping[str, Any]] | Sequence[str],
    grades: Sequence[float] = (0, 1, 2),
    ties: Ties | str = Ties.UNSAID,
    mean: Mean | None = None,
    single_precision: Documented | None = None,
    judgments: JudgmentRange | None = None,
) -> Callable[[Callable[..., Any]], EvaluatedMetric]:
    """Declares a function ``(qrels, run, measures)`` to be the entry point of an evaluation.

    Args:
        measures: names, each with what is declared of it: ``{"P@5": {"low": 0, "high": 1, "cutoff": 5}}``;
            `axiomcheck.sources.evaluators.DeclaredMeasure` says what can be.
        grades: judgments of the scale, 0 first.
        ties: what is documented of equal run scores, one of `axiomcheck.sources.evaluators.Ties`.
        mean: a function of the same arguments that returns ``{measure: mean over topics}``.
        single_precision: where it is documented that run scores are in single precision.
        judgments: which ones it is documented to take; what the two explain is told as admitted, and is no failure.

    Raises:
        InvalidInput: no measures, a declaration that is not known, a scale beyond the judgments that it takes, or
            another signature.

    """
    declared = dict(measures) if isinstance(measures, Mapping) else {name: {} for name in measures}
    if not declared:
        raise InvalidInput("measures={}: expected at least one")
    scale = tuple(grades)
    if len(scale) < 2 or scale[0] != 0 or max(scale) < 1 or max(scale) != int(max(scale)):
        raise InvalidInput(f"grades={scale!r}: expected judgments from 0 to a whole number, such as (0, 1, 2)")
    try:
        known = tuple(DeclaredMeasure(name, **said) for name, said in declared.items())
        order = Ties(ties)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{error}; see axiomcheck.sources.evaluators for what can be declared") from None

    if not isinstance(single_precision, Documented | None):
        raise InvalidInput(f"single_precision={single_precision!r}: expected Documented(sentence, where it stands)")
    if not isinstance(judgments, JudgmentRange | None):
        raise InvalidInput(f"judgments={judgments!r}: expected JudgmentRange(lowest, highest, Documented(...))")
    if judgments is not None and (outside := [grade for grade in scale if grade not in judgments]):
        taken = f"whole numbers from {judgments.low} to {judgments.high}"
        raise InvalidInput(f"grades={scale!r}: {outside[0]!r} is not among the judgments that it takes, {taken}")

    def decorate(function: Callable[..., Any]) -> EvaluatedMetric:
        takes = list(inspect.signature(function).parameters)
        if takes != ["qrels", "run", "measures"]:
            raise InvalidInput(f"{function.__name__} takes ({', '.join(takes)}); expected (qrels, run, measures)")
        native = Evaluator(function.__name__, function, known, "", mean, scale, order)
        return EvaluatedMetric(replace(native, single_precision=single_precision, judgments=judgments))

    return decorate

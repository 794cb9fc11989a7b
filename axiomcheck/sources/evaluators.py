"""Describe entry points that score several topics from judgments and runs, and use their first measure as a metric."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.printable import shown
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.metrics.scores import real_score
from axiomcheck.sources.external_metrics import FloatTopic, NamedMetric

ByTopic: TypeAlias = Mapping[str, Mapping[str, float]]
"""Topic -> document -> judgment or run score."""

Mean: TypeAlias = Callable[[ByTopic, ByTopic, list[str]], Mapping[str, float]]
"""Function that takes the arguments of `Evaluator.evaluate` and returns measure -> mean over topics."""


class Ties(StrEnum):
    """Documented tie-breaking of documents with equal run scores."""

    UNSAID = "nothing is documented"
    NAME = "earlier names first"
    NAME_LAST = "later names first"
    LISTED = "as listed in the run"
    AVERAGED = "averaged over all their orders"
    TOGETHER = "taken at once, as one set of results"


@dataclass(frozen=True)
class Documented:
    """Quotation from a library's documentation, with its source."""

    says: str
    source: str

    def __str__(self) -> str:
        return f"{self.says} ({self.source})"


@dataclass(frozen=True)
class JudgmentRange:
    """Range of judgments that a library accepts according to its documentation.

    Args:
        low, high: Lowest and highest judgment, both integers.
        documented: Quotation that states the range, for reports on judgments outside of the range.

    Raises:
        InvalidInput: The bounds are not integers with low <= high, or the quotation is missing.

    """

    low: int
    high: int
    documented: Documented

    def __post_init__(self) -> None:
        said = f"JudgmentRange({self.low!r}, {self.high!r}, {self.documented!r})"
        if not (type(self.low) is type(self.high) is int and self.low <= self.high):
            raise InvalidInput(f"{said}: expected integers, lowest judgment first")
        if not isinstance(self.documented, Documented):
            raise InvalidInput(f"{said}: expected Documented(quotation, source) at the end")

    def __contains__(self, judgment: object) -> bool:
        return isinstance(judgment, int | float) and self.low <= judgment <= self.high and judgment == int(judgment)


@dataclass(frozen=True)
class DeclaredMeasure:
    """Documented properties of a measure.

    Args:
        name: Name of the measure for the entry point.
        low, high: Bounds on the scores; None for no bound.
        ideal: True if every ranking by descending judgment scores ``high`` on a topic with a relevant document,
            whatever its judgments are.
        cutoff: Rank below which results do not count; None if all count.
        above: True if scores stay in their range for judgments above the scale of `Evaluator.grades`.
        undefined: True if the score of a topic without a relevant document is None or nan, and mean scores exclude
            such topics.

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
    """Entry point of a library with its documented properties.

    Args:
        name: Name in reports.
        evaluate: Function of judgments, a run and names of measures. It returns measure -> topic -> score, where topics
            may be missing.
        measures: Measures to check: first the one of interest, then the same measure with other parameters.
        mean: Function that computes the mean over topics with the library; None if the library computes none.
        grades: Judgments on the documented scale, 0 first.
        ties: Documented tie-breaking of equal run scores.
        beside: Other measures that are computed in the same call but not checked.
        single_precision: Quotation stating that run scores are in single precision; None if there is none.
        judgments: Documented range of judgments; None if it is not documented.

    """

    name: str
    evaluate: Callable[[ByTopic, ByTopic, list[str]], Mapping[str, Mapping[str, float]]]
    measures: tuple[DeclaredMeasure, ...]
    mean: Mean | None = None
    grades: tuple[float, ...] = (0, 1, 2)
    ties: Ties = Ties.UNSAID
    beside: tuple[str, ...] = ()
    single_precision: Documented | None = None
    judgments: JudgmentRange | None = None

    def defined(self, measure: str, qrels: ByTopic, scores: Mapping[str, Any]) -> dict[str, Any]:
        """Drop the scores of topics for which a measure is documented to be undefined, and return the others.

        If there can be such topics, a score of None for any other topic becomes nan.
        """
        if not any(declared.undefined for declared in self.measures if declared.name == measure):
            return dict(scores)
        known = {topic: math.nan if score is None else score for topic, score in scores.items()}
        relevant = {topic for topic, judged in qrels.items() if any(judgment > 0 for judgment in judged.values())}
        return {topic: score for topic, score in known.items() if str(topic) in relevant or score == score}


def run_scores(ranking: Sequence[str]) -> dict[str, float]:
    """Map documents to the run scores n, n-1, ..., 1 down the ranking, so that the library sorts them without ties.

    Raises:
        MetricError: A document is listed twice, although a run has one score per document.

    """
    if len(set(ranking)) != len(ranking):
        twice = next(name for name in ranking if list(ranking).count(name) > 1)
        raise MetricError(f"document {twice!r} is listed twice, but the library accepts only one score per document")
    return {name: float(len(ranking) - rank) for rank, name in enumerate(ranking)}


def only_grade(topic: FloatTopic) -> dict[str, float]:
    """Map the documents of a topic to their grades on its only aspect.

    Raises:
        MetricError: The topic has several aspects.

    """
    if len(topic.weights) != 1:
        raise MetricError(f"the measure supports only one aspect, but was given {len(topic.weights)}")
    return {name: grades[0] for name, grades in topic.pool.items()}


class EvaluatedMetric(NamedMetric):
    """Metric whose scores are those of an entry point's first measure.

    Args:
        native: Entry point with its declarations. Judgments are integers from 0 to the highest on its scale.

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
                    f"order of documents with equal run scores: {native.ties}",
                ),
            ),
            claims=Claims(first.low, first.high, first.ideal),
        )

    @property
    def native(self) -> Evaluator:
        """Entry point, with the name that the metric has in reports."""
        return replace(self.evaluator, name=self.canonical)

    def __call__(self, qrels: Any, run: Any, measures: Any) -> Any:
        """Call the entry point."""
        return self.evaluator.evaluate(qrels, run, measures)

    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> list[float]:
        """Score all cases in one call, with a topic per case. A missing topic scores 0."""
        name = self.evaluator.measures[0].name
        unit = self.abilities.levels or self.levels
        qrels, run = {}, {}
        for number, (topic, ranking) in enumerate(cases, start=1):
            qrels[f"q{number}"] = {
                document: int(grade > 0) if self.binary_only else int(k) if (k := grade * unit) == int(k) else k
                for document, grade in only_grade(topic).items()
            }
            run[f"q{number}"] = run_scores(ranking)
        found = self.evaluator.evaluate(qrels, run, [name])
        try:
            by_topic = dict(found[name])
        except (KeyError, TypeError, ValueError):
            raise MetricError(
                f"{self} returned {shown(found)}; expected measure -> topic -> score, as in {{{name!r}: {{'q1': 0.5}}}}"
            ) from None
        scores = self.evaluator.defined(name, qrels, by_topic)
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
    """Declare a function ``(qrels, run, measures)`` as an evaluation entry point.

    Args:
        measures: Names of measures, optionally with their declarations:
            ``{"P@5": {"low": 0, "high": 1, "cutoff": 5}}``; see `axiomcheck.sources.evaluators.DeclaredMeasure` for the
            possible keys.
        grades: Judgments on the scale, 0 first.
        ties: Documented tie-breaking of equal run scores, one of `axiomcheck.sources.evaluators.Ties`.
        mean: Function with the same arguments that returns ``{measure: mean over topics}``.
        single_precision: Quotation stating that run scores are in single precision.
        judgments: Documented range of judgments. Deviations that it or ``single_precision`` explains are reported as
            admitted, not as failures.

    Raises:
        InvalidInput: There are no measures, a declaration is unknown, the scale exceeds the accepted judgments, or the
            function has a different signature.

    """
    declared = dict(measures) if isinstance(measures, Mapping) else {name: {} for name in measures}
    if not declared:
        raise InvalidInput("measures={}: expected at least one measure")
    scale = tuple(grades)
    if len(scale) < 2 or scale[0] != 0 or max(scale) < 1 or max(scale) != int(max(scale)):
        raise InvalidInput(f"grades={scale!r}: expected judgments from 0 to an integer, such as (0, 1, 2)")
    try:
        known = tuple(DeclaredMeasure(name, **said) for name, said in declared.items())
        order = Ties(ties)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{error}; see axiomcheck.sources.evaluators for what can be declared") from None

    if not isinstance(single_precision, Documented | None):
        raise InvalidInput(f"single_precision={single_precision!r}: expected Documented(quotation, source)")
    if not isinstance(judgments, JudgmentRange | None):
        raise InvalidInput(f"judgments={judgments!r}: expected JudgmentRange(lowest, highest, Documented(...))")
    if judgments is not None and (outside := [grade for grade in scale if grade not in judgments]):
        taken = f"integers from {judgments.low} to {judgments.high}"
        raise InvalidInput(f"grades={scale!r}: {outside[0]!r} is not among the accepted judgments, {taken}")

    def decorate(function: Callable[..., Any]) -> EvaluatedMetric:
        takes = list(inspect.signature(function).parameters)
        if takes != ["qrels", "run", "measures"]:
            raise InvalidInput(f"{function.__name__} takes ({', '.join(takes)}); expected (qrels, run, measures)")
        native = Evaluator(function.__name__, function, known, mean, scale, order)
        return EvaluatedMetric(replace(native, single_precision=single_precision, judgments=judgments))

    return decorate

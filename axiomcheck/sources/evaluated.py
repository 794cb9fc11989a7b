"""A user's own entry point, `@evaluator`, as a metric: its first measure, one topic per ranking."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.metrics.scores import real_score
from axiomcheck.sources.native import DeclaredMeasure, Documented, Evaluator, JudgmentRange, Mean, Ties
from axiomcheck.sources.own import FloatTopic, NamedMetric


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
                levels=None if self.levels == 1 else _power_of_two(self.levels),
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
                document: (1 if grade > 0 else 0) if self.binary_only else _whole(grade * unit)
                for document, grade in judgments.items()
            }
            run[f"q{number}"] = {document: float(len(ranking) - rank) for rank, document in enumerate(ranking)}
        found = self.evaluator.evaluate(qrels, run, [name])
        scores = self.evaluator.defined(name, qrels, found[name])
        return [real_score(self, scores.get(query, 0.0)) for query in qrels]


def _power_of_two(levels: int) -> int:
    """The largest that is not above it: grades k/levels are exact then."""
    return 1 << (levels.bit_length() - 1)


def _whole(judgment: float) -> float:
    return int(judgment) if judgment == int(judgment) else judgment


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
            `axiomcheck.sources.native.DeclaredMeasure` says what can be.
        grades: judgments of the scale, 0 first.
        ties: what is documented of equal run scores, one of `axiomcheck.sources.native.Ties`.
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
        raise InvalidInput(f"{error}; see axiomcheck.sources.native for what can be declared") from None

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

"""Adapter for the ranking metrics of scikit-learn, such as ``sklearn:ndcg_score(k=10)``.

scikit-learn averages over the rows of a call. Therefore each ranking needs its own call.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sklearn.metrics
from sklearn import config_context, metrics

from axiomcheck.core.errors import UnknownName
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.sources.adapters.common import (
    Call,
    Case,
    LibraryMetric,
    MeasureOption,
    Refusal,
    known_call,
    only_grade,
    options_of,
    parse_call,
    run_scores,
    spelled_call,
)
from axiomcheck.sources.evaluators import ByTopic, DeclaredMeasure, Documented, Evaluator, Ties, program_of

GRADED = ("dcg_score", "ndcg_score")
BINARY = ("average_precision_score", "label_ranking_average_precision_score")
IDEAL = ("label_ranking_average_precision_score", "ndcg_score")
"""Metrics with a documented score of 1 for a perfect ranking."""
NOT_OURS = ("sample_weight", "average", "pos_label")
"""Parameters that combine rows or classes; a ranking is a single one."""

OPTIONS = {"k": ((1, 2, 6), True), "log_base": ((3,), False)}
"""Options that are varied. Without ties, ignore_ties has nothing to ignore."""


class SklearnMetric(LibraryMetric):
    """Ranking metric of scikit-learn."""

    package = "scikit-learn"
    companions = ("dcg_score", "ndcg_score")
    summary = "a ranking metric of scikit-learn"
    source = "https://scikit-learn.org/stable/modules/model_evaluation.html"
    most_examples = 2_000
    refuses_empty = Refusal(
        "while a minimum of 1 is required",
        Documented("empty datasets are rejected", "scikit-learn, check_array, ensure_min_features"),
    )

    def __init__(self, label: str, name: str, named: dict[str, Any]) -> None:
        self.function: Callable[..., float] = getattr(sklearn.metrics, name)
        self.named = named
        self.flat = name == "average_precision_score"
        binary = name in BINARY
        super().__init__(
            label,
            cutoff=named.get("k"),
            binary_only=binary,
            single_aspect=True,
            abilities=Abilities(weights=False, notes=self._notes(binary)),
            claims=Claims(0.0, None if name == "dcg_score" else 1.0, ideal=name in IDEAL),
        )

    def _notes(self, binary: bool) -> tuple[str, ...]:
        nothing = 1 if self.function is sklearn.metrics.label_ranking_average_precision_score else 0
        ties = "share a threshold" if binary else "average their gains"
        if self.named.get("ignore_ties"):
            ties = "stand as its sort leaves them"
        return (
            f"computed by {self.library}",
            "a grade above 0 is label 1, any other 0" if binary else "the gain is the grade itself",
            "it ranks the whole pool: documents that are not in the ranking come after it, in the pool's order, so "
            "that appending a document moves it up past the others and costs nothing by itself",
            "there is no unjudged document",
            f"equal scores {ties}",
            f"a topic without a relevant document scores {nothing}",
            *(() if self.flat else ("a pool of one document, which it refuses, gets a second one of grade 0",)),
        )

    @property
    def options(self) -> list[MeasureOption]:
        """The options that the function takes."""
        takes = inspect.signature(self.function).parameters
        return options_of(OPTIONS, takes, self.named, functools.partial(spelled_call, self.function.__name__))

    @property
    def native(self) -> Evaluator:
        """Entry point on arrays.

        The mean takes one call with a row per topic. The scores of topics take one call per topic.
        """
        name = self.function.__name__
        takes = inspect.signature(self.function).parameters
        others = [f"{name}(k={k})" for k in (1, 2, 3) if "k" in takes]
        alike = BINARY if self.binary_only else GRADED
        names = dict.fromkeys([spelled_call(name, self.named) if self.named else name, *others])
        ties = Ties.TOGETHER if self.binary_only else Ties.AVERAGED
        return Evaluator(
            str(self),
            evaluate,
            tuple(_declared(parse_call(one), one) for one in names),
            program_of(("import ast", "", "from sklearn import metrics"), row, called, evaluate, mean),
            mean,
            (0, 1) if self.binary_only else (0, 1, 2),
            # ignore_ties is documented for scores without ties.
            Ties.LISTED if self.named.get("ignore_ties") else ties,
            alike,
        )

    def call(self, cases: Sequence[Case]) -> list[float]:
        """Call the function once per case."""
        with config_context(assume_finite=True):
            return [self._one(only_grade(topic), ranking) for topic, ranking in cases]

    def _one(self, grades: dict[str, float], ranking: Sequence[str]) -> float:
        if len(grades) == 1 and not self.flat:
            grades = {**grades, "": 0.0}
        inside = set(ranking)
        scores = run_scores([*ranking, *(name for name in grades if name not in inside)])
        predicted = [scores[name] for name in grades]
        if not self.binary_only:
            return self.function([list(grades.values())], [predicted], **self.named)
        labels = [int(grade > 0) for grade in grades.values()]
        if self.flat:
            return self.function(labels, predicted, **self.named)
        return self.function([labels], [predicted], **self.named)


def row(judged: Mapping[str, float], scored: Mapping[str, float]) -> tuple[list[float], list[float]]:
    """Return the labels and scores of a topic's documents. Every document needs a score."""
    names = list(judged) + [name for name in scored if name not in judged]
    return [judged.get(name, 0) for name in names], [scored[name] for name in names]


def called(measure: str, rows: list[tuple[list[float], list[float]]]) -> float:
    """Call a function of `sklearn.metrics` with its parameters, on topics with equal numbers of documents."""
    name, _, inside = measure.rstrip(")").partition("(")
    given = [part.partition("=") for part in inside.split(",") if part]
    named = {key.strip(): ast.literal_eval(value) for key, _, value in given}
    if name == "average_precision_score":
        if len(rows) == 1:
            return float(metrics.average_precision_score(*rows[0], **named))
        named["average"] = "samples"
    return float(getattr(metrics, name)([labels for labels, _ in rows], [scores for _, scores in rows], **named))


def evaluate(qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, dict[str, float]]:
    """Score topics by measures, with one call per topic and measure."""
    return {name: {topic: called(name, [row(qrels[topic], run[topic])]) for topic in qrels} for name in measures}


def mean(qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, float]:
    """Average measures over topics, with one call per measure."""
    return {name: called(name, [row(qrels[topic], run[topic]) for topic in qrels]) for name in measures}


def _declared(call: Call, spelled: str) -> DeclaredMeasure:
    ideal = call.name in IDEAL
    high = None if call.name == "dcg_score" else 1.0
    return DeclaredMeasure(spelled, 0.0, high, ideal, call.named.get("k"), above=ideal)


def measure(text: str) -> SklearnMetric:
    """Return the metric of scikit-learn.

    Args:
        text: Function of `sklearn.metrics` that scores one ranking, with parameters: ``ndcg_score(k=10)``.

    Raises:
        InvalidInput: There is no such metric or parameter, or the function rejects its value.

    """
    known = (*GRADED, *BINARY)
    call = known_call("sklearn", text, "ranking metric of scikit-learn", known, "ndcg_score(k=10)")
    parameters = inspect.signature(getattr(sklearn.metrics, call.name)).parameters
    takes = [name for name in list(parameters)[2:] if name not in NOT_OURS]
    for name in call.named:
        if name not in takes:
            raise UnknownName(f"parameter of {call.name}", name, takes or ["none"])
    found = SklearnMetric(f"sklearn:{text}", call.name, call.named)
    found.try_out()
    return found

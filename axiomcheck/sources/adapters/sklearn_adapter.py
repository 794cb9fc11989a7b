"""Adapt ranking metrics from scikit-learn, such as ``sklearn:ndcg_score(k=10)``. `functions.toml` lists them.

scikit-learn averages over the rows of a call. Therefore each ranking needs its own call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn import config_context, metrics

from axiomcheck.sources.adapters import function_adapter
from axiomcheck.sources.adapters.common import Call, Refusal, parse_call, spelled_call
from axiomcheck.sources.adapters.function_adapter import LIBRARIES, Asked, LibraryFunctionMetric
from axiomcheck.sources.evaluators import ByTopic, DeclaredMeasure, Documented, Evaluator, Ties


class SklearnMetric(LibraryFunctionMetric):
    """Ranking metric that scikit-learn computes."""

    most_examples = 2_000
    refuses_empty = Refusal(
        "while a minimum of 1 is required",
        Documented("empty datasets are rejected", "scikit-learn, check_array, ensure_min_features"),
    )

    def _scored(self, asked: list[Asked]) -> list[Any]:
        with config_context(assume_finite=True):
            return super()._scored(asked)

    @property
    def native(self) -> Evaluator:
        """Entry point for arrays.

        The mean is computed in one call with a row per topic, and the score of each topic in a call of its own.
        """
        name = self.target.__name__
        others = [f"{name}(k={k})" for k in (1, 2, 3) if self.row.cutoff]
        alike = tuple(name for name, row in self.described.functions.items() if row.takes == self.row.takes)
        names = dict.fromkeys([spelled_call(name, self.named) if self.named else name, *others])
        ties = Ties.TOGETHER if self.binary_only else Ties.AVERAGED
        return Evaluator(
            str(self),
            evaluate,
            tuple(_declared(parse_call(one), one) for one in names),
            mean,
            (0, 1) if self.binary_only else (0, 1, 2),
            # ignore_ties is documented for scores without ties.
            Ties.LISTED if self.named.get("ignore_ties") else ties,
            alike,
        )


def row(judged: Mapping[str, float], scored: Mapping[str, float]) -> tuple[list[float], list[float]]:
    """Return the labels and scores of a topic's documents. Every document needs a score."""
    names = list(judged) + [name for name in scored if name not in judged]
    return [judged.get(name, 0) for name in names], [scored[name] for name in names]


def called(measure: str, rows: list[tuple[list[float], list[float]]]) -> float:
    """Return the score that a function of `sklearn.metrics` gives to topics with equal numbers of documents."""
    call = parse_call(measure)
    name, named = call.name, call.named
    if name == "average_precision_score":
        if len(rows) == 1:
            return float(metrics.average_precision_score(*rows[0], **named))
        named["average"] = "samples"
    return float(getattr(metrics, name)([labels for labels, _ in rows], [scores for _, scores in rows], **named))


def evaluate(qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, dict[str, float]]:
    """Score topics with the given measures, in one call per topic and measure."""
    return {name: {topic: called(name, [row(qrels[topic], run[topic])]) for topic in qrels} for name in measures}


def mean(qrels: ByTopic, run: ByTopic, measures: list[str]) -> dict[str, float]:
    """Average measures over topics, in one call per measure."""
    return {name: called(name, [row(qrels[topic], run[topic]) for topic in qrels]) for name in measures}


def _declared(call: Call, spelled: str) -> DeclaredMeasure:
    one = LIBRARIES["sklearn"].functions[call.name]
    high = 1.0 if one.bounded else None
    return DeclaredMeasure(spelled, 0.0, high, one.ideal, call.named.get("k"), above=one.ideal)


def measure(text: str) -> LibraryFunctionMetric:
    """Return a scikit-learn ranking metric by name; see `axiomcheck.sources.adapters.function_adapter.measure`."""
    return function_adapter.measure("sklearn", text, SklearnMetric)

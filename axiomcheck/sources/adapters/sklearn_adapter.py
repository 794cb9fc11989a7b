"""``sklearn:ndcg_score(k=10)``: scikit-learn's ranking metrics, one call per ranking.

scikit-learn averages over the rows of a call, so a row is a call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import sklearn.metrics
from sklearn import config_context

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.sources.adapters.common import Case, LibraryMetric, only_grade, parse_call, run_scores

GRADED = ("dcg_score", "ndcg_score")
BINARY = ("average_precision_score", "label_ranking_average_precision_score")
IDEAL = ("label_ranking_average_precision_score", "ndcg_score")
"""Metrics whose documentation says that a perfect ranking scores 1."""
NOT_OURS = ("sample_weight", "average", "pos_label")
"""Parameters that say how rows or classes are combined, of which there is one."""


class SklearnMetric(LibraryMetric):
    """A ranking metric of scikit-learn.

    Args:
        label: what the user typed.
        name: the function in `sklearn.metrics`.
        named: its parameters.

    """

    package = "scikit-learn"
    companions = ("dcg_score", "ndcg_score")
    summary = "a ranking metric of scikit-learn"
    source = "https://scikit-learn.org/stable/modules/model_evaluation.html"
    most_examples = 2_000

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

    def call(self, cases: Sequence[Case]) -> list[float]:
        """One call per case."""
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


def measure(text: str) -> SklearnMetric:
    """The metric of scikit-learn.

    Args:
        text: a function of `sklearn.metrics` that scores one ranking, with parameters: ``ndcg_score(k=10)``.

    Raises:
        InvalidInput: no such metric or parameter, or the function refuses its value.

    """
    label = f"sklearn:{text}"
    call = parse_call(text)
    known = (*GRADED, *BINARY)
    if call.name not in known:
        raise UnknownName("ranking metric of scikit-learn", call.name, known)
    if call.positional:
        raise InvalidInput(f"{label}: parameters are named, as in ndcg_score(k=10)")
    parameters = inspect.signature(getattr(sklearn.metrics, call.name)).parameters
    takes = [name for name in list(parameters)[2:] if name not in NOT_OURS]
    for name in call.named:
        if name not in takes:
            raise UnknownName(f"parameter of {call.name}", name, takes or ["none"])
    found = SklearnMetric(label, call.name, call.named)
    found.try_out()
    return found

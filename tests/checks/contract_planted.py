"""Faults planted in small metrics, one or more for every contract check, each next to the same metric without it."""

import itertools
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from axiomcheck import FloatTopic, Metric, metric
from axiomcheck.metrics.parameters import Real
from axiomcheck.numbers.arithmetic import Arithmetic

Array = Any


@dataclass(frozen=True)
class Plant:
    """A check, a metric with a fault that it finds, and the metric without.

    Args:
        check: its name.
        faulty, sound: make the metrics anew.
        status: what the faulty one comes to.

    """

    check: str
    faulty: Callable[[], Metric]
    sound: Callable[[], Metric]
    status: str = "failed"

    def __repr__(self) -> str:
        return f"{self.check}-{next(name for name, made in globals().items() if made is self.faulty)}"


def discounts(n: int) -> Array:
    return 1 / np.log2(np.arange(2, n + 2))


def dcg(grades: Array, cutoff: int | None = None) -> Array:
    gains = grades[:, :cutoff, 0]
    return (gains * discounts(gains.shape[1])).sum(axis=1)


def ideal(pool: Array, cutoff: int | None = None) -> Array:
    best = -np.sort(-pool[:, :, 0], axis=1)[:, :cutoff]
    return (best * discounts(best.shape[1])).sum(axis=1)


def over(a: Array, b: Array) -> Array:
    return np.where(b > 0, a / np.where(b > 0, b, 1), 0.0)


def graded(**declared: Any) -> Callable[[Callable[..., Any]], Any]:
    return metric(**{"single_aspect": True, "low": 0.0} | declared)


def refusing(refused: Callable[[Array, Array], bool], score: Callable[..., Array], **declared: Any) -> Metric:
    """Return a metric that raises where it is told to by grades and pool."""

    def function(grades: Array, weights: Array, pool: Array) -> Array:
        if refused(grades, pool):
            raise ValueError("refused")
        return score(grades, weights, pool)

    return graded(**declared)(function)


def refusing_rankings(refused: Callable[[list[str]], bool], **declared: Any) -> Metric:
    """Return a metric that raises on some rankings."""

    def function(topic: FloatTopic, ranking: list[str]) -> float:
        if refused(ranking):
            raise ValueError("refused")
        return share_found(topic, ranking)

    return graded(**declared)(function)


ndcg = partial(
    graded(high=1.0, ideal=True, monotone=True), lambda grades, weights, pool: over(dcg(grades), ideal(pool))
)
ndcg_at_3 = partial(
    graded(cutoff=3, high=1.0, ideal=True), lambda grades, weights, pool: over(dcg(grades, 3), ideal(pool, 3))
)


# ---------------------------------------------------------------------------------------------------------- values
nothing_found_is_nan = partial(
    graded(), lambda grades, weights: grades[:, :, 0].sum(axis=1) / (grades[:, :, 0] > 0).sum(axis=1)
)
"""The mean grade of the relevant documents that were found."""


cannot_do_three = partial(
    refusing, lambda grades, pool: grades.shape[1] == 3, lambda grades, weights, pool: dcg(grades)
)


cannot_rank_three = partial(refusing_rankings, lambda ranking: len(ranking) == 3)
"""Refuse rankings of three documents, as a plain callable."""


normaliser_dropped = partial(graded(high=1.0), lambda grades, weights: dcg(grades))
falls_below_zero = partial(graded(), lambda grades, weights: dcg(grades) - 0.1)
ideal_of_whole_pool = partial(
    graded(cutoff=1, high=1.0, ideal=True), lambda grades, weights, pool: over(dcg(grades, 1), ideal(pool))
)
"""The normaliser is not cut at the cutoff."""
ndcg_at_1 = partial(
    graded(cutoff=1, high=1.0, ideal=True), lambda grades, weights, pool: over(dcg(grades, 1), ideal(pool, 1))
)


def f1(topic: FloatTopic, ranking: list[str], share: float = 1.0) -> float:
    """Score the whole pool below 1, and the relevant documents alone 1."""
    relevant = [d for d, grades in topic.pool.items() if max(grades) > 0]
    return share * 2 * sum(d in relevant for d in ranking) / ((len(ranking) + len(relevant)) or 1)


best_short = partial(metric(high=1.0, ideal=True), lambda topic, ranking: f1(topic, ranking))
best_short_scaled = partial(metric(high=1.0, ideal=True), lambda topic, ranking: f1(topic, ranking, 0.9))


def alpha_dcg(topic: FloatTopic, ranking: Sequence[str]) -> float:
    seen, total = [0] * len(topic.weights), 0.0
    for rank, document in enumerate(ranking, start=1):
        for aspect, grade in enumerate(topic.pool[document]):
            total += grade * 0.5 ** seen[aspect] / math.log2(rank + 1)
            seen[aspect] += grade > 0
    return total


def alpha_ndcg_at_2(greedy: bool) -> Metric:
    """Return a metric over a greedy ideal, whose ties the checksum of a name wins; over the best of all without."""

    def function(topic: FloatTopic, ranking: list[str]) -> float:
        chosen: list[str] = []
        names = sorted(topic.pool, key=lambda name: zlib.crc32(name.encode()))
        for _ in names[:2] if greedy else ():
            left = [document for document in names if document not in chosen]
            chosen.append(max(left, key=lambda document: alpha_dcg(topic, [*chosen, document])))
        ideals = [chosen] if greedy else itertools.permutations(topic.pool, min(2, len(topic.pool)))
        best = max((alpha_dcg(topic, ideal) for ideal in ideals), default=0.0)
        return alpha_dcg(topic, ranking[:2]) / best if best else 0.0

    return metric(low=0.0, high=1.0, cutoff=2)(function)


mean_of_nothing = partial(graded(high=1.0), lambda grades, weights: grades[:, :, 0].mean(axis=1))
largest_of_nothing = partial(graded(high=1.0), lambda grades, weights: grades[:, :, 0].max(axis=1))
unguarded_division = partial(graded(high=1.0), lambda grades, weights, pool: dcg(grades) / ideal(pool))
largest_in_empty_pool = partial(
    graded(high=1.0), lambda grades, weights, pool: over(dcg(grades), ideal(pool)) * (pool.max(axis=(1, 2)) > 0)
)
reads_rank_k = partial(graded(cutoff=3), lambda grades, weights: dcg(grades, 2) + grades[:, 2, 0] / 2)
grades_count_after_all = partial(
    graded(binary_only=True), lambda grades, weights: (grades[:, :, 0] * (1.0001 - grades[:, :, 0])).sum(axis=1)
)
grades_do_not_count = partial(graded(binary_only=True), lambda grades, weights: (grades[:, :, 0] > 0).sum(axis=1) / 8)
refuses_grades_above_scale = partial(
    refusing,
    lambda grades, pool: grades.max(initial=0) > 1,
    lambda grades, weights, pool: 1 - (1 - grades[:, :, 0]).prod(axis=1),
    high=1.0,
)
rewards_grades_above_scale = partial(
    graded(high=1.0, ideal=True),
    lambda grades, weights: 0.2 * (0.8 ** np.arange(grades.shape[1]) * grades[:, :, 0]).sum(axis=1),
)


def share_found(topic: FloatTopic, ranking: list[str]) -> float:
    relevant = [d for d, grades in topic.pool.items() if grades[0] > 0]
    return sum(d in relevant for d in ranking) / len(relevant) if relevant else 0.0


counts_documents_twice = partial(graded(), share_found)
counts_documents_once = partial(graded(high=1.0), lambda topic, ranking: share_found(topic, list(set(ranking))))


refuses_documents_twice = partial(refusing_rankings, lambda ranking: len(set(ranking)) < len(ranking), high=1.0)
# ----------------------------------------------------------------------------------------------------- invariances
sorts_by_name = partial(
    graded(), lambda topic, ranking: sum(topic.pool[d][0] / rank for rank, d in enumerate(sorted(ranking), start=1))
)
"""Ranks by name, whatever the ranking says."""
first_row_is_ideal = partial(graded(), lambda grades, weights, pool: dcg(grades) / (1 + pool[:, 0, 0]))
reciprocal_gain = partial(
    graded(), lambda topic, ranking: sum(topic.pool[d][0] / rank for rank, d in enumerate(ranking, start=1))
)
global_gain = partial(metric(), lambda grades, weights: (grades * weights[:, None, :]).sum(axis=(1, 2)))
weights_in_descending_order = partial(
    metric(), lambda grades, weights: (grades * -np.sort(-weights, axis=1)[:, None, :]).sum(axis=(1, 2))
)
adds_all_aspects = partial(graded(), lambda grades, weights: grades.sum(axis=(1, 2)))


refuses_other_aspects = partial(
    refusing, lambda grades, pool: grades.shape[2] > 1, lambda grades, weights, pool: dcg(grades)
)
cut_one_late = partial(graded(cutoff=3), lambda grades, weights: dcg(grades, 4))


cut_in_place = partial(graded(cutoff=3), lambda grades, weights: dcg(grades, 3))
mean_grade = partial(
    graded(high=1.0, monotone=True), lambda grades, weights: grades[:, :, 0].sum(axis=1) / max(1, grades.shape[1])
)
"""Falls when a document of a low grade is appended."""


# ---------------------------------------------------------------------------------------------------------- purity


class CountsCalls:
    """Drifts by a millionth a call."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, grades: Array, weights: Array) -> Array:
        self.calls += 1
        return dcg(grades) + 1e-6 * self.calls


def counts_calls() -> Metric:
    return graded()(CountsCalls())


plain_dcg = partial(graded(), lambda grades, weights: dcg(grades))


def sorts_pool_in_place() -> Metric:
    def function(grades: Array, weights: Array, pool: Array) -> Array:
        pool[:, :, 0].sort(axis=1)
        best = pool[:, ::-1, 0]
        return over(dcg(grades), (best * discounts(best.shape[1])).sum(axis=1))

    return graded()(function)


def empties_ranking() -> Metric:
    def function(topic: FloatTopic, ranking: list[str]) -> float:
        score = rank = 0.0
        while ranking:
            rank += 1
            score += topic.pool[ranking.pop(0)][0] / rank
        return score

    return graded()(function)


def adds_to_pool() -> Metric:
    def function(topic: FloatTopic, ranking: list[str]) -> float:
        topic.pool.setdefault("d0", (0.0,))  # type: ignore[attr-defined]
        return share_found(topic, ranking)

    return graded()(function)


scaled_by_batch = partial(
    graded(high=1.0), lambda grades, weights: over(dcg(grades), np.broadcast_to(dcg(grades).max(), len(grades)))
)
"""Divides by the best score of the call, rather than of the topic."""


depends_on_place_in_call = partial(graded(), lambda grades, weights: dcg(grades) * (1 + np.arange(len(grades))))


class Discounted(Metric):
    """RBP with its parameter in use."""

    name, summary, source, single_aspect = "discounted", "", "", True
    declared = (Real("p", Fraction(4, 5), "persistence"),)
    default_cutoff: ClassVar[int | None] = 3

    def persistence(self) -> float:
        return float(self.values["p"])

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return (grades[..., 0] * self.persistence() ** np.arange(grades.shape[-2])).sum(axis=-1)


class IgnoresParameter(Discounted):
    """RBP with p = 0.8, whatever p is."""

    def persistence(self) -> float:
        return 0.8


class IgnoresCutoff(Discounted):
    """RBP of the whole ranking."""

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return self.kernel(a, grades, weights, pool)


PLANTS = (
    Plant("finite", nothing_found_is_nan, ndcg),
    Plant("finite", cannot_do_three, ndcg, "error"),
    Plant("in-range", normaliser_dropped, ndcg),
    Plant("in-range", falls_below_zero, ndcg),
    Plant("ideal-attains-maximum", ideal_of_whole_pool, ndcg_at_1),
    Plant("ideal-attains-maximum", best_short_scaled, best_short),
    Plant("empty-ranking", mean_of_nothing, ndcg),
    Plant("empty-ranking", largest_of_nothing, ndcg, "error"),
    Plant("nothing-relevant", unguarded_division, ndcg),
    Plant("nothing-judged", largest_in_empty_pool, ndcg, "error"),
    Plant("cutoff-beyond-ranking", reads_rank_k, ndcg_at_3, "error"),
    Plant("grades-above-scale", rewards_grades_above_scale, refuses_grades_above_scale),
    Plant("document-twice", counts_documents_twice, counts_documents_once),
    Plant("document-twice", counts_documents_twice, refuses_documents_twice),
    Plant("renaming", sorts_by_name, reciprocal_gain),
    Plant("renaming", first_row_is_ideal, ndcg),
    Plant("aspect-permutation", weights_in_descending_order, global_gain),
    Plant("below-cutoff", cut_one_late, cut_in_place),
    Plant("support-only", grades_count_after_all, grades_do_not_count),
    Plant("one-aspect", adds_all_aspects, plain_dcg),
    Plant("one-aspect", adds_all_aspects, refuses_other_aspects),
    Plant("monotone", mean_grade, ndcg),
    Plant("repeatable", counts_calls, plain_dcg),
    Plant("inputs-unmodified", sorts_pool_in_place, ndcg),
    Plant("inputs-unmodified", empties_ranking, reciprocal_gain),
    Plant("inputs-unmodified", adds_to_pool, reciprocal_gain),
    Plant("batch-as-alone", scaled_by_batch, plain_dcg),
    Plant("call-order", counts_calls, plain_dcg),
    Plant("call-order", depends_on_place_in_call, plain_dcg),
    Plant("parameters-matter", IgnoresParameter, Discounted),
    Plant("parameters-matter", IgnoresCutoff, Discounted),
)

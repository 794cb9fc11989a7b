"""An entry point of a small library, sound, and with one fault after the other."""

import math
import os
import struct
from collections.abc import Callable, Mapping
from typing import Any

from axiomcheck.sources.evaluators import Documented, EvaluatedMetric, JudgmentRange, Ties, evaluator

Topics = Mapping[str, Mapping[str, float]]

MEASURES = {
    "ndcg@10": {"low": 0, "high": 1, "ideal": True, "cutoff": 10, "above": True},
    "ndcg@2": {"low": 0, "high": 1, "ideal": True, "cutoff": 2, "above": True},
    "p@3": {"low": 0, "high": 1, "cutoff": 3, "above": True},
    "ap": {"low": 0, "high": 1, "above": True},
}


def ranked(scored: Mapping[str, float]) -> list[str]:
    """Later names first."""
    return sorted(sorted(scored, reverse=True), key=lambda name: -scored[name])


def dcg(gains: list[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def score_of(measure: str, judged: Mapping[str, float], order: list[str]) -> float:
    name, _, cutoff = measure.partition("@")
    k = int(cutoff) if cutoff else len(order)
    gains = [max(0.0, judged.get(document, 0)) for document in order[:k]]
    if name == "ndcg":
        best = dcg(sorted((max(0.0, x) for x in judged.values()), reverse=True)[:k])
        return dcg(gains) / best if best else 0.0
    if name == "p":
        return sum(gain > 0 for gain in gains) / k
    relevant = sum(x > 0 for x in judged.values())
    hits = [rank for rank, gain in enumerate(gains, start=1) if gain > 0]
    return math.fsum(found / rank for found, rank in enumerate(hits, start=1)) / relevant if relevant else 0.0


def evaluated(qrels: Topics, run: Topics, measures: list[str], order: Any = ranked, score: Any = score_of) -> Any:
    """Topics that are not in the run score 0, those that are not judged are left out."""
    return {m: {topic: score(m, qrels[topic], order(run.get(topic, {}))) for topic in qrels} for m in measures}


def evaluating(**how: Any) -> Any:
    """Return a function that evaluates with another order or score."""
    return lambda qrels, run, measures: evaluated(qrels, run, measures, **how)


def means(qrels: Topics, run: Topics, measures: list[str]) -> dict[str, float]:
    found = evaluated(qrels, run, measures)
    return {m: math.fsum(scores.values()) / len(scores) for m, scores in found.items()}


def declared(**more: Any) -> Callable[[Any], EvaluatedMetric]:
    return evaluator(**{"measures": MEASURES, "ties": Ties.NAME_LAST, "mean": means, "grades": (0, 1, 2)} | more)


def scoring(score: Any) -> EvaluatedMetric:
    """Return an entry point with another score of one topic."""
    return declared()(evaluating(score=score))


sound = declared()(evaluating())


@declared(ties=Ties.AVERAGED, measures={"p@1": {"low": 0, "high": 1, "cutoff": 1, "above": True}}, mean=None)
def sound_average(qrels: Topics, run: Topics, measures: list[str]) -> Any:
    """The share of relevant documents among those with the highest score."""

    def first(judged: Mapping[str, float], scored: Mapping[str, float]) -> float:
        top = [judged.get(d, 0) > 0 for d in scored if scored[d] == max(scored.values())]
        return sum(top) / len(top) if top else 0.0

    return {m: {topic: first(qrels[topic], run.get(topic, {})) for topic in qrels} for m in measures}


# --------------------------------------------------------------------------------------- several measures, topics


@declared()
def last_cutoff_counts(qrels: Topics, run: Topics, measures: list[str]) -> Any:
    """Parameters of a measure are kept by its name."""
    cutoffs = {measure.partition("@")[0]: measure for measure in measures}
    return evaluated(qrels, run, measures, score=lambda m, *rest: score_of(cutoffs[m.partition("@")[0]], *rest))


@declared()
def paired_by_place(qrels: Topics, run: Topics, measures: list[str]) -> Any:
    """The first topic of the run counts as the first of the judgments."""
    return evaluated(qrels, dict(zip(qrels, run.values(), strict=False)), measures)


def mean_of_relevant(qrels: Topics, run: Topics, measures: list[str]) -> dict[str, float]:
    some = {topic: judged for topic, judged in qrels.items() if any(x > 0 for x in judged.values())}
    return means(some, run, measures) if some else dict.fromkeys(measures, 0.0)


mean_of_others = declared(mean=mean_of_relevant)(evaluating())
"""The mean is over the topics that have something relevant, the scores are of all."""


_KEPT: dict[str, Any] = {}


@declared()
def kept_by_topic(qrels: Topics, run: Topics, measures: list[str]) -> Any:
    """Judgments are kept by the topic's name from call to call."""
    for topic, judged in qrels.items():
        _KEPT.setdefault(topic, dict(judged))
    return evaluated({topic: _KEPT[topic] for topic in qrels}, run, measures)


@declared()
def takes_from_run(qrels: Topics, run: Any, measures: list[str]) -> Any:
    """Documents without a judgment are taken out of the run that was passed in."""
    for topic, scored in run.items():
        for name in [name for name in scored if name not in qrels.get(topic, {})]:
            del scored[name]
    return evaluated(qrels, run, measures)


# -------------------------------------------------------------------------------------------- run scores, judgments


ties_as_listed = declared(ties=Ties.UNSAID)(
    evaluating(order=lambda scored: sorted(scored, key=lambda name: -scored[name]))
)


ties_the_other_way = declared(ties=Ties.NAME)(evaluating())


single_precision = declared()(
    evaluating(order=lambda scored: ranked({d: float(f"{score:.6e}") for d, score in scored.items()}))
)
"""Run scores are rounded to seven digits."""


def in_single(score: float) -> float:
    if abs(score) > 3.5e38:
        return math.copysign(math.inf, score)
    return float(struct.unpack("f", struct.pack("f", score))[0])


def mean_in_single(qrels: Topics, run: Topics, measures: list[str]) -> dict[str, float]:
    return {m: in_single(score) for m, score in means(qrels, run, measures).items()}


def scored_in_single(measure: str, judged: Mapping[str, float], order: list[str]) -> float:
    """As if divided by an ideal that was rounded up: the best ranking scores a little less than 1."""
    return in_single(score_of(measure, judged, order) / (1 + 2.0**-23))


scores_in_single = declared(mean=mean_in_single)(evaluating(score=scored_in_single))


SINGLE = Documented("run scores are in single precision", "its manual")


documented_single_precision = declared(single_precision=SINGLE)(
    evaluating(order=lambda scored: ranked({d: in_single(score) for d, score in scored.items()}))
)


@scoring
def cut_one_late(measure: str, judged: Mapping[str, float], order: list[str]) -> float:
    """Precision looks one rank too deep."""
    return score_of("p@4", judged, order) if measure == "p@3" else score_of(measure, judged, order)


@scoring
def negative_ideal(measure: str, judged: Mapping[str, float], order: list[str]) -> float:
    """Negative judgments count as negative gains in the ideal, and as none in the ranking."""
    if not measure.startswith("ndcg"):
        return score_of(measure, judged, order)
    k = int(measure.partition("@")[2])
    best = dcg(sorted(judged.values(), reverse=True)[:k])
    gains = [max(0.0, judged.get(document, 0)) for document in order[:k]]
    return dcg(gains) / best if best else 0.0


@declared()
def process_ends(qrels: Topics, run: Topics, measures: list[str]) -> Any:
    """Two judgments of -2 are one too many."""
    if sum(x == -2 for judged in qrels.values() for x in judged.values()) > 1:
        os._exit(3)
    return evaluated(qrels, run, measures)


NOT_BELOW = JudgmentRange(-1, 127, Documented("judgments are -1 to 127", "its manual"))

documented_end = declared(judgments=NOT_BELOW)(process_ends.evaluator.evaluate)


@scoring
def nothing_relevant_is_nan(measure: str, judged: Mapping[str, float], order: list[str]) -> float:
    return score_of(measure, judged, order) if any(x > 0 for x in judged.values()) else math.nan


@scoring
def ideal_is_not_cut(measure: str, judged: Mapping[str, float], order: list[str]) -> float:
    if measure != "ndcg@2":
        return score_of(measure, judged, order)
    best = dcg(sorted(judged.values(), reverse=True))
    return score_of(measure, judged, order) and dcg([judged.get(d, 0) for d in order[:2]]) / best


PLANTS = [
    ("measures-in-one-call", "last_cutoff_counts"),
    ("topics-in-one-call", "paired_by_place"),
    ("mean-of-topics", "mean_of_others"),
    ("second-call", "kept_by_topic"),
    ("arguments-unmodified", "takes_from_run"),
    ("tied-scores", "ties_as_listed"),
    ("tied-scores", "ties_the_other_way"),
    ("increasing-maps", "single_precision"),
    ("double-precision", "single_precision"),
    ("run-length", "cut_one_late"),
    ("odd-judgments", "negative_ideal"),
    ("odd-judgments", "process_ends"),
    ("unusual-topics", "nothing_relevant_is_nan"),
    ("small-pools", "ideal_is_not_cut"),
]
"""A check, and an entry point with a fault that it finds."""

ADMITTED = [("double-precision", "documented_single_precision", SINGLE), ("odd-judgments", "documented_end", NOT_BELOW)]
"""A check, an entry point that fails it, and what is documented of that."""


# ------------------------------------------------------------------------------------------ undefined, and left out

UNDEFINED = {name: said | {"undefined": True} for name, said in MEASURES.items()}


def undefined_as(nothing: Any) -> Callable[[Topics, Topics, list[str]], Any]:
    """Return an entry point whose scores are that where nothing is relevant."""

    def scored(qrels: Topics, run: Topics, measures: list[str]) -> Any:
        found = evaluated(qrels, run, measures)
        empty = [topic for topic, judged in qrels.items() if not any(x > 0 for x in judged.values())]
        return {m: scores | dict.fromkeys(empty, nothing) for m, scores in found.items()}

    return scored


def means_of_defined(qrels: Topics, run: Topics, measures: list[str]) -> dict[str, float]:
    """Leave out topics in which nothing is relevant."""
    some = {topic: judged for topic, judged in qrels.items() if any(x > 0 for x in judged.values())}
    return means(some, run, measures) if some else dict.fromkeys(measures, math.nan)


undefined_none = declared(measures=UNDEFINED, mean=means_of_defined)(undefined_as(None))
undefined_without_a_word = declared(mean=means_of_defined)(undefined_as(math.nan))
undefined_in_the_mean = declared(measures=UNDEFINED)(undefined_as(None))


@declared(measures=UNDEFINED, mean=None)
def undefined_where_something_is_relevant(qrels: Topics, run: Topics, measures: list[str]) -> Any:
    """Topics of which nothing is ranked have no score either."""
    found = undefined_as(None)(qrels, run, measures)
    return {m: {topic: s if run.get(topic) else None for topic, s in scores.items()} for m, scores in found.items()}

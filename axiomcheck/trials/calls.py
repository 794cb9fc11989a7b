"""Generate topics and runs, call an entry point with them, and represent the scores that it returns.

Small topics are enumerated exhaustively, and larger ones are drawn at random.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiomcheck.sources.evaluators import ByTopic, Evaluator, run_scores
from axiomcheck.trials.subject import Score, Subject


@dataclass(frozen=True)
class RunTopic:
    """One topic of a call: its judgments and the document scores of the run.

    Args:
        judged: Judgments by document; None if the topic is missing from the judgments.
        scored: Run scores by document, in the order of the run; None if the topic is missing from the run.

    """

    judged: Mapping[str, float] | None
    scored: Mapping[str, float] | None

    @property
    def size(self) -> tuple[int, float]:
        """Sort key from small to large topics: the number of documents, then the sum of absolute judgments."""
        judged, scored = self.judged or {}, self.scored or {}
        return len({*judged, *scored}), sum(map(abs, judged.values()))


@dataclass(frozen=True)
class NativeCall:
    """Arguments for one call to an entry point. Topics are named 1, 2, ..."""

    qrels: ByTopic
    run: ByTopic
    measures: tuple[str, ...]

    @property
    def arguments(self) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
        """New copies of the arguments, which the call may modify."""
        return copy.deepcopy((dict(self.qrels), dict(self.run), list(self.measures)))


def call_of(
    topics: Sequence[RunTopic], measures: Sequence[str], *, first: int = 1, run_reversed: bool = False
) -> NativeCall:
    """Return a call on topics, which are numbered consecutively from ``first``."""
    names = [str(number) for number in range(first, len(topics) + first)]
    qrels = {name: topic.judged for name, topic in zip(names, topics, strict=True) if topic.judged is not None}
    run = {name: topic.scored for name, topic in zip(names, topics, strict=True) if topic.scored is not None}
    if run_reversed:
        run = dict(reversed(run.items()))
    return NativeCall(qrels, run, tuple(measures))


@dataclass(frozen=True)
class NativeAnswer:
    """Result of one call to an entry point.

    Args:
        scores: Scores by measure and topic.
        raised: Message of an exception, or about an invalid return value; empty if there is neither.
        changed: Name of the argument that the call modified; empty if there is none.

    """

    scores: Mapping[str, Mapping[str, float]]
    raised: str
    changed: str = ""

    def value(self, measure: str, query: str) -> Score:
        """Return a topic's score under a measure, or None if the topic is missing or the call failed."""
        return Score(None if self.raised else self.scores[measure].get(query), self.raised)


class Asking:
    """Caller of an entry point. An exception in a call becomes part of the answer."""

    def __init__(self, subject: Subject, evaluator: Evaluator) -> None:
        self.subject = subject
        self.evaluator = evaluator

    def answer(self, call: NativeCall) -> NativeAnswer:
        """Call the entry point with copies of the arguments."""
        given = call.arguments
        found, raised = self.subject.guarded(lambda: self._scores(call, self.evaluator.evaluate(*given)))
        parts = zip(("qrels", "run", "measures"), call.arguments, given, strict=True)
        changed = next((name for name, was, now in parts if not _alike(was, now)), "")
        return NativeAnswer({} if raised else found, raised, changed)

    def mean(self, call: NativeCall) -> tuple[Mapping[str, float], str]:
        """Return each measure's mean over topics from the library itself, and the error message or an empty string."""
        assert self.evaluator.mean is not None
        mean = self.evaluator.mean
        found, raised = self.subject.guarded(lambda: {m: float(x) for m, x in mean(*call.arguments).items()})
        return (found or {}), raised

    def _scores(self, call: NativeCall, found: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        missing = [name for name in call.measures if name not in found]
        if missing:
            raise KeyError(f"the return value has no scores for {missing[0]}")
        defined = {name: self.evaluator.defined(name, call.qrels, found[name]) for name in call.measures}
        return {name: {str(q): float(score) for q, score in scores.items()} for name, scores in defined.items()}

    def alone(self, topic: RunTopic, measures: Sequence[str]) -> list[Score]:
        """Score a topic under several measures, in one call that contains no other topic."""
        found = self.answer(call_of([topic], measures))
        return [found.value(measure, "1") for measure in measures]

    def each(self, topics: Sequence[RunTopic], measure: str) -> list[Score]:
        """Return the score of each topic under a measure.

        All topics are scored in one call or, if that call raises an exception, in one call per topic.
        """
        found = self.answer(call_of(topics, [measure]))
        if found.raised and len(topics) > 1:
            return [self.alone(topic, [measure])[0] for topic in topics]
        return [found.value(measure, str(number)) for number in range(1, len(topics) + 1)]


def _alike(one: object, other: object) -> bool:
    """Return True if two values are equal, including the order of their keys."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(_alike(one[key], other[key]) for key in one)
    return bool(one == other)


def levels_of_scale(grades: Sequence[float]) -> tuple[float, ...]:
    """Return up to three judgments on a scale: 0, the lowest positive judgment and the highest one."""
    positive = sorted(grade for grade in grades if grade > 0)
    return (0, *dict.fromkeys([positive[0], positive[-1]]))


def weak_orders(n: int) -> Iterator[tuple[int, ...]]:
    """Yield all orders of n documents, including orders with ties. Orders without ties come first.

    An order is given as the position of each document, counted from 0.
    """
    patterns = [p for p in itertools.product(range(n), repeat=n) if set(p) == set(range(max(p, default=-1) + 1))]
    return iter(sorted(patterns, key=lambda p: -len(set(p))))


def small_topics(levels: Sequence[float], most: int, *, ties: bool) -> Iterator[RunTopic]:
    """Yield all topics with 1 to ``most`` documents d1, d2, ..., in all orders, smallest first.

    Every document is both judged and ranked.
    """
    for n in range(1, most + 1):
        names = [f"d{k}" for k in range(1, n + 1)]
        for judged in itertools.product(levels, repeat=n):
            for places in weak_orders(n):
                if ties or len(set(places)) == n:
                    scored = {name: float(n - place) for name, place in zip(names, places, strict=True)}
                    yield RunTopic(dict(zip(names, judged, strict=True)), scored)


def random_topic(levels: Sequence[float], rng: np.random.Generator, documents: int, ranked: int) -> RunTopic:
    """Draw a random topic.

    Args:
        levels: Judgments to draw from.
        rng: Random generator.
        documents: Number of documents, all of which are judged.
        ranked: Number of ranked documents.

    """
    names = [f"d{k}" for k in range(1, documents + 1)]
    judged = {name: levels[int(rng.integers(0, len(levels)))] for name in names}
    order = [names[k] for k in rng.permutation(documents)[:ranked].tolist()]
    return RunTopic(judged, run_scores(order))

"""Write an instance as files of TREC's form: judgments in whole numbers, and two runs without ties."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.core.domain import Instance, Ranking

TOPIC = "1"

MOST_GRADE = 127
"""The largest judgment that trec_eval documents to take."""

_MOST_TOPICS = 99
"""The number of topics that stand for the aspects of one at most."""


@dataclass(frozen=True)
class TrecFiles:
    """One form of an instance.

    Args:
        stem: what its files are called; empty for the instance's own runs.
        qrels: lines ``topic aspect document grade``.
        worse, better: lines ``topic Q0 document rank score tag``.
        topics: how many topics there are.
        says: what a judgment stands for, in words.

    """

    stem: str
    qrels: str
    worse: str
    better: str
    topics: int
    says: str

    @property
    def names(self) -> tuple[str, str, str]:
        """The names of judgments and runs; forms with the same runs have the same files."""
        if self.topics == 1:
            return (f"{self.stem}.qrels" if self.stem else "qrels.txt"), "worse.run", "better.run"
        return f"{self.stem}.qrels", f"{self.stem}-worse.run", f"{self.stem}-better.run"

    @property
    def files(self) -> dict[str, str]:
        """Name -> content."""
        return dict(zip(self.names, (self.qrels, self.worse, self.better), strict=True))


def in_steps(grades: Iterable[Fraction]) -> Fraction:
    """Return the largest number that all grades are multiples of; 1 where all are 0."""
    positive = [grade for grade in grades if grade]
    if not positive:
        return Fraction(1)
    return Fraction(math.gcd(*(g.numerator for g in positive)), math.lcm(*(g.denominator for g in positive)))


def aspects_form(instance: Instance) -> TrecFiles:
    """Return the instance as it is: grades by aspect as multiples of a step, in ndeval's form."""
    topic = instance.topic
    step = in_steps(grade for grades in topic.pool.values() for grade in grades)
    several = len(topic.weights) > 1
    lines = [
        f"{TOPIC} {aspect if several else 0} {name} {grades[aspect - 1] / step}\n"
        for aspect in range(1, len(topic.weights) + 1)
        for name, grades in topic.pool.items()
    ]
    worse, better = run_lines([TOPIC], instance.worse, "worse"), run_lines([TOPIC], instance.better, "better")
    return TrecFiles("", "".join(lines), worse, better, 1, _stands_for(step))


def documents_form(stem: str, instance: Instance, gains: Mapping[str, Fraction]) -> TrecFiles | None:
    """Return the instance with one gain per document; None where no whole numbers that the tools take stand for them.

    Args:
        stem: what the judgments are called.
        instance: whose rankings they are.
        gains: document -> its gain.

    """
    return _form(stem, instance, {TOPIC: gains})


def intents_form(instance: Instance) -> TrecFiles | None:
    """Return a topic per aspect, as often as it takes for their plain mean to be the weighted mean over aspects.

    None as for `documents_form`; and where that takes too many topics.
    """
    weights = instance.topic.weights
    step = in_steps(weights)
    if 1 / step > _MOST_TOPICS:
        return None
    aspects = [{name: grades[t] for name, grades in instance.topic.pool.items()} for t in range(len(weights))]
    topics = {
        f"{t + 1}{copy:02d}": gains  # 201 and 202 are the second aspect
        for t, gains in enumerate(aspects)
        for copy in range(1, int(weights[t] / step) + 1)
    }
    return _form("intents", instance, topics)


def _form(stem: str, instance: Instance, topics: Mapping[str, Mapping[str, Fraction]]) -> TrecFiles | None:
    """Return files of topics with one gain per document, as multiples of a step."""
    step = in_steps(gain for gains in topics.values() for gain in gains.values())
    if max(gain / step for gains in topics.values() for gain in gains.values()) > MOST_GRADE:
        return None
    qrels = (f"{topic} 0 {name} {gain / step}\n" for topic, gains in topics.items() for name, gain in gains.items())
    worse, better = run_lines(topics, instance.worse, "worse"), run_lines(topics, instance.better, "better")
    return TrecFiles(stem, "".join(qrels), worse, better, len(topics), _stands_for(step))


def _stands_for(step: Fraction) -> str:
    return "grades are as they are" if step == 1 else f"a grade g stands for g * {step}"


def run_lines(topics: Iterable[str], ranking: Ranking, tag: str) -> str:
    """Return one ranking for each of some topics, by falling scores without ties."""
    return "".join(
        f"{topic} Q0 {name} {rank} {len(ranking) - rank + 1} {tag}\n"
        for topic in topics
        for rank, name in enumerate(ranking, start=1)
    )

"""An instance as files of TREC's form: judgments in whole numbers, and two runs without ties."""

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
"""How many topics stand for the aspects of one at most."""

LEVELS = {Fraction(2**level - 1, 16): level for level in range(5)}
"""Gain -> the judgment that gdeval.pl takes for it: (2^g - 1) / 2^4, g up to 4."""

Judged = Mapping[str, int]
"""Document -> its judgment."""


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
    """The largest number that all grades are multiples of; 1 where all are 0."""
    positive = [grade for grade in grades if grade]
    if not positive:
        return Fraction(1)
    return Fraction(math.gcd(*(g.numerator for g in positive)), math.lcm(*(g.denominator for g in positive)))


def aspects_form(instance: Instance) -> TrecFiles:
    """The instance as it is: grades by aspect, in ndeval's form where there are several, as multiples of a step."""
    topic = instance.topic
    step = in_steps(grade for grades in topic.pool.values() for grade in grades)
    several = len(topic.weights) > 1
    lines = [
        f"{TOPIC} {aspect if several else 0} {name} {grades[aspect - 1] / step}\n"
        for aspect in range(1, len(topic.weights) + 1)
        for name, grades in topic.pool.items()
    ]
    worse, better = (run_lines([TOPIC], ranking, tag) for ranking, tag in _tagged(instance))
    return TrecFiles("", "".join(lines), worse, better, 1, _stands_for(step))


def documents_form(stem: str, instance: Instance, gains: Mapping[str, Fraction], levels: bool) -> TrecFiles | None:
    """One grade per document.

    Args:
        stem: what the judgments are called.
        instance: whose rankings they are.
        gains: document -> its gain.
        levels: whether judgments are gdeval.pl's levels; else multiples of a step.

    Returns:
        None where no whole numbers that the tools take stand for the gains.

    """
    found = _whole([gains], levels)
    if found is None:
        return None
    (judged,), says = found
    worse, better = (run_lines([TOPIC], ranking, tag) for ranking, tag in _tagged(instance))
    return TrecFiles(stem, _qrels({TOPIC: judged}), worse, better, 1, says)


def intents_form(instance: Instance, levels: bool) -> TrecFiles | None:
    """A topic per aspect, as often as it takes for their plain mean to be the weighted mean over aspects.

    Returns:
        None as for `documents_form`; and where that takes too many topics.

    """
    weights = instance.topic.weights
    step = in_steps(weights)
    aspects = range(len(weights))
    found = _whole([{name: grades[t] for name, grades in instance.topic.pool.items()} for t in aspects], levels)
    if found is None or 1 / step > _MOST_TOPICS:
        return None
    judged, says = found
    # numbers, as gdeval.pl takes no other topics: 201 and 202 are the second aspect
    topics = {f"{t + 1}{copy:02d}": judged[t] for t in aspects for copy in range(1, int(weights[t] / step) + 1)}
    worse, better = (run_lines(topics, ranking, tag) for ranking, tag in _tagged(instance))
    return TrecFiles("intents", _qrels(topics), worse, better, len(topics), says)


def _tagged(instance: Instance) -> tuple[tuple[Ranking, str], tuple[Ranking, str]]:
    return (instance.worse, "worse"), (instance.better, "better")


def _whole(gains: list[Mapping[str, Fraction]], levels: bool) -> tuple[list[dict[str, int]], str] | None:
    """Gains as whole judgments, and what these stand for."""
    if levels:
        if not all(gain in LEVELS for each in gains for gain in each.values()):
            return None
        says = "a grade g stands for (2^g - 1) / 16, as in gdeval.pl"
        return [{name: LEVELS[gain] for name, gain in each.items()} for each in gains], says
    step = in_steps(gain for each in gains for gain in each.values())
    judged = [{name: int(gain / step) for name, gain in each.items()} for each in gains]
    if max((grade for each in judged for grade in each.values()), default=0) > MOST_GRADE:
        return None
    return judged, _stands_for(step)


def _stands_for(step: Fraction) -> str:
    return "grades are as they are" if step == 1 else f"a grade g stands for g * {step}"


def _qrels(topics: Mapping[str, Judged]) -> str:
    return "".join(f"{topic} 0 {name} {grade}\n" for topic, judged in topics.items() for name, grade in judged.items())


def run_lines(topics: Iterable[str], ranking: Ranking, tag: str) -> str:
    """One ranking for each of some topics, by falling scores without ties."""
    return "".join(
        f"{topic} Q0 {name} {rank} {len(ranking) - rank + 1} {tag}\n"
        for topic in topics
        for rank, name in enumerate(ranking, start=1)
    )

"""The least that shows a fault again: the fewest other topics of a call, the fewest calls before one.

A score that depends on what else is scored is no counterexample by itself: what else was scored belongs to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from axiomcheck.checks.contract.showing import Again, case, unlike
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.own import NamedMetric
from axiomcheck.trials.cases import CaseBlock
from axiomcheck.trials.subject import Subject

T = TypeVar("T")

TRIALS = 300
"""How often a fault is tried to be shown with less; of metrics that are slow to call, a tenth of that."""


def fewest(items: Sequence[T], shows: Callable[[list[T]], bool], most: int = TRIALS) -> list[T] | None:
    """Some of the items, in their order, that show a fault, as few as leaving out ever smaller runs of them comes to.

    Args:
        items: which all together should show it.
        shows: whether some of them do.
        most: how often it is asked, about; then what is left so far is the answer.

    Returns:
        None where all of them together do not.

    """
    kept = list(items)
    if not shows(kept):
        return None
    trials, size = 0, len(kept)
    while size and trials < most:
        start, before = 0, len(kept)
        while start < len(kept) and trials < most:
            fewer = kept[:start] + kept[start + size :]
            trials += 1
            if shows(fewer):
                kept = fewer
            else:
                start += size
        size = size // 2 if size > 1 else int(len(kept) < before)
    return kept


@dataclass(frozen=True)
class _Call:
    """Rankings that are scored in one call, each a block of one row."""

    singles: list[CaseBlock]
    metric: Metric | None = field(default=None)

    def scores(self, subject: Subject) -> list[tuple[float, str]]:
        """The score of each, and what it raised."""
        metric = self.metric or subject.metric
        if isinstance(metric, NamedMetric):
            found = subject.score(self.singles, metric)
            return [(float(s.values[0]), s.raised.get(0, "")) for s in found]
        first = self.singles[0]
        block = CaseBlock(
            np.concatenate([one.pool for one in self.singles]),
            np.concatenate([one.weights for one in self.singles]),
            np.concatenate([one.order for one in self.singles]),
            first.names,
        )
        [scores] = subject.score([block], metric)
        return [(float(value), scores.raised.get(row, "")) for row, value in enumerate(scores.values)]


def _trials(subject: Subject) -> int:
    return TRIALS if subject.metric.most_examples is None else TRIALS // 10


def members(subject: Subject, blocks: Sequence[CaseBlock], number: int) -> tuple[list[CaseBlock], int]:
    """The rankings that are scored in one call with those of a block, one by one, and where the block's begin."""
    if not isinstance(subject.metric, NamedMetric):
        blocks, number = [blocks[number]], 0
    begins = sum(block.size for block in blocks[:number])
    return [block.rows([row]) for block in blocks for row in range(block.size)], begins


def in_one_call(subject: Subject, call: Sequence[CaseBlock], place: int, against: str) -> Again | None:
    """The fewest rankings of a call that show that the score at a place depends on the others, or on their order.

    Args:
        subject: the metric.
        call: rankings, one by one.
        place: of the ranking in question.
        against: its score ``"alone"``, or that of the same call in ``"reverse"`` order.

    """

    def both(others: list[int]) -> tuple[tuple[float, str], tuple[float, str]]:
        chosen = sorted([*others, place])
        at = chosen.index(place)
        singles = [call[k] for k in chosen]
        there = _Call(singles).scores(subject)[at]
        if against == "alone":
            return _Call([call[place]]).scores(subject)[0], there
        return there, _Call(singles[::-1]).scores(subject)[len(singles) - 1 - at]

    rest = [k for k in range(len(call)) if k != place]
    others = fewest(rest, lambda some: unlike(subject, *both(some)), _trials(subject))
    if others is None:
        return None
    (before, after), chosen = both(others), sorted([*others, place])
    if not unlike(subject, before, after):  # by luck, before: the metric is not a function of what it is called with
        return None
    return Again(before, after, {"call": [case(call[k]) for k in chosen], "place": chosen.index(place)})


def after_calls(subject: Subject, target: CaseBlock, earlier: Sequence[Sequence[CaseBlock]]) -> Again | None:
    """The fewest calls, of some sequences of them, after which a ranking has another score than as the first call."""

    def scored(calls: list[CaseBlock]) -> tuple[float, str]:
        metric = subject.fresh()
        for one in calls:
            _Call([one], metric).scores(subject)
        return _Call([target], metric).scores(subject)[0]

    alone = scored([])
    for calls in earlier:
        kept = fewest(calls, lambda some: unlike(subject, alone, scored(some)), _trials(subject))
        if kept is None:
            continue
        again, after = scored([]), scored(kept)
        if unlike(subject, again, after):
            return Again(again, after, {"calls_before": [case(one) for one in kept]})
    return None


def again_between(subject: Subject, target: CaseBlock, between: Sequence[CaseBlock]) -> Again | None:
    """The fewest calls between two of the same ranking on one object that make its score another."""

    def both(calls: list[CaseBlock]) -> tuple[tuple[float, str], tuple[float, str]]:
        metric = subject.fresh()
        before = _Call([target], metric).scores(subject)[0]
        for one in calls:
            _Call([one], metric).scores(subject)
        return before, _Call([target], metric).scores(subject)[0]

    kept = fewest(between, lambda some: unlike(subject, *both(some)), _trials(subject))
    if kept is None:
        return None
    before, after = both(kept)
    if not unlike(subject, before, after):
        return None
    return Again(before, after, {"calls_between": [case(one) for one in kept]})

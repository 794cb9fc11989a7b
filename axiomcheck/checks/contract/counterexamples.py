"""Show cases, scores and differences: small, in forms that JSON has, with the least that shows a fault again.

A score that depends on what else is scored is no counterexample by itself: what else was scored belongs to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from axiomcheck.checks.contract.registry import Finding, failed, passed
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.function_metrics import NamedMetric
from axiomcheck.trials.cases import CaseBlock
from axiomcheck.trials.subject import BlockScores, Subject


def apart(one: Reals, other: Reals, rounding: float = ROUNDING) -> Mask:
    """Where two arrays of scores differ by more than rounding."""
    scale = np.maximum(1.0, np.maximum(np.abs(one), np.abs(other)))
    with np.errstate(invalid="ignore"):  # infinity less infinity
        return np.abs(one - other) > rounding * scale


SINGLE = 2.0**-21
"""Rounding of scores that a library computes in single precision: four units in the last place of 1."""


def rounding(scores: Reals) -> Reals:
    """How far each score may be from a bound or a mean: that of single precision for those that it holds exactly."""
    with np.errstate(all="ignore"):
        return np.where(scores == np.asarray(scores).astype(np.float32), SINGLE, ROUNDING)


def number(score: float) -> str:
    """A score in a sentence."""
    return f"{score:.6g}"


def plain(value: Any) -> Any:
    """Numbers, arrays and mappings as JSON has them; NaN and infinities are text."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def first_row(block: CaseBlock, chosen: Mask) -> int:
    """Of some rows of a block, the one with the fewest grades above 0."""
    rows = np.flatnonzero(chosen)
    return int(rows[(block.pool[rows] > 0).sum(axis=(1, 2)).argmin()])


def counterexample(*cases: tuple[CaseBlock, int, float | None]) -> dict[str, Any]:
    """Cases of one topic, or of several, as JSON.

    Args:
        cases: (block, row, score); None where the metric raised.

    """
    topics, rankings, scores = [], [], []
    for block, row, score in cases:
        weights = block.weights[row].tolist()
        topics.append({"weights": weights, "pool": plain(block.topic(row))})
        rankings.append(block.ranking(row))
        scores.append(plain(score))
    topic = {"topic": topics[0]} if all(t == topics[0] for t in topics) else {"topics": topics}
    return {**topic, "rankings": rankings, "scores": scores}


def case(single: CaseBlock) -> dict[str, Any]:
    """A block of one ranking as JSON."""
    return {
        "topic": {"weights": single.weights[0].tolist(), "pool": plain(single.topic(0))},
        "ranking": single.ranking(0),
    }


Score = tuple[float, str]
"""The score, and what was raised instead; empty if nothing."""


@dataclass(frozen=True)
class Again:
    """A difference shown once more, with as little as it takes.

    Args:
        before, after: the two scores.
        takes: what else was scored, as JSON.

    """

    before: Score
    after: Score
    takes: dict[str, Any]


def unlike(subject: Subject, before: Score, after: Score) -> bool:
    """Whether the first is a finite number, and the second another one or none."""
    (one, _), (other, raised) = before, after
    if raised or not math.isfinite(one) or not math.isfinite(other):
        return math.isfinite(one)
    return bool(apart(np.array(one), np.array(other), subject.rounding))


def same_scores(
    subject: Subject,
    pairs: Sequence[tuple[CaseBlock, CaseBlock]],
    first: Sequence[BlockScores],
    second: Sequence[BlockScores],
    says: str,
    again: Callable[[int, int], Again | None] | None = None,
) -> Finding:
    """Compares the scores of two sequences of blocks, row by row, where the first is a finite number.

    Args:
        subject: the metric.
        pairs: what was scored, smallest first.
        first: the scores of the first of each pair.
        second: those of the second.
        says: what a difference means, as in ``"{says}: 0.5 becomes 0.4"``.
        again: where two scores depend on what else was scored: shows the difference of a pair and row once more, with
            that; None where it cannot.

    """
    cases = 0
    found: tuple[int, int] | None = None
    for number_of_pair, ((one, _), a, b) in enumerate(zip(pairs, first, second, strict=True)):
        cases += int(a.usable.sum())
        wrong = a.usable & (~b.usable | apart(a.values, b.values, subject.rounding))
        if found is None and wrong.any():
            found = number_of_pair, first_row(one, wrong)
    if found is None:
        return passed(cases)
    pair, row = found
    once = again(pair, row) if again is not None else None
    before = once.before if once else (float(first[pair].values[row]), "")
    after = once.after if once else (float(second[pair].values[row]), second[pair].raised.get(row, ""))
    became = f"raises {after[1]}" if after[1] else f"becomes {number(after[0])}"
    one, other = pairs[pair]
    shown = counterexample((one, row, before[0]), (other, row, None if after[1] else after[0]))
    narrowed = "" if once or again is None else f"; {_NOT_NARROWED}"
    reason = f"{says}: {number(before[0])} {became}{narrowed}"
    return failed(reason, cases, shown | (once.takes if once else {}))


_NOT_NARROWED = "less than the whole check does not show it again, so the metric remembers more than the calls shown"


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

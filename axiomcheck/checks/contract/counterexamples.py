"""Compare scores, and reduce a difference to a small counterexample in JSON.

If a score depends on other rankings that were scored, these rankings are part of the counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from axiomcheck.checks.contract.registry import Outcome, failed, passed
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.external_metrics import NamedMetric
from axiomcheck.sources.probes import CaseBlock, counterexample, topic_as_json
from axiomcheck.trials.subject import BlockScores, Score, Subject, apart

T = TypeVar("T")

SINGLE = 2.0**-21
"""Rounding of scores in single precision: four units in the last place of 1."""

TRIALS = 300
"""Maximum number of trials to reduce a counterexample. Slow metrics get a tenth of this number."""

_NOT_NARROWED = "only the whole check reproduces this, so the metric remembers more than the calls shown"


def rounding(scores: Reals) -> Reals:
    """Return the rounding tolerance of each score, which is larger for numbers that single precision can represent."""
    with np.errstate(all="ignore"):
        return np.where(scores == np.asarray(scores).astype(np.float32), SINGLE, ROUNDING)


def number(score: float) -> str:
    """Format a score with six significant digits, for use in the reason for a failure."""
    return f"{score:.6g}"


def first_row(block: CaseBlock, chosen: Mask) -> int:
    """Return the index of the row with the fewest positive grades among the rows that a mask selects."""
    rows = np.flatnonzero(chosen)
    return int(rows[(block.pool[rows] > 0).sum(axis=(1, 2)).argmin()])


@dataclass(frozen=True)
class Reproduced:
    """Difference between two scores, reproduced with as few other rankings as possible.

    Args:
        before: First score.
        after: Second score.
        takes: Other rankings needed to reproduce the difference, as JSON.

    """

    before: Score
    after: Score
    takes: dict[str, Any]


def compare(
    subject: Subject,
    pairs: Sequence[tuple[CaseBlock, CaseBlock]],
    says: str,
    *,
    first: Sequence[BlockScores] | None = None,
    second: Sequence[BlockScores] | None = None,
    again: Callable[[int, int], Reproduced | None] | None = None,
    lowered: bool = False,
    may_refuse: bool = False,
) -> Outcome:
    """Score both blocks of each pair, and return a failure if the two scores of some row differ.

    Rows whose first score is missing or not finite are skipped.

    Args:
        subject: Metric with its cases.
        pairs: Pairs of blocks to score, smallest first.
        says: Beginning of the reason for a failure, as in ``"{says}: 0.5 becomes 0.4"``.
        first: Scores of the first block of each pair; None to compute them here.
        second: Scores of the second block of each pair; None to compute them here.
        again: For scores that may depend on other rankings: function that takes a pair's index and a row, and returns a
            minimal reproduction of the difference, or None if it does not recur.
        lowered: True if only a lower second score is a failure. A missing second score then passes.
        may_refuse: True if the metric may raise an exception on the second block of a pair.

    """
    first = subject.known_scores([one for one, _ in pairs]) if first is None else first
    second = subject.score([other for _, other in pairs]) if second is None else second
    cases = 0
    difference: tuple[int, int] | None = None
    for k, ((block, _), a, b) in enumerate(zip(pairs, first, second, strict=True)):
        comparable = a.usable & b.usable
        cases += int((comparable if lowered else a.usable).sum())
        wrong = comparable & apart(a.values, b.values, subject.rounding)
        if lowered:
            wrong &= b.values < a.values
        else:
            wrong |= a.usable & ~b.usable & ~(b.refused & may_refuse)
        if difference is None and wrong.any():
            difference = k, first_row(block, wrong)
    if difference is None:
        return passed(cases)
    k, row = difference
    once = again(k, row) if again is not None else None
    before, after = (once.before, once.after) if once else (first[k].score(row), second[k].score(row))
    became = f"raises {after.raised}" if after.raised else f"becomes {after.text}"
    last = None if after.raised else after.value
    shown = counterexample((pairs[k][0], row, before.value), (pairs[k][1], row, last))
    reason = f"{says}: {before.text} {became}"
    if lowered:
        reason = f"{says} from {before.text} to {after.text}"
    elif again is not None and once is None:
        reason += f"; {_NOT_NARROWED}"
    return failed(reason, cases, shown | (once.takes if once else {}))


def fewest(items: Sequence[T], shows: Callable[[list[T]], bool], most: int = TRIALS) -> list[T] | None:
    """Find a small sublist that still shows a fault, by removing shorter and shorter runs of items.

    Args:
        items: List to reduce, which should show the fault.
        shows: Function that returns whether a sublist shows the fault.
        most: Approximate maximum number of calls to `shows`, after which the smallest sublist so far is returned.

    Returns:
        The sublist in its original order, or None if the whole list does not show the fault.

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


def reproduce(
    subject: Subject,
    items: Sequence[T],
    scored: Callable[[list[T]], tuple[Score, Score]],
    takes: Callable[[list[T]], dict[str, Any]],
) -> Reproduced | None:
    """Find as few items as possible with which two scores still differ; return None if the difference does not recur.

    Args:
        subject: Metric with its cases.
        items: Items that may cause the difference, such as earlier calls.
        scored: Function that takes some of the items and returns the two scores computed with them.
        takes: Function that converts the remaining items to JSON.

    """
    most = TRIALS if subject.metric.most_examples is None else TRIALS // 10

    def differs(some: list[T]) -> bool:
        before, after = scored(some)
        return before.is_unlike(after, subject.rounding)

    kept = fewest(items, differs, most)
    if kept is None:
        return None
    before, after = scored(kept)
    # The first difference may have been due to chance, if the metric is not a function of its arguments.
    return Reproduced(before, after, takes(kept)) if before.is_unlike(after, subject.rounding) else None


def scores_in_one_call(subject: Subject, singles: Sequence[CaseBlock], metric: Metric | None = None) -> list[Score]:
    """Score several blocks, each with a single ranking, in one call."""
    metric = metric or subject.metric
    if isinstance(metric, NamedMetric):
        return [scores.score(0) for scores in subject.score(singles, metric)]
    block = CaseBlock(
        np.concatenate([one.pool for one in singles]),
        np.concatenate([one.weights for one in singles]),
        np.concatenate([one.order for one in singles]),
        singles[0].names,
    )
    [scores] = subject.score([block], metric)
    return [scores.score(row) for row in range(scores.size)]


def reproduce_in_call(subject: Subject, number_of_block: int, row: int, against: str) -> Reproduced | None:
    """Reproduce a score's dependence on other rankings in the call, with as few as possible; return None if that fails.

    Args:
        subject: Metric with its cases.
        number_of_block: Index of the ranking's block among the ordinary cases.
        row: Row of the ranking in its block.
        against: Score to compare with: ``"alone"`` for a call with only this ranking, or ``"reverse"`` for the same
            call in reverse order.

    """
    blocks = subject.blocks
    if subject.named is None:  # a call on arrays scores one block
        blocks, number_of_block = [blocks[number_of_block]], 0
    call = [block.rows([k]) for block in blocks for k in range(block.size)]
    place = sum(block.size for block in blocks[:number_of_block]) + row

    def scored(others: list[int]) -> tuple[Score, Score]:
        chosen = sorted([*others, place])
        singles, at = [call[k] for k in chosen], chosen.index(place)
        there = scores_in_one_call(subject, singles)[at]
        if against == "alone":
            return scores_in_one_call(subject, [call[place]])[0], there
        return there, scores_in_one_call(subject, singles[::-1])[len(singles) - 1 - at]

    def takes(others: list[int]) -> dict[str, Any]:
        chosen = sorted([*others, place])
        return {"call": [_case(call[k]) for k in chosen], "place": chosen.index(place)}

    return reproduce(subject, [k for k in range(len(call)) if k != place], scored, takes)


def reproduce_after_calls(
    subject: Subject, target: CaseBlock, calls: Sequence[CaseBlock], *, same_object: bool = False
) -> Reproduced | None:
    """Reproduce a score's dependence on earlier calls, with as few as possible; return None if that fails.

    Args:
        subject: Metric with its cases.
        target: Ranking to score, once without earlier calls and once after them.
        calls: Earlier calls that may affect the score.
        same_object: True to compute both scores with one metric object; False to use a new object for each.

    """

    def after(metric: Metric, calls: Sequence[CaseBlock]) -> Score:
        for call in calls:
            scores_in_one_call(subject, [call], metric)
        return scores_in_one_call(subject, [target], metric)[0]

    def scored(calls: list[CaseBlock]) -> tuple[Score, Score]:
        metric = subject.fresh()
        return after(metric, []), after(metric if same_object else subject.fresh(), calls)

    key = "calls_between" if same_object else "calls_before"
    return reproduce(subject, calls, scored, lambda some: {key: list(map(_case, some))})


def _case(single: CaseBlock) -> dict[str, Any]:
    """Convert a block with one ranking to the JSON form of counterexamples."""
    return {"topic": topic_as_json(single, 0), "ranking": single.ranking(0)}

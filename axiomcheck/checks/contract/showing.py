"""How cases, scores and differences are told: small, and in forms that JSON has."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiomcheck.checks.contract.registry import Finding, failed, passed
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Mask, Reals
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

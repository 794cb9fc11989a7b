"""How cases, scores and differences are told: small, and in forms that JSON has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from axiomcheck.contract.cases import Block
from axiomcheck.contract.registry import Finding, failed, passed
from axiomcheck.contract.subject import Scores

__all__ = ["apart", "counterexample", "first_row", "number", "plain", "same_scores"]

Array = Any

ROUNDING = 1e-9
"""Scores that should be equal may differ by this, or by this share of the larger, and no more."""


def apart(one: Array, other: Array) -> Array:
    """Where two arrays of scores differ by more than rounding."""
    scale = np.maximum(1.0, np.maximum(np.abs(one), np.abs(other)))
    return np.abs(one - other) > ROUNDING * scale


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


def first_row(block: Block, chosen: Array) -> int:
    """Of some rows of a block, the one with the fewest grades above 0."""
    rows = np.flatnonzero(chosen)
    return int(rows[(block.pool[rows] > 0).sum(axis=(1, 2)).argmin()])


def counterexample(*cases: tuple[Block, int, float | None]) -> dict[str, Any]:
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


def same_scores(
    pairs: Sequence[tuple[Block, Block]],
    first: Sequence[Scores],
    second: Sequence[Scores],
    says: str,
) -> Finding:
    """Compares the scores of two sequences of blocks, row by row, where the first is a finite number.

    Args:
        pairs: what was scored, smallest first.
        first: the scores of the first of each pair.
        second: those of the second.
        says: what a difference means, as in ``"{says}: 0.5 becomes 0.4"``.

    """
    cases = 0
    found: Finding | None = None
    for (one, other), a, b in zip(pairs, first, second, strict=True):
        cases += int(a.usable.sum())
        wrong = a.usable & (~b.usable | apart(a.values, b.values))
        if found is None and wrong.any():
            row = first_row(one, wrong)
            score = None if row in b.raised else float(b.values[row])
            became = f"raises {b.raised[row]}" if score is None else f"becomes {number(score)}"
            shown = counterexample((one, row, float(a.values[row])), (other, row, score))
            found = failed(f"{says}: {number(a.values[row])} {became}", 0, shown)
    return passed(cases) if found is None else failed(found.reason, cases, found.counterexample)

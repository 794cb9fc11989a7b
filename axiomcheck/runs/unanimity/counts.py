"""Pairs of systems that all metrics but one agree on, counted per metric and topic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers, Reals

TOLERANCE = 1000 * 2.0**-53
"""How far two scores may lie apart, relative to the larger one, and be a tie.

A sum of 1,000 numbers that are not negative, in whatever order, is off by at most that. So metrics that are equal in
exact numbers (DCG and nDCG, or the sum over aspects begun at another aspect) tie on the same pairs. Scores that do
differ, and by less, tie as well: floats are not trusted to tell them apart.
"""


@dataclass(frozen=True)
class Counts:
    """Ordered pairs of different systems, per topic.

    Args:
        unanimous: (metrics, topics) pairs whose first system no *other* metric scores lower.
        captured: (metrics, topics) those of them whose first system the metric itself scores higher; a tie is a half.
        tied: (topics,) pairs on which all metrics tie.
        rounding: (metrics,) pairs whose scores differ and are a tie by the `TOLERANCE`.

    """

    unanimous: Integers
    captured: Reals
    tied: Integers
    rounding: Integers


def count_pairs(values: Reals) -> Counts:
    """Counts the pairs.

    All others agree on a pair where the metrics that are against it, the metric itself left out, are none. So it takes
    one count per pair, and neither memory nor time for pairs of metrics.

    Args:
        values: (metrics, systems, topics)

    Raises:
        InvalidInput: fewer than two metrics or systems, no topic, a score that is not finite.

    """
    if values.ndim != 3 or min(values.shape[:2]) < 2 or values.shape[2] < 1:
        raise InvalidInput(f"scores of shape {values.shape}; expected two metrics, two systems and a topic, or more")
    if not np.isfinite(values).all():
        raise InvalidInput("a score that is not a finite number; expected finite ones")
    metrics, systems, topics = values.shape
    unanimous = np.zeros((metrics, topics), dtype=np.int64)
    halves = np.zeros((metrics, topics), dtype=np.int64)
    tied = np.zeros(topics, dtype=np.int64)
    rounding = np.zeros(metrics, dtype=np.int64)
    for first in range(systems - 1):
        left, right = values[:, first, None], values[:, first + 1 :]
        ahead = signs(left, right)
        rounding += 2 * ((left != right) & (ahead == 0)).sum(axis=(1, 2))
        tied += 2 * (ahead == 0).all(axis=0).sum(axis=0)
        for sign in (ahead, -ahead):
            against = (sign < 0).sum(axis=0)
            agreed = against == 0
            alone = (against == 1) & (sign < 0)
            unanimous += (agreed | alone).sum(axis=1)
            halves += np.where(agreed, 1 + sign, 0).sum(axis=1)
    return Counts(unanimous, halves / 2, tied, rounding)


def signs(left: Reals, right: Reals) -> Integers:
    """1 where the left score is the larger, -1 where it is the smaller, 0 at a tie, as `TOLERANCE` says.

    Args:
        left: finite.
        right: finite; the shapes broadcast.

    """
    with np.errstate(over="ignore"):  # a difference too large for floats is infinite, and no tie
        difference = left - right
    larger = np.maximum(np.abs(left), np.abs(right))
    ties = np.abs(difference) <= TOLERANCE * larger
    ahead: Integers = np.where(ties, 0, np.sign(difference)).astype(np.int8)
    return ahead

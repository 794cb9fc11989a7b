"""Compute the scores of two rankings rank by rank in floats, for plots and explanations."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from flint import fmpq

from axiomcheck.core.own_code import is_own_class
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import at_eps
from axiomcheck.metrics import Metric
from axiomcheck.metrics.base import FoldMetric
from axiomcheck.numbers.arithmetic import Floats, floats_of, largest

Steps: TypeAlias = tuple[tuple[float, float], ...]
"""Pairs (x, P[S >= x]) in increasing order of x."""

_ROUNDING = 1e-14
"""Tolerance as a share of the largest score of a prefix. Smaller float differences of scores are shown as 0."""


@dataclass(frozen=True)
class Working:
    """Score of one ranking, rank by rank. Each tuple has one entry per rank.

    Args:
        adds: Amount by which each rank changes the score of the ranks above. It is 0 below the cutoff. Rounding errors
            are replaced by 0.
        totals: Score of the ranking truncated after each rank.
        gains: For a fold, the undiscounted gains at each rank down to the cutoff, one per aspect, or a single gain if
            the metric pools the grades of a document. None for other metrics.
        discounts: For a fold, the discount of each rank down to the cutoff; None for other metrics.

    """

    adds: tuple[float, ...]
    totals: tuple[float, ...]
    gains: tuple[tuple[float, ...], ...] | None
    discounts: tuple[float, ...] | None


def workings(metric: Metric, batch: Batch, eps: Fraction | None) -> tuple[Working, Working] | None:
    """Return the scores of both rankings rank by rank, (worse, better); None if the metric compares distributions.

    Args:
        metric: Metric that scores the rankings.
        batch: The instance (B = 1).
        eps: Value of eps if r << 1 is assumed; else None.

    """
    if metric.partial:
        return None
    grades, weights = _floats(batch, eps)
    worse, better = (_working(metric, grades, weights, ranking) for ranking in batch.axiom.rankings(batch.draft))
    return worse, better


def _floats(batch: Batch, eps: Fraction | None) -> tuple[Reals, Reals]:
    """Return the pool's grades (1, P, m) and the weights (1, m) of an instance as floats.

    If eps is not None, the grades are multiplied by it.
    """
    if eps is not None:
        batch = at_eps(batch, fmpq(eps.numerator, eps.denominator))
    return floats_of(batch.draft.grades), batch.draft.unit_weights().astype(float)


def _working(metric: Metric, grades: Reals, weights: Reals, ranking: Integers) -> Working:
    lengths = range(1, ranking.shape[1] + 1)
    scores = [0.0, *(float(metric.evaluate(grades, weights, ranking[:, :length])[0]) for length in lengths)]
    rounding = _ROUNDING * max(map(abs, scores))
    adds = tuple(b - a if abs(b - a) > rounding else 0.0 for a, b in pairwise(scores))
    gains = discounts = None
    if isinstance(metric, FoldMetric) and is_own_class(type(metric)) and is_own_class(type(metric.fold())):
        ranked = np.take_along_axis(grades, ranking[:, : metric.cutoff, None], axis=1)
        gains, discounts = _gains(metric, ranked, weights)
    return Working(adds, tuple(scores[1:]), gains, discounts)


def _gains(
    metric: FoldMetric, ranked: Array, weights: Array
) -> tuple[tuple[tuple[float, ...], ...], tuple[float, ...]]:
    """Return the gains and discounts of a fold at each rank; see `Working`.

    Args:
        metric: Metric that defines the fold.
        ranked: (1, n, m) grades in rank order.
        weights: (1, m) aspect weights.

    """
    if metric.pooling == "sum":
        ranked = (ranked * weights[:, None, :]).sum(axis=-1)[..., None]
    elif metric.pooling == "max":
        ranked = largest(ranked, -1)[..., None]
    a, fold = Floats(), metric.fold()
    state, gains = fold.start(a), []
    for rank in range(ranked.shape[1]):
        gain, state = fold.step(a, state, ranked[:, rank, :])
        gains.append(tuple(map(float, gain[0])))
    return tuple(gains), tuple(map(float, a.discounts(fold.discount, ranked.shape[1])))


def survival(metric: Metric, batch: Batch, eps: Fraction | None) -> tuple[Steps, Steps]:
    """Return the score distributions of both rankings as tail probabilities, (worse, better).

    Args:
        metric: Metric that compares distributions.
        batch: The instance (B = 1).
        eps: Value of eps if r << 1 is assumed; else None.

    Returns:
        For each side, the pairs (x, P[S >= x]) for all listed values x of the score S, in increasing order.

    """
    grades, weights = _floats(batch, eps)
    sides = []
    for ranking in batch.axiom.rankings(batch.draft):
        ranked = np.take_along_axis(grades, ranking[:, :, None], axis=1)
        values, masses, _ = metric.distribution(Floats(), ranked, weights, grades)
        shape = (1, values.shape[-1])
        sides.append(_steps(np.broadcast_to(values, shape)[0], np.broadcast_to(masses, shape)[0]))
    return sides[0], sides[1]


def _steps(values: Reals, masses: Reals) -> Steps:
    order = np.argsort(values, kind="stable")[::-1]
    tails = np.cumsum(masses[order])
    found: dict[float, float] = {}  # the last of several equal values has the tail that includes all of them
    for value, tail in zip(values[order], tails, strict=True):
        found[float(value)] = float(tail)
    return tuple(sorted(found.items()))

"""Describes how a metric comes to the scores of two rankings, rank by rank, in floats: for whoever draws them."""

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
"""A share of the largest score of a prefix: smaller differences of scores in floats are shown as 0."""


@dataclass(frozen=True)
class Working:
    """One ranking; all lists have an entry per rank.

    Args:
        adds: what each rank adds to the score of those above it; 0 past the cutoff, and where it is only rounding.
        totals: the score of the ranking down to each rank.
        gains: of a fold, down to the cutoff: what each rank earns before its discount, per aspect, or once where the
            fold is over a document's grades together; None of other metrics.
        discounts: of a fold, what a gain at each rank is multiplied by; None of other metrics.

    """

    adds: tuple[float, ...]
    totals: tuple[float, ...]
    gains: tuple[tuple[float, ...], ...] | None
    discounts: tuple[float, ...] | None


def workings(metric: Metric, batch: Batch, eps: Fraction | None) -> tuple[Working, Working] | None:
    """(worse, better) of an instance; None of a metric that compares distributions, of which there is no one score.

    Args:
        metric: that scores.
        batch: the instance (B = 1).
        eps: what eps is to be where r << 1 is assumed; None elsewhere.

    """
    if metric.partial:
        return None
    grades, weights = _floats(batch, eps)
    worse, better = (_working(metric, grades, weights, ranking) for ranking in batch.axiom.rankings(batch.draft))
    return worse, better


def _floats(batch: Batch, eps: Fraction | None) -> tuple[Reals, Reals]:
    """The pool's grades (1, P, m) and the weights (1, m) of an instance."""
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
    """The gains and discounts of a fold: ranked (1, n, m), weights (1, m)."""
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
    """(worse, better): the distributions of the scores of an instance, as P[S >= x] at every value x that S can have.

    Args:
        metric: one that compares distributions.
        batch: the instance (B = 1).
        eps: as for `workings`.

    Returns:
        For each side pairs (x, P[S >= x]) in increasing order of x, without what the distribution does not list.

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
    found: dict[float, float] = {}  # of equal values the last, below which all of them are
    for value, tail in zip(values[order], tails, strict=True):
        found[float(value)] = float(tail)
    return tuple(sorted(found.items()))

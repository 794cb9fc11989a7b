"""Compares two rankings: the one place that knows the three ways in which a metric puts one ahead of the other.

Scores that run in exact arithmetic, scores of which floats are all there is, and distributions of scores. Only what
`signs` and `judge` say may become a refutation; where floats are all there is, the judgement says ``"numerical"``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from flint import fmpq

from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.decide.batch import Batch, Comparison, Judgement, Pairs
from axiomcheck.decide.dominance import Distributions
from axiomcheck.decide.numerical import FloatScores
from axiomcheck.decide.scores import ExactScores
from axiomcheck.metrics import Metric


class Way(Protocol):
    """A way in which a metric compares rankings.

    Every method raises `axiomcheck.core.errors.MetricError` where the metric raised, or returned what is no score.
    """

    def compare(self, batch: Batch) -> Comparison:
        """Return what floating point says of both rankings of every instance."""

    def signs(self, pairs: Pairs) -> list[int | None]:
        """The sign of Q(better) - Q(worse) for every pair, as `Judgement` has it."""

    def judge(self, pairs: Pairs) -> Judgement:
        """The full judgement on one pair."""


def way_of(metric: Metric, small: bool) -> Way:
    """Return the way in which a metric compares rankings.

    Args:
        metric: any.
        small: whether grades stand for eps * grade, eps -> 0, which exact arithmetic may be unable to run.

    """
    if metric.partial:
        return Distributions(metric)
    if metric.numerical(small):
        return FloatScores(metric)
    if metric.searched_in_floats(small):
        return _RunTwice(metric)
    return ExactScores(metric)


class _RunTwice(ExactScores):
    """The user's function in floats, which search, and its second reading over exact numbers, which decides.

    Where r << 1 is assumed the floats are those of a few small eps: the function itself knows of no series.
    """

    def compare(self, batch: Batch) -> Comparison:
        """Compare by floats alone; what they say is a candidate, never sure."""
        return replace(FloatScores(self.metric).compare(batch), sure=np.zeros(batch.size, dtype=bool))


def compare(metric: Metric, batch: Batch) -> Comparison:
    """Return what floating point says of every instance; see `Way`."""
    way = way_of(metric, batch.small)
    return _lowest([way.compare(part) for part in batch.comparisons])


def _lowest(found: Sequence[Comparison]) -> Comparison:
    """The comparison of every instance that is furthest from satisfied."""
    lowest = found[0]
    for other in found[1:]:
        lower = np.where(other.sign == lowest.sign, other.margin < lowest.margin, other.sign < lowest.sign)
        columns = ((getattr(other, name), getattr(lowest, name)) for name in ("sign", "margin", "equal", "sure"))
        sign, margin, equal, sure = (np.where(lower, one, kept) for one, kept in columns)
        lowest = Comparison(sign, margin, equal, sure, returned=lowest.returned + other.returned)
    return lowest


def signs(metric: Metric, pairs: Pairs | Batch) -> list[int | None]:
    """The exact sign of Q(better) - Q(worse) for every pair; None where it could not be decided."""
    way = way_of(metric, pairs.small)
    found = [way.signs(part) for part in _exactly(pairs)]
    return [min(each, key=_satisfied) for each in zip(*found, strict=True)]


def judge(metric: Metric, pair: Pairs | Batch) -> Judgement:
    """The full judgement on one pair; of an axiom on scores on the bound that is violated, or nearest to it."""
    way = way_of(metric, pair.small)
    parts = _exactly(pair)
    judged = [replace(way.judge(part), bound=part.bound.side if part.bound else None) for part in parts]
    return min(judged, key=lambda one: _satisfied(one.sign))


def _exactly(pairs: Pairs | Batch) -> list[Pairs]:
    return [pairs] if isinstance(pairs, Pairs) else [Pairs.of(part) for part in pairs.comparisons]


def _satisfied(sign: int | None) -> float:
    """Rank a sign by how close it is to satisfied: a violation of one bound comes first, and doubt about one next."""
    return -0.5 if sign is None else sign


def at_eps(batch: Batch, eps: fmpq) -> Batch:
    """The instance of the limit regime at one concrete eps: grades eps * rho, r << 1 no longer assumed."""
    exact = exact_draft(batch.draft)
    return Batch(batch.axiom, replace(exact, grades=exact.grades * eps, top=exact.top * eps), False)

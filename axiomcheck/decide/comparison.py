"""Compare two rankings using a metric of any kind.

A metric has scores in exact arithmetic, scores in floats only, or distributions of scores. Only this module
distinguishes these three kinds. A refutation relies only on `signs` and `judge`. If a metric has only float scores, the
arithmetic of its judgements is ``"numerical"``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from flint import fmpq

from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.decide.batch import Batch, Comparison, Judgement, Pairs
from axiomcheck.decide.dominance import Distributions
from axiomcheck.decide.numerical import FloatScores
from axiomcheck.decide.scores import ExactScores
from axiomcheck.metrics import Metric


def _method(metric: Metric, small: bool) -> ExactScores | FloatScores | Distributions:
    """Return an object that compares rankings by a metric's exact scores, float scores or distributions.

    Its methods raise `axiomcheck.core.errors.MetricError` if the metric fails or returns an invalid score.

    Args:
        metric: Metric of any kind.
        small: True if each grade r stands for eps * r, eps -> 0. Some metrics then have only float scores.

    """
    if metric.partial:
        return Distributions(metric)
    if metric.numerical(small):
        return FloatScores(metric)
    if metric.searched_in_floats(small):
        return _RunTwice(metric)
    return ExactScores(metric)


class _RunTwice(ExactScores):
    """Compares rankings by a user's function: in floats during the search, and exactly in `signs` and `judge`.

    The exact scores come from `Metric.read_again`, the function's source recompiled to use exact numbers. If r << 1 is
    assumed, float scores are computed at a few small values of eps, because the function cannot be called with series.
    """

    def compare(self, batch: Batch) -> Comparison:
        """Compare the scores in floats. No result is marked as sure, so violations are always confirmed exactly."""
        return replace(FloatScores(self.metric).compare(batch), sure=np.zeros(batch.size, dtype=bool))


def compare(metric: Metric, batch: Batch) -> Comparison:
    """Compare both rankings of every instance in floats. This is fast, but may leave some instances undecided."""
    method = _method(metric, batch.small)
    return _lowest([method.compare(part) for part in batch.comparisons])


def _lowest(found: Sequence[Comparison]) -> Comparison:
    """Merge the comparisons with each bound of an axiom, keeping the lowest sign and margin of each instance."""
    lowest = found[0]
    for other in found[1:]:
        lower = np.where(other.sign == lowest.sign, other.margin < lowest.margin, other.sign < lowest.sign)
        columns = ((getattr(other, name), getattr(lowest, name)) for name in ("sign", "margin", "equal", "sure"))
        sign, margin, equal, sure = (np.where(lower, one, kept) for one, kept in columns)
        lowest = Comparison(sign, margin, equal, sure, returned=lowest.returned + other.returned)
    return lowest


def signs(metric: Metric, pairs: Pairs | Batch) -> list[int | None]:
    """Return the sign of Q(better) - Q(worse) for every pair, or None where it could not be determined.

    Signs are exact unless the metric has only float scores. If the axiom has two bounds, the lower sign is returned.
    """
    method = _method(metric, pairs.small)
    if type(method) is FloatScores and isinstance(pairs, Batch):  # float scores need no exact numbers
        parts = [Pairs.floats_of(part) for part in pairs.comparisons]
    else:
        parts = _exactly(pairs)
    found = [method.signs(part) for part in parts]
    return [min(each, key=_sort_key) for each in zip(*found, strict=True)]


def judge(metric: Metric, pair: Pairs | Batch) -> Judgement:
    """Compare one pair, and return the sign with both scores.

    If the axiom has two bounds, the judgement with the lower sign is returned.
    """
    method = _method(metric, pair.small)
    parts = _exactly(pair)
    judged = [replace(method.judge(part), bound=part.bound.side if part.bound else None) for part in parts]
    return min(judged, key=lambda one: _sort_key(one.sign))


def _exactly(pairs: Pairs | Batch) -> list[Pairs]:
    return [pairs] if isinstance(pairs, Pairs) else [Pairs.of(part) for part in pairs.comparisons]


def _sort_key(sign: int | None) -> float:
    """Return a key that sorts signs in the order -1 (a violation), None (undetermined), 0, 1."""
    return -0.5 if sign is None else sign


def at_eps(batch: Batch, eps: fmpq) -> Batch:
    """Convert instances that assume r << 1 to instances that do not, by multiplying every grade by a fixed eps."""
    exact = exact_draft(batch.draft)
    return Batch(batch.axiom, replace(exact, grades=exact.grades * eps, top=exact.top * eps), False)

"""Scores of a batch in floating point, and which ranking of each pair they put ahead.

Nothing here is a verdict: a difference that floats cannot tell from zero is left at sign 0 for
`axiomcheck.decide.exact`, and a violation is only a candidate until it is confirmed there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.dominance import FloatDistributions, float_relations
from axiomcheck.decide.floats_only import FloatPairs, numbers
from axiomcheck.metrics import Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.numbers.series import Series

__all__ = ["Comparison", "compare", "repeats"]

Array = Any

_FLOATS = Floats()
_ORDERS = 2
"""Orders of eps that the limit regime is searched in; pairs that tie in all of them are decided exactly."""

_DISTRIBUTION_ORDERS = 4
"""The same where distributions are compared: their lower orders often cancel at some threshold."""

_NOISE = 4e-15
_RELATIVE = 4e-14
_ABSOLUTE = 1e-14
"""Scores of the catalogue are sums of at most a few hundred products, so rounding stays far below these shares of
the pair's scores and of the largest score of the batch."""


@dataclass(frozen=True)
class Comparison:
    """What floating point says of every pair of a batch.

    Args:
        sign: (B,) +1 better ahead, -1 worse ahead, 0 too close to tell, `axiomcheck.decide.dominance.APART` where
            neither distribution dominates.
        equal: (B,) whether the two scores are the same floats in every order looked at (where floats are all there is
            of the metric: whether they are as close as its precision).
        sure: (B,) False where a lower order of eps was taken to be zero without being certain of it.
        margin: (B,) Q(better) - Q(worse) as a share of the larger score; in the limit regime of the leading
            coefficients. Not finite nowhere.
        rest: the largest probability that a distribution leaves out; 0 of scores.

    """

    sign: Array
    margin: Array
    equal: Array
    sure: Array
    rest: float = 0.0

    def pick(self, rows: Array) -> Comparison:
        """Some of the pairs."""
        return Comparison(self.sign[rows], self.margin[rows], self.equal[rows], self.sure[rows], self.rest)


def compare(metric: Metric, batch: Batch) -> Comparison:
    """Scores both rankings of every instance and compares them.

    Raises:
        MetricError: the metric raised, or did not return one finite number per ranking.

    """
    if metric.partial:
        low, high = _distributions(metric, batch)
        found_ = float_relations(low, high)
        rest = max(float(side.rest.max(initial=0.0)) for side in (low, high))
        return Comparison(found_.sign, found_.margin, found_.equal, found_.sure, rest)
    if metric.numerical(batch.small):
        found = numbers(metric, FloatPairs.of(batch.axiom, batch.draft, batch.small))
        sure = np.ones(batch.size, dtype=bool)
        return Comparison(found.sign, found.margin, (found.sign == 0) & ~found.open, sure)
    worse, better = _scores(metric, batch)
    size = batch.size
    sign = np.zeros(size, dtype=np.int8)
    margin = np.zeros(size)
    equal = np.ones(size, dtype=bool)
    sure = np.ones(size, dtype=bool)
    open_ = np.ones(size, dtype=bool)
    for number, order in enumerate(sorted({*_orders(worse), *_orders(better)})):
        w, b = _coefficients(worse, order, size, metric), _coefficients(better, order, size, metric)
        difference = b - w
        scale = np.maximum(np.abs(b), np.abs(w))
        gap = np.abs(difference)
        clear = gap > _RELATIVE * scale + _ABSOLUTE * scale.max(initial=0.0)
        now = clear & open_ if number else clear
        sign = np.where(now, np.sign(difference), sign).astype(np.int8)
        margin = np.where(now, difference / np.where(scale == 0, 1, scale), margin)
        if number:
            sure &= ~now
        equal &= gap == 0
        # Only what is no more than noise may pass for zero, so that the next order decides; the rest is left open.
        open_ &= gap <= _NOISE * scale
        if not open_.any():
            break
    return Comparison(sign, margin, equal, sure)


def repeats(metric: Metric, batch: Batch) -> bool:
    """Whether scoring a batch again gives the same floats."""
    if metric.partial:
        again = zip(_distributions(metric, batch), _distributions(metric, batch), strict=True)
        return all(
            np.array_equal(a.values, b.values)
            and a.masses.keys() == b.masses.keys()
            and all(np.array_equal(a.masses[k], b.masses[k]) for k in a.masses)
            for a, b in again
        )
    if metric.numerical(batch.small):
        pairs = FloatPairs.of(batch.axiom, batch.draft, batch.small)
        one, other = numbers(metric, pairs), numbers(metric, pairs)
        return np.array_equal(one.worse, other.worse) and np.array_equal(one.better, other.better)
    first, second = _scores(metric, batch), _scores(metric, batch)
    return all(
        _orders(a) == _orders(b)
        and all(
            np.array_equal(_coefficients(a, k, batch.size, metric), _coefficients(b, k, batch.size, metric))
            for k in _orders(a)
        )
        for a, b in zip(first, second, strict=True)
    )


def _scores(metric: Metric, batch: Batch) -> tuple[Any, Any]:
    keep = _ORDERS
    pool = batch.wrap(batch.draft.grades, keep)
    try:
        if batch.pair is not None:
            both = metric.score(_FLOATS, batch.wrap(batch.pair, keep), batch.weights, pool)
            if isinstance(both, Series) or getattr(both, "shape", None) == (2, batch.size):
                return both[0], both[1]
            raise MetricError(f"{metric} returned shape {getattr(both, 'shape', None)}; expected {(2, batch.size)}")
        worse, better = batch.rankings
        return (
            metric.score(_FLOATS, batch.wrap(worse, keep), batch.weights, pool),
            metric.score(_FLOATS, batch.wrap(better, keep), batch.weights, pool),
        )
    except MetricError:
        raise
    except Exception as error:
        raise MetricError(f"{metric} raised {type(error).__name__}: {error}") from error


def _distributions(metric: Metric, batch: Batch) -> tuple[FloatDistributions, FloatDistributions]:
    """(worse, better) distributions of every instance.

    Raises:
        MetricError: the metric raised, or its values are of different orders in eps.

    """
    keep, found, units = _DISTRIBUTION_ORDERS, [], set()
    for ranking in batch.rankings:
        try:
            values, masses, rest = metric.distribution(
                _FLOATS, batch.wrap(ranking, keep), batch.weights, batch.wrap(batch.draft.grades, keep)
            )
            order, values = values.monomial() if isinstance(values, Series) else (0, np.asarray(values))
        except MetricError:
            raise
        except Exception as error:
            raise MetricError(f"{metric} raised {type(error).__name__}: {error}") from error
        if np.any(values != 0):
            units.add(order)
        by_order = masses.terms if isinstance(masses, Series) else {0: masses}
        shape = (batch.size, values.shape[-1])
        found.append(
            FloatDistributions(
                np.broadcast_to(real_scores(metric, values), shape),
                {k: np.broadcast_to(real_scores(metric, c), shape) for k, c in by_order.items()},
                np.broadcast_to(real_scores(metric, rest), shape[:1]),
            )
        )
    if len(units) > 1:
        raise MetricError(f"{metric} gives values of different orders in eps, which are not compared")
    return found[0], found[1]


def _orders(score: Any) -> list[int]:
    return list(score.terms) if isinstance(score, Series) else [0]


def _coefficients(score: Any, order: int, size: int, metric: Metric) -> Array:
    terms = score.terms if isinstance(score, Series) else {0: score}
    if order not in terms:
        return np.zeros(size)
    array = real_scores(metric, terms[order])
    if array.shape != (size,):
        raise MetricError(f"{metric} returned shape {array.shape}; expected {(size,)}")
    if not np.isfinite(array).all():
        raise MetricError(f"{metric} returned {array[~np.isfinite(array)][0]}; expected a finite number")
    return array

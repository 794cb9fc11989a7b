"""Compare a user's function with the fold that its source was derived to be, in floats and exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from flint import ctx

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.core.typing import Array
from axiomcheck.derivation.derive import Derivation, derive
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import DerivedMetric, FoldOfFunction
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, to_fmpq
from axiomcheck.sources.abilities import same_but_for_rounding
from axiomcheck.sources.provenance import UNREADABLE, readable_identity

_SHAPES = (
    *((1, 1, 0), (2, 1, 1), (3, 1, 2), (5, 1, 0), (8, 1, 3), (13, 1, 1)),
    *((1, 2, 1), (2, 3, 1), (4, 2, 0), (6, 2, 2)),
)
"""Shapes of the rankings that are scored exactly and in floats: (ranked documents, aspects, further documents)."""

_LONG = ((34, 1, 60), (120, 1, 5), (400, 1, 0), (1_200, 1, 0), (40, 3, 7), (12, 5, 30))
"""Shapes of the rankings that are scored in floats only."""

_ROWS, _LONG_ROWS = 3, 4
_CLOSE = 1e-9


def _cases(
    single: bool, weighted: bool, shapes: tuple[tuple[int, int, int], ...], rows: int
) -> Iterator[tuple[Array, Array, int]]:
    """Yield pools (B, P, m) and weights (B, m) as floats that are short binary fractions, and the number of ranks."""
    rng = np.random.default_rng(20_261)
    for ranked, aspects, extras in shapes:
        if single and aspects > 1:
            continue
        size = (rows, ranked + extras, aspects)
        fine = rng.integers(0, 2**20 + 1, size) / 2**20
        kinds = [
            fine,
            rng.integers(0, 9, size) / 8,
            np.where(rng.random(size) < 0.5, 0.0, np.where(rng.random(size) < 0.5, 1.0, fine)),
            fine * 2.0 ** -rng.integers(0, 30, size),
        ]
        pool = np.choose(rng.integers(0, len(kinds), size), kinds)
        pool[0] = pool[0] * (rng.random(size[1:]) < 0.3)
        shares = rng.integers(1, 9, (rows, aspects)) if weighted else np.ones((rows, aspects), dtype=int)
        # weights with short binary fractions, which sum to 1 exactly
        halves = shares / 2.0 ** np.ceil(np.log2(shares.sum(axis=1, keepdims=True)))
        halves[:, 0] += 1 - halves.sum(axis=1)
        yield pool, halves, ranked


def agreeing_fold(metric: Metric) -> Derivation:
    """Derive the fold of a user's function, and compare their scores.

    Returns:
        The derivation, without a fold if the function does not run exactly, or raises an exception on one of the
        rankings.

    Raises:
        MetricError: The function has other scores than its source says.

    """
    derivation = derive(metric)
    if derivation.metric is None:
        return derivation
    if inexact := metric.numerical(False) or metric.numerical(True):
        return Derivation(None, inexact)
    try:
        check_once(metric, derivation.metric)
    except MetricError:
        raise
    except Exception as error:  # any exception of the function
        return Derivation(None, f"raises {type(error).__name__} on a ranking of some length: {error}")
    return derivation


def check_once(metric: Metric, found: DerivedMetric) -> None:
    """Check that a function has the scores of a fold, unless the same code was found to have them before.

    Raises:
        MetricError: Two scores differ. The message names the ranking.

    """
    key = readable_identity(metric), found.text
    if key not in _AGREED:
        check_same_scores(metric, found)
        if key[0] != UNREADABLE:
            _AGREED.add(key)


_AGREED: set[tuple[str | None, str]] = set()


def check_same_scores(metric: Metric, found: DerivedMetric) -> None:
    """Check that a function has the scores of a fold on random rankings, in floats and exactly, also when asked again.

    Raises:
        MetricError: Two scores differ. The message names the ranking.

    """
    weighted, single, fold = metric.abilities.weights, metric.single_aspect, FoldOfFunction(metric, found)
    cases = list(_cases(single, weighted, _SHAPES, _ROWS))
    with ctx.workprec(128):
        for pool, weights, ranked in (*cases, *cases[:2]):
            exact, shares = (_RATIONALS(x) for x in (pool, weights))
            arithmetic, expected = _scored(fold, exact, shares, ranked)
            scores = metric.score(arithmetic, exact[:, :ranked], shares, exact)
            for one, other in zip(np.ravel(scores), np.ravel(expected), strict=True):
                same = (
                    one.overlaps(other) if isinstance(arithmetic, Balls) and hasattr(one, "overlaps") else one == other
                )
                if not same:
                    raise _differing(metric, one, other, pool)
            floats = _in_floats(metric, pool, weights, ranked)
            if not same_but_for_rounding(np.ravel(expected), floats).all():
                raise _differing(metric, floats.tolist(), np.ravel(expected).tolist(), pool)
    for pool, weights, ranked in _cases(single, weighted, _LONG, _LONG_ROWS):
        floats = _in_floats(metric, pool, weights, ranked)
        expected = fold.score(Floats(), pool[:, :ranked], weights, pool)
        if not np.allclose(floats, expected, rtol=_CLOSE, atol=_CLOSE * max(np.abs(expected).max(), 1e-300)):
            raise _differing(metric, floats.tolist(), expected.tolist(), pool)


def _scored(found: Metric, pool: Array, weights: Array, ranked: int) -> tuple[Arithmetic, Array]:
    try:
        return Rationals(), found.score(Rationals(), pool[:, :ranked], weights, pool)
    except NotRational:
        return Balls(), found.score(Balls(), pool[:, :ranked], weights, pool)


def _in_floats(metric: Metric, pool: Array, weights: Array, ranked: int) -> Array:
    order = np.broadcast_to(np.arange(ranked), (len(pool), ranked))
    with np.errstate(all="ignore"):  # gains of far ranks may underflow
        return metric.evaluate(pool, weights, order)


def _differing(metric: Metric, score: object, expected: object, pool: Array) -> MetricError:
    size = f"{counted(pool.shape[1], 'document')}, {counted(pool.shape[2], 'aspect')}"
    return MetricError(f"{metric} scores {score} where its source adds up to {expected} ({size})")


_RATIONALS = np.frompyfunc(lambda x: to_fmpq(float(x)), 1, 1)

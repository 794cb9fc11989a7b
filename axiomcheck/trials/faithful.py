"""Whether a metric from outside is one function, and what it says of itself is so: tried before its cells are decided.

A search in floats that is confirmed in exact arithmetic, a proof on symbols, an argument from a cutoff: each takes for
granted that a metric is the same function in all of them, and that its declarations are true. Of the catalogue the
tests show that; of other code it is tried here, on random rankings.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.decide.numerical import asked
from axiomcheck.metrics import DeclaredFold, Metric
from axiomcheck.metrics.fold import TOO_LONG
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.sources.abilities import why_not_rationals, why_not_series
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.brought import OwnMetric, is_single, rounding_of
from axiomcheck.sources.provenance import runs_catalogue_code

_ROWS = 4
_REPEATED = (2, 10, 50)
"""Times 400 rankings: up to as many as the search ever has scored in one call."""


def check_metric_is_one_function(metric: Metric, small: bool) -> None:
    """Checks that a metric from outside scores alike in exact arithmetic and in floats, and is what it declares to be.

    A declared cutoff: ranks below it change nothing. Binary only: no positive grade is different from another. What a
    library's adapter declares is left to the contract checks.

    Args:
        metric: any.
        small: whether r << 1 is assumed, so that it is scored on series in eps.

    Raises:
        MetricError: it does not; the message says what broke.

    """
    if runs_catalogue_code(metric) or isinstance(metric, LibraryMetric) or metric.partial:
        return
    for case in _rankings(metric, 2, 3, 7, 20):
        first, again = (asked(metric, case.pool, case.weights, case.order) for _ in range(2))
        if not (_alike(metric, first, again).all() if is_single(metric) else np.array_equal(first, again)):
            raise MetricError(f"{metric} scores the same rankings differently when asked again")
    _check_batches(metric)
    if not isinstance(metric, OwnMetric) and not metric.numerical(False):
        _check_evaluate(metric)
        why = why_not_rationals(metric) or (why_not_series(metric) if small and not metric.binary_only else "")
        if why:
            helped = "cannot be run" in why and TOO_LONG not in why
            if helped and isinstance(metric, DeclaredFold):
                why += (
                    "; in a declared fold a number that is not whole is a parameter, as in Real('b', 0.5), or a "
                    "quotient of whole numbers, as in r / 2; that of a discount or a cost may be a Fraction"
                )
            elif helped:
                why += (
                    "; a Metric's kernel has to run in every arithmetic, with what it takes from `a` (a.discounts, "
                    "a.number): or bring a function over arrays, or have numerical() say why floats are all there is"
                )
            raise MetricError(f"{metric} cannot be trusted: {why}")
    if metric.cutoff is not None:
        _check_cutoff(metric, metric.cutoff)
    if metric.binary_only:
        _check_binary(metric)


@dataclass(frozen=True)
class _Rankings:
    """B rankings in floats: pool (B, P, m), weights (B, m), order (B, n)."""

    pool: Reals
    weights: Reals
    order: Integers


def _rankings(metric: Metric, *lengths: int) -> Iterator[_Rankings]:
    rng = np.random.default_rng(7)
    levels = metric.abilities.levels or 8
    fewest = _fewest_aspects(metric)
    for length, m in (*((length, fewest) for length in lengths), (lengths[0] + 1, 2)):
        if m > 1 and not metric.applies_to_aspects():
            continue
        pool = rng.integers(0, levels + 1, (_ROWS, length + 2, m)) / levels
        pool[0] = 1.0
        order = rng.permuted(np.tile(np.arange(length + 2), (_ROWS, 1)), axis=1)[:, :length]
        yield _Rankings(pool, np.full((_ROWS, m), 1 / m), order)


def _check_batches(metric: Metric) -> None:
    """In batches of other sizes, and in another thread, the same scores; rounding apart."""
    size = 400 if metric.most_examples is None else 12
    levels = metric.abilities.levels or 8
    m = _fewest_aspects(metric)
    pool = np.random.default_rng(11).integers(0, levels + 1, (size, 3, m)) / levels
    weights, order = np.full((size, m), 1 / m), np.tile(np.arange(3), (size, 1))
    whole = asked(metric, pool, weights, order)
    with ThreadPoolExecutor(1) as thread:
        elsewhere = thread.submit(asked, metric, pool, weights, order).result()
    if not _alike(metric, whole, elsewhere).all():
        raise MetricError(f"{metric} scores the same rankings differently in another thread")
    start = 0
    for count in (1, 2, 3, 4, 5, 7, 8, 16, 32, 64):
        rows = slice(start, start + count)
        if start + count > size:
            break
        if not _alike(metric, asked(metric, pool[rows], weights[rows], order[rows]), whole[rows]).all():
            raise MetricError(f"{metric}: the score of a ranking depends on what is scored in the same call")
        start += count
    for times in _REPEATED if metric.most_examples is None else ():
        many = asked(metric, np.tile(pool, (times, 1, 1)), np.tile(weights, (times, 1)), np.tile(order, (times, 1)))
        if not _alike(metric, many, np.tile(whole, times)).all():
            raise MetricError(f"{metric} scores rankings differently where {times * size:,} are scored in one call")


def _check_evaluate(metric: Metric) -> None:
    for case in _rankings(metric, 3, 5, 20):
        ranked = np.take_along_axis(case.pool, case.order[:, :, None], axis=1)
        scored = real_scores(metric, metric.score(Floats(), ranked, case.weights, case.pool))
        if not _alike(metric, asked(metric, case.pool, case.weights, case.order), scored).all():
            raise MetricError(f"{metric}: its evaluate gives other scores than its score")


def _fewest_aspects(metric: Metric) -> int:
    """1; or 2 of a metric that scores nothing with one aspect, which axioms of several need not ask about."""
    failure: MetricError | None = None
    for m in (1, 2) if metric.applies_to_aspects() else (1,):
        try:
            asked(metric, np.ones((1, 2, m)), np.full((1, m), 1 / m), np.array([[0, 1]]))
        except MetricError as error:
            failure = failure or error
        else:
            return m
    assert failure is not None
    raise failure


def _check_cutoff(metric: Metric, cutoff: int) -> None:
    for case in _rankings(metric, *(cutoff + more for more in (1, 2, cutoff + 3, 160, 420))):
        whole = asked(metric, case.pool, case.weights, case.order)
        cut = asked(metric, case.pool, case.weights, case.order[:, :cutoff])
        for row in np.flatnonzero(~_alike(metric, whole, cut)):
            raise MetricError(
                f"{metric} looks below rank {cutoff}, its declared cutoff: {case.order.shape[1]:,} documents score "
                f"{whole[row]:.6g} and the first {cutoff} of them {cut[row]:.6g}"
            )


def _check_binary(metric: Metric) -> None:
    for case in _rankings(metric, 3, 5, 9):
        graded = asked(metric, case.pool, case.weights, case.order)
        binary = asked(metric, np.ceil(case.pool), case.weights, case.order)
        for row in np.flatnonzero(~_alike(metric, graded, binary)):
            raise MetricError(
                f"{metric} declares binary_only and tells positive grades apart: it scores {graded[row]:.6g} and, with "
                f"every positive grade 1, {binary[row]:.6g}"
            )


def _alike(metric: Metric, x: Array, y: Array) -> Array:
    return np.abs(x - y) <= rounding_of(metric) * np.maximum(1.0, np.abs(x))

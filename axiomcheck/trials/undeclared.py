"""A cutoff that a metric has and does not declare, found by probing: where the search ends its rankings."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.limits import VISIBLE
from axiomcheck.core.typing import Array
from axiomcheck.decide.numerical import asked
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.brought import OwnMetric, is_single, rounding_of
from axiomcheck.sources.own import as_metric
from axiomcheck.sources.provenance import runs_catalogue_code
from axiomcheck.trials.cases import CaseRange, random_block

RANKS = 50
"""Length of the rankings that are tried."""

_TOPICS = 24
_MORE = 10
"""Documents of a topic that are not in the ranking."""

PROBES = RANKS + _TOPICS
"""Of a cutoff that is found, at least: one relevant document at every rank, and topics of many."""


def undeclared_cutoff(metric: Metric) -> int | None:
    """The rank below which a metric ignores every document although it declares no cutoff, as far as probes show.

    Args:
        metric: of any kind.

    Returns:
        A rank below `RANKS`; None if a cutoff is declared, if there is no such rank, if what the last rank counts is
        too little to tell, or if the metric does not score the probes.

    """
    if metric.cutoff is not None or metric.partial:
        return None
    try:
        # Two rankings settle it for most metrics without a cutoff.
        if _effects(metric, [RANKS])[0] != 0:
            return None
        effects = _effects(metric, range(1, RANKS + 1))
        counting = np.flatnonzero(effects > max(VISIBLE, 100 * metric.rounding))
        if not np.isfinite(effects).all() or not counting.size or effects[counting[-1] + 1 :].any():
            return None
        last = int(counting[-1]) + 1
        return last if _ignores_below(metric, last) else None
    except Exception:  # whatever the metric raises on rankings of this length: there is no hint to give then
        return None


def as_probed(metric: Metric) -> Metric:
    """The metric as the search takes it: with the cutoff that it has and does not declare, if probes show one.

    A ranking that differs below that rank only would refute whatever asks for a strict order, of a metric that is meant
    to look no further. What is proved is proved of the metric as it is.

    Args:
        metric: of any kind.

    Returns:
        The metric itself, or a copy of the same name with a cutoff.

    """
    if isinstance(metric, OwnMetric) and not is_single(metric) and _has_few_digits(metric):
        metric.dtypes.add("float32")
    if metric.cutoff is not None or metric.partial or runs_catalogue_code(metric):
        return metric
    cut = as_metric(metric, metric.canonical)  # asked itself, a metric that keeps what it made would be another one
    cutoff = undeclared_cutoff(cut)
    if cutoff is None:
        return metric
    cut.cutoff = cutoff
    return cut


def _has_few_digits(metric: OwnMetric) -> bool:
    """Return true for doubles that were single precision before: all are numbers of single precision, and use it up.

    Scores of short rankings that are made of halves and quarters have few digits, too, but do not use those they have.
    """
    rng, levels = np.random.default_rng(5), metric.abilities.levels
    pool = (
        rng.random((_IRREGULAR, 4, 1)) if levels is None else rng.integers(1, levels + 1, (_IRREGULAR, 4, 1)) / levels
    )
    with suppress(MetricError):
        copied = as_metric(metric, metric.canonical)
        scores = np.unique(asked(copied, pool, np.ones((_IRREGULAR, 1)), np.tile(np.arange(4), (_IRREGULAR, 1))))
        if len(scores) < _IRREGULAR // 2 or not np.array_equal(scores.astype(np.float32).astype(float), scores):
            return False
        digits = np.frexp(scores)[0] * 2.0**_MANY_DIGITS
        return bool((digits != np.rint(digits)).mean() > 0.5)
    return False


_IRREGULAR, _MANY_DIGITS = 12, 18


def _effects(metric: Metric, ranks: Sequence[int]) -> Array:
    """How much the only relevant document of a topic changes the score at some ranks: (R,)."""
    size = len(ranks) + 1
    pool = np.zeros((size, RANKS + 1, 1))
    pool[:, RANKS] = 1.0
    order = np.tile(np.arange(RANKS), (size, 1))
    order[np.arange(size - 1), np.array(ranks) - 1] = RANKS
    scores = np.asarray(metric.evaluate(pool, np.ones((size, 1)), order), dtype=np.float64)
    return np.abs(scores[:-1] - scores[-1])


def _ignores_below(metric: Metric, last: int) -> bool:
    """Whether rankings of many relevant documents score the same cut at a rank, and with other documents below it."""
    scale, rng = CaseRange.of(metric), np.random.default_rng(0)
    for aspects in (1, 2) if scale.aspects else (1,):
        block = random_block(scale, rng, _TOPICS, RANKS + _MORE, RANKS, aspects)
        top, rest = block.order[:, :last], np.concatenate([block.order[:, last:], block.outside()], axis=1)
        others = np.take_along_axis(rest, np.argsort(rng.random(rest.shape), axis=1), axis=1)[:, : RANKS - last]
        scores = [
            np.asarray(metric.evaluate(block.pool.copy(), block.weights.copy(), order.copy()), dtype=np.float64)
            for order in (block.order, top, np.concatenate([top, others], axis=1))
        ]
        near = rounding_of(metric) if is_single(metric) else 1e-12
        if not all(np.allclose(one, scores[0], rtol=near, atol=near) for one in scores):
            return False
    return True

"""Correlation of the rankings that two metrics make of the same systems, and scores that are equal but for rounding.

Three coefficients. For two of them no library is both maintained and fit for ties: pyircor wants Python below 3.8, rbo
wants numpy below 2 and knows no ties.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from axiomcheck.core.typing import Reals

PERSISTENCE = 0.9
"""RBO's p: the first ten ranks have 86 % of the weight."""

_STEPS = 2.0**-30
"""About `axiomcheck.core.limits.ROUNDING`. A power of two: at halves of it, where numbers that differ by rounding go
apart, lie no fractions that metrics are made of."""


def step_of(scores: Reals) -> float:
    """The step of a metric, relative to the largest of its scores."""
    largest = float(np.abs(scores).max(initial=0.0))
    if largest == 0:
        return _STEPS
    return max(float(np.ldexp(_STEPS, np.frexp(largest)[1])), float(np.finfo(np.float64).tiny))


def in_steps(values: Reals, step: float) -> Reals:
    """Sums, means or differences of a metric's scores as whole numbers of steps; elementwise."""
    return np.rint(values / step)


def kendall(x: Reals, y: Reals) -> float | None:
    """Kendall's tau-b; None where a metric gives all systems the same.

    Args:
        x: (N,) of each system the score by one metric; equal numbers are ties.
        y: (N,) by the other one.

    """
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(stats.kendalltau(x, y, variant="b").statistic)


def tau_ap(x: Reals, y: Reals) -> float | None:
    """The AP correlation coefficient of Yilmaz, Aslam and Robertson (SIGIR 2008), symmetric.

    Neither ranking is the true one: the mean over either as the one that is walked through. With ties as tau_AP,b of
    Urbano and Marrero (ICTIR 2017): a system is held against those above its tie, and a tie in the other ranking is no
    agreement. None where a metric gives all systems the same.

    Args:
        x: as in `kendall`.
        y: as in `kendall`.

    """
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return (_walked(x, y) + _walked(y, x)) / 2


def _walked(x: Reals, y: Reals) -> float:
    """tau-AP over the ranking by y: of the systems above each one, the share that x has above it, too."""
    above_x, above_y = (scores[None, :] > scores[:, None] for scores in (x, y))
    several = above_y.sum(axis=1)
    agreeing = (above_x & above_y).sum(axis=1)
    below = several > 0
    return float(2 * np.mean(agreeing[below] / several[below]) - 1)


def rank_biased_overlap(x: Reals, y: Reals, p: float = PERSISTENCE) -> float:
    """RBO of Webber, Moffat and Zobel (TOIS 2010) of two rankings of all systems.

    Ties are theirs, too: tied systems stand at the rank of the first of them, all at once. From the last rank on both
    rankings hold the same, so that nothing is extrapolated.

    Args:
        x: as in `kendall`.
        y: as in `kendall`.
        p: the persistence, above 0 and below 1.

    """
    systems = len(x)
    depths = np.arange(1, systems + 1)
    within_x, within_y = (_ranks(scores)[None, :] <= depths[:, None] for scores in (x, y))
    agreement = 2 * (within_x & within_y).sum(axis=1) / (within_x.sum(axis=1) + within_y.sum(axis=1))
    return float((1 - p) * np.sum(agreement * p ** (depths - 1.0)) + p**systems)


def _ranks(scores: Reals) -> Reals:
    return np.asarray(stats.rankdata(-scores, method="min"))

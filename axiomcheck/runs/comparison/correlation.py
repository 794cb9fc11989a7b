"""Correlation of the rankings that two metrics make of the same systems, and scores that are equal but for rounding.

No library for tau-AP is both maintained and fit for ties.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from axiomcheck.core.typing import Reals

_STEPS = 2.0**-30
"""About `axiomcheck.core.limits.ROUNDING`. A power of two: at halves of it, where numbers that differ by rounding go
apart, lie no fractions that metrics are made of."""


def step_of(scores: Reals) -> float:
    """Return the step of a metric, relative to the largest of its scores."""
    largest = float(np.abs(scores).max(initial=0.0))
    if largest == 0:
        return _STEPS
    return max(float(np.ldexp(_STEPS, np.frexp(largest)[1])), float(np.finfo(np.float64).tiny))


def in_steps(values: Reals, step: float) -> Reals:
    """Return sums, means or differences of a metric's scores as whole numbers of steps; elementwise."""
    return np.rint(values / step)


def kendall(x: Reals, y: Reals) -> float | None:
    """Return Kendall's tau-b; None where a metric gives all systems the same.

    Args:
        x: (N,) of each system the score by one metric; equal numbers are ties.
        y: (N,) by the other one.

    """
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(stats.kendalltau(x, y, variant="b").statistic)


def tau_ap(x: Reals, y: Reals) -> float | None:
    """Return the AP correlation coefficient of Yilmaz, Aslam and Robertson (SIGIR 2008), symmetric.

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
    """Return tau-AP over the ranking by y: of the systems above each one, the share that x has above it, too."""
    above_x, above_y = (scores[None, :] > scores[:, None] for scores in (x, y))
    several = above_y.sum(axis=1)
    agreeing = (above_x & above_y).sum(axis=1)
    below = several > 0
    return float(2 * np.mean(agreeing[below] / several[below]) - 1)

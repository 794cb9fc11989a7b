"""Scores counted in steps of what rounding can do, so that what is equal but for rounding is equal."""

from __future__ import annotations

import numpy as np

from axiomcheck.core.typing import Reals

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

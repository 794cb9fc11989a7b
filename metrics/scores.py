"""Scores from outside as doubles: what is no real number is an error, never converted."""

from __future__ import annotations

import numbers
import sys
from typing import Any

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Reals

_FEW_DIGITS = (np.dtype(np.float32), np.dtype(np.float16))


def is_masked(scores: object) -> bool:
    """Whether these are a masked array of numpy's; whoever made one has loaded that part of numpy, which takes time."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(scores, masked.MaskedArray)


def real_scores(metric: object, scores: Any) -> Reals:
    """Scores as float64, of the same shape: of real numbers, whole numbers, or True and False (1 and 0).

    Args:
        metric: named in errors.
        scores: an array, or what numpy makes one of.

    Raises:
        MetricError: they are masked, complex, text, objects or whatever else is no real number; or they come in fewer
            digits than doubles have, whose rounding makes and hides differences.

    """
    if is_masked(scores):
        raise MetricError(f"{metric} returned a masked array; fill it, as in scores.filled(0.0)")
    found = np.asarray(scores)
    if found.dtype in _FEW_DIGITS:
        raise MetricError(f"{metric} returns {found.dtype}, whose rounding hides differences; return float64")
    if found.dtype.kind not in "biuf":
        raise MetricError(f"{metric} returned an array of {found.dtype.name}; expected real numbers, such as float64")
    return found.astype(np.float64, copy=False)


def real_score(metric: object, score: Any) -> float:
    """As `real_scores`, of one number; one with numerator and denominator is rounded to the nearest double.

    Raises:
        MetricError: as `real_scores`.

    """
    if isinstance(score, np.ndarray | np.generic) and np.ndim(score) == 0:
        return float(real_scores(metric, score))
    if not isinstance(score, numbers.Real):
        raise MetricError(f"{metric} returned {type(score).__name__}; expected a number, such as a float")
    return float(score)

"""Scores from outside as doubles: what is no real number is an error, never converted."""

from __future__ import annotations

import numbers
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Reals

_FEW_DIGITS = (np.dtype(np.float32), np.dtype(np.float16))


def is_masked(scores: object) -> bool:
    """Recognise a masked array of numpy's; whoever made one has loaded that part of numpy, which takes time."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(scores, masked.MaskedArray)


def real_scores(metric: object, scores: object) -> Reals:
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


def finite_scores(metric: object, scores: object, size: int) -> Reals:
    """Return (B,) scores as float64, of as many rankings.

    Raises:
        MetricError: as `real_scores`; another shape, or a number that is not finite.

    """
    found = real_scores(metric, scores)
    if found.shape != (size,):
        raise MetricError(f"{metric} returned shape {found.shape}; expected {(size,)}")
    if not np.isfinite(found).all():
        raise MetricError(f"{metric} returned {found[~np.isfinite(found)][0]}; expected a finite number")
    return found


@contextmanager
def calling(metric: object, how: str = "", *let_through: type[Exception]) -> Iterator[None]:
    """Turn whatever a metric raises into a `MetricError` that names it.

    Args:
        metric: that is called.
        how: said of the call after the kind of error, such as " in exact arithmetic".
        let_through: exceptions that go on as they are, as a `MetricError` does.

    """
    try:
        yield
    except (MetricError, *let_through):  # type: ignore[misc]  # a tuple of exceptions
        raise
    except Exception as error:
        raise MetricError(f"{metric} raised {type(error).__name__}{how}: {error}") from error


def real_score(metric: object, score: object) -> float:
    """Return one score as a double; one with numerator and denominator is rounded to the nearest.

    Raises:
        MetricError: as `real_scores`.

    """
    if isinstance(score, np.ndarray | np.generic) and np.ndim(score) == 0:
        return float(real_scores(metric, score))
    if not isinstance(score, numbers.Real):
        raise MetricError(f"{metric} returned {type(score).__name__}; expected a number, such as a float")
    return float(score)

"""Check that the scores of external code are real numbers, and convert them to doubles.

Other values, such as text or complex numbers, are rejected even if they could be converted.
"""

from __future__ import annotations

import numbers
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from axiomcheck.core.errors import MetricError, raised
from axiomcheck.core.typing import Reals

_FEW_DIGITS = (np.dtype(np.float32), np.dtype(np.float16))
_FIRST_ROUNDED = 2**53  # doubles have 53 binary digits, so they skip integers above it


def is_masked(scores: object) -> bool:
    """Return True if a value is a NumPy masked array.

    `numpy.ma` is not imported for this, since the import is slow and the code that made a masked array has imported it.
    """
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)  # another thread may be importing the module
    return masked is not None and isinstance(scores, masked)


def real_scores(metric: object, scores: object) -> Reals:
    """Convert scores to a float64 array of the same shape. Real numbers, integers and booleans are accepted.

    Args:
        metric: Metric to name in errors.
        scores: Array, or a value that NumPy converts to an array.

    Raises:
        MetricError: The scores are masked, or are not real numbers, or have less than double precision, so that
            rounding may hide differences, or contain an integer that a double rounds.

    """
    if is_masked(scores):
        raise MetricError(f"{metric} returned a masked array; fill it, as in scores.filled(0.0)")
    found = np.asarray(scores)
    if found.dtype in _FEW_DIGITS:
        raise MetricError(f"{metric} returns {found.dtype}, whose rounding hides differences; return float64")
    if found.dtype.kind not in "biuf":
        raise MetricError(f"{metric} returned an array of {found.dtype.name}; expected real numbers, such as float64")
    if found.dtype.kind in "iu":
        for score in found[np.abs(found.astype(np.float64)) >= _FIRST_ROUNDED].flat:
            _refuse_rounded(metric, int(score))
    return found.astype(np.float64, copy=False)


def _refuse_rounded(metric: object, score: int) -> None:
    """Check that converting an integer to a double does not change it, so that no two scores become equal."""
    if abs(score) >= _FIRST_ROUNDED and score % (1 << (score.bit_length() - 53)):
        raise MetricError(f"{metric} returned an integer beyond 2**53, which floats round; return smaller numbers")


def finite_scores(metric: object, scores: object, size: int) -> Reals:
    """Convert the scores of ``size`` rankings to a float64 array of shape (size,).

    Raises:
        MetricError: `real_scores` rejects the scores, they have another shape, or a score is not finite.

    """
    found = real_scores(metric, scores)
    if found.shape != (size,):
        raise MetricError(f"{metric} returned shape {found.shape}; expected {(size,)}")
    if not np.isfinite(found).all():
        raise MetricError(f"{metric} returned {found[~np.isfinite(found)][0]}; expected a finite number")
    return found


@contextmanager
def calling(metric: object, how: str = "", *let_through: type[Exception]) -> Iterator[None]:
    """Convert any exception raised in a ``with`` block to a `MetricError` that names the metric.

    Args:
        metric: Metric that is called in the block.
        how: Text to insert after the exception's type in the message, such as " in exact arithmetic".
        let_through: Types of exceptions that are not converted, in addition to `MetricError`.

    """
    try:
        yield
    except (MetricError, *let_through):  # type: ignore[misc]  # a tuple of exceptions
        raise
    except Exception as error:
        raise MetricError(f"{metric} raised {raised(error, how)}") from error


def real_score(metric: object, score: object) -> float:
    """Convert one score to the nearest double.

    Raises:
        MetricError: The score is not a real number; see `real_scores`.

    """
    if isinstance(score, np.ndarray | np.generic) and np.ndim(score) == 0:
        return float(real_scores(metric, score))
    if not isinstance(score, numbers.Real):
        came = "None" if score is None else type(score).__name__
        hint = "; is a return missing?" if score is None else ""
        raise MetricError(f"{metric} returned {came}; expected a number, such as a float{hint}")
    if isinstance(score, numbers.Integral):
        _refuse_rounded(metric, int(score))
    return float(score)

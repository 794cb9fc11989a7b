"""C, W and L as vectors: each from each of the others (see `axiomcheck.metrics.cwl`).

Arrays have ranks along the last axis; leading axes are topics. The vectors of an endless ranking are known down to some
rank n only; what is below it enters as ``further``.
"""

from __future__ import annotations

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array

ROUNDING = 1e-9
"""How far from 1 the sum of a distribution in doubles may be."""


def probabilities(name: str, values: Array) -> Array:
    """The values as doubles.

    Raises:
        InvalidInput: they are not probabilities by rank.

    """
    found = np.asarray(values, dtype=np.float64)
    if found.ndim < 1 or not np.isfinite(found).all() or (found < 0).any() or (found > 1).any():
        raise InvalidInput(f"{name}: expected probabilities in [0, 1] by rank, in an array of one axis or more")
    return found


def reached_from_continuation(continuation: Array) -> Array:
    """The share of users who see rank 1, ..., n + 1: (..., n) -> (..., n + 1)."""
    first = np.ones((*continuation.shape[:-1], 1))
    return np.concatenate([first, np.cumprod(continuation, axis=-1)], axis=-1)


def weights_from_continuation(continuation: Array, further: Array = 0.0) -> Array:
    """W(1..n) from C(1..n), equations 2 and 3: W(i) = W(1) C(1) ... C(i - 1), scaled to sum to 1.

    Args:
        continuation: (..., n).
        further: (...) how many documents a user who gets to rank n + 1 is expected to see from there on; 0 where
            nobody gets there, or nothing is there.

    Raises:
        InvalidInput: not probabilities.

    """
    reached = reached_from_continuation(probabilities("C", continuation))
    total = reached[..., :-1].sum(axis=-1) + reached[..., -1] * further
    return reached[..., :-1] / total[..., None]


def continuation_from_weights(weights: Array) -> Array:
    """C(1..n-1) from W(1..n): C(i) = W(i + 1) / W(i), 0 where nobody looks.

    Raises:
        InvalidInput: not weights, or weights that increase: no user who reads from the top has those.

    """
    w = probabilities("W", weights)
    if w.shape[-1] < 1 or (w[..., 0] == 0).any() or (np.diff(w, axis=-1) > 0).any():
        raise InvalidInput("W: expected weights that do not increase with rank, from a positive one on")
    return np.divide(w[..., 1:], w[..., :-1], out=np.zeros_like(w[..., 1:]), where=w[..., :-1] > 0)


def continuation_from_stopping(stopping: Array) -> Array:
    """C(1..n) from L(1..n): C(i) = (L(i + 1) + L(i + 2) + ...) / (L(i) + L(i + 1) + ...), 0 where nobody is left.

    Raises:
        InvalidInput: not probabilities, or their sum exceeds 1.

    """
    last = probabilities("L", stopping)
    gone = np.cumsum(last, axis=-1)
    if (gone > 1 + ROUNDING).any():
        raise InvalidInput("L: expected probabilities that sum to at most 1")
    left = np.clip(1 - gone, 0, 1)
    left[left < ROUNDING] = 0
    here = np.concatenate([np.ones((*last.shape[:-1], 1)), left[..., :-1]], axis=-1)
    return np.divide(left, here, out=np.zeros_like(left), where=here > 0)


def weights_from_stopping(stopping: Array, further: Array = 0.0) -> Array:
    """W(1..n) from L(1..n): W(i) = W(1) (L(i) + L(i + 1) + ...); equation 5 is W(1) = 1 / sum_i i L(i).

    Args:
        stopping: (..., n).
        further: as in `weights_from_continuation`.

    Raises:
        InvalidInput: as `continuation_from_stopping`.

    """
    return weights_from_continuation(continuation_from_stopping(stopping), further)

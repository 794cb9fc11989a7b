"""The greedy ideal ranking for novelty metrics, and alpha-nDCG normalised by its score.

Finding the ranking with the largest alpha-DCG is NP-hard. The literature and `ndeval` therefore use the greedy ranking,
which takes at every rank the judged document with the largest gain there. The greedy ranking is not always optimal. A
ranking that scores higher has a normalised score above 1. For example, take documents on the aspects {1, 2, 3, 4}, {1,
2, 5} and {3, 4, 6}, alpha = 1 and cutoff 2. The greedy ranking begins with the first document, adds one new aspect and
scores 4 + 1 / log2(3) = 4.63. The ranking of the second and the third document scores 3 + 3 / log2(3) = 4.89.

Of tied documents, the one in the first row of the pool is taken. `ndeval` takes the one whose name is last in the byte
order of `strcmp`. If the rows of a pool are in descending order of names, its ideal ranking is therefore that of
`ndeval`. Documents are tied if their gains are equal, or in floats, equal up to rounding. (`ndeval` compares its
doubles exactly. If 1 - alpha is not a power of two, rounding breaks some of its ties.)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import catalogued
from axiomcheck.metrics.novelty import AlphaDiscountedGain
from axiomcheck.numbers.arithmetic import Arithmetic, divide, positive
from axiomcheck.numbers.series import Series

_ROUNDING = 1e-12


def _first_largest(values: Array) -> Array:
    """Return the first index of the largest value along the last axis, up to rounding of floats: (..., P) -> (...)."""
    if values.dtype == object:
        return values.argmax(axis=-1)
    best = values.max(axis=-1, keepdims=True)
    return (values >= best * (1 - _ROUNDING)).argmax(axis=-1)


def greedy_ideal(
    a: Arithmetic, pool: Array, alpha: Fraction, depth: int | None = None, weights: Array | None = None
) -> Array:
    """Sort the documents in the pool greedily: take the document with the largest gain at each rank.

    Args:
        a: Arithmetic of the arrays.
        pool: (..., P, m) grades. Of tied documents, the one in the first row is taken.
        alpha: Share of an aspect's gain that each earlier document on the aspect removes.
        depth: Number of documents to return; None for all documents.
        weights: (..., m) factors by which the aspects' gains are multiplied; None for factors of 1.

    Returns:
        Grades of the greedy ranking, (..., min(P, depth), m).

    """
    values = pool if weights is None else pool * weights[..., None, :]
    if isinstance(values, Series):
        _, values = values.monomial()
    relevant = np.broadcast_to(positive(pool), values.shape)
    size = values.shape[-2] if depth is None else min(values.shape[-2], depth)
    one = a.number(Fraction(1))
    none: Any = flint.fmpq(-1) if values.dtype == object else -1.0
    left = np.full((*values.shape[:-2], values.shape[-1]), one)
    taken = np.zeros(values.shape[:-1], dtype=bool)
    order = np.zeros((*values.shape[:-2], size), dtype=np.intp)
    for rank in range(size):
        gains = (values * left[..., None, :]).sum(axis=-1)
        chosen = _first_largest(np.where(taken, none, gains))[..., None]
        np.put_along_axis(taken, chosen, True, axis=-1)
        order[..., rank] = chosen[..., 0]
        hit = np.take_along_axis(relevant, chosen[..., None], axis=-2)[..., 0, :]
        left = np.where(hit, left * a.number(1 - alpha), left)
    return _rows(pool, order)


def _rows(pool: Array, order: Array) -> Array:
    """Return the rows of a pool (..., P, m) in the order given by indices (..., L)."""
    if isinstance(pool, Series):
        return pool.map(lambda c: _rows(c, order))
    aligned = np.broadcast_to(pool, (*order.shape[:-1], *pool.shape[-2:]))
    return np.take_along_axis(aligned, order[..., None], axis=-2)


@catalogued
class GreedyAlphaDiscountedGain(AlphaDiscountedGain):
    """alpha-nDCG divided by the score of the pool's greedy ideal ranking, which is truncated at the cutoff k."""

    name = "alpha-nDCG-greedy"
    summary = "alpha-nDCG divided by that of the greedy ideal ranking of the pool; can exceed 1"
    source = "Clarke et al. 2008; ties go to the first document of the pool"

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the discounted sum divided by the discounted sum of the greedy ideal ranking."""
        shown = weights if self.values["weighted"] else None
        ideal = greedy_ideal(a, pool, self.values["alpha"], self.cutoff, shown)
        return divide(super().kernel(a, grades, weights, pool), super().kernel(a, ideal, weights, pool))

"""Drafts: batches of what may be an instance of an axiom, in floats or in exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import to_fmpq

__all__ = ["Draft", "Shape", "exact_draft", "last_axis_all"]

_COLUMNS = ("weights", "top", "i", "j", "t", "u")


@dataclass(frozen=True, order=True)
class Shape:
    """The sizes of a draft.

    Args:
        documents: every document of the pool: ranked, incoming and extra.
        aspects: m.
        ranked: n.

    """

    documents: int
    aspects: int
    ranked: int


@dataclass
class Draft:
    """A batch of B drafts of one shape. Arrays are float64 or exact (object); row b of each is draft b.

    Args:
        shape: the sizes.
        grades: (B, documents, m): rows 0..n-1 are the ranked documents d_1..d_n, then incoming ones, then extras.
        weights: (B, m) positive integers; w(t) is the integer over the row's sum.
        top: (B,) the largest grade there is: 1, or rc on binary drafts.
        i, j: (B,) positions, counted from 0.
        t, u: (B,) aspects t and t', counted from 0.
        binary: whether the grades may be nothing but 0 and ``top``.

    """

    shape: Shape
    grades: Array
    weights: Array
    top: Array
    i: Array
    j: Array
    t: Array
    u: Array
    binary: bool = False
    size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = self.grades.shape[0]

    @cached_property
    def rows(self) -> Array:
        """0..B-1, for picking one thing per draft."""
        return np.arange(self.size)

    @property
    def n(self) -> int:
        """The number of ranked documents."""
        return self.shape.ranked

    @property
    def ranked(self) -> Array:
        """(B, n, m), a view."""
        return self.grades[:, : self.n]

    def incoming(self, k: int) -> Array:
        """(B, m), a view: the k-th incoming document, counted from 0."""
        return self.grades[:, self.n + k]

    def on(self, aspect: Array) -> Array:
        """(B, documents): every document's grade on one aspect per draft (a copy)."""
        return np.take_along_axis(self.grades, aspect[:, None, None], axis=2)[..., 0]

    def covering(self, aspect: Array) -> Array:
        """(B,) how many of the ranked documents have a grade above 0 on one aspect per draft."""
        return (self.on(aspect)[:, : self.n] > 0).sum(axis=1)

    def swap_aspects(self, where: Array) -> None:
        """Exchanges t and t', in place, in the drafts of a mask."""
        self.t[:], self.u[:] = np.where(where, self.u, self.t), np.where(where, self.t, self.u)

    def pick(self, mask: Array) -> Draft:
        """The drafts where the mask (or index array) selects."""
        columns: dict[str, Any] = {k: getattr(self, k)[mask] for k in _COLUMNS}
        return replace(self, grades=_rows_of(self.grades, mask), **columns)

    def copy(self) -> Draft:
        """An independent copy."""
        return self.pick(np.arange(self.size))

    @classmethod
    def join(cls, drafts: Sequence[Draft]) -> Draft:
        """Drafts of one shape as one batch."""
        inner = np.concatenate([np.moveaxis(d.grades, 0, -1) for d in drafts], axis=-1)
        columns: dict[str, Any] = {k: np.concatenate([getattr(d, k) for d in drafts]) for k in _COLUMNS}
        return replace(drafts[0], grades=inner.transpose(2, 0, 1), **columns)

    def unit_weights(self) -> Array:
        """(B, m) weights that sum to 1, as float64."""
        return self.weights / self.weights.sum(axis=1, keepdims=True)


def _rows_of(grades: Array, mask: Array) -> Array:
    # Batches keep the draft axis innermost in memory: every array operation of a metric then runs along it.
    return np.moveaxis(grades, 0, -1)[..., mask].copy().transpose(2, 0, 1)


def last_axis_all(mask: Array) -> Array:
    """all() over every axis but the first; True for each row where there is nothing."""
    return mask.reshape(mask.shape[0], -1).all(axis=1)


def exact_draft(draft: Draft) -> Draft:
    """The same drafts with grades as exact rationals (a float is the dyadic rational that it is)."""
    if draft.grades.dtype == object:
        return draft
    return replace(draft, grades=_rationals(draft.grades), top=_rationals(draft.top))


def _rationals(values: Array) -> Array:
    distinct, inverse = np.unique(values, return_inverse=True)
    table = np.empty(len(distinct), dtype=object)
    table[:] = [to_fmpq(float(v)) for v in distinct]
    result: Array = table[inverse.reshape(values.shape)]
    return result

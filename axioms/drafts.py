"""Drafts: batches of candidates for instances of an axiom, in floats or exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from axiomcheck.core.typing import AnyNumbers, ExactNumbers, Integers, Mask, Reals
from axiomcheck.numbers.arithmetic import to_fmpq

_COLUMNS = ("weights", "top", "i", "j", "t", "u")


@dataclass(frozen=True, order=True)
class Shape:
    """Sizes of a draft.

    Args:
        documents: Number of documents in the pool, including ranked, incoming and extra ones.
        aspects: Number of aspects, m.
        ranked: Number of ranked documents, n.

    """

    documents: int
    aspects: int
    ranked: int

    def names(self, incoming: Sequence[str]) -> list[str]:
        """Return the names of the documents: d1..dn, the incoming ones, then e1, e2, ... for unranked ones."""
        extras = self.documents - self.ranked - len(incoming)
        ranked = [f"d{k}" for k in range(1, self.ranked + 1)]
        return [*ranked, *incoming, *(f"e{k}" for k in range(1, extras + 1))]


@dataclass
class Draft:
    """Batch of B drafts of the same shape.

    Grades are float64 or exact numbers (dtype object). Row b of each array belongs to draft b.

    Args:
        shape: Sizes of the drafts.
        grades: (B, documents, m) grades. Rows 0..n-1 are the ranked documents d_1..d_n, followed by the incoming
            documents and the extra ones.
        weights: (B, m) positive integers. The weight w(t) is the integer divided by the row's sum.
        top: (B,) largest possible grade: rc in binary drafts, else 1.
        i, j: (B,) positions, counted from 0.
        t, u: (B,) aspects t and t', counted from 0.
        binary: True if the only grades are 0 and ``top``.

    """

    shape: Shape
    grades: AnyNumbers
    weights: Integers
    top: AnyNumbers
    i: Integers
    j: Integers
    t: Integers
    u: Integers
    binary: bool = False
    size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = self.grades.shape[0]

    @cached_property
    def rows(self) -> Integers:
        """Indices 0..B-1 of the drafts, for indexing arrays as in ``weights[rows, t]``."""
        return np.arange(self.size)

    @property
    def n(self) -> int:
        """Number of ranked documents."""
        return self.shape.ranked

    @property
    def ranked(self) -> AnyNumbers:
        """View of the (B, n, m) grades of the ranked documents."""
        return self.grades[:, : self.n]

    def incoming(self, k: int) -> AnyNumbers:
        """Return a view of the (B, m) grades of the k-th incoming document, with k counted from 0."""
        return self.grades[:, self.n + k]

    def on(self, aspect: Integers) -> AnyNumbers:
        """Return a copy of the grades of all documents on the aspect given for each draft: (B,) -> (B, documents)."""
        return np.take_along_axis(self.grades, aspect[:, None, None], axis=2)[..., 0]

    def covering(self, aspect: Integers) -> Integers:
        """Count the ranked documents of each draft that are relevant to the aspect given for it: (B,) -> (B,)."""
        count: Integers = (self.on(aspect)[:, : self.n] > 0).sum(axis=1)
        return count

    def swap_aspects(self, where: Mask) -> None:
        """Exchange the aspects t and t' in place, in the drafts that a (B,) mask selects."""
        self.t[:], self.u[:] = np.where(where, self.u, self.t), np.where(where, self.t, self.u)

    def pick(self, mask: Mask | Integers) -> Draft:
        """Return copies of the drafts that a mask or an array of indices selects."""
        columns: dict[str, Any] = {k: getattr(self, k)[mask] for k in _COLUMNS}
        # Batches keep the draft axis innermost in memory, so that a metric's array operations run along it.
        grades = np.moveaxis(self.grades, 0, -1)[..., mask].copy().transpose(2, 0, 1)
        return replace(self, grades=grades, **columns)

    def copy(self) -> Draft:
        """Return an independent copy."""
        return self.pick(np.arange(self.size))

    @classmethod
    def join(cls, drafts: Sequence[Draft]) -> Draft:
        """Concatenate one or more batches of the same shape."""
        inner = np.concatenate([np.moveaxis(d.grades, 0, -1) for d in drafts], axis=-1)
        columns: dict[str, Any] = {k: np.concatenate([getattr(d, k) for d in drafts]) for k in _COLUMNS}
        return replace(drafts[0], grades=inner.transpose(2, 0, 1), **columns)

    def unit_weights(self) -> Reals:
        """Return the weights scaled to sum to 1, as float64 of shape (B, m)."""
        unit: Reals = self.weights / self.weights.sum(axis=1, keepdims=True)
        return unit


def last_axis_all(mask: Mask) -> Mask:
    """Reduce a mask with all() over every axis but the first: (B, ...) -> (B,). Empty rows give True."""
    met: Mask = np.all(mask.reshape(mask.shape[0], -1), axis=1)
    return met


def exact_draft(draft: Draft) -> Draft:
    """Convert the grades of drafts from floats to equal rationals. Exact drafts are returned unchanged."""
    if draft.grades.dtype == object:
        return draft
    return replace(draft, grades=_rationals(draft.grades), top=_rationals(draft.top))


def _rationals(values: AnyNumbers) -> ExactNumbers:
    distinct, inverse = np.unique(values, return_inverse=True)
    table = np.empty(len(distinct), dtype=object)
    table[:] = [to_fmpq(float(v)) for v in distinct]
    result: ExactNumbers = table[inverse.reshape(values.shape)]
    return result

"""The relations that an axiom states, on batches of drafts: which meet them, and what makes them meet them."""

from __future__ import annotations

import numpy as np

from axiomcheck.axioms.drafts import Draft, Shape, last_axis_all
from axiomcheck.axioms.relations import Cells, Index, Relations
from axiomcheck.core.typing import AnyNumbers, Array, Integers, Mask


class _OnDrafts(Relations):
    """Takes the relations of every draft of a batch at once, by a method for each kind."""

    def __init__(self, d: Draft) -> None:
        super().__init__()
        self.d = d

    def state(self, kind: str, *arguments: Cells | Index) -> None:
        """Sees to one relation."""
        getattr(self, f"_{kind}")(*arguments)

    def drafts(self, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> Draft:
        """Return the batch."""
        return self.d

    def index(self, cells: Cells) -> tuple[Array, Array, Array]:
        """Index (B,) grades, or (B, k) where there is a range; a position past the end is that of the last document."""
        wide = any(isinstance(x, range) for x in cells)
        row, aspect = (
            np.array(x) if isinstance(x, range) else x[:, None] if wide and isinstance(x, np.ndarray) else x
            for x in cells
        )
        return (self.d.rows[:, None] if wide else self.d.rows), np.minimum(row, self.d.shape.documents - 1), aspect

    def above_position(self, i: Index) -> Mask:
        """(B, n) which ranks are above a position."""
        return np.arange(self.d.n)[None, :] < self.each(i)[:, None]

    def each(self, x: Index) -> Integers:
        """(B,) a position or an aspect for each draft."""
        return np.broadcast_to(np.asarray(x), (self.d.size,))


class Held(_OnDrafts):
    """Finds out which drafts meet the relations: `possible` is (B,) booleans."""

    def __init__(self, d: Draft) -> None:
        super().__init__(d)
        self.possible = np.ones(d.size, dtype=bool)

    def unseen(self, i: Index, t: Index) -> None:
        """Do as of single drafts."""
        seen = (self.d.on(self.each(t))[:, : self.d.n] > 0) & self.above_position(i)
        self.require(np.asarray(~seen.any(axis=1)))

    def require_each(self, condition: Mask) -> None:
        """Require a condition of every draft."""
        self.require(condition)

    def blank(self, where: Mask) -> None:
        """Find out which drafts have no grade there."""
        self.require(last_axis_all((self.d.ranked == 0) | ~where))

    def _all(self, met: Mask) -> None:
        self.require(np.asarray(met.all(axis=1)) if met.ndim > 1 else met)

    def _above(self, higher: Cells, lower: Cells) -> None:
        self._all(self.d.grades[self.index(higher)] > self.d.grades[self.index(lower)])

    def _same(self, a: Cells, b: Cells) -> None:
        self._all(self.d.grades[self.index(a)] == self.d.grades[self.index(b)])

    def _zero(self, a: Cells) -> None:
        self._all(self.d.grades[self.index(a)] == 0)

    def _one(self, a: Cells) -> None:
        self._all(self.d.grades[self.index(a)] == 1)

    def _positive(self, a: Cells) -> None:
        self._all(self.d.grades[self.index(a)] > 0)

    def _lighter(self, t: Integers, u: Integers) -> None:
        self.require(self.d.weights[self.d.rows, t] < self.d.weights[self.d.rows, u])

    def _more(self, t: Integers, u: Integers) -> None:
        self.require(self.d.covering(t) > self.d.covering(u))


class Repaired(_OnDrafts):
    """Changes drafts in place towards the relations, one after another; what meets them stays as it is.

    Args:
        d: the drafts.
        overlap: whether a document may have a grade on several aspects; if not, a grade that is set is its only one.

    """

    def __init__(self, d: Draft, overlap: bool) -> None:
        super().__init__(d)
        self.overlap = overlap

    def require(self, condition: bool | Mask) -> None:
        """Positions and aspects are none of this one's business."""

    def require_each(self, condition: Mask) -> None:
        """Positions are none of this one's business."""

    def blank(self, where: Mask) -> None:
        """Take the grades there away."""
        self.d.grades[:, : self.d.n] = np.where(where, 0 * self.d.ranked, self.d.ranked)

    def unseen(self, i: Index, t: Index) -> None:
        """Do as of single drafts."""
        where = self.index((range(self.d.n), t))
        column = self.d.grades[where]
        self.d.grades[where] = np.where(self.above_position(i), 0 * column, column)

    def _set(self, a: Cells, grade: AnyNumbers) -> None:
        drafts, row, aspect = self.index(a)
        if not self.overlap:
            self.d.grades[drafts, row] = 0 * self.d.grades[drafts, row]
        self.d.grades[drafts, row, aspect] = grade

    def _above(self, higher: Cells, lower: Cells) -> None:
        """In this order; of two equal ones the lower becomes 0, and the other the largest there is if it was 0."""
        high, low = self.index(higher), self.index(lower)
        a, b = self.d.grades[low], self.d.grades[high]
        equal = a == b
        top = self.d.top[:, None] if a.ndim > 1 else self.d.top
        self.d.grades[low] = np.where(equal, 0 * a, np.minimum(a, b))
        self.d.grades[high] = np.where(equal & (b == 0), top, np.maximum(a, b))

    def _same(self, a: Cells, b: Cells) -> None:
        self._set(a, self.d.grades[self.index(b)])

    def _zero(self, a: Cells) -> None:
        where = self.index(a)
        self.d.grades[where] = 0 * self.d.grades[where]

    def _one(self, a: Cells) -> None:
        self._set(a, 0 * self.d.top + 1)

    def _positive(self, a: Cells) -> None:
        """The grade itself, or the one that the document has on another aspect and may not have, or the largest."""
        drafts, row, aspect = self.index(a)
        grade = self.d.grades[drafts, row, aspect]
        if not self.overlap:
            grade = np.where(grade == 0, self.d.grades[drafts, row].max(axis=1), grade)
        self._set(a, np.where(grade == 0, self.d.top, grade))

    def _lighter(self, t: Integers, u: Integers) -> None:
        weights, rows = self.d.weights, self.d.rows
        weights[rows, u] += weights[rows, t] == weights[rows, u]

    def _more(self, t: Integers, u: Integers) -> None:
        """Move one document that is not on t yet there, where the counts are equal."""
        d = self.d
        absent = d.on(t)[:, : d.n] == 0
        movable = np.flatnonzero((d.covering(t) == d.covering(u)) & absent.any(axis=1))
        if movable.size:
            first = absent[movable].argmax(axis=1)
            d.grades[movable, first] = 0 * d.grades[movable, first]
            d.grades[movable, first, t[movable]] = d.top[movable]

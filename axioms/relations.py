"""Relations between the grades of a draft, such as "above" and "same", that state the premises of an axiom.

A cell of a draft is a pair of a document row and an aspect, both counted from 0. Its grade may be any number in [0, 1]
unless a relation restricts it. Premises that class attributes of the axiom state, such as binary grades, no overlap and
balanced weights, are not relations.

An axiom states its relations by calling methods of a collector. `Relations` records them for one draft, `Held` checks
them on a batch of drafts, and `Repaired` changes a batch so that they hold.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from axiomcheck.axioms.drafts import Draft, Shape, last_axis_all
from axiomcheck.core.typing import AnyNumbers, Array, Integers, Mask

Cell: TypeAlias = tuple[int, int]
"""Cell of a draft as (document row, aspect), both counted from 0."""

Index: TypeAlias = int | Integers
"""Position or aspect, counted from 0: an integer for one draft, or an array (B,) for a batch."""

Cells: TypeAlias = tuple[Index | range, Index | range]
"""One cell, or several if the row or the aspect is a range. For a batch, either may be an array (B,)."""


class Relations:
    """Collector that records the relations for one shape, with given positions and aspects.

    Attributes:
        facts: Relations in the order in which they were stated: ``("above", a, b)``, ``("same", a, b)``,
            ``("zero", a)``, ``("one", a)`` and ``("positive", a)`` on cells, ``("lighter", t, u)`` on the weights of
            two aspects, and ``("more", t, u)`` on the numbers of ranked documents that are relevant to two aspects.
        possible: False if no draft with this shape and these positions meets the premises.

    """

    def __init__(self) -> None:
        self.facts: list[tuple[Any, ...]] = []
        self.possible: bool | Mask = True

    def state(self, kind: str, *arguments: Cells | Index) -> None:
        """Append a relation to ``facts``. If an argument contains a range, append one relation for each cell."""
        if not self.possible:  # a range may contain no cell
            return
        ranges = [len(x) for cell in arguments if isinstance(cell, tuple) for x in cell if isinstance(x, range)]
        for k in range(ranges[0]) if ranges else (None,):
            self.facts.append((kind, *(_kth(argument, k) for argument in arguments)))

    def require(self, condition: bool | Mask) -> None:
        """State a condition on positions and aspects. ``possible`` becomes False if it is not met."""
        self.possible = self.possible & condition

    def require_each(self, condition: Mask) -> None:
        """State a condition on the positions of each draft in `drafts`, as an array (B,)."""
        self.require(bool(condition[0]))

    def drafts(self, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> Draft:
        """Return the drafts that the relations are about: here a single one, whose grades are 0."""
        i, j, t, u = (np.array([value]) for value in (i, j, t, u))
        grades, weights = np.zeros((1, shape.documents, shape.aspects)), np.ones((1, shape.aspects), dtype=np.int64)
        return Draft(shape, grades, weights, np.ones(1), i, j, t, u)

    def blank(self, where: Mask) -> None:
        """State that grades of ranked documents are 0. A (B, n, m) mask over `drafts` selects them."""
        for row, aspect in np.argwhere(where[0]):
            self.zero((int(row), int(aspect)))

    def above(self, higher: Cells, lower: Cells) -> None:
        """State that the grade of ``higher`` is strictly above that of ``lower``."""
        self.state("above", higher, lower)

    def same(self, a: Cells, b: Cells) -> None:
        """State that two grades are equal. Repair sets the grade of ``a`` to that of ``b``."""
        self.state("same", a, b)

    def zero(self, a: Cells) -> None:
        """State that a grade is 0."""
        self.state("zero", a)

    def unseen(self, i: Index, t: Index) -> None:
        """State that every document at a rank above position i has grade 0 on aspect t."""
        self.zero((range(i), t))

    def one(self, a: Cells) -> None:
        """State that a grade is 1, the largest possible grade."""
        self.state("one", a)

    def positive(self, a: Cells) -> None:
        """State that a grade is positive."""
        self.state("positive", a)

    def lighter(self, t: Index, u: Index) -> None:
        """State that w(t) < w(u)."""
        self.state("lighter", t, u)

    def more(self, t: Index, u: Index) -> None:
        """State that more ranked documents have a positive grade on t than on u."""
        self.state("more", t, u)


def _kth(argument: Cells | Index, k: int | None) -> Cells | Index:
    if k is None or not isinstance(argument, tuple):
        return argument
    row, aspect = (x[k] if isinstance(x, range) else x for x in argument)
    return row, aspect


class _OnDrafts(Relations):
    """Base class of collectors that apply each relation to a batch of drafts, instead of recording it."""

    def __init__(self, d: Draft) -> None:
        super().__init__()
        self.d = d

    def state(self, kind: str, *arguments: Cells | Index) -> None:
        """Apply a relation to every draft. Each kind of relation has a method, such as ``_above``."""
        getattr(self, f"_{kind}")(*arguments)

    def drafts(self, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> Draft:
        """Return all drafts of the batch. The arguments are ignored."""
        return self.d

    def index(self, cells: Cells) -> tuple[Array, Array, Array]:
        """Convert cells to an index of the array of grades. It selects (B,) grades, or (B, k) for a range of length k.

        A row past the end is replaced by the last row.
        """
        wide = any(isinstance(x, range) for x in cells)
        row, aspect = (
            np.array(x) if isinstance(x, range) else x[:, None] if wide and isinstance(x, np.ndarray) else x
            for x in cells
        )
        return (self.d.rows[:, None] if wide else self.d.rows), np.minimum(row, self.d.shape.documents - 1), aspect

    def above_position(self, i: Index) -> Mask:
        """Return a (B, n) mask of the ranks above position i."""
        return np.arange(self.d.n)[None, :] < self.each(i)[:, None]

    def each(self, x: Index) -> Integers:
        """Broadcast a position or an aspect to an array (B,) with one entry per draft."""
        return np.broadcast_to(np.asarray(x), (self.d.size,))


class Held(_OnDrafts):
    """Collector that checks relations on a batch. ``possible`` is a (B,) mask of the drafts that meet all of them."""

    def __init__(self, d: Draft) -> None:
        super().__init__(d)
        self.possible = np.ones(d.size, dtype=bool)

    def unseen(self, i: Index, t: Index) -> None:
        """Check that every document at a rank above position i has grade 0 on aspect t."""
        seen = (self.d.on(self.each(t))[:, : self.d.n] > 0) & self.above_position(i)
        self.require(np.asarray(~seen.any(axis=1)))

    def require_each(self, condition: Mask) -> None:
        """Check a condition, given as an array (B,)."""
        self.require(condition)

    def blank(self, where: Mask) -> None:
        """Check that the grades that a (B, n, m) mask selects are 0."""
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
    """Collector that changes drafts in place so that they meet each relation when it is stated.

    Drafts that already meet the relation stay unchanged.

    Args:
        d: Drafts to change.
        overlap: True if a document may have positive grades on several aspects. If False, setting a grade sets the
            document's other grades to 0.

    """

    def __init__(self, d: Draft, overlap: bool) -> None:
        super().__init__(d)
        self.overlap = overlap

    def require(self, condition: bool | Mask) -> None:
        """Do nothing, since only grades and weights are repaired, and not positions and aspects."""

    def require_each(self, condition: Mask) -> None:
        """Do nothing, since only grades and weights are repaired, and not positions."""

    def blank(self, where: Mask) -> None:
        """Set the grades that a (B, n, m) mask selects to 0."""
        self.d.grades[:, : self.d.n] = np.where(where, 0 * self.d.ranked, self.d.ranked)

    def unseen(self, i: Index, t: Index) -> None:
        """Set the grades on aspect t at the ranks above position i to 0."""
        where = self.index((range(self.d.n), t))
        column = self.d.grades[where]
        self.d.grades[where] = np.where(self.above_position(i), 0 * column, column)

    def _set(self, a: Cells, grade: AnyNumbers) -> None:
        drafts, row, aspect = self.index(a)
        if not self.overlap:
            self.d.grades[drafts, row] = 0 * self.d.grades[drafts, row]
        self.d.grades[drafts, row, aspect] = grade

    def _above(self, higher: Cells, lower: Cells) -> None:
        """Swap the grades of two cells if that of ``lower`` is higher.

        If the grades are equal, set ``lower`` to 0. If both are 0, set ``higher`` to the largest possible grade.
        """
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
        """Replace a grade of 0 by the largest possible grade.

        If overlap is not allowed, replace it by the document's positive grade on another aspect, if there is one.
        """
        drafts, row, aspect = self.index(a)
        grade = self.d.grades[drafts, row, aspect]
        if not self.overlap:
            grade = np.where(grade == 0, self.d.grades[drafts, row].max(axis=1), grade)
        self._set(a, np.where(grade == 0, self.d.top, grade))

    def _lighter(self, t: Integers, u: Integers) -> None:
        weights, rows = self.d.weights, self.d.rows
        weights[rows, u] += weights[rows, t] == weights[rows, u]

    def _more(self, t: Integers, u: Integers) -> None:
        """Make one more document relevant to t, and only to t, in drafts with equal numbers for t and u."""
        d = self.d
        absent = d.on(t)[:, : d.n] == 0
        movable = np.flatnonzero((d.covering(t) == d.covering(u)) & absent.any(axis=1))
        if movable.size:
            first = absent[movable].argmax(axis=1)
            d.grades[movable, first] = 0 * d.grades[movable, first]
            d.grades[movable, first, t[movable]] = d.top[movable]

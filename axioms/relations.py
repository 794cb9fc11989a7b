"""Relations between the grades of one draft, which represent the premises of an axiom as data.

A cell of a draft is a pair of a document row and an aspect, both counted from 0. Every cell has an independent grade in
[0, 1] unless a relation restricts it. Relations do not repeat the premises that an axiom's class attributes state, such
as binary grades, no overlap and balanced weights.

The same relations can be collected for one draft (`Relations`), checked on a batch of drafts (`Held`), or enforced on a
batch (`Repaired`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from axiomcheck.axioms.drafts import Draft, Shape, last_axis_all
from axiomcheck.core.typing import AnyNumbers, Array, Integers, Mask

Cell: TypeAlias = tuple[int, int]
"""Cell of a draft as (document row, aspect), both counted from 0."""

Index: TypeAlias = int | Integers
"""Position or aspect, counted from 0. It is a number for one draft, or an array (B,) for a batch."""

Cells: TypeAlias = tuple[Index | range, Index | range]
"""One cell, or several cells if one of the two entries is a range. For a batch, an entry may be an array with one value
per draft."""


class Relations:
    """Collector of the relations that an axiom's ``relate`` states for a given shape, positions and aspects.

    Attributes:
        facts: ``("above", a, b)``, ``("same", a, b)``, ``("zero", a)``, ``("one", a)``, ``("positive", a)`` on cells,
            ``("lighter", t, u)`` on the weights of two aspects, and ``("more", t, u)`` on the numbers of ranked
            documents with a positive grade on two aspects. They are listed in the order in which they were stated.
        possible: False if no draft of this shape and these positions meets the premises.

    """

    def __init__(self) -> None:
        self.facts: list[tuple[Any, ...]] = []
        self.possible: bool | Mask = True

    def state(self, kind: str, *arguments: Cells | Index) -> None:
        """Append a relation to ``facts``, once for each cell if an argument contains a range."""
        if not self.possible:  # a range may contain no cell
            return
        ranges = [len(x) for cell in arguments if isinstance(cell, tuple) for x in cell if isinstance(x, range)]
        for k in range(ranges[0]) if ranges else (None,):
            self.facts.append((kind, *(_kth(argument, k) for argument in arguments)))

    def require(self, condition: bool | Mask) -> None:
        """Set ``possible`` to False unless a condition on positions or aspects is met."""
        self.possible = self.possible & condition

    def require_each(self, condition: Mask) -> None:
        """Require a (B,) condition on the positions of each draft in `drafts`."""
        self.require(bool(condition[0]))

    def drafts(self, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> Draft:
        """Return the drafts that the relations apply to. The base class returns a single draft with grades of 0."""
        i, j, t, u = (np.array([value]) for value in (i, j, t, u))
        grades, weights = np.zeros((1, shape.documents, shape.aspects)), np.ones((1, shape.aspects), dtype=np.int64)
        return Draft(shape, grades, weights, np.ones(1), i, j, t, u)

    def blank(self, where: Mask) -> None:
        """State that the grades of ranked documents selected by a (B, n, m) mask over `drafts` are 0."""
        for row, aspect in np.argwhere(where[0]):
            self.zero((int(row), int(aspect)))

    def above(self, higher: Cells, lower: Cells) -> None:
        """State that the first grade is strictly above the second."""
        self.state("above", higher, lower)

    def same(self, a: Cells, b: Cells) -> None:
        """State that two grades are equal. Repair sets the grade of ``a`` to that of ``b``."""
        self.state("same", a, b)

    def zero(self, a: Cells) -> None:
        """State that a grade is 0."""
        self.state("zero", a)

    def unseen(self, i: Index, t: Index) -> None:
        """State that every document above position i has grade 0 on aspect t."""
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
    """Base class of collectors that apply each relation to all drafts of a batch, instead of recording it."""

    def __init__(self, d: Draft) -> None:
        super().__init__()
        self.d = d

    def state(self, kind: str, *arguments: Cells | Index) -> None:
        """Apply a relation to every draft by calling the method for its kind, such as ``_above``."""
        getattr(self, f"_{kind}")(*arguments)

    def drafts(self, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> Draft:
        """Return all drafts of the batch. The arguments are ignored."""
        return self.d

    def index(self, cells: Cells) -> tuple[Array, Array, Array]:
        """Return an array index that selects (B,) grades, or (B, k) grades for a range.

        A position past the end is replaced by the position of the last document.
        """
        wide = any(isinstance(x, range) for x in cells)
        row, aspect = (
            np.array(x) if isinstance(x, range) else x[:, None] if wide and isinstance(x, np.ndarray) else x
            for x in cells
        )
        return (self.d.rows[:, None] if wide else self.d.rows), np.minimum(row, self.d.shape.documents - 1), aspect

    def above_position(self, i: Index) -> Mask:
        """Return a (B, n) mask of the ranks above a position."""
        return np.arange(self.d.n)[None, :] < self.each(i)[:, None]

    def each(self, x: Index) -> Integers:
        """Broadcast a position or an aspect to one entry per draft, (B,)."""
        return np.broadcast_to(np.asarray(x), (self.d.size,))


class Held(_OnDrafts):
    """Collector that checks relations on a batch. `possible` is a (B,) mask of the drafts that meet all of them."""

    def __init__(self, d: Draft) -> None:
        super().__init__(d)
        self.possible = np.ones(d.size, dtype=bool)

    def unseen(self, i: Index, t: Index) -> None:
        """Check that every document above position i has grade 0 on aspect t."""
        seen = (self.d.on(self.each(t))[:, : self.d.n] > 0) & self.above_position(i)
        self.require(np.asarray(~seen.any(axis=1)))

    def require_each(self, condition: Mask) -> None:
        """Require a (B,) condition on the drafts."""
        self.require(condition)

    def blank(self, where: Mask) -> None:
        """Check that the grades selected by a mask are 0."""
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
    """Collector that changes drafts in place so that they meet the relations.

    A relation is enforced when it is stated. Drafts that already meet it stay unchanged.

    Args:
        d: Drafts to change.
        overlap: True if a document may have positive grades on several aspects. If False, setting a grade sets the
            document's other grades to 0.

    """

    def __init__(self, d: Draft, overlap: bool) -> None:
        super().__init__(d)
        self.overlap = overlap

    def require(self, condition: bool | Mask) -> None:
        """Ignore the condition, because repair does not change positions and aspects."""

    def require_each(self, condition: Mask) -> None:
        """Ignore the condition, because repair does not change positions."""

    def blank(self, where: Mask) -> None:
        """Set the grades selected by a mask to 0."""
        self.d.grades[:, : self.d.n] = np.where(where, 0 * self.d.ranked, self.d.ranked)

    def unseen(self, i: Index, t: Index) -> None:
        """Set the grades on aspect t above position i to 0."""
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

        If they are equal, ``lower`` is set to 0. If both are 0, ``higher`` is set to the largest possible grade.
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
        """Make a grade positive.

        A grade of 0 is replaced by the largest grade, or by the document's grade on another aspect if overlap is not
        allowed.
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
        """Make one document relevant to t only, in drafts with as many ranked documents relevant to t as to u."""
        d = self.d
        absent = d.on(t)[:, : d.n] == 0
        movable = np.flatnonzero((d.covering(t) == d.covering(u)) & absent.any(axis=1))
        if movable.size:
            first = absent[movable].argmax(axis=1)
            d.grades[movable, first] = 0 * d.grades[movable, first]
            d.grades[movable, first, t[movable]] = d.top[movable]

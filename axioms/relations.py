"""Describes how the grades of one draft are related: the premises of an axiom as data.

Every cell of a draft (document row, aspect; both counted from 0) is a grade of its own in [0, 1] unless a relation says
otherwise. What an axiom's class attributes say already (binary, no overlap, balanced weights) is not repeated.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.core.typing import Integers, Mask

Cell: TypeAlias = tuple[int, int]
"""(document row, aspect), both from 0."""

Index: TypeAlias = int | Integers
"""A position or an aspect, from 0: of one draft, or (B,) of many drafts at once."""

Cells: TypeAlias = tuple[Index | range, Index | range]
"""A cell; one of the two may be a range, for as many cells. Of many drafts at once, a number may be one for each."""


class Relations:
    """Collects the relations that an axiom states on the drafts of one shape, positions and aspects.

    Attributes:
        facts: ``("above", a, b)``, ``("same", a, b)``, ``("zero", a)``, ``("one", a)``, ``("positive", a)`` on cells,
            ``("lighter", t, u)`` on the weights of two aspects, ``("more", t, u)`` on the numbers of ranked documents
            with a positive grade on two aspects; in the order stated.
        possible: False where no draft of this shape and these positions meets the premises.

    """

    def __init__(self) -> None:
        self.facts: list[tuple[Any, ...]] = []
        self.possible: bool | Mask = True

    def state(self, kind: str, *arguments: Cells | Index) -> None:
        """Takes one relation; a range in it is that of as many cells."""
        if not self.possible:  # there need be no such cells then
            return
        ranges = [len(x) for cell in arguments if isinstance(cell, tuple) for x in cell if isinstance(x, range)]
        for k in range(ranges[0]) if ranges else (None,):
            self.facts.append((kind, *(_kth(argument, k) for argument in arguments)))

    def require(self, condition: bool | Mask) -> None:
        """A condition on the positions or aspects themselves."""
        self.possible = self.possible & condition

    def require_each(self, condition: Mask) -> None:
        """Require a condition on the positions of each of `drafts`, (B,)."""
        self.require(bool(condition[0]))

    def drafts(self, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> Draft:
        """Return the drafts that relations are stated of; of single ones one that has no grades yet."""
        i, j, t, u = (np.array([value]) for value in (i, j, t, u))
        grades, weights = np.zeros((1, shape.documents, shape.aspects)), np.ones((1, shape.aspects), dtype=np.int64)
        return Draft(shape, grades, weights, np.ones(1), i, j, t, u)

    def blank(self, where: Mask) -> None:
        """State that grades of ranked documents are 0: (B, n, m) which of `drafts`."""
        for row, aspect in np.argwhere(where[0]):
            self.zero((int(row), int(aspect)))

    def above(self, higher: Cells, lower: Cells) -> None:
        """One grade is strictly above another."""
        self.state("above", higher, lower)

    def same(self, a: Cells, b: Cells) -> None:
        """Two grades are equal; where they are not, a is to become b."""
        self.state("same", a, b)

    def zero(self, a: Cells) -> None:
        """A grade is 0."""
        self.state("zero", a)

    def unseen(self, i: Index, t: Index) -> None:
        """The grades on aspect t of every document above position i are 0."""
        self.zero((range(i), t))

    def one(self, a: Cells) -> None:
        """A grade is 1, the largest there is."""
        self.state("one", a)

    def positive(self, a: Cells) -> None:
        """A grade is above 0."""
        self.state("positive", a)

    def lighter(self, t: Index, u: Index) -> None:
        """w(t) < w(u)."""
        self.state("lighter", t, u)

    def more(self, t: Index, u: Index) -> None:
        """More of the ranked documents have a positive grade on t than on u."""
        self.state("more", t, u)


def _kth(argument: Cells | Index, k: int | None) -> Cells | Index:
    if k is None or not isinstance(argument, tuple):
        return argument
    row, aspect = (x[k] if isinstance(x, range) else x for x in argument)
    return row, aspect

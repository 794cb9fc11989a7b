"""Axiom 2, deepness."""

from __future__ import annotations

import numpy as np

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class Deepness(PairAxiom):
    """Swapping two neighbours into the right order is worth more near the top than further down."""

    name = "Deep"
    number = 2
    title = "Deepness"
    group = "relevance"
    words = "Swapping two neighbours into the right order gains more near the top than further down."
    symbols = "i < j, r(d_i) = r(d_j) < r(d_{i+1}) = r(d_{j+1})  =>  Q(swap(d, i, i+1)) > Q(swap(d, j, j+1))"
    assumptions = ("one aspect", "r << 1")
    reading = ("rank j + 1 is within the metric's cutoff", "the premises imply j >= i + 2")
    states_small = True
    max_aspects = 1
    choices = ("i", "j")
    min_ranked = 4

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that the grade at i is below that at i + 1, and that j and j + 1 have the grades of i and i + 1."""
        g.require(i < j)
        g.require(j <= shape.ranked - 2)
        g.above((i + 1, 0), (i, 0))
        g.same((j, 0), (i, 0))
        g.same((j + 1, 0), (i + 1, 0))

    def arrange(self, d: Draft) -> None:
        """Change the positions i and j in place so that j >= i + 2 and j is not the last position."""
        n = d.n
        first, second = np.minimum(d.i, d.j), np.maximum(d.i, d.j)
        near = (second - first < 2) | (second > n - 2)
        d.i[:] = np.where(near, np.minimum(first, n - 4), first)
        d.j[:] = np.where(near, np.clip(second, d.i + 2, n - 2), second)

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return two rankings: d with the documents at j and j + 1 swapped, and d with those at i and i + 1 swapped."""
        worse, better = self.plain(d)
        worse = worse.copy()
        worse[d.rows, d.j], worse[d.rows, d.j + 1] = d.j + 1, d.j
        better[d.rows, d.i], better[d.rows, d.i + 1] = d.i + 1, d.i
        return worse, better

    def last_rank(self, d: Draft) -> Integers:
        """Return the rank of the document after position j, the last one at which the rankings differ."""
        return d.j + 2

    def script(self) -> Script:
        """Describe the two rankings for proofs: the better one has a swap at i, and the worse one a swap at j."""
        common = Many(({"t": "x"},), {"x": "any"})
        up, down = One({"t": "a"}, {"t": "b"}), One({"t": "b"}, {"t": "a"})
        segments = (common, up, down, common, down, up, common)
        return Script(("t",), segments, {"a": "any", "b": "above a"})

    def sentence(self, d: Draft) -> str:
        """State the grades and ranks of the two swaps, and that the upper swap must give the higher score."""
        i, j = int(d.i[0]), int(d.j[0])
        return (
            f"the same two grades ({d.grades[0, i, 0]} before {d.grades[0, i + 1, 0]}) appear at ranks {i + 1}, "
            f"{i + 2} and at ranks {j + 1}, {j + 2}, so swapping the upper two must give a higher score than swapping "
            f"the lower two"
        )

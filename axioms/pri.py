"""Axiom 1, priority."""

from __future__ import annotations

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class Priority(PairAxiom):
    """Swapping two documents so that the more relevant one comes first raises the score."""

    name = "Pri"
    number = 1
    title = "Priority"
    group = "relevance"
    words = "Swapping a document with a more relevant one from further down raises the score."
    symbols = "r(d_{i+k}) > r(d_i), k > 0  =>  Q(swap(d, i, i+k)) > Q(d)"
    assumptions = ("one aspect", "r << 1")
    reading = ("both swapped ranks are within the metric's cutoff",)
    states_small = True
    max_aspects = 1
    choices = ("i", "j")
    min_ranked = 2

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that the document at j has a higher grade than the one at i."""
        g.require(i < j)
        g.above((j, 0), (i, 0))

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return two rankings: d, and d with the documents at i and j swapped."""
        worse, better = self.plain(d)
        better[d.rows, d.i], better[d.rows, d.j] = d.j, d.i
        return worse, better

    def script(self) -> Script:
        """Describe the two rankings for proofs: d_i and d_j are swapped, and all other documents are common."""
        common = Many(({"t": "x"},), {"x": "any"})
        differ, differ_back = One({"t": "a"}, {"t": "b"}), One({"t": "b"}, {"t": "a"})
        return Script(("t",), (common, differ, common, differ_back, common), {"a": "any", "b": "above a"})

    def sentence(self, d: Draft) -> str:
        """State the grades of d_i and d_j, and that swapping them must raise the score."""
        i, j = int(d.i[0]), int(d.j[0])
        return (
            f"d{j + 1} (grade {d.grades[0, j, 0]}) is more relevant than d{i + 1} (grade {d.grades[0, i, 0]}), "
            f"so swapping ranks {i + 1} and {j + 1} must raise the score"
        )

"""Axiom 9, aspect relevance saturation."""

from __future__ import annotations

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class Saturation(PairAxiom):
    """After a document with grade 1 on an aspect, another document on this aspect does not raise the score."""

    name = "Sat"
    number = 9
    title = "Aspect relevance saturation"
    group = "diversity"
    words = (
        "Once a document of the largest grade has been seen, a further document on its aspect does not raise the score."
    )
    symbols = "r(d_n, t) = r_max, r(x, t) > 0  =>  Q(d) >= Q(d + x)"
    assumptions = ("no document on two aspects",)
    reading = (
        "r_max = 1 is the largest possible grade",
        "the appended rank n + 1 is within the metric's cutoff",
    )
    states_small = False
    can_be_small = False
    strict = False
    overlap = False
    incoming = ("x",)
    choices = ("t",)
    appends = True

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that d_n has grade 1 on t, and that x has a positive grade on t."""
        g.one((shape.ranked - 1, t))
        g.positive((shape.ranked, t))

    def arrange(self, d: Draft) -> None:
        """Replace rc by 1 in binary drafts, since d_n must have grade 1."""
        if d.binary:
            d.grades[:] = (d.grades > 0) * (0 * d.top + 1)[:, None, None]
            d.top[:] = 0 * d.top + 1

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the rankings d + x and d."""
        return self.appended(d), self.plain(d)[0]

    def script(self) -> Script:
        """Describe the two rankings for proofs: common documents, d_n of grade 1, then x in the worse ranking only."""
        common = Many(({"t": "x"},), {"x": "any"})
        segments = (common, One({"t": "1"}, {"t": "1"}), One({"t": "g"}, None))
        return Script(("t",), segments, {"g": "positive"})

    def sentence(self, d: Draft) -> str:
        """State that d_n has grade 1 on t, and that appending x must not raise the score."""
        return (
            f"d{d.n} has the largest grade, 1, on aspect {int(d.t[0]) + 1}, "
            f"so appending x (grade {d.incoming(0)[0, int(d.t[0])]} on it) must not raise the score"
        )

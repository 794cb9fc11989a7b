"""Axiom 6, query aspect diversity."""

from __future__ import annotations

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class AspectDiversity(PairAxiom):
    """Replacing a document by one that is more relevant to every aspect raises the score."""

    name = "AspDiv"
    number = 6
    title = "Query aspect diversity"
    group = "diversity"
    words = "Replacing a document by one that is more relevant to every aspect raises the score."
    symbols = "for all t: r(d', t) > r(d_i, t)  =>  Q(replace(d, i, d')) > Q(d)"
    assumptions = ("r << 1",)
    reading = ("any m >= 1, any weights above 0", "rank i is within the metric's cutoff")
    states_small = True
    incoming = ("d'",)
    choices = ("i",)

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that d' has a higher grade than d_i on every aspect."""
        aspects = range(shape.aspects)
        g.above((shape.ranked, aspects), (i, aspects))

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return d, and d with d' in place of d_i."""
        worse, better = self.plain(d)
        better[d.rows, d.i] = d.n
        return worse, better

    def script(self) -> Script:
        """Describe the two rankings for proofs: d_i and d' at the same rank, and common documents at all others."""
        common = Many(({"t": "x"},), {"x": "any"})
        segments = (common, One({"t": "a"}, {"t": "b"}), common)
        return Script(("t",), segments, {"a": "any", "b": "above a"}, every=True)

    def sentence(self, d: Draft) -> str:
        """State the grades of d' and d_i, and that replacing d_i must raise the score."""
        i = int(d.i[0])
        new, old = (", ".join(map(str, row)) for row in (d.incoming(0)[0], d.grades[0, i]))
        return f"d' ({new}) is more relevant than d{i + 1} ({old}) to every aspect, so replacing must raise the score"

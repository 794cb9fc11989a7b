"""Axiom 5, confidence."""

from __future__ import annotations

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class Confidence(PairAxiom):
    """Appending a non-relevant document lowers the score."""

    name = "Conf"
    number = 5
    title = "Confidence"
    group = "relevance"
    words = "Adding a non-relevant document at the end lowers the score."
    symbols = "r(x) = 0  =>  Q(d) > Q(d + x)"
    assumptions = ("one aspect", "r << 1")
    reading = ("n >= 1", "the appended rank n + 1 is within the metric's cutoff")
    states_small = True
    max_aspects = 1
    incoming = ("x",)
    appends = True

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that x is non-relevant."""
        g.zero((shape.ranked, 0))

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the rankings d + x and d."""
        return self.appended(d), self.plain(d)[0]

    def script(self) -> Script:
        """Describe the two rankings for proofs: one or more common documents, then x in the worse ranking only."""
        common = Many(({"t": "x"},), {"x": "any"}, least=1)
        return Script(("t",), (common, One({"t": "0"}, None)))

    def sentence(self, d: Draft) -> str:
        """State that appending x, which is not relevant, must lower the score."""
        return f"x is not relevant, so appending it at rank {d.n + 1} must lower the score"

"""Axiom 8, monotonic redundancy."""

from __future__ import annotations

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class MonotonicRedundancy(PairAxiom):
    """If every document so far is more relevant to t than to t', a document on t' adds more than one on t."""

    name = "MRed"
    number = 8
    title = "Monotonic redundancy"
    group = "diversity"
    words = (
        "If every document so far is more relevant to t than to t', a document on t' alone adds more "
        "than an equally relevant one on t alone."
    )
    symbols = "for all i: r(d_i, t) > r(d_i, t'), r(x, t) = r(x', t') = g > 0  =>  Q(d + x') > Q(d + x)"
    assumptions = ("two balanced aspects", "r << 1", "x is only on t, x' is only on t', and both have the same grade")
    reading = ("n >= 1", "the appended rank n + 1 is within the metric's cutoff")
    states_small = True
    balanced = True
    min_aspects = 2
    max_aspects = 2
    incoming = ("x", "x'")
    choices = ("t", "u")
    appends = True

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that ranked documents have a higher grade on t than on t'.

        Also state that x is relevant only to t, and x' only to t', with equal grades.
        """
        g.require(t != u)
        ranked, x, y = range(shape.ranked), shape.ranked, shape.ranked + 1
        g.above((ranked, t), (ranked, u))
        g.zero((x, u))
        g.zero((y, t))
        g.positive((x, t))
        g.same((y, u), (x, t))

    def arrange(self, d: Draft) -> None:
        """Exchange t and t' in drafts where most documents have a higher grade on t'."""
        a, b = (d.on(aspect)[:, : d.n] for aspect in (d.t, d.u))
        d.swap_aspects((a < b).sum(axis=1) > (a > b).sum(axis=1))

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the rankings d + x and d + x'."""
        return self.appended(d), self.appended(d, 1)

    def script(self) -> Script:
        """Describe the two rankings for proofs: common documents with a higher grade on t than on t', then x or x'."""
        common = Many(({"t": "y", "u": "x"},), {"x": "any", "y": "above x"}, least=1)
        last = One({"t": "g", "u": "0"}, {"t": "0", "u": "g"})
        return Script(("t", "u"), (common, last), {"g": "positive"})

    def sentence(self, d: Draft) -> str:
        """State to which aspect the ranked documents are more relevant, and that d + x' must score above d + x."""
        t, u = int(d.t[0]) + 1, int(d.u[0]) + 1
        return (
            f"every document of d is more relevant to aspect {t} than to aspect {u}, "
            f"so appending x' (on aspect {u}) must give a higher score than appending x (on aspect {t})"
        )

"""Axiom 7, redundancy."""

from __future__ import annotations

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class Redundancy(PairAxiom):
    """A document on the aspect that fewer documents cover so far adds more than a document on the other aspect."""

    name = "Red"
    number = 7
    title = "Redundancy"
    group = "diversity"
    words = "A document on the aspect that fewer documents cover so far adds more than a document on the other aspect."
    symbols = "|{i : r(d_i, t) = rc}| > |{i : r(d_i, t') = rc}|, x on t, x' on t'  =>  Q(d + x') > Q(d + x)"
    assumptions = (
        "binary grades {0, rc}, 0 < rc <= 1",
        "balanced weights",
        "no document on two aspects",
        "m >= 2",
    )
    reading = ("the appended rank n + 1 is within the metric's cutoff",)
    states_small = False
    binary = True
    overlap = False
    balanced = True
    min_aspects = 2
    incoming = ("x", "x'")
    choices = ("t", "u")
    appends = True

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that x is relevant to t and x' to t', and that more ranked documents are relevant to t than to t'."""
        g.require(t != u)
        g.positive((shape.ranked, t))
        g.positive((shape.ranked + 1, u))
        g.more(t, u)

    def arrange(self, d: Draft) -> None:
        """Exchange t and t' in drafts where fewer documents are relevant to t than to t'."""
        d.swap_aspects(d.covering(d.t) < d.covering(d.u))

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the rankings d + x and d + x'."""
        return self.appended(d), self.appended(d, 1)

    def script(self) -> Script:
        """Describe the two rankings for proofs: pairs of documents on t and on t', more documents on t, then x or x'.

        Lemma 4 in docs/lemmas/induction.md justifies this form. A document with grade 0 on an aspect does not change
        the aspect's total. So documents on neither t nor t' can be omitted, and the others reordered: each document on
        t' is paired with one on t, the remaining documents on t follow, and x or x' comes last.
        """
        pairs, left_over = Many(({"t": "g", "u": "g"},)), Many(({"t": "g", "u": "0"},), least=1)
        last = One({"t": "g", "u": "0"}, {"t": "0", "u": "g"})
        return Script(("t", "u"), (pairs, left_over, last), {"g": "positive"}, leaves_out=True)

    def sentence(self, d: Draft) -> str:
        """State how many ranked documents are relevant to t and to t', and that d + x' must score above d + x."""
        count_t, count_u = (int(d.covering(aspect)[0]) for aspect in (d.t, d.u))
        return (
            f"d has {count_t} on aspect {int(d.t[0]) + 1} and {count_u} on aspect {int(d.u[0]) + 1}, "
            f"so appending x' (on aspect {int(d.u[0]) + 1}) must give a higher score than appending x (on aspect "
            f"{int(d.t[0]) + 1})"
        )

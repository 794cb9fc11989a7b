"""Axiom 10, aspect relevance."""

from __future__ import annotations

import numpy as np

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.typing import Integers


class AspectRelevance(PairAxiom):
    """A document on the heavier of two unseen aspects is worth more than a document on the lighter one."""

    name = "AspRel"
    number = 10
    title = "Aspect relevance"
    group = "diversity"
    words = (
        "If neither aspect has been seen before, replacing a document by an equally relevant one "
        "on a heavier aspect raises the score."
    )
    symbols = (
        "r(d_i, t) = r(d', t') > 0, for all j < i: r(d_j, t) = r(d_j, t') = 0, w(t) < w(t')  =>  "
        "Q(replace(d, i, d')) > Q(d)"
    )
    assumptions = ("no document on two aspects", "m >= 2")
    reading = (
        "documents after rank i are arbitrary",
        "rank i is within the metric's cutoff",
        "every w(t) > 0",
    )
    states_small = False
    overlap = False
    weighted = True
    min_aspects = 2
    incoming = ("d'",)
    choices = ("i", "t", "u")

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State that w(t) < w(t'), and that d_i is relevant only to t and d' only to t', with equal grades.

        No document before d_i is relevant to t or t'.
        """
        g.require(t != u)
        g.lighter(t, u)
        g.unseen(i, t)
        g.unseen(i, u)
        g.positive((i, t))
        g.same((shape.ranked, u), (i, t))

    def arrange(self, d: Draft) -> None:
        """Exchange t and t' in drafts with w(t) > w(t'), and give d_i the grades of d' if all its own are 0."""
        d.swap_aspects(d.weights[d.rows, d.t] > d.weights[d.rows, d.u])
        old = d.grades[d.rows, d.i]
        d.grades[d.rows, d.i] = np.where((old == 0).all(axis=1)[:, None], d.incoming(0), old)

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return d, and d with d' in place of d_i."""
        worse, better = self.plain(d)
        better[d.rows, d.i] = d.n
        return worse, better

    def script(self) -> Script:
        """Describe the two rankings for proofs: d_i and d' at the same rank, and common documents at all others.

        Common documents before this rank are on neither t nor t'. Those after it are on at most one of the two.
        """
        before = Many(({"t": "0", "u": "0"},))
        after = Many(({"t": "0", "u": "0"}, {"t": "x", "u": "0"}, {"t": "0", "u": "x"}), {"x": "positive"})
        differ = One({"t": "g", "u": "0"}, {"t": "0", "u": "g"})
        return Script(("t", "u"), (before, differ, after), {"g": "positive"})

    def sentence(self, d: Draft) -> str:
        """State the aspects of d_i and d' with the aspects' weights, and that replacing d_i must raise the score."""
        i, t, u = int(d.i[0]), int(d.t[0]), int(d.u[0])
        total = int(d.weights[0].sum())
        return (
            f"d{i + 1} is on aspect {t + 1} (weight {int(d.weights[0, t])}/{total}) and d' on aspect {u + 1} "
            f"(weight {int(d.weights[0, u])}/{total}), both with grade {d.grades[0, i, t]} and neither aspect seen "
            f"before rank {i + 1}, so replacing d{i + 1} by d' must raise the score"
        )

"""Desirable conditions on a metric besides the ten axioms, in the form of axioms.

They are not axioms of the paper. Each applies to all grades, in every regime.
"""

from __future__ import annotations

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.axioms.asprel import AspectRelevance
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.core.typing import Integers, Mask


class Appending(PairAxiom):
    """Condition that a relevant document appended to a ranking does not lower the score."""

    name = "monotone"
    title = "Monotonicity"
    group = "diversity"
    words = "Adding a document that is relevant to some aspect at the end does not lower the score."
    symbols = "r(x, t) > 0 for some t  =>  Q(d + x) >= Q(d)"
    assumptions = ()
    reading = ("the appended rank n + 1 is within the metric's cutoff", "n >= 1")
    states_small = False
    strict = False
    incoming = ("x",)
    appends = True

    source = "added here: what the contract check `monotone` asks of a metric that claims it"

    def fix(self, d: Draft) -> None:
        """Give x a positive grade."""
        x = d.incoming(0)
        x[:, 0] = np.where((x == 0).all(axis=1), d.top, x[:, 0])

    def holds(self, d: Draft) -> Mask:
        """Return a mask of the drafts with r(x, t) > 0 for some t."""
        positive: Mask = np.any(d.incoming(0) > 0, axis=1)
        return positive

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return d and d + x."""
        base, _ = self.plain(d)
        return base, np.broadcast_to(np.arange(d.n + 1), (d.size, d.n + 1))

    def sentence(self, d: Draft) -> str:
        """Return a sentence on the appended document."""
        return f"x is relevant, so appending it at rank {d.n + 1} must not lower the score"


class AtEqualWeights(AspectRelevance):
    """Consequence of AspRel for aspects of equal weight, for a metric that is continuous in the weights.

    An arbitrarily small change of two equal weights makes either aspect the heavier one. AspRel then requires
    Q(better) > Q(worse), and continuity implies Q(better) >= Q(worse) for equal weights. The argument needs AspRel for
    all grades, as in the regimes `stated` and `finite`.
    """

    name = "AspRel="
    number = None  # type: ignore[assignment]
    title = "Aspect relevance at equal weights"
    words = "If neither aspect has been seen before, an equally relevant document on an aspect of equal weight does."
    symbols = AspectRelevance.symbols.replace("w(t) < w(t')", "w(t) = w(t')").replace("> Q(d)", ">= Q(d)")
    assumptions = (*AspectRelevance.assumptions, "continuity in the weights")  # type: ignore[assignment]
    strict = False
    source = "added here: the limit of axiom 10 as two weights become equal"

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State the relations of AspRel without those on the weights."""
        g.require(t != u)
        g.unseen(i, t)
        g.unseen(i, u)
        g.positive((i, t))
        g.same((shape.ranked, u), (i, t))

    def arrange(self, d: Draft) -> None:
        """Make the weights of both aspects equal."""
        d.weights[d.rows, d.u] = d.weights[d.rows, d.t]
        super().arrange(d)

    def holds(self, d: Draft) -> Mask:
        """Return a mask of the drafts that meet the relations and have equal weights of both aspects."""
        return np.asarray(super().holds(d) & (d.weights[d.rows, d.t] == d.weights[d.rows, d.u]))

    def sentence(self, d: Draft) -> str:
        """Return a sentence on the two aspects."""
        i, t, u = int(d.i[0]) + 1, int(d.t[0]) + 1, int(d.u[0]) + 1
        return f"d{i} is on aspect {t} and d' on aspect {u} of the same weight, so replacing must not lower the score"

"""Desirable conditions on a metric besides the ten axioms, in the form of axioms.

They are not axioms of the paper. Each applies to all grades, in every regime.
"""

from __future__ import annotations

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom
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

    @property
    def source(self) -> str:
        """Origin of the condition, which is not in the paper."""
        return "added here: what the contract check `monotone` asks of a metric that claims it"

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


class AtEqualWeights(PairAxiom):
    """Consequence of AspRel for aspects of equal weight, for a metric that is continuous in the weights.

    Topics with weights arbitrarily close to two equal weights may make either aspect the heavier one. AspRel requires
    Q(better) > Q(worse) for them, of which Q(better) >= Q(worse) remains in the limit. It follows from AspRel where
    AspRel applies to all grades (the regimes `stated` and `finite`), and is not an axiom by itself.
    """

    name = "AspRel="
    title = "Aspect relevance at equal weights"
    group = "diversity"
    words = "If neither aspect has been seen before, an equally relevant document on an aspect of equal weight does."
    symbols = (
        "r(d_i, t) = r(d', t') > 0, for all j < i: r(d_j, t) = r(d_j, t') = 0, w(t) = w(t')  =>  "
        "Q(replace(d, i, d')) >= Q(d)"
    )
    assumptions = ("no document on two aspects", "m >= 2", "AspRel, and continuity in the weights")
    reading = ("documents after rank i are arbitrary", "rank i is within the metric's cutoff")
    states_small = False
    strict = False
    overlap = False
    weighted = True
    min_aspects = 2
    incoming = ("d'",)
    choices = ("i", "t", "u")

    @property
    def source(self) -> str:
        """Origin of the condition, which is not in the paper."""
        return "added here: the limit of axiom 10 as two weights become equal"

    def fix(self, d: Draft) -> None:
        """Make the weights equal, give d_i on t and d' on t' one grade, and clear both aspects before i."""
        d.weights[d.rows, d.u] = d.weights[d.rows, d.t]
        old, new = d.grades[d.rows, d.i], d.incoming(0)
        grade = old.max(axis=1)
        grade = np.where(grade == 0, new.max(axis=1), grade)
        grade = np.where(grade == 0, d.top, grade)
        before = np.arange(d.n)[None, :] < d.i[:, None]
        rows, ranks = d.rows[:, None], np.arange(d.n)[None, :]
        for aspect in (d.t, d.u):
            column = d.grades[rows, ranks, aspect[:, None]]
            d.grades[rows, ranks, aspect[:, None]] = np.where(before, 0 * column, column)
        d.grades[d.rows, d.i] = 0 * old
        d.grades[d.rows, d.i, d.t] = grade
        new[:] = 0 * new
        new[d.rows, d.u] = grade

    def holds(self, d: Draft) -> Mask:
        """Return a mask of the drafts that meet the premises.

        The premises are w(t) = w(t'), one positive grade of d_i on t and d' on t', and no grades on either aspect
        before i.
        """
        before = np.arange(d.n)[None, :] < d.i[:, None]
        seen = ((d.on(d.t)[:, : d.n] > 0) | (d.on(d.u)[:, : d.n] > 0)) & before
        grade = d.grades[d.rows, d.i, d.t]
        same: Mask = (grade > 0) & (d.incoming(0)[d.rows, d.u] == grade)
        same &= ~seen.any(axis=1) & (d.weights[d.rows, d.t] == d.weights[d.rows, d.u])
        return same

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return d, and d with d' at position i."""
        worse, better = self.plain(d)
        better[d.rows, d.i] = d.n
        return worse, better

    def sentence(self, d: Draft) -> str:
        """Return a sentence on the two aspects."""
        i, t, u = int(d.i[0]) + 1, int(d.t[0]) + 1, int(d.u[0]) + 1
        return f"d{i} is on aspect {t} and d' on aspect {u} of the same weight, so replacing must not lower the score"

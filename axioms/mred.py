"""Constraint 8, monotonic redundancy."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.axioms.base import Draft, PairAxiom, Shape
from axiomcheck.axioms.red import append_one_of_two
from axiomcheck.axioms.relations import Relations
from axiomcheck.axioms.script import Many, One, Script

__all__ = ["MonotonicRedundancy"]

Array = Any


class MonotonicRedundancy(PairAxiom):
    """A document on the aspect that every document so far covers less adds more."""

    name = "MRed"
    number = 8
    title = "Monotonic redundancy"
    group = "diversity"
    words = (
        "If every document so far is more relevant to t than to t', a document on t' alone adds more "
        "than an equally relevant one on t alone."
    )
    symbols = "for all i: r(d_i, t) > r(d_i, t'), r(x, t) = r(x', t') = g > 0  =>  Q(d + x') > Q(d + x)"
    assumptions = ("two balanced aspects", "r << 1", "x is on t only, x' on t' only, with one grade")
    reading = ("n >= 1", "the appended rank n + 1 is within the metric's cutoff")
    states_small = True
    balanced = True
    min_aspects = 2
    max_aspects = 2
    incoming = ("x", "x'")
    choices = ("t", "u")
    appends = True

    def fix(self, d: Draft) -> None:
        """The higher grade of every ranked document on t; x and x' of one grade."""
        rows = d.rows[:, None]
        ranks = np.arange(d.n)[None, :]
        a, b = d.grades[rows, ranks, d.t[:, None]], d.grades[rows, ranks, d.u[:, None]]
        # A draft whose documents all favour t' is one that favours t, with the roles exchanged.
        swap = (a < b).sum(axis=1) > (a > b).sum(axis=1)
        d.t[:], d.u[:] = np.where(swap, d.u, d.t), np.where(swap, d.t, d.u)
        a, b = d.grades[rows, ranks, d.t[:, None]], d.grades[rows, ranks, d.u[:, None]]
        equal = a == b
        d.grades[rows, ranks, d.t[:, None]] = np.where(equal & (a == 0), d.top[:, None], np.maximum(a, b))
        d.grades[rows, ranks, d.u[:, None]] = np.where(equal, 0 * a, np.minimum(a, b))
        grade = d.incoming(0)[d.rows, d.t]
        grade = np.where(grade == 0, d.top, grade)
        for k, aspect in ((0, d.t), (1, d.u)):
            x = d.incoming(k)
            x[:] = 0 * x
            x[d.rows, aspect] = grade

    def holds(self, d: Draft) -> Array:
        """t above t' in every ranked document; x and x' on one aspect each with one grade."""
        above = (d.on(d.t)[:, : d.n] > d.on(d.u)[:, : d.n]).all(axis=1)
        x, y = d.incoming(0), d.incoming(1)
        grade = x[d.rows, d.t]
        alone = (x[d.rows, d.u] == 0) & (y[d.rows, d.t] == 0)
        return above & alone & (grade > 0) & (y[d.rows, d.u] == grade)

    def rankings(self, d: Draft) -> tuple[Array, Array]:
        """d + x, and d + x'."""
        return append_one_of_two(d)

    def last_rank(self, d: Draft) -> Array:
        """The appended rank."""
        return np.full(d.size, d.n + 1)

    def script(self) -> Script:
        """At least one common document, each above on t; then x against x'."""
        common = Many(({"t": "y", "u": "x"},), {"x": "any", "y": "above x"}, least=1)
        last = One({"t": "g", "u": "0"}, {"t": "0", "u": "g"})
        return Script(("t", "u"), (common, last), {"g": "positive"})

    def relate(self, g: Relations, shape: Shape, i: int, j: int, t: int, u: int) -> None:
        """Every ranked document above on t; x on t alone and x' on u alone with one grade."""
        g.require(t != u)
        for row in range(shape.ranked):
            g.above((row, t), (row, u))
        x, y = shape.ranked, shape.ranked + 1
        g.zero((x, u))
        g.zero((y, t))
        g.positive((x, t))
        g.same((y, u), (x, t))

    def sentence(self, d: Draft) -> str:
        """Which aspect is the covered one."""
        t, u = int(d.t[0]) + 1, int(d.u[0]) + 1
        return (
            f"every document of d is more relevant to aspect {t} than to aspect {u}, "
            f"so appending x' (on aspect {u}) must score above appending x (on aspect {t})"
        )

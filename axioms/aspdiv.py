"""Constraint 6, query aspect diversity."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.axioms.base import Draft, PairAxiom, Shape
from axiomcheck.axioms.relations import Relations
from axiomcheck.axioms.script import Many, One, Script

__all__ = ["AspectDiversity"]

Array = Any


class AspectDiversity(PairAxiom):
    """A document that is better on every aspect raises the score."""

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

    def fix(self, d: Draft) -> None:
        """On every aspect, the lower grade at i and the higher one for d'."""
        old, new = d.grades[d.rows, d.i], d.incoming(0).copy()
        equal = old == new
        d.grades[d.rows, d.i] = np.where(equal, 0 * old, np.minimum(old, new))
        d.incoming(0)[:] = np.where(equal & (new == 0), d.top[:, None], np.maximum(old, new))

    def holds(self, d: Draft) -> Array:
        """r(d', t) > r(d_i, t) for every t."""
        return (d.incoming(0) > d.grades[d.rows, d.i]).all(axis=1)

    def rankings(self, d: Draft) -> tuple[Array, Array]:
        """d, and d with d' at position i."""
        worse, better = self.plain(d)
        better[d.rows, d.i] = d.n
        return worse, better

    def last_rank(self, d: Draft) -> Array:
        """Rank i."""
        return d.i + 1

    def script(self) -> Script:
        """On every aspect: common documents, d_i against d', common documents."""
        common = Many(({"t": "x"},), {"x": "any"})
        segments = (common, One({"t": "a"}, {"t": "b"}), common)
        return Script(("t",), segments, {"a": "any", "b": "above a"}, every=True)

    def relate(self, g: Relations, shape: Shape, i: int, j: int, t: int, u: int) -> None:
        """d' above d_i on every aspect."""
        for aspect in range(shape.aspects):
            g.above((shape.ranked, aspect), (i, aspect))

    def sentence(self, d: Draft) -> str:
        """The two documents' grades."""
        i = int(d.i[0])
        new, old = (", ".join(map(str, row)) for row in (d.incoming(0)[0], d.grades[0, i]))
        return f"d' ({new}) is more relevant than d{i + 1} ({old}) to every aspect, so replacing must raise the score"

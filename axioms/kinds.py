"""Kinds of axioms: on two rankings, on the score of one, on long blocks; the one place that tells them apart.

An axiom's class says how it is decided (`Axiom.kind`). Code outside this package asks the functions here.
"""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from axiomcheck.axioms.base import Axiom, PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.thresholds import ThresholdAxiom
from axiomcheck.core.typing import Integers


class ScoreAxiom(PairAxiom):
    """An axiom that bounds the score of every ranking by ``least``, ``most`` or both.

    A subclass sets the bounds and what every axiom says of itself. It overrides `relate` where the axiom is about some
    rankings only, such as those with nothing relevant in them.

    The engine compares the score with a number where it compares two scores elsewhere: both rankings of an instance are
    the same one. Nothing is proved of such an axiom, and metrics that compare distributions have no score to bound.
    """

    kind = "scores"
    states_small = False
    can_be_small = False
    strict = False

    @property
    def range(self) -> str:
        """The scores that are allowed, such as ``at least 0 and at most 1``."""
        named = (("at least", self.least), ("at most", self.most))
        return " and ".join(f"{word} {bound}" for word, bound in named if bound is not None)

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Ask nothing: the axiom is about every ranking."""

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the ranking twice."""
        return self.plain(d)

    def last_rank(self, d: Draft) -> Integers:
        """Return 1: the score of a ranking that is longer than a metric's cutoff is bounded as well."""
        return np.ones(d.size, dtype=np.int64)

    def longest(self, max_rank: int) -> int:
        """Return how long rankings may be for a cutoff, which some have to be longer than."""
        return max(max_rank, self.min_ranked)

    def sentence(self, d: Draft) -> str:
        """Name the ranking and the scores that are allowed."""
        ranking = self.rankings(d)[0][0].tolist()
        return f"{', '.join(f'd{row + 1}' for row in ranking)} must score {self.range}"


def about_pairs(axiom: Axiom) -> TypeGuard[PairAxiom]:
    """Return true for an axiom of which single instances are drawn: on two rankings, or on the score of one."""
    return axiom.kind != "blocks"


def about_scores(axiom: Axiom) -> TypeGuard[ScoreAxiom]:
    """Return true for an axiom on the score of a single ranking."""
    return axiom.kind == "scores"


def about_blocks(axiom: Axiom) -> TypeGuard[ThresholdAxiom]:
    """Return true for an axiom on long blocks of documents, of which every length is decided."""
    return axiom.kind == "blocks"

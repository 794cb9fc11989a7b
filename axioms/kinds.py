"""Kinds of axioms: about two rankings, about the score of one ranking, or about long blocks.

An axiom's class states its kind (`Axiom.kind`). Other packages test the kind with the functions in this module.
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
    """Axiom that bounds the score of a ranking by ``least``, ``most`` or both.

    A subclass sets the bounds, and the attributes that all axioms have. It overrides `relate` if the axiom applies only
    to some rankings, such as rankings without a relevant document.

    Both rankings of an instance are identical. The engine compares the ranking's score with a bound instead of another
    score. There are no proofs for such an axiom. It does not apply to metrics that compare distributions, since they
    have no score to bound.
    """

    kind = "scores"
    states_small = False
    can_be_small = False
    strict = False

    @property
    def range(self) -> str:
        """Allowed scores in words, such as ``at least 0 and at most 1``."""
        named = (("at least", self.least), ("at most", self.most))
        return " and ".join(f"{word} {bound}" for word, bound in named if bound is not None)

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State no relation, since the axiom applies to every ranking."""

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the same ranking twice, as the worse and as the better ranking."""
        return self.plain(d)

    def last_rank(self, d: Draft) -> Integers:
        """Return 1, so that no ranking is excluded for being longer than the metric's cutoff."""
        return np.ones(d.size, dtype=np.int64)

    def longest(self, max_rank: int) -> int:
        """Return the largest n to search: ``max_rank``, or ``min_ranked`` if the axiom needs longer rankings."""
        return max(max_rank, self.min_ranked)

    def sentence(self, d: Draft) -> str:
        """State the scores that are allowed for the ranking."""
        ranking = self.rankings(d)[0][0].tolist()
        return f"{', '.join(f'd{row + 1}' for row in ranking)} must score {self.range}"


def about_pairs(axiom: Axiom) -> TypeGuard[PairAxiom]:
    """Return True if an axiom is about two rankings or the score of one ranking."""
    return axiom.kind != "blocks"


def about_scores(axiom: Axiom) -> TypeGuard[ScoreAxiom]:
    """Return True if an axiom is about the score of a single ranking."""
    return axiom.kind == "scores"


def about_blocks(axiom: Axiom) -> TypeGuard[ThresholdAxiom]:
    """Return True if an axiom is about long blocks of documents. Such an axiom is decided for every length."""
    return axiom.kind == "blocks"

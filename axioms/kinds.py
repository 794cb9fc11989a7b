"""Predicates for the kind of an axiom (`Axiom.kind`), and the class of axioms on the score of a single ranking.

Other packages call these functions instead of testing the class of an axiom.
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

    Both rankings of an instance are identical, and the score of this ranking is compared with the bounds. There are no
    proofs of such an axiom. It does not apply to metrics that compare distributions, which have no score to bound.
    """

    kind = "scores"
    states_small = False
    can_be_small = False
    strict = False

    @property
    def range(self) -> str:
        """Allowed scores as text, such as ``at least 0 and at most 1``."""
        named = (("at least", self.least), ("at most", self.most))
        return " and ".join(f"{word} {bound}" for word, bound in named if bound is not None)

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State no relation, since the axiom applies to every ranking."""

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the same ranking twice, as the worse and as the better ranking."""
        return self.plain(d)

    def last_rank(self, d: Draft) -> Integers:
        """Return 1 for each draft, so that the search does not skip rankings longer than the metric's cutoff."""
        return np.ones(d.size, dtype=np.int64)

    def longest(self, max_rank: int) -> int:
        """Return the largest n to search: ``max_rank``, or ``min_ranked`` if the axiom needs longer rankings."""
        return max(max_rank, self.min_ranked)

    def sentence(self, d: Draft) -> str:
        """State the ranking and its allowed scores."""
        ranking = self.rankings(d)[0][0].tolist()
        return f"{', '.join(f'd{row + 1}' for row in ranking)} must score {self.range}"


def about_pairs(axiom: Axiom) -> TypeGuard[PairAxiom]:
    """Return True if an axiom is a `PairAxiom`, which includes axioms on the score of a single ranking."""
    return axiom.kind != "blocks"


def about_scores(axiom: Axiom) -> TypeGuard[ScoreAxiom]:
    """Return True if an axiom is a `ScoreAxiom`, which bounds the score of a single ranking."""
    return axiom.kind == "scores"


def about_blocks(axiom: Axiom) -> TypeGuard[ThresholdAxiom]:
    """Return True if an axiom is a `ThresholdAxiom`, which is about blocks of n documents for large n."""
    return axiom.kind == "blocks"

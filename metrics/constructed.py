"""A metric constructed to show that the ten axioms are consistent and independent. It is not meant for evaluation.

With its defaults, `ConstructedUtility` satisfies all ten axioms in every regime, so they are consistent. For each
axiom, another setting violates this axiom only, so it does not follow from the other nine. The arguments are in
research/output/independence.md. The metric is rank-biased utility (Amigo et al. 2018, equation 11) with three changes:

- The cascade never reaches 0, since a document of grade r removes only the share alpha r, alpha < 1. Scores therefore
  still differ after documents of grade 1, as Red requires.
- Each document costs at least 1. An appended document therefore never raises the score, as Sat requires.
- Redundancy counts only if all aspects have equal weights. A metric that is continuous in the weights cannot satisfy
  both AspRel, which is about unequal weights, and Red, which is about equal weights.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.metrics.adhoc import PERSISTENCE, needs_cutoff_at_one
from axiomcheck.metrics.base import Claims, Metric, Tail
from axiomcheck.metrics.novelty import ALPHA, effort
from axiomcheck.metrics.parameters import Choice, Flag
from axiomcheck.metrics.tails import geometric_tail
from axiomcheck.numbers.arithmetic import Arithmetic, below, largest, positive, select, survival
from axiomcheck.numbers.discount import Discount, Geometric
from axiomcheck.numbers.series import Series


@dataclass(frozen=True)
class Parabola(Discount):
    """Discount ``1 - ((i - 1) / depth)^2``, which is concave, positive and decreasing for ranks 1 to ``depth``.

    Args:
        depth: Last rank, >= 1.

    """

    depth: int

    def rational(self, rank: int) -> Fraction:
        """Return the exact discount at a rank."""
        return 1 - Fraction(rank - 1, self.depth) ** 2


@dataclass(frozen=True)
class Lifted(Discount):
    """Discount ``ratio^(i - 1)``, except that the last rank has the discount of the rank two above it.

    Args:
        ratio: Ratio of successive discounts, in (0, 1).
        depth: Last rank, >= 3.

    """

    ratio: Fraction
    depth: int

    def rational(self, rank: int) -> Fraction:
        """Return the exact discount at a rank."""
        return self.ratio ** (rank - 3 if rank == self.depth else rank - 1)


@dataclass(frozen=True)
class SlowHyperbola(Discount):
    """Discount ``2 / (i + 1)``, decreasing and convex. Its sum over ranks n + 1 to 2n rises with n towards 2 ln 2."""

    def rational(self, rank: int) -> Fraction:
        """Return the exact discount at a rank."""
        return Fraction(2, rank + 1)


class ConstructedUtility(Metric):
    """Rank-biased utility with a damped cascade, a high cost, and redundancy only among aspects of equal weight."""

    name = "CU"
    summary = (
        "sum of D_i (sum_t w r prod_{j<i} (1 - alpha r(d_j, t)) - e), the product only where all weights are equal"
    )
    source = "constructed for docs/how-to/independence.md, after Amigo et al. 2018, equation 11"
    default_cutoff = 20
    declared = (
        PERSISTENCE,
        ALPHA,
        effort(Fraction(1)),
        Choice(
            "discount",
            "geometric",
            "discount of rank i: p^(i-1); concave; concave but with the last rank before the cutoff raised; or 2/(i+1)",
            decisive=False,
            choices=("geometric", "concave", "lifted", "hyperbolic"),
        ),
        Choice(
            "novelty",
            "all",
            "earlier documents that make a document redundant: all, those on only one aspect, or the one just "
            "before it",
            decisive=False,
            choices=("all", "focused", "last"),
        ),
        Choice(
            "scope",
            "balanced",
            "when redundancy applies: if there are several aspects of equal weight, or always",
            decisive=False,
            choices=("balanced", "always"),
        ),
        Choice(
            "cost",
            "always",
            "documents that have a cost: all, all if some judged document has grade 1, or the non-relevant ones",
            decisive=False,
            choices=("always", "saturable", "nonrelevant"),
        ),
        Flag(
            "weighted", True, "whether each aspect's gain is multiplied by its weight, instead of 1/m", decisive=False
        ),
        Flag("overlap", True, "whether documents on several aspects earn anything", decisive=False),
    )

    def validate(self) -> None:
        """Check that there is a cutoff if p = 1 or the discount depends on a cutoff, and set the claims."""
        needs_cutoff_at_one(self)
        shape = self.values["discount"]
        if shape in ("concave", "lifted") and (self.cutoff or 0) < 3:
            raise InvalidInput(f"{self.name}: discount={shape} needs a cutoff k >= 3, as in CU(discount={shape})@20")
        if self.values["e"] > 0 and self.values["cost"] != "nonrelevant":
            self.claims = Claims(None)
        else:
            self.claims = replace(Claims(None), monotone=self.values["e"] == 0)

    def discount(self) -> Discount:
        """Return the discount that the parameters select."""
        shape, p = self.values["discount"], self.values["p"]
        if shape == "hyperbolic":
            return SlowHyperbola()
        if shape == "geometric":
            return Geometric(p)
        assert self.cutoff is not None
        return Parabola(self.cutoff) if shape == "concave" else Lifted(p, self.cutoff)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the discounted sum of gains minus costs."""
        gains = grades * self._novel(a, grades, weights)
        if not self.values["overlap"]:
            gains = select(_on_one_aspect(grades), gains)
        shares = weights[..., None, :] if self.values["weighted"] else a.number(Fraction(1, grades.shape[-1]))
        net = (gains * shares).sum(axis=-1) - self._cost(a, grades, pool)
        return (net * a.discounts(self.discount(), grades.shape[-2])).sum(axis=-1)

    def _novel(self, a: Arithmetic, grades: Array, weights: Array) -> Array:
        """Return the share of each grade that redundancy with earlier documents leaves, of shape (..., n, m)."""
        kind = self.values["novelty"]
        told = select(_on_one_aspect(grades), grades) if kind == "focused" else grades
        taken = told * a.number(self.values["alpha"])
        if self.values["scope"] == "balanced":
            equal = (weights == weights[..., :1]).all(axis=-1) & (weights.shape[-1] > 1)
            taken = select(np.broadcast_to(equal[..., None, None], grades.shape), taken)
        return 1 - _one_later(taken) if kind == "last" else survival(taken, axis=-2)

    def _cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        """Return the cost of each document, as a number or an array (..., n) or (..., 1)."""
        cost = a.number(self.values["e"])
        if self.values["cost"] == "nonrelevant":
            return select(~positive(grades).any(axis=-1), cost)
        if self.values["cost"] == "saturable":
            return select(~below(largest(largest(pool, -1), -1), a.number(Fraction(1))), cost)[..., None]
        return cost

    def tail(self) -> Tail | None:
        """Return the `Tail` of the discount, or None if documents can be redundant on topics with one aspect."""
        if self.values["scope"] != "balanced":
            return None
        if self.values["discount"] == "geometric":
            return geometric_tail(self.values["p"])
        return Tail(
            "above",
            3,
            lambda n: sum(2 / (i + 1) for i in range(n + 1, 2 * n + 1)),
            "L(n)/T = 2/(n + 2) + ... + 2/(2n + 1), 107/105 at n = 3; increasing, since from n to n + 1 it changes by "
            "2/(2n + 2) + 2/(2n + 3) - 2/(n + 2) > 0",
        )


def _on_one_aspect(grades: Array) -> Array:
    """Return a mask (..., n, 1) of the documents that are relevant to at most one aspect."""
    return positive(grades).sum(axis=-1, keepdims=True) <= 1


def _one_later(x: Array) -> Array:
    """Shift values (..., n, m) down by one rank, with 0 at rank 1."""
    if isinstance(x, Series):
        return x.map(_one_later)
    out = 0 * x
    out[..., 1:, :] = x[..., :-1, :]
    return out

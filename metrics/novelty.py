"""Metrics that reward documents less on an aspect that was seen before: NRBP, alpha-nDCG, EU, CT and RBU.

Amigo et al. 2018 describe them in sections 4.3 and 5.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar

from axiomcheck.metrics.adhoc import PERSISTENCE, needs_cutoff_at_one
from axiomcheck.metrics.base import Claims, FoldMetric, Tail, catalogued
from axiomcheck.metrics.fold import Cascade, Filling, Fold, Novelty
from axiomcheck.metrics.parameters import Base, Flag, Real
from axiomcheck.metrics.tails import geometric_tail, growing_tail, harmonic_tail, vanishing_tail
from axiomcheck.numbers.discount import Geometric, InverseLog, Reciprocal

ALPHA = Real(
    "alpha",
    Fraction(1, 2),
    "share of an aspect's gain that each earlier document on the aspect removes",
    low_open=False,
    high_open=False,
)
WEIGHTED = Flag("weighted", False, "whether each aspect's gain is multiplied by its weight", decisive=False)


def effort(default: Fraction) -> Real:
    """Return the parameter e, the cost of inspecting one document, with a given default."""
    return Real("e", default, "cost of inspecting one document", low_open=False, high=None)


class WeightedNovelty(FoldMetric):
    """Base class for metrics that their papers define without aspect weights. ``weighted=yes`` uses the weights."""

    def is_seed_form(self) -> bool:
        """Return True if the metric does not use aspect weights."""
        return not self.values["weighted"]

    @property
    def weighted(self) -> bool:  # type: ignore[override]
        """True if the metric uses aspect weights."""
        return bool(self.values["weighted"])


@catalogued
class NoveltyRankBiasedPrecision(WeightedNovelty):
    """Novelty- and rank-biased precision, in the form that the axiomatic paper analyses."""

    name = "NRBP"
    summary = "sum of p^(i-1) sum_t r (1 - alpha)^c"
    source = "Clarke et al. 2009, without its constant factor; Amigo et al. 2018, section 4.3"
    declared = (PERSISTENCE, ALPHA, WEIGHTED)
    claims = Claims(0.0, None, monotone=True)

    def validate(self) -> None:
        """Check that the metric has a cutoff if p = 1."""
        needs_cutoff_at_one(self)

    def fold(self) -> Fold:
        """Return a fold that adds up the gains r (1 - alpha)^c with the discount p^(i-1)."""
        return Novelty(Geometric(self.values["p"]), self.values["alpha"])

    def tail(self) -> Tail | None:
        """Return the `Tail` with the bound L(n)/T <= p^n / (1 - p (1 - alpha)), or None if p = 1."""
        return geometric_tail(self.values["p"], 1 - self.values["alpha"])


@catalogued
class NoveltyRankBiasedPrecisionPaper(NoveltyRankBiasedPrecision):
    """NRBP as its original paper defines it, with a factor that makes the score of an infinite ideal ranking 1."""

    name = "NRBP-paper"
    summary = "NRBP times (1 - (1 - alpha) p) / m"
    source = "Clarke et al. 2009"
    claims = Claims(0.0, 1.0, monotone=True)

    def scale(self, aspects: int) -> Any:
        """Return the factor (1 - (1 - alpha) p) / m."""
        return (1 - (1 - self.values["alpha"]) * self.values["p"]) / aspects


@catalogued
class AlphaDiscountedGain(WeightedNovelty):
    """alpha-nDCG without its normaliser, which is equal for all rankings of a topic (footnote 5 of the paper)."""

    name = "alpha-nDCG"
    summary = "sum of sum_t r (1 - alpha)^c / log2(i + 1), not normalised"
    source = "Clarke et al. 2008; Amigo et al. 2018, section 4.3"
    default_cutoff = 20
    declared = (ALPHA, WEIGHTED)
    claims = Claims(0.0, None, monotone=True)

    def fold(self) -> Fold:
        """Return a fold that adds up the gains r (1 - alpha)^c with the discount 1 / log2(i + 1)."""
        return Novelty(InverseLog(), self.values["alpha"])

    def tail(self) -> Tail | None:
        """Return the `Tail` with L(n)/T <= 1 / (alpha log2(n + 2)), or L(n)/T >= n / log2(2n + 1) if alpha = 0."""
        return _log_tail(self.values["alpha"], lambda x: math.log2(x + 1), "log2(n + 2)", "log2(2n + 1)")


@catalogued
class ExpectedUtility(FoldMetric):
    """Expected utility: the discounted sum over documents of the gain, which redundancy reduces, minus the cost."""

    name = "EU"
    summary = "sum of (sum_t w r (1 - alpha)^c - e) / (1 + log i)"
    source = "Yang and Lad 2009; Amigo et al. 2018, section 4.3 (base of the logarithm not given there)"
    declared = (ALPHA, effort(Fraction(1, 20)), Base("log", Fraction(2), "base of the logarithm"))

    def validate(self) -> None:
        """Set ``claims``. If documents have a cost, scores have no lower bound."""
        self.claims = _claims_at_cost(self.values["e"])

    def fold(self) -> Fold:
        """Return a fold that adds up the gains r (1 - alpha)^c with the discount 1 / (1 + log i)."""
        return Novelty(InverseLog(self.values["log"], shift=0, offset=1), self.values["alpha"])

    def cost(self) -> Any:
        """Return the effort e as the cost per document."""
        return self.values["e"]

    def tail(self) -> Tail | None:
        """Return the `Tail` with L(n)/T <= 1 / (alpha (1 + log(n + 1))), or >= n / (1 + log 2n) if alpha = 0."""
        base = self.values["log"]
        unit = 1.0 if base is None else math.log(base)
        return _log_tail(self.values["alpha"], lambda x: 1 + math.log(x) / unit, "(1 + log(n + 1))", "(1 + log 2n)")


def _log_tail(alpha: Fraction, divisor: Any, first: str, last: str) -> Tail | None:
    """Return the `Tail` for discounts 1 / divisor(i) if the j-th relevant document gains r (1 - alpha)^(j-1).

    ``first`` and ``last`` are the texts of the divisors at ranks n + 1 and 2n. Return None if the bound crosses 1 only
    at a very large n.
    """
    if alpha > 0:
        share = float(alpha)
        return vanishing_tail(
            lambda n: 1 / (share * divisor(n + 1)),
            f"L(n)/T <= 1 / (alpha {first}) with alpha = {share:g}: the discounts are at most the first, and the "
            "redundancy factors sum to less than 1 / alpha; decreasing in n",
        )
    return growing_tail(
        lambda n: n / divisor(2 * n),
        f"L(n)/T >= n / {last}: n terms, none below the last; increasing in n",
        farthest=10**6,
    )


def _claims_at_cost(cost: Fraction) -> Claims:
    return Claims(None) if cost > 0 else Claims(0.0, monotone=True)


@catalogued
class CubeTest(FoldMetric):
    """The cube test: gains are reduced by redundancy, a full aspect gains nothing more, and effort is the rank."""

    name = "CT"
    summary = "sum of (1/i) sum_t w r (1 - alpha)^c f, f = 1 until the aspect's grades so far reach the level"
    source = "Luo et al. 2013; Amigo et al. 2018, section 4.3"
    default_cutoff = 20
    declared = (
        ALPHA,
        Real("level", Fraction(1), "amount of relevance that fills an aspect", high=None),
        Flag("strict", False, "whether an aspect is full only when its grades so far exceed the level", decisive=False),
    )
    claims = Claims(0.0, None, monotone=True)

    def fold(self) -> Fold:
        """Return a fold that adds up gains with the discount 1 / i until the aspect is full."""
        return Filling(Reciprocal(), self.values["alpha"], self.values["level"], self.values["strict"])

    def tail(self) -> Tail:
        """Return the `Tail` with the bound L(n)/T <= n / (n + 1)."""
        return harmonic_tail()


@catalogued
class RankBiasedUtility(FoldMetric):
    """Rank-biased utility, which combines RBP's discount, ERR's cascade on each aspect, and EU's cost."""

    name = "RBU"
    summary = "sum of p^i (sum_t w r prod_{j<i} (1 - r(d_j, t)) - e)"
    source = "Amigo et al. 2018, equation 11"
    default_cutoff: ClassVar[int | None] = 20
    declared = (PERSISTENCE, effort(Fraction(1, 20)))

    def validate(self) -> None:
        """Check that there is a cutoff if p = 1, and set ``claims``. With a cost, scores have no lower bound."""
        needs_cutoff_at_one(self)
        self.claims = _claims_at_cost(self.values["e"])

    def discount(self) -> Geometric:
        """Return the discount p^i."""
        return Geometric(self.values["p"], self.values["p"])

    def fold(self) -> Fold:
        """Return a cascade in which a document of grade r satisfies the user with probability r."""
        return Cascade(self.discount())

    def cost(self) -> Any:
        """Return the effort e as the cost per document."""
        return self.values["e"]

    def tail(self) -> Tail | None:
        """Return the `Tail` with the bound L(n)/T <= p^n / (1 - p), or None if p = 1."""
        return geometric_tail(self.values["p"])


@catalogued
class RankBiasedUtilityProgram(RankBiasedUtility):
    """RBU as the authors' own program computes it. The program converts a judgment g to (2^g - 1) / 2^gmax."""

    name = "RBU-program"
    summary = "sum of (1 - p) p^(i-1) (sum_t w r prod_{j<i} (1 - r(d_j, t)) - e), without a cutoff"
    source = "the program released with Amigo et al. 2018"
    default_cutoff = None
    declared = (PERSISTENCE, effort(Fraction(3, 100)))

    def discount(self) -> Geometric:
        """Return the discount (1 - p) p^(i-1)."""
        return Geometric(self.values["p"], 1 - self.values["p"])

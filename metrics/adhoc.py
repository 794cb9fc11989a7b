"""The ad hoc metrics of Amigo et al. 2018, section 4.1: P, RR and AP (binary), and nDCG, ERR and RBP (graded)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import Claims, Metric, SingleAspectMetric, Tail, catalogued
from axiomcheck.metrics.cwl import FiniteModel, GeometricModel, UserModel
from axiomcheck.metrics.fold import Additive, Cascade, Fold, HitCount
from axiomcheck.metrics.parameters import Real
from axiomcheck.metrics.tails import geometric_tail, harmonic_tail, log_growth_tail
from axiomcheck.numbers.arithmetic import Arithmetic, descending, positive
from axiomcheck.numbers.discount import Constant, Geometric, InverseLog, Reciprocal

PERSISTENCE = Real(
    "p", Fraction(4, 5), "probability that the user continues to the next rank; p = 1 needs a cutoff", high_open=False
)


def needs_cutoff(metric: Metric) -> None:
    """Check that a metric has a cutoff k. Metrics whose definition depends on k call this function.

    Raises:
        InvalidInput: The metric has no cutoff.

    """
    if metric.cutoff is None:
        raise InvalidInput(f"{metric.name} needs a cutoff k >= 1, as in {metric.name}@20")


def needs_cutoff_at_one(metric: Metric, ratio: str = "p") -> None:
    """Check that a metric has a cutoff if the ratio of its discounts is 1, since the sum over all ranks may diverge.

    Raises:
        InvalidInput: The parameter named ``ratio`` is 1 and there is no cutoff.

    """
    if metric.values[ratio] == 1 and metric.cutoff is None:
        raise InvalidInput(
            f"{metric.name}: {ratio}=1 needs a cutoff, as in {metric.name}({ratio}=1)@20; without one, {ratio} must be "
            f"below 1"
        )


def ideal_gain(a: Arithmetic, gains: Array, cutoff: int | None) -> Array:
    """Return the DCG of the pool's first ``cutoff`` documents in descending order of gain: gains (..., P) -> (...)."""
    best = descending(gains)[..., :cutoff]
    return (best * a.discounts(InverseLog(), best.shape[-1])).sum(axis=-1)


@catalogued
class Precision(SingleAspectMetric):
    """The fraction of the first k ranks that hold a relevant document."""

    name = "P"
    summary = "number of relevant documents in the first k ranks, divided by k"
    source = "van Rijsbergen 1974; Amigo et al. 2018, section 4.1"
    default_cutoff = 20
    binary_only = True
    claims = Claims(0.0, 1.0, monotone=True)

    def validate(self) -> None:
        """Check that there is a cutoff k, since P divides by k."""
        needs_cutoff(self)

    def fold(self) -> Fold:
        """Return a fold that counts relevant documents."""
        return Additive(Constant(), binary=True)

    def user_model(self) -> UserModel:
        """Return the model of a user who sees exactly k documents. With binary gains, it scores a ranking by P@k."""
        assert self.cutoff is not None
        return FiniteModel.precision(self.cutoff)

    def scale(self, aspects: int) -> Fraction:
        """Return the factor 1 / k."""
        assert self.cutoff is not None
        return Fraction(1, self.cutoff)


@catalogued
class ReciprocalRank(SingleAspectMetric):
    """One over the rank of the first relevant document."""

    name = "RR"
    summary = "1 / rank of the first relevant document; 0 if there is none"
    source = "Voorhees 1999"
    binary_only = True
    claims = Claims(0.0, 1.0, ideal=True, monotone=True)

    def fold(self) -> Fold:
        """Return ERR's cascade, in which every relevant document satisfies the user with certainty."""
        return Cascade(Reciprocal(), binary=True)

    def tail(self) -> Tail:
        """Return the `Tail` with L(n)/T = 1 / (n + 1)."""
        return Tail("below", 1, lambda n: 1 / (n + 1), "L(n)/T = 1 / (n + 1) < 1")


@catalogued
class AveragePrecision(SingleAspectMetric):
    """The precision at the rank of each relevant document, averaged over the relevant documents in the pool."""

    name = "AP"
    summary = "mean over the pool's relevant documents of the precision at their rank (0 if not retrieved)"
    source = "Voorhees and Harman 2005; Amigo et al. 2013"
    binary_only = True
    normalised = True
    claims = Claims(0.0, 1.0, ideal=True, monotone=True)

    def validate(self) -> None:
        """Remove the claim that the ideal ranking scores 1 from a metric with a cutoff.

        AP divides by the number R of relevant documents in the pool. With a cutoff below R, no ranking scores 1.
        """
        if self.cutoff is not None:
            self.claims = replace(self.claims, ideal=False)

    def fold(self) -> Fold:
        """Return a fold that adds up the precision at the rank of each relevant document."""
        return HitCount(Reciprocal())

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return R, the number of relevant documents in the pool: (..., P, m) -> (..., m)."""
        return a.integers(positive(pool).sum(axis=-2))

    def tail(self) -> Tail:
        """Return the `Tail` with L(n)/T = sum_{j=1..n} j / (n + j), which grows linearly in n."""
        return Tail(
            "above",
            4,
            lambda n: (n + 1) / 4,
            "L(n)/T = sum_{j=1..n} j / (n + j) >= sum_{j=1..n} j / (2n) = (n + 1) / 4, above 1 from n = 4 on",
        )


@catalogued
class DiscountedGain(SingleAspectMetric):
    """Normalised discounted cumulated gain with gain r and discount 1 / log2(i + 1)."""

    name = "nDCG"
    summary = (
        "sum of r / log2(i + 1), divided by that of the pool's ideal ranking (truncated at k, if there is a cutoff)"
    )
    source = "Jarvelin and Kekalainen 2002; a gain of 2^g - 1 is r = (2^g - 1) / 2^gmax: the factor cancels"
    normalised = True
    claims = Claims(0.0, 1.0, ideal=True, monotone=True)

    def fold(self) -> Fold:
        """Return a fold that adds up grades with the discount 1 / log2(i + 1)."""
        return Additive(InverseLog())

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the DCG of the ideal ranking."""
        return ideal_gain(a, pool.swapaxes(-1, -2), self.cutoff)

    def tail(self) -> Tail:
        """Return the `Tail` with a lower bound on L(n)/T that grows like n / log n."""
        return log_growth_tail()


@catalogued
class ExpectedReciprocalRank(SingleAspectMetric):
    """Expected reciprocal of the rank at which a user stops, who stops at a document of grade r with probability r."""

    name = "ERR"
    summary = "sum of (1/i) r_i prod_{j<i} (1 - r_j)"
    source = "Chapelle et al. 2009"
    default_cutoff = 20
    claims = Claims(0.0, 1.0, monotone=True)

    def fold(self) -> Fold:
        """Return a cascade in which a document of grade r stops the user with probability r."""
        return Cascade(Reciprocal())

    def tail(self) -> Tail:
        """Return the `Tail` with the bound L(n)/T <= n / (n + 1)."""
        return harmonic_tail()


@catalogued
class RankBiasedPrecision(SingleAspectMetric):
    """Expected rate of gain for a user who continues to the next rank with probability p."""

    name = "RBP"
    summary = "(1 - p) sum of p^(i-1) r_i (always 0 if p = 1)"
    source = "Moffat and Zobel 2008"
    declared = (PERSISTENCE,)
    claims = Claims(0.0, 1.0, monotone=True)

    def validate(self) -> None:
        """Check that the metric has a cutoff if p = 1."""
        needs_cutoff_at_one(self)

    def fold(self) -> Fold:
        """Return a fold that adds up grades with the discount (1 - p) p^(i-1)."""
        return Additive(Geometric(self.values["p"], 1 - self.values["p"]))

    def user_model(self) -> UserModel:
        """Return the model of a user who continues with probability p; raise `InvalidInput` if there is a cutoff."""
        p = float(self.values["p"])
        if self.cutoff is None:
            return GeometricModel(p)
        raise InvalidInput(f"{self} has a cutoff, so its weights do not sum to 1; expected RBP without a cutoff")

    def tail(self) -> Tail | None:
        """Return the `Tail` with the bound L(n)/T <= p^n / (1 - p), or None if p = 1."""
        return geometric_tail(self.values["p"])

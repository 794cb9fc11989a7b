"""Aspect coverage metrics: S-Recall, S-RR, D-nDCG and D#-nDCG."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from axiomcheck.core.typing import Array
from axiomcheck.metrics.adhoc import ideal_gain
from axiomcheck.metrics.base import Claims, FoldMetric, Metric, Mixture, Tail, catalogued
from axiomcheck.metrics.fold import Additive, Cascade, Fold
from axiomcheck.metrics.parameters import Real
from axiomcheck.metrics.tails import log_growth_tail
from axiomcheck.numbers.arithmetic import Arithmetic, positive, survival
from axiomcheck.numbers.discount import Constant, InverseLog, Reciprocal

_ALWAYS_TIED = Tail("equal", 1, lambda n: 1.0, "both rankings cover the only aspect, so they tie at every n")


@catalogued
class SubtopicRecall(FoldMetric):
    """The fraction of aspects that the first k ranks cover."""

    name = "S-Recall"
    summary = "number of aspects covered in the first k ranks, divided by m"
    source = "Zhai et al. 2003"
    default_cutoff = 20
    weighted = False
    binary_only = True
    claims = Claims(0.0, 1.0, monotone=True)

    def fold(self) -> Fold:
        """Return a fold in which the first relevant document on an aspect earns 1, and all others earn 0."""
        return Cascade(Constant(), binary=True)

    def scale(self, aspects: int) -> Fraction:
        """Return the factor 1 / m, since all aspects count equally."""
        return Fraction(1) / aspects

    def tail(self) -> Tail:
        """Return the `Tail` with L(n) = T, since n relevant documents cover the aspect no better than one does."""
        return _ALWAYS_TIED


@catalogued
class SubtopicReciprocalRank(Metric):
    """One over the rank by which every aspect is covered; 0 if an aspect is never covered."""

    name = "S-RR@100%"
    summary = "1 / rank at which every aspect is covered; 0 if there is none"
    source = "Zhai et al. 2003"
    binary_only = True
    blanks = "nothing"
    claims = Claims(0.0, 1.0, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return 1/i for the first rank i by which every aspect is covered, or 0 if there is none: shape (...)."""
        hit = a.integers(positive(grades))
        open_before = survival(hit, axis=-2)
        complete_before = (1 - open_before).prod(axis=-1)
        complete_after = (1 - open_before * (1 - hit)).prod(axis=-1)
        return ((complete_after - complete_before) * a.discounts(Reciprocal(), grades.shape[-2])).sum(axis=-1)

    def tail(self) -> Tail:
        """Return the `Tail` of RR, which equals S-RR on topics with one aspect."""
        return Tail("below", 1, lambda n: 1 / (n + 1), "L(n)/T = 1 / (n + 1) < 1")


@catalogued
class DMeasure(FoldMetric):
    """nDCG of the global gain, the sum of a document's grades multiplied by the aspects' weights."""

    name = "D-nDCG"
    summary = "nDCG in which document d has the gain sum_t w(t) r(d, t)"
    source = "Sakai et al. 2010"
    default_cutoff = 20
    pooling = "sum"
    weighted = False
    normalised = True
    claims = Claims(0.0, 1.0, ideal=True, monotone=True)

    def fold(self) -> Fold:
        """Return a fold that adds up global gains with the discount 1 / log2(i + 1)."""
        return Additive(InverseLog())

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the DCG of the ideal ranking."""
        return ideal_gain(a, pool.swapaxes(-1, -2), self.cutoff)

    def tail(self) -> Tail:
        """Return the `Tail` of nDCG, which equals D-nDCG on topics with one aspect."""
        return log_growth_tail()


@catalogued
class DSharpMeasure(Mixture):
    """Weighted mean of D-nDCG and S-Recall."""

    name = "D#-nDCG"
    summary = "lambda S-Recall + (1 - lambda) D-nDCG"
    source = "Sakai and Song 2011"
    default_cutoff = 20
    declared = (Real("lambda", Fraction(1, 2), "weight of S-Recall", low_open=False, high_open=False),)
    claims = Claims(0.0, 1.0, monotone=True)

    def parts(self) -> tuple[tuple[Any, FoldMetric], ...]:
        """Return S-Recall and D-nDCG, each with its weight in the mean."""
        mix = self.values["lambda"]
        return (mix, SubtopicRecall(self.cutoff)), (1 - mix, DMeasure(self.cutoff))

    def tail(self) -> Tail:
        """Return the `Tail` of D-nDCG, since S-Recall is equal for both rankings; at lambda = 1, the scores tie."""
        return _ALWAYS_TIED if self.values["lambda"] == 1 else log_growth_tail()

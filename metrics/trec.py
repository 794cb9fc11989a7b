"""Diversity measures as `ndeval` 4.5 (TREC Web track) computes them.

They are meant for comparisons with published runs, and differ from the metrics that the axiomatic paper analyses in
three ways. Positive grades count as 1. All judged aspects have equal weights, and all others are ignored; an aspect is
judged if the pool has a positive judgment on it. Scores are normalised as described in each class.

Three details differ from `ndeval`. Scores are normalised at every cutoff, whereas its unprinted values at cutoff 1 are
not. Any cutoff is possible, whereas `ndeval` stops at rank 20. For a topic without a positive judgment, nNRBP is 0,
whereas `ndeval` prints NaN.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from axiomcheck.core.typing import Array
from axiomcheck.metrics.adhoc import AveragePrecision, needs_cutoff, needs_cutoff_at_one
from axiomcheck.metrics.base import Claims, Metric, Tail, catalogued
from axiomcheck.metrics.coverage import SubtopicRecall
from axiomcheck.metrics.fold import Novelty
from axiomcheck.metrics.greedy import greedy_ideal
from axiomcheck.metrics.novelty import ALPHA, AlphaDiscountedGain
from axiomcheck.metrics.parameters import Parameter, Real
from axiomcheck.metrics.tails import geometric_tail, harmonic_tail
from axiomcheck.numbers.arithmetic import Arithmetic, divide, positive
from axiomcheck.numbers.discount import Discount, Geometric, InverseLog, Reciprocal

BETA = Real("beta", Fraction(1, 2), "patience: ratio of successive discounts; 1 needs a cutoff", high_open=False)
_TOOL = "ndeval 4.5 (TREC Web track)"


def _judged_aspects(a: Arithmetic, pool: Array) -> Array:
    """Return the number of judged aspects, those with a positive judgment: pool (..., P, m) -> (...)."""
    return a.integers(positive(pool).any(axis=-2).sum(axis=-1))


class TrecNovelty(Metric):
    """Base class for metrics sum_i D_i sum_t J (1 - alpha)^c, divided by a normaliser.

    J is 1 if the document at rank i is relevant to aspect t, else 0. c is the number of earlier documents relevant to
    t.
    """

    source = _TOOL
    blanks = "nothing"
    default_cutoff: ClassVar[int | None] = 20
    binary_only = True
    declared: tuple[Parameter, ...] = (ALPHA,)
    claims = Claims(0.0, None, monotone=True)
    decay: ClassVar[Discount]
    """Discount D of a subclass whose discount has no parameters."""
    over: ClassVar[Literal["coverage", "greedy"]]
    """Ranking whose sum is the normaliser: ``"coverage"`` for k documents that each cover every judged aspect, or
    ``"greedy"`` for the first k documents of the greedy ideal ranking (see `axiomcheck.metrics.greedy`)."""

    def validate(self) -> None:
        """Check that there is a cutoff k if the normaliser is the sum for k documents with full coverage."""
        if self.over == "coverage":
            needs_cutoff(self)

    def discount(self) -> Discount:
        """Return the discount D."""
        return self.decay

    def total(self, a: Arithmetic, hits: Array) -> Array:
        """Return sum_i D_i sum_t J (1 - alpha)^c, not normalised: J (..., n, m) -> (...)."""
        return Novelty(self.discount(), self.values["alpha"]).total(a, hits).sum(axis=-1)

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the number by which the sum is divided: pool (..., P, m) -> (...)."""
        if self.over == "greedy":
            return self.total(a, greedy_ideal(a, a.integers(positive(pool)), self.values["alpha"], self.cutoff))
        assert self.cutoff is not None
        return _judged_aspects(a, pool) * self.total(a, a.integers(np.ones((self.cutoff, 1), dtype=np.int64)))

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the sum divided by the normaliser."""
        return divide(self.total(a, a.integers(positive(grades))), self.normaliser(a, pool))


@catalogued
class TrecExpectedReciprocalRankIA(TrecNovelty):
    """ERR-IA with the redundancy factor (1 - alpha)^c in place of ERR's cascade."""

    name = "trec-ERR-IA"
    summary = "sum of (1/i) sum_t J (1 - alpha)^c, divided by that of k documents covering every judged aspect"
    claims = Claims(0.0, 1.0, monotone=True)
    decay = Reciprocal()
    over = "coverage"


@catalogued
class TrecNormalizedExpectedReciprocalRankIA(TrecNovelty):
    """ERR-IA divided by the ERR-IA of the greedy ideal ranking."""

    name = "trec-nERR-IA"
    summary = "sum of (1/i) sum_t J (1 - alpha)^c, divided by that of the greedy ideal; can exceed 1"
    decay = Reciprocal()
    over = "greedy"

    def tail(self) -> Tail:
        """Return the `Tail` with the bound L(n)/T <= n / (n + 1). The normaliser cancels in L(n)/T."""
        return harmonic_tail()


@catalogued
class TrecAlphaDCG(TrecNovelty):
    """alpha-DCG divided by the alpha-DCG of a ranking in which every document covers every judged aspect."""

    name = "trec-alpha-DCG"
    summary = "sum of sum_t J (1 - alpha)^c / log2(i + 1), divided by that of k documents on every judged aspect"
    claims = Claims(0.0, 1.0, monotone=True)
    decay = InverseLog()
    over = "coverage"


@catalogued
class TrecAlphaNDCG(TrecNovelty):
    """alpha-DCG divided by the alpha-DCG of the greedy ideal ranking."""

    name = "trec-alpha-nDCG"
    summary = "sum of sum_t J (1 - alpha)^c / log2(i + 1), divided by that of the greedy ideal; can exceed 1"
    decay = InverseLog()
    over = "greedy"

    def tail(self) -> Tail | None:
        """Return the `Tail` of alpha-nDCG, since the normaliser cancels in L(n)/T."""
        return AlphaDiscountedGain(cutoff=self.cutoff, alpha=self.values["alpha"]).tail()


@catalogued
class TrecNRBP(TrecNovelty):
    """NRBP divided by the NRBP of an infinite ranking in which every document covers every judged aspect."""

    name = "trec-NRBP"
    summary = "sum of beta^(i-1) sum_t J (1 - alpha)^c, times (1 - (1 - alpha) beta) / number of judged aspects"
    default_cutoff = None
    declared = (ALPHA, BETA)
    claims = Claims(0.0, 1.0, monotone=True)

    def validate(self) -> None:
        """Check that the metric has a cutoff if beta = 1."""
        needs_cutoff_at_one(self, "beta")

    def discount(self) -> Discount:
        """Return the discount beta^(i-1)."""
        return Geometric(self.values["beta"])

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return NRBP divided by the NRBP of the infinite ranking with full coverage."""
        factor = a.number(1 - (1 - self.values["alpha"]) * self.values["beta"])
        return divide(self.total(a, a.integers(positive(grades))), _judged_aspects(a, pool)) * factor

    def tail(self) -> Tail | None:
        """Return the `Tail` of NRBP, since the normaliser cancels in L(n)/T."""
        return geometric_tail(self.values["beta"], 1 - self.values["alpha"])


@catalogued
class TrecNormalizedNRBP(TrecNRBP):
    """NRBP divided by the NRBP of the greedy ideal ranking.

    A cutoff truncates the ranking but not the ideal ranking, as with `ndeval -M`.
    """

    name = "trec-nNRBP"
    summary = "sum of beta^(i-1) sum_t J (1 - alpha)^c, divided by that of the greedy ideal; can exceed 1"
    claims = Claims(0.0, None, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return NRBP divided by the NRBP of the greedy ideal ranking of the whole pool."""
        ideal = greedy_ideal(a, a.integers(positive(pool)), self.values["alpha"])
        return divide(self.total(a, a.integers(positive(grades))), self.total(a, ideal))


@catalogued
class TrecAveragePrecisionIA(Metric):
    """The mean over judged aspects of AP on each aspect alone."""

    name = "trec-AP-IA"
    summary = "mean over judged aspects of AP on each aspect alone"
    source = _TOOL
    blanks = "nothing"
    binary_only = True
    claims = Claims(0.0, 1.0, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the mean over judged aspects of AP on each aspect alone."""
        base = AveragePrecision()
        per_aspect = divide(base.fold().total(a, grades), base.normaliser(a, pool))
        return divide(per_aspect.sum(axis=-1), _judged_aspects(a, pool))

    def tail(self) -> Tail:
        """Return the `Tail` of AP, which equals this metric on topics with one aspect."""
        return AveragePrecision().tail()


@catalogued
class TrecPrecisionIA(Metric):
    """The mean over judged aspects of P on each aspect alone."""

    name = "trec-P-IA"
    summary = "mean over judged aspects of P on each aspect alone"
    source = _TOOL
    blanks = "nothing"
    default_cutoff = 20
    binary_only = True
    claims = Claims(0.0, 1.0, monotone=True)

    def validate(self) -> None:
        """Check that there is a cutoff k, since P divides by k."""
        needs_cutoff(self)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the number of (document, aspect) hits, divided by k times the number of judged aspects."""
        assert self.cutoff is not None
        hits = a.integers(positive(grades).sum(axis=(-2, -1)))
        return divide(hits, _judged_aspects(a, pool)) * a.number(Fraction(1, self.cutoff))


@catalogued
class TrecSubtopicRecall(SubtopicRecall):
    """The fraction of judged aspects that the first k ranks cover."""

    name = "trec-S-Recall"
    summary = "number of aspects covered in the first k ranks, divided by the number of judged aspects"
    source = _TOOL

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the number of covered aspects divided by the number of judged aspects."""
        return divide(a.integers(positive(grades).any(axis=-2).sum(axis=-1)), _judged_aspects(a, pool))

"""Metrics of aspect coverage: S-Recall, S-RR, and the D-measures that combine coverage with a global gain."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from axiomcheck.arithmetic import Arithmetic, divide, positive, survival
from axiomcheck.discount import InverseLog, Reciprocal
from axiomcheck.metrics.adhoc import ideal_gain
from axiomcheck.metrics.base import Claims, Metric, Tail
from axiomcheck.metrics.parameters import Real
from axiomcheck.metrics.tails import log_growth_tail

__all__ = ["DMeasure", "DSharpMeasure", "SubtopicRecall", "SubtopicReciprocalRank"]

Array = Any

_ALWAYS_TIED = Tail("equal", 1, lambda n: 1.0, "both rankings cover the only aspect, so they tie at every n")


def _coverage(a: Arithmetic, grades: Array) -> Array:
    """The share of all m aspects that some document of the ranking is relevant to."""
    covered = positive(grades).any(axis=-2).sum(axis=-1)
    return a.integers(covered) * a.number(Fraction(1, grades.shape[-1]))


def _global_ndcg(a: Arithmetic, grades: Array, weights: Array, pool: Array, cutoff: int | None) -> Array:
    """NDCG of the global gain sum_t w(t) r(d, t)."""
    gain = (grades * weights[..., None, :]).sum(axis=-1)
    ideal = ideal_gain(a, (pool * weights[..., None, :]).sum(axis=-1), cutoff)
    return divide((gain * a.discounts(InverseLog(), gain.shape[-1])).sum(axis=-1), ideal)


class SubtopicRecall(Metric):
    """The share of aspects that the first k ranks cover."""

    name = "S-Recall"
    summary = "aspects covered in the first k ranks, divided by m"
    source = "Zhai et al. 2003"
    default_cutoff = 20
    binary_only = True
    claims = Claims(0.0, 1.0, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Covered aspects / all aspects."""
        return _coverage(a, grades)

    def tail(self) -> Tail:
        """Without a cutoff the two blocks always tie."""
        return _ALWAYS_TIED


class SubtopicReciprocalRank(Metric):
    """One over the rank at which every aspect is covered."""

    name = "S-RR@100%"
    summary = "1 / rank at which every aspect is covered; 0 if never"
    source = "Zhai et al. 2003"
    binary_only = True
    claims = Claims(0.0, 1.0, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The discount of the one rank at which coverage becomes complete."""
        hit = a.integers(positive(grades))
        open_before = survival(hit, axis=-2)
        complete_before = (1 - open_before).prod(axis=-1)
        complete_after = (1 - open_before * (1 - hit)).prod(axis=-1)
        return ((complete_after - complete_before) * a.discounts(Reciprocal(), grades.shape[-2])).sum(axis=-1)

    def tail(self) -> Tail:
        """With one aspect, that of RR."""
        return Tail("below", 1, lambda n: 1 / (n + 1), "L(n)/T = 1 / (n + 1) < 1")


class DMeasure(Metric):
    """nDCG of the global gain."""

    name = "D-nDCG"
    summary = "nDCG with the gain sum_t w(t) r(d, t) of each document"
    source = "Sakai et al. 2010"
    default_cutoff = 20
    claims = Claims(0.0, 1.0, ideal=True, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Global-gain DCG / ideal."""
        return _global_ndcg(a, grades, weights, pool, self.cutoff)

    def tail(self) -> Tail:
        """That of nDCG."""
        return log_growth_tail()


class DSharpMeasure(Metric):
    """D-nDCG mixed with S-Recall."""

    name = "D#-nDCG"
    summary = "lambda S-Recall + (1 - lambda) D-nDCG"
    source = "Sakai and Song 2011"
    default_cutoff = 20
    declared = (Real("lambda", Fraction(1, 2), "weight of S-Recall", low_open=False, high_open=False),)
    claims = Claims(0.0, 1.0, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The mixture."""
        mix = self.values["lambda"]
        breadth = _coverage(a, grades) * a.number(mix)
        return _global_ndcg(a, grades, weights, pool, self.cutoff) * a.number(1 - mix) + breadth

    def tail(self) -> Tail:
        """Both blocks cover the only aspect, so D-nDCG decides; at lambda = 1 nothing does."""
        return _ALWAYS_TIED if self.values["lambda"] == 1 else log_growth_tail()

"""Intent-aware metrics, which average an ad hoc metric over aspects (Amigo et al. 2018, section 4.2)."""

from __future__ import annotations

from typing import Any, ClassVar

from axiomcheck.core.typing import Array
from axiomcheck.metrics.adhoc import (
    AveragePrecision,
    DiscountedGain,
    ExpectedReciprocalRank,
    Precision,
    RankBiasedPrecision,
    ReciprocalRank,
)
from axiomcheck.metrics.base import Claims, FoldMetric, Metric, SingleAspectMetric, Tail, catalogued
from axiomcheck.metrics.fold import Fold
from axiomcheck.numbers.arithmetic import Arithmetic


class IntentAware(FoldMetric):
    """Base class for weighted means sum_t w(t) M_t of an ad hoc metric M, where M_t is its score on aspect t alone.

    The cutoff and the parameters are those of M.
    """

    base_class: ClassVar[type[SingleAspectMetric]]
    source = "Agrawal et al. 2009; Amigo et al. 2018, section 4.2"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        base = cls.base_class
        if "name" not in vars(cls):
            cls.name = f"{base.name}-IA"
        cls.summary = f"weighted mean over aspects of {base.name} on each aspect alone"
        cls.default_cutoff = base.default_cutoff
        cls.binary_only = base.binary_only
        cls.normalised = base.normalised
        # There may be no ranking that is ideal for all aspects at once.
        cls.claims = Claims(base.claims.low, base.claims.high, monotone=base.claims.monotone)
        cls.declared = tuple(p for p in base.declared if p is not SingleAspectMetric.aggregate)

    def validate(self) -> None:
        """Create M with the cutoff and the parameters, and raise InvalidInput if it does not accept them."""
        self.base = self.base_class(self.cutoff, **self.values)

    def at(self, values: dict[str, Any]) -> Metric:
        """Return a copy with other parameter values for the metric and for M; see `Metric.at`."""
        other = super().at(values)
        assert isinstance(other, IntentAware)
        base = self.base.at(values)
        assert isinstance(base, SingleAspectMetric)
        other.base = base
        return other

    def fold(self) -> Fold:
        """Return the fold of M."""
        return self.base.fold()

    def scale(self, aspects: int) -> Any:
        """Return the factor by which M multiplies its fold's total on one aspect."""
        return self.base.scale(1)

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the normaliser of M on each aspect: pool (..., P, m) -> (..., m)."""
        return self.base.normaliser(a, pool)

    def tail(self) -> Tail | None:
        """Return the `Tail` of M, which equals this metric on topics with one aspect."""
        return self.base.tail()


@catalogued
class PrecisionIA(IntentAware):
    """The mean of P over aspects, weighted by the aspects' weights."""

    base_class = Precision


@catalogued
class ReciprocalRankIA(IntentAware):
    """The mean of RR over aspects, weighted by the aspects' weights."""

    base_class = ReciprocalRank


@catalogued
class AveragePrecisionIA(IntentAware):
    """The mean of AP over aspects, weighted by the aspects' weights."""

    base_class = AveragePrecision


@catalogued
class DiscountedGainIA(IntentAware):
    """The mean of nDCG over aspects, weighted by the aspects' weights."""

    base_class = DiscountedGain


@catalogued
class ExpectedReciprocalRankIA(IntentAware):
    """The mean of ERR over aspects, weighted by the aspects' weights."""

    base_class = ExpectedReciprocalRank


@catalogued
class RankBiasedPrecisionIA(IntentAware):
    """The mean of RBP over aspects, weighted by the aspects' weights."""

    base_class = RankBiasedPrecision

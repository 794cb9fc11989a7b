"""Intent-aware metrics, which average an ad hoc metric over aspects (section 4.2)."""

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
    """Weighted mean sum_t w(t) M_t of a metric M over aspects, normalised per aspect.

    The cutoff and parameters have the same meaning as for M.
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
        # Possibly no ranking is ideal for all aspects at once.
        cls.claims = Claims(base.claims.low, base.claims.high, monotone=base.claims.monotone)
        cls.declared = tuple(p for p in base.declared if p is not SingleAspectMetric.aggregate)

    def validate(self) -> None:
        """Create the base metric M with the same cutoff and parameters, which also validates them."""
        self.base = self.base_class(self.cutoff, **self.values)

    def at(self, values: dict[str, Any]) -> Metric:
        """Return a copy of the metric with new parameter values, which also apply to its base metric."""
        other = super().at(values)
        assert isinstance(other, IntentAware)
        base = self.base.at(values)
        assert isinstance(base, SingleAspectMetric)
        other.base = base
        return other

    def fold(self) -> Fold:
        """Return the fold of the base metric."""
        return self.base.fold()

    def scale(self, aspects: int) -> Any:
        """Return the factor of the base metric's score."""
        return self.base.scale(1)

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the normaliser of the base metric on each aspect."""
        return self.base.normaliser(a, pool)

    def tail(self) -> Tail | None:
        """Return the `Tail` of the base metric, which equals this metric on one aspect."""
        return self.base.tail()


@catalogued
class PrecisionIA(IntentAware):
    """Intent-aware P."""

    base_class = Precision


@catalogued
class ReciprocalRankIA(IntentAware):
    """Intent-aware RR."""

    base_class = ReciprocalRank


@catalogued
class AveragePrecisionIA(IntentAware):
    """Intent-aware AP."""

    base_class = AveragePrecision


@catalogued
class DiscountedGainIA(IntentAware):
    """Intent-aware nDCG."""

    base_class = DiscountedGain


@catalogued
class ExpectedReciprocalRankIA(IntentAware):
    """Intent-aware ERR."""

    base_class = ExpectedReciprocalRank


@catalogued
class RankBiasedPrecisionIA(IntentAware):
    """Intent-aware RBP."""

    base_class = RankBiasedPrecision

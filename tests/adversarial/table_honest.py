"""Cells of honest metrics, with what they have to keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axiomcheck import Metric, as_metric
from axiomcheck.metrics.adhoc import Precision
from axiomcheck.metrics.coverage import DSharpMeasure
from axiomcheck.metrics.inst import Inst
from axiomcheck.metrics.intent_aware import DiscountedGainIA
from axiomcheck.metrics.stopping import StoppingPrecision
from tests.adversarial import honest_metrics as own
from tests.adversarial.adversarial_table import Honest


def named(function: Any) -> Callable[[], Metric]:
    return lambda: as_metric(function, getattr(function, "name", None) or getattr(function, "__name__", "object"))


def in_other_words(cls: type[Metric]) -> type[Metric]:
    """Return a metric of the catalogue whose summary only is another."""
    return type(f"{cls.__name__}InOtherWords", (cls,), {"summary": "the same in other words"})


def keeps(
    name: str, make: Callable[[], Metric], regime: str = "stated", weaker: str | None = None, **verdicts: str
) -> list[Honest]:
    """Return a metric's cells, by axiom."""
    suffix = "-finite" if regime == "finite" else ""
    return [Honest(f"{name}-{axiom}{suffix}", make, axiom, least, regime, weaker) for axiom, least in verdicts.items()]


HONEST = (
    *keeps("summary-rbp", own.RbpInOtherWords, Pri="proved", Deep="proved", DeepTh="proved", CloseTh="proved"),
    *keeps("summary-rbp", own.RbpInOtherWords, Pri="proved", DeepTh="proved", regime="finite"),
    *keeps(
        "summary-dsharp",
        in_other_words(DSharpMeasure),
        Pri="proved",
        DeepTh="proved",
        CloseTh="proved",
        AspDiv="proved",
    ),
    *keeps("summary-inst", in_other_words(Inst), DeepTh="proved", CloseTh="proved"),
    *keeps("summary-precision", in_other_words(Precision), DeepTh="proved", CloseTh="proved"),
    *keeps("summary-stopping", lambda: in_other_words(StoppingPrecision)(20), DeepTh="proved"),
    *keeps("summary-gain", in_other_words(DiscountedGainIA), Pri="proved", DeepTh="refuted", AspDiv="proved"),
    *keeps("mixin", own.GreetingRbp, Pri="proved", DeepTh="proved"),
    *keeps("attribute", own.NotedRbp, Pri="proved", DeepTh="proved"),
    *keeps("rbp-own-fold", own.RbpWithOwnFold, Pri="proved", Deep="proved", DeepTh="proved"),
    *keeps("own-step", own.OwnStep, Pri="refuted", Deep="proved", DeepTh="held", MRed="refuted"),
    *keeps("known-fold", own.KnownFold, Pri="refuted", Deep="proved", DeepTh="held"),
    *keeps("known-cascade", own.KnownCascade, Pri="proved", DeepTh="held", AspDiv="proved"),
    *keeps("with-cost", own.WithCost, Conf="proved"),
    *keeps("with-scale", own.WithScale, AspDiv="proved", weaker="held"),
    *keeps("pooled", own.Pooled, AspDiv="proved"),
    *keeps("inherited-normaliser", own.InheritedNormaliser, Pri="proved", Deep="proved"),
    *keeps("inherited-count", own.InheritedCount, Pri="proved"),
    *keeps("inherited-ideal", own.InheritedIdeal, AspDiv="proved"),
    *keeps("own-normaliser", own.OwnNormaliser, Pri="proved", weaker="held"),
    *keeps("other-utility", own.OtherUtility, Conf="proved", DeepTh="proved"),
    *keeps("other-effort", own.OtherEffort, Pri="refuted"),
    *keeps("own-discount", own.OwnDiscount, Pri="bounded"),
    *keeps("subclassed-discount", own.SubclassedDiscount, Pri="held"),
    *keeps("own-tail", own.OwnTail, DeepTh="held"),
    *keeps("binary-fold", own.BinaryFold, Pri="proved"),
    *keeps("function", named(own.patient), Pri="bounded", AspDiv="bounded", Deep="bounded"),
    *keeps("function", named(own.patient), Pri="bounded", regime="finite"),
    *keeps("remembered", named(own.remembered), Pri="bounded", regime="finite"),
    *keeps("per-relevant", named(own.per_relevant), Pri="bounded"),
    *keeps("top-ten", named(own.top_ten), Pri="bounded", DeepTh="held"),
    *keeps("hits", named(own.hits), Pri="bounded"),
    *keeps("dcg", named(own.dcg), Pri="held"),
    *keeps("callable", named(own.one_by_one), Pri="held"),
    *keeps("object", lambda: as_metric(own.Weighing("0.8"), "weighing"), Pri="bounded", regime="finite"),
)

"""Cells of honest metrics, with what they have to keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axiomcheck import Metric, as_metric
from tests.adversarial import honest_metrics as own
from tests.adversarial.adversarial_table import Honest


def named(function: Any) -> Callable[[], Metric]:
    return lambda: as_metric(function, getattr(function, "name", None) or getattr(function, "__name__", "object"))


HONEST = (
    Honest("summary-rbp-Pri", own.RbpInOtherWords, "Pri", "proved"),
    Honest("summary-rbp-Deep", own.RbpInOtherWords, "Deep", "proved"),
    Honest("summary-rbp-DeepTh", own.RbpInOtherWords, "DeepTh", "proved"),
    Honest("summary-rbp-CloseTh", own.RbpInOtherWords, "CloseTh", "proved"),
    Honest("summary-rbp-Pri-finite", own.RbpInOtherWords, "Pri", "proved", regime="finite"),
    Honest("summary-rbp-DeepTh-finite", own.RbpInOtherWords, "DeepTh", "proved", regime="finite"),
    Honest("summary-dsharp-Pri", own.DSharpInOtherWords, "Pri", "proved"),
    Honest("summary-dsharp-DeepTh", own.DSharpInOtherWords, "DeepTh", "proved"),
    Honest("summary-dsharp-CloseTh", own.DSharpInOtherWords, "CloseTh", "proved"),
    Honest("summary-dsharp-AspDiv", own.DSharpInOtherWords, "AspDiv", "proved"),
    Honest("summary-inst-DeepTh", own.InstInOtherWords, "DeepTh", "proved"),
    Honest("summary-inst-CloseTh", own.InstInOtherWords, "CloseTh", "proved"),
    Honest("summary-precision-DeepTh", own.PrecisionInOtherWords, "DeepTh", "proved"),
    Honest("summary-precision-CloseTh", own.PrecisionInOtherWords, "CloseTh", "proved"),
    Honest("summary-stopping-DeepTh", lambda: own.StoppingInOtherWords(20), "DeepTh", "proved"),
    Honest("summary-gain-Pri", own.GainInOtherWords, "Pri", "proved"),
    Honest("summary-gain-DeepTh", own.GainInOtherWords, "DeepTh", "refuted"),
    Honest("summary-gain-AspDiv", own.GainInOtherWords, "AspDiv", "proved"),
    Honest("mixin-Pri", own.GreetingRbp, "Pri", "proved"),
    Honest("mixin-DeepTh", own.GreetingRbp, "DeepTh", "proved"),
    Honest("attribute-Pri", own.NotedRbp, "Pri", "proved"),
    Honest("attribute-DeepTh", own.NotedRbp, "DeepTh", "proved"),
    Honest("rbp-own-fold-Pri", own.RbpWithOwnFold, "Pri", "proved"),
    Honest("rbp-own-fold-Deep", own.RbpWithOwnFold, "Deep", "proved"),
    Honest("rbp-own-fold-DeepTh", own.RbpWithOwnFold, "DeepTh", "proved"),
    Honest("own-step-Pri", own.OwnStep, "Pri", "refuted"),
    Honest("own-step-Deep", own.OwnStep, "Deep", "proved"),
    Honest("own-step-DeepTh", own.OwnStep, "DeepTh", "held"),
    Honest("own-step-MRed", own.OwnStep, "MRed", "refuted"),
    Honest("known-fold-Pri", own.KnownFold, "Pri", "refuted"),
    Honest("known-fold-Deep", own.KnownFold, "Deep", "proved"),
    Honest("known-fold-DeepTh", own.KnownFold, "DeepTh", "held"),
    Honest("known-cascade-Pri", own.KnownCascade, "Pri", "proved"),
    Honest("known-cascade-DeepTh", own.KnownCascade, "DeepTh", "held"),
    Honest("known-cascade-AspDiv", own.KnownCascade, "AspDiv", "proved"),
    Honest("with-cost-Conf", own.WithCost, "Conf", "proved"),
    Honest("with-scale-AspDiv", own.WithScale, "AspDiv", "proved", weaker="held"),
    Honest("pooled-AspDiv", own.Pooled, "AspDiv", "proved"),
    Honest("inherited-normaliser-Pri", own.InheritedNormaliser, "Pri", "proved"),
    Honest("inherited-normaliser-Deep", own.InheritedNormaliser, "Deep", "proved"),
    Honest("inherited-count-Pri", own.InheritedCount, "Pri", "proved"),
    Honest("inherited-ideal-AspDiv", own.InheritedIdeal, "AspDiv", "proved"),
    Honest("own-normaliser-Pri", own.OwnNormaliser, "Pri", "proved", weaker="held"),
    Honest("other-utility-Conf", own.OtherUtility, "Conf", "proved"),
    Honest("other-utility-DeepTh", own.OtherUtility, "DeepTh", "proved"),
    Honest("other-effort-Pri", own.OtherEffort, "Pri", "refuted"),
    Honest("own-discount-Pri", own.OwnDiscount, "Pri", "bounded"),
    Honest("subclassed-discount-Pri", own.SubclassedDiscount, "Pri", "held"),
    Honest("own-tail-DeepTh", own.OwnTail, "DeepTh", "held"),
    Honest("binary-fold-Pri", own.BinaryFold, "Pri", "proved"),
    Honest("function-Pri", named(own.patient), "Pri", "bounded"),
    Honest("function-AspDiv", named(own.patient), "AspDiv", "bounded"),
    Honest("function-Deep", named(own.patient), "Deep", "bounded"),
    Honest("function-Pri-finite", named(own.patient), "Pri", "bounded", regime="finite"),
    Honest("remembered-Pri", named(own.remembered), "Pri", "bounded", regime="finite"),
    Honest("per-relevant-Pri", named(own.per_relevant), "Pri", "bounded"),
    Honest("top-ten-Pri", named(own.top_ten), "Pri", "bounded"),
    Honest("top-ten-DeepTh", named(own.top_ten), "DeepTh", "held"),
    Honest("hits-Pri", named(own.hits), "Pri", "bounded"),
    Honest("dcg-Pri", named(own.dcg), "Pri", "held"),
    Honest("callable-Pri", named(own.one_by_one), "Pri", "held"),
    Honest("object-Pri", lambda: as_metric(own.Weighing("0.8"), "weighing"), "Pri", "bounded", regime="finite"),
)

"""List the measures of ir_measures that metrics of the catalogue are, and the instances where they are.

Every line of the tables was run: the tests score witnesses with the tool and hold its scores to the metric's. A measure
that ir_measures normalises otherwise is in neither table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.core.domain import Instance, Topic
from axiomcheck.decide.comparison import judge
from axiomcheck.metrics import Metric
from axiomcheck.metrics.adhoc import (
    AveragePrecision,
    DiscountedGain,
    ExpectedReciprocalRank,
    Precision,
    RankBiasedPrecision,
    ReciprocalRank,
)
from axiomcheck.metrics.base import SingleAspectMetric
from axiomcheck.metrics.coverage import DMeasure, SubtopicRecall, SubtopicReciprocalRank
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.metrics.trec import (
    TrecAlphaDCG,
    TrecAlphaNDCG,
    TrecAveragePrecisionIA,
    TrecExpectedReciprocalRankIA,
    TrecNormalizedExpectedReciprocalRankIA,
    TrecNormalizedNRBP,
    TrecNRBP,
    TrecPrecisionIA,
    TrecSubtopicRecall,
)
from axiomcheck.reports.bundle.instance import ScoredInstance, pairs_of
from axiomcheck.reports.bundle.trec import TrecFiles, aspects_form, documents_form, intents_form

DEEPEST = 20
"""The last rank that ndeval looks at, NRBP and AP-IA excepted."""

_DEFAULTS = {"alpha": 0.5, "beta": 0.5, "p": 0.8}
"""Parameters that ir_measures leaves out of the names that it prints."""


@dataclass(frozen=True)
class Part:
    """One measure of ir_measures on one form of an instance.

    Args:
        measure: as it is typed and printed.
        files: judgments and runs.
        why: why the measure is the metric here, in words.

    """

    measure: str
    files: TrecFiles
    why: str


def _spelled(name: str, cutoff: int | None = None, **parameters: Fraction | int) -> str:
    """Return a measure as ir_measures writes it."""
    shown = [
        f"{key}={value if isinstance(value, int) else float(value)!r}"
        for key, value in parameters.items()
        if key not in _DEFAULTS or float(value) != _DEFAULTS[key]
    ]
    return name + (f"({','.join(shown)})" if shown else "") + (f"@{cutoff}" if cutoff is not None else "")


# Metrics of one aspect: what each is on documents with one gain


@dataclass(frozen=True)
class AdHoc:
    """A metric of one aspect in ir_measures.

    Args:
        metric: its class.
        measure: what it is called there.
        spelled: the measure with its parameters.
        where: on which instances, in words.
        suits: whether an instance is one, told its positive gains and the length of its longer ranking.

    """

    metric: type[SingleAspectMetric]
    measure: str
    spelled: Callable[[Metric], str]
    where: str = "on every instance"
    suits: Callable[[Metric, frozenset[Fraction], int], bool] = lambda metric, gains, longest: True


def _is_uncut(metric: Metric, longest: int) -> bool:
    return metric.cutoff is None or metric.cutoff >= longest


AD_HOC: tuple[AdHoc, ...] = (
    AdHoc(Precision, "P@k", lambda m: _spelled("P", m.cutoff)),
    AdHoc(ReciprocalRank, "RR@k", lambda m: _spelled("RR", m.cutoff)),
    AdHoc(AveragePrecision, "AP@k", lambda m: _spelled("AP", m.cutoff)),
    AdHoc(DiscountedGain, "nDCG@k", lambda m: _spelled("nDCG", m.cutoff)),
    AdHoc(
        ExpectedReciprocalRank,
        "RR@k",
        lambda m: _spelled("RR", m.cutoff),
        "where no grade is between 0 and 1: whoever finds a relevant document stops",
        lambda m, gains, longest: gains <= {1},
    ),
    AdHoc(
        RankBiasedPrecision,
        "RBP(p, rel=1)",
        lambda m: _spelled("RBP", p=m.values["p"], rel=1),
        "where no grade is between 0 and 1 and no rank is beyond the cutoff",
        lambda m, gains, longest: gains <= {1} and _is_uncut(m, longest) and m.values["p"] < 1,
    ),
)


def _ad_hoc(
    base: Metric, shown: ScoredInstance, files: TrecFiles | None, gains: Iterable[Fraction], why: str
) -> Part | None:
    """Return the measure that a metric of one aspect is on files, where it is one."""
    positive = frozenset(gain for gain in gains if gain)
    for line in AD_HOC:
        if files is not None and type(base) is line.metric and line.suits(base, positive, shown.longest):
            conditions = "" if line.where == "on every instance" else f", {line.where}"
            return Part(line.spelled(base), files, f"{why}{line.measure} of ir_measures is {base.name}{conditions}")
    return None


def _of_gains(base: Metric, shown: ScoredInstance, gains: dict[str, Fraction], why: str) -> Part | None:
    """Return the measure that a metric of one aspect is on documents with one gain each."""
    stem = "gains" if len(shown.instance.topic.weights) > 1 else ""
    return _ad_hoc(base, shown, documents_form(stem, shown.instance, gains), gains.values(), why)


# Metrics of several aspects


@dataclass(frozen=True)
class Aspects:
    """Metrics of several aspects in ir_measures.

    Args:
        metrics: their classes.
        measure: what they are called there.
        where: on which instances, in words.
        part: the call; None where the instance is none of those.

    """

    metrics: tuple[type[Metric], ...]
    measure: str
    where: str
    part: Callable[[Metric, ScoredInstance], Part | None]


_NDEVAL: dict[type[Metric], str] = {
    TrecExpectedReciprocalRankIA: "ERR_IA",
    TrecNormalizedExpectedReciprocalRankIA: "nERR_IA",
    TrecAlphaDCG: "alpha_DCG",
    TrecAlphaNDCG: "alpha_nDCG",
    TrecNRBP: "NRBP",
    TrecNormalizedNRBP: "nNRBP",
    TrecAveragePrecisionIA: "AP_IA",
    TrecPrecisionIA: "P_IA",
    TrecSubtopicRecall: "StRecall",
}
_GREEDY = (TrecAlphaNDCG, TrecNormalizedExpectedReciprocalRankIA, TrecNormalizedNRBP)
"""The measures that are divided by a greedy ideal, which the order of ties may change."""


def _as_ndeval_prints(metric: Metric, shown: ScoredInstance) -> Part | None:
    """Return the measure of ndeval that a metric of TREC is."""
    name, k = _NDEVAL[type(metric)], metric.cutoff
    if isinstance(metric, _GREEDY) and not _has_one_ideal(metric, shown):
        return None
    given = {key: metric.values[key] for key in ("alpha", "beta") if key in metric.values}
    if name in ("NRBP", "nNRBP", "AP_IA"):
        undefined = name == "nNRBP" and not _positive(shown.instance)  # ndeval says that it is not a number
        if undefined or not _is_uncut(metric, shown.longest):
            return None
        k = None
    elif k is None or k > DEEPEST:
        return None
    elif name in ("ERR_IA", "nERR_IA") and float(given.pop("alpha")) != _DEFAULTS["alpha"]:
        return None  # it has no parameter there
    why = f"{name}{'' if k is None else '@k'} of ir_measures is {metric.name}"
    return Part(_spelled(name, k, **given), aspects_form(shown.instance), why)


def _has_one_ideal(metric: Metric, shown: ScoredInstance) -> bool:
    """Tell whether the scores are the same where ties of the ideal go to the name that sorts last, as in ndeval."""
    instance = shown.instance
    pool = dict(sorted(instance.topic.pool.items(), reverse=True))
    again = judge(metric, pairs_of(Instance(Topic(instance.topic.weights, pool), instance.worse, instance.better)))
    return (again.worse, again.better) == (shown.worse, shown.better)


def _positive(instance: Instance) -> frozenset[Fraction]:
    return frozenset(grade for grades in instance.topic.pool.values() for grade in grades if grade)


def _recall(metric: Metric, shown: ScoredInstance) -> Part | None:
    """Return StRecall, which leaves out aspects without a relevant document, where every aspect has one."""
    k = metric.cutoff if metric.cutoff is not None and metric.cutoff <= DEEPEST else DEEPEST
    seen = all(any(column) for column in zip(*shown.instance.topic.pool.values(), strict=True))
    if not seen or (k != metric.cutoff and shown.longest > DEEPEST):
        return None
    return Part(_spelled("StRecall", k), aspects_form(shown.instance), "StRecall@k is S-Recall")


def _intents(metric: Metric, shown: ScoredInstance) -> Part | None:
    """Return the mean over aspects of the ad hoc metric, each aspect a topic."""
    assert isinstance(metric, IntentAware)
    instance = shown.instance
    if len(instance.topic.weights) == 1:
        return _only_aspect(metric.base, shown)
    why = "each aspect is a topic, once for every unit of its weight, and the mean over topics is intent-aware; "
    return _ad_hoc(metric.base, shown, intents_form(instance), _positive(instance), why)


def _only_aspect(base: Metric, shown: ScoredInstance) -> Part | None:
    """Return what a metric is where there is one aspect."""
    if len(shown.instance.topic.weights) > 1:
        return None
    gains = {name: grades[0] for name, grades in shown.instance.topic.pool.items()}
    return _of_gains(base, shown, gains, "there is one aspect; ")


def _global_gain(metric: Metric, shown: ScoredInstance) -> Part | None:
    """Return nDCG of documents whose gain is the weighted sum of their grades."""
    topic = shown.instance.topic
    gains = {
        name: sum((w * g for w, g in zip(topic.weights, grades, strict=True)), Fraction(0))
        for name, grades in topic.pool.items()
    }
    why = "a document's gain is the weighted sum of its grades; " if len(topic.weights) > 1 else ""
    return _of_gains(DiscountedGain(metric.cutoff), shown, gains, why)


ASPECTS: tuple[Aspects, ...] = (
    Aspects(
        tuple(_NDEVAL),
        "ERR_IA@k, nERR_IA@k, alpha_DCG@k, alpha_nDCG@k, NRBP, nNRBP, AP_IA, P_IA@k, StRecall@k",
        f"k up to {DEEPEST}, alpha = 0.5 in ERR_IA and nERR_IA; where the order of ties does not change a greedy ideal",
        _as_ndeval_prints,
    ),
    Aspects(
        (SubtopicRecall,),
        "StRecall@k",
        f"where every aspect has a relevant document, and no rank beyond {DEEPEST} counts",
        _recall,
    ),
    Aspects((DMeasure,), "nDCG@k of the global gain", "on every instance", _global_gain),
    Aspects(
        (SubtopicReciprocalRank,),
        "RR@k",
        "where there is one aspect",
        lambda metric, shown: _only_aspect(ReciprocalRank(metric.cutoff), shown),
    ),
    Aspects(
        tuple(IntentAware.__subclasses__()),
        "the ad hoc measure",
        "each aspect a topic, as often as its weight says; on the instances of the ad hoc metric",
        _intents,
    ),
)


def parts_of(metric: Metric, shown: ScoredInstance) -> Iterator[Part]:
    """Yield every way that the tables have to show both scores of an instance."""
    if any(type(metric) is line.metric for line in AD_HOC):
        gains = {name: max(grades) for name, grades in shown.instance.topic.pool.items()}
        several = len(shown.instance.topic.weights) > 1
        why = "a document's grade is the largest over aspects; " if several else ""
        if (part := _of_gains(metric, shown, gains, why)) is not None:
            yield part
    for entry in ASPECTS:
        if type(metric) in entry.metrics and (part := entry.part(metric, shown)) is not None:
            yield part


def where_known(metric: Metric) -> str:
    """Return the measures that the tables have for a metric, and where; empty where they have none."""
    known = [f"{line.measure} {line.where}" for line in AD_HOC if type(metric) is line.metric]
    known += [f"{entry.measure} {entry.where}" for entry in ASPECTS if type(metric) in entry.metrics]
    return "; ".join(known)

"""Tables of the measures of ir_measures that metrics of the catalogue are, and of the instances where they are.

Every line of the two tables was run: the tests score witnesses with the tool and hold its scores to these. A measure
that ir_measures normalises otherwise is in neither table, but for a plain fraction, which the bundle states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from axiomcheck.core.domain import Instance
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
from axiomcheck.metrics.inst import Inst
from axiomcheck.metrics.intent_aware import AveragePrecisionIA, IntentAware, PrecisionIA
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
from axiomcheck.reports.bundle.instance import ScoredInstance
from axiomcheck.reports.bundle.trec import LEVELS, TrecFiles, aspects_form, documents_form, intents_form

DEEPEST = 20
"""The last rank that ndeval looks at, NRBP and AP-IA excepted."""

_DEFAULTS = {"alpha": 0.5, "beta": 0.5, "p": 0.8, "T": 1.0}
"""Parameters that ir_measures leaves out of the names that it prints."""


@dataclass(frozen=True)
class Part:
    """One measure of ir_measures on one form of an instance, before anything is scored.

    Args:
        measure: as it is typed and printed.
        files: judgments and runs.
        factor: the metric's score is so many times what is printed.
        why: why the measure is the metric here, in words.
        prints: the metric whose scores the measure prints.
        grade: what grades are divided by for it.
        coarse: whether the tool rounds to five digits.

    """

    measure: str
    files: TrecFiles
    prints: Metric
    factor: Fraction
    why: str
    grade: Fraction = Fraction(1)
    coarse: bool = False


def _spelled(name: str, cutoff: int | None = None, **parameters: Any) -> str:
    """A measure as ir_measures writes it."""
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
        where: on which instances, in words.
        suits: whether an instance is one, told its positive gains and the length of its longer ranking.
        spelled: the measure with its parameters.
        scale: whether judgments are multiples of a step, or gdeval.pl's levels.
        linear: whether the score is the only positive gain times what is printed.

    """

    metric: type[SingleAspectMetric | Inst]
    measure: str
    where: str
    suits: Callable[[Metric, frozenset[Fraction], int], bool]
    spelled: Callable[[Metric], str]
    scale: Literal["steps", "levels"] = "steps"
    linear: bool = False


def _always(metric: Metric, gains: frozenset[Fraction], longest: int) -> bool:
    return True


def _uncut(metric: Metric, longest: int) -> bool:
    return metric.cutoff is None or metric.cutoff >= longest


AD_HOC: tuple[AdHoc, ...] = (
    AdHoc(Precision, "P@k", "on every instance", _always, lambda m: _spelled("P", m.cutoff)),
    AdHoc(ReciprocalRank, "RR@k", "on every instance", _always, lambda m: _spelled("RR", m.cutoff)),
    AdHoc(AveragePrecision, "AP@k", "on every instance", _always, lambda m: _spelled("AP", m.cutoff)),
    AdHoc(DiscountedGain, "nDCG@k", "on every instance", _always, lambda m: _spelled("nDCG", m.cutoff)),
    AdHoc(
        ExpectedReciprocalRank,
        "RR@k",
        "where no grade is between 0 and 1: whoever finds a relevant document stops",
        lambda m, gains, longest: gains <= {1},
        lambda m: _spelled("RR", m.cutoff),
    ),
    AdHoc(
        ExpectedReciprocalRank,
        "ERR@k",
        "where all grades are among 0, 1/16, 3/16, 7/16 and 15/16, those of gdeval.pl",
        lambda m, gains, longest: gains <= LEVELS.keys() and m.cutoff is not None,
        lambda m: _spelled("ERR", m.cutoff),
        scale="levels",
    ),
    AdHoc(
        RankBiasedPrecision,
        "RBP(p, rel=1)",
        "where all positive grades are equal and no rank is beyond the cutoff",
        lambda m, gains, longest: len(gains) < 2 and _uncut(m, longest) and m.values["p"] < 1,
        lambda m: _spelled("RBP", p=m.values["p"], rel=1),
        linear=True,
    ),
    AdHoc(
        Inst,
        "INST(T, max_rel=1)",
        "where nothing that is judged is relevant: cwl-eval fills rankings up to 1000 ranks, which counts else",
        lambda m, gains, longest: not gains,
        lambda m: _spelled("INST", T=m.values["T"], max_rel=1),
    ),
)


def _ad_hoc(
    metric: Metric,
    base: Metric,
    shown: ScoredInstance,
    form: Callable[[bool], TrecFiles | None],
    gains: Iterable[Fraction],
    why: str,
) -> Part | None:
    positive = frozenset(gain for gain in gains if gain)
    for line in AD_HOC:
        if type(base) is line.metric and line.suits(base, positive, shown.longest):
            files = form(line.scale == "levels")
            if files is not None:
                factor = max(positive, default=Fraction(1)) if line.linear else Fraction(1)
                conditions = "" if line.where == "on every instance" else f", {line.where}"
                told = f"{why}{line.measure} of ir_measures is {base.name}{conditions}"
                return Part(line.spelled(base), files, metric, factor, told, factor, line.scale == "levels")
    return None


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


def _is_uniform(instance: Instance) -> bool:
    return len(set(instance.topic.weights)) == 1


def _judged_aspects(instance: Instance) -> int:
    return sum(any(column) for column in zip(*instance.topic.pool.values(), strict=True))


def _positive(instance: Instance) -> frozenset[Fraction]:
    return frozenset(grade for grades in instance.topic.pool.values() for grade in grades if grade)


def _depth(metric: Metric, shown: ScoredInstance) -> int | None:
    """A cutoff that ndeval knows, and that the rankings do not tell from the metric's."""
    if metric.cutoff is not None and metric.cutoff <= DEEPEST:
        return metric.cutoff
    return DEEPEST if shown.longest <= DEEPEST else None


def _in_ndeval(measure: str, prints: Metric, shown: ScoredInstance, factor: Fraction, why: str) -> Part:
    return Part(measure, aspects_form(shown.instance), prints, factor, why)


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


GREEDY = (TrecAlphaNDCG, TrecNormalizedExpectedReciprocalRankIA, TrecNormalizedNRBP)
"""What is divided by a greedy ideal, which the order of ties may change."""


def _as_ndeval_prints(metric: Metric, shown: ScoredInstance) -> Part | None:
    """The TREC forms."""
    name = _NDEVAL[type(metric)]
    alpha = metric.values.get("alpha", Fraction(1, 2))
    if name in ("NRBP", "nNRBP", "AP_IA"):
        undefined = name == "nNRBP" and not _positive(shown.instance)  # ndeval says that it is not a number
        if undefined or not _uncut(metric, shown.longest):
            return None
        given = {} if name == "AP_IA" else {"alpha": alpha, "beta": metric.values["beta"]}
        return _in_ndeval(
            _spelled(name, **given), metric, shown, Fraction(1), f"{name} of ir_measures is {metric.name}"
        )
    if metric.cutoff is None or metric.cutoff > DEEPEST:
        return None
    if name in ("ERR_IA", "nERR_IA") and float(alpha) != _DEFAULTS["alpha"]:  # no parameter there
        return None
    given = {"alpha": alpha} if name in ("alpha_DCG", "alpha_nDCG") else {}
    why = f"{name}@k of ir_measures is {metric.name}"
    return _in_ndeval(_spelled(name, metric.cutoff, **given), metric, shown, Fraction(1), why)


def _mean_over_judged(metric: Metric, shown: ScoredInstance) -> Part | None:
    """P-IA, AP-IA and S-Recall: ndeval takes the mean over the aspects with a relevant document, all weighing alike."""
    instance = shown.instance
    m, judged = len(instance.topic.weights), _judged_aspects(instance)
    if m == 1 and isinstance(metric, IntentAware):
        return None
    if isinstance(metric, IntentAware) and not _is_uniform(instance):
        return None
    factor = Fraction(judged, m) if judged else Fraction(1)
    if isinstance(metric, SubtopicRecall):
        k = _depth(metric, shown)
        if k is None:
            return None
        return _in_ndeval(_spelled("StRecall", k), TrecSubtopicRecall(k), shown, factor, "StRecall@k is S-Recall")
    if isinstance(metric, AveragePrecisionIA) and metric.cutoff is None:
        return _in_ndeval("AP_IA", TrecAveragePrecisionIA(), shown, factor, "AP_IA is AP-IA of aspects of one weight")
    k = metric.cutoff
    if isinstance(metric, PrecisionIA) and k is not None and k <= DEEPEST:
        why = "P_IA@k is P-IA of aspects of one weight"
        return _in_ndeval(_spelled("P_IA", k), TrecPrecisionIA(k), shown, factor, why)
    return None


def _intents(metric: Metric, shown: ScoredInstance) -> Part | None:
    """The mean over aspects of the ad hoc metric, each aspect a topic."""
    assert isinstance(metric, IntentAware)
    instance = shown.instance
    if len(instance.topic.weights) == 1:
        return _only_aspect(metric, metric.base, shown)
    why = "each aspect is a topic, once for every unit of its weight, and the mean over topics is intent-aware; "
    return _ad_hoc(metric, metric.base, shown, lambda levels: intents_form(instance, levels), _positive(instance), why)


def _only_aspect(metric: Metric, base: Metric, shown: ScoredInstance) -> Part | None:
    """What a metric is where there is one aspect."""
    gains = {name: grades[0] for name, grades in shown.instance.topic.pool.items()}
    return _of_gains("", metric, base, shown, gains, "there is one aspect; ")


def _of_gains(
    stem: str, metric: Metric, base: Metric, shown: ScoredInstance, gains: dict[str, Fraction], why: str
) -> Part | None:
    def form(levels: bool) -> TrecFiles | None:
        return documents_form("levels" if levels else stem, shown.instance, gains, levels)

    return _ad_hoc(metric, base, shown, form, gains.values(), why)


def _global_gain(metric: Metric, shown: ScoredInstance) -> Part | None:
    topic = shown.instance.topic
    gains = {
        name: sum((w * g for w, g in zip(topic.weights, grades, strict=True)), Fraction(0))
        for name, grades in topic.pool.items()
    }
    why = "a document's gain is the weighted sum of its grades; " if len(topic.weights) > 1 else ""
    stem = "gains" if len(topic.weights) > 1 else ""
    return _of_gains(stem, metric, DiscountedGain(metric.cutoff), shown, gains, why)


_OF_ONE_WEIGHT = "where all aspects weigh alike; ndeval takes the mean over those with a relevant document"
_TOPICS = "each aspect a topic, as often as its weight says; on the instances of the ad hoc metric"

ASPECTS: tuple[Aspects, ...] = (
    Aspects(
        tuple(_NDEVAL),
        "ERR_IA@k, nERR_IA@k, alpha_DCG@k, alpha_nDCG@k, NRBP, nNRBP, AP_IA, P_IA@k, StRecall@k",
        f"k up to {DEEPEST}, alpha = 0.5 in ERR_IA and nERR_IA; where the order of ties does not change a greedy ideal",
        _as_ndeval_prints,
    ),
    Aspects((SubtopicRecall,), "StRecall@k", f"no rank beyond {DEEPEST} counts", _mean_over_judged),
    Aspects((DMeasure,), "nDCG@k of the global gain", "on every instance", _global_gain),
    Aspects(
        (SubtopicReciprocalRank,),
        "RR@k",
        "where there is one aspect",
        lambda m, s: _only_aspect(m, ReciprocalRank(m.cutoff), s) if len(s.instance.topic.weights) == 1 else None,
    ),
    Aspects((PrecisionIA, AveragePrecisionIA), "P_IA@k, AP_IA", _OF_ONE_WEIGHT, _mean_over_judged),
    Aspects(tuple(IntentAware.__subclasses__()), "the ad hoc measure", _TOPICS, _intents),
)


def parts_of(metric: Metric, shown: ScoredInstance) -> Iterator[Part]:
    """Yield every way that the tables have to show both scores of an instance."""
    if any(type(metric) is line.metric for line in AD_HOC):
        gains = {name: max(grades) for name, grades in shown.instance.topic.pool.items()}
        stem = "gains" if len(shown.instance.topic.weights) > 1 else ""
        why = "a document's grade is the largest over aspects; " if stem else ""
        part = _of_gains(stem, metric, metric, shown, gains, why)
        if part is not None:
            yield part
    for entry in ASPECTS:
        if type(metric) in entry.metrics and (part := entry.part(metric, shown)) is not None:
            yield part


def where_known(metric: Metric) -> str:
    """The measures that the tables have for a metric, and where; empty where they have none."""
    known = [f"{line.measure} {line.where}" for line in AD_HOC if type(metric) is line.metric]
    known += [f"{entry.measure} {entry.where}" for entry in ASPECTS if type(metric) in entry.metrics]
    return "; ".join(known)

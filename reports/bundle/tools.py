"""Find the call of ir_measures that prints the two scores of a pair of rankings.

The tests run every entry of the table with the tool. Measures that the tool normalises differently are not in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.core.domain import Instance, Ranking
from axiomcheck.metrics import Metric
from axiomcheck.metrics.adhoc import AveragePrecision, DiscountedGain, Precision, ReciprocalRank
from axiomcheck.metrics.trec import (
    TrecAlphaDCG,
    TrecAveragePrecisionIA,
    TrecExpectedReciprocalRankIA,
    TrecNRBP,
    TrecPrecisionIA,
    TrecSubtopicRecall,
)
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.provenance import is_genuine

MEASURES: dict[type[Metric], str] = {
    Precision: "P",
    ReciprocalRank: "RR",
    AveragePrecision: "AP",
    DiscountedGain: "nDCG",
    TrecExpectedReciprocalRankIA: "ERR_IA",
    TrecAlphaDCG: "alpha_DCG",
    TrecNRBP: "NRBP",
    TrecAveragePrecisionIA: "AP_IA",
    TrecPrecisionIA: "P_IA",
    TrecSubtopicRecall: "StRecall",
}
"""Measures of ir_measures that are equal to metrics: the first four on topics of one aspect."""

_ONE_ASPECT = ("P", "RR", "AP", "nDCG")
_WITHOUT_CUTOFF = ("NRBP", "AP_IA")

_DEEPEST = 20
"""Last rank that ndeval evaluates, except for NRBP and AP_IA."""

_DEFAULTS = {"alpha": 0.5, "beta": 0.5}
"""Parameter values that ir_measures omits from the measure names it prints."""

_MOST_GRADE = 127
"""Largest judgment that trec_eval is documented to accept."""

_PLACES, _PLACES_OF_GDEVAL = 6, 5


@dataclass(frozen=True)
class Judgments:
    """Judgments of one topic in TREC's format.

    Args:
        qrels: Lines ``topic aspect document grade``.
        says: Sentence on the meaning of a grade in them.

    """

    qrels: str
    says: str


@dataclass(frozen=True)
class ToolCall:
    """Measure of ir_measures, with its scores of two runs.

    Args:
        measure: Name of the measure, as it is typed and printed.
        places: Number of decimal places to print.
        worse, better: Printed scores of the two runs.
        provider: Provider that computes the measure; empty for the default of ir_measures.

    """

    measure: str
    places: int
    worse: str
    better: str
    provider: str = ""

    @property
    def commands(self) -> tuple[str, str]:
        """Command lines for the worse run and for the better run."""
        end = f"-p {self.places}" + (f" --provider {self.provider}" if self.provider else "")
        first, second = (f'ir_measures qrels.txt {run}.run "{self.measure}" {end}' for run in ("worse", "better"))
        return first, second


def run_text(ranking: Ranking, tag: str) -> str:
    """Return a run with one ranking, by decreasing scores without ties."""
    ranked = enumerate(ranking, start=1)
    return "".join(f"1 Q0 {name} {rank} {len(ranking) - rank + 1} {tag}\n" for rank, name in ranked)


def judgments_of(metric: Metric, instance: Instance) -> Judgments:
    """Return the judgments of an instance; those of a measure of ir_measures are what its adapter passes to it."""
    pool, several = instance.topic.pool, len(instance.topic.weights) > 1
    step = _step(instance)
    says = "grades are as they are" if step == 1 else f"a grade g stands for g * {step}"
    integers: Mapping[str, list[int]] = {name: [int(g / step) for g in grades] for name, grades in pool.items()}
    if isinstance(metric, LibraryMetric) and metric.package == "ir_measures":
        from axiomcheck.sources.adapters.ir_measures_adapter import IrMeasure  # imports ir_measures

        assert isinstance(metric, IrMeasure)
        several, says = metric.per_aspect, metric.abilities.notes[1]
        integers = {name: [metric.judgments.of(float(g)) for g in grades] for name, grades in pool.items()}
    lines = [
        f"1 {aspect + 1 if several else 0} {name} {grades[aspect]}\n"
        for aspect in range(len(instance.topic.weights))
        for name, grades in integers.items()
    ]
    return Judgments("".join(lines), says)


def tool_call(metric: Metric, instance: Instance, worse: str, better: str, kind: str) -> ToolCall | str:
    """Return the call of ir_measures that prints two scores, or the reason why there is none.

    Args:
        metric: Metric of the scores.
        instance: Instance, whose judgments are those of `judgments_of`.
        worse: Score of the ranking that has to be behind.
        better: Score of the ranking that has to be ahead.
        kind: Kind of the violation.

    """
    places, provider = _PLACES, ""
    if isinstance(metric, LibraryMetric) and metric.package == "ir_measures":
        from axiomcheck.sources.adapters.ir_measures_adapter import IrMeasure  # imports ir_measures

        assert isinstance(metric, IrMeasure)
        name: str | None = str(metric.parsed)
        provider, places = metric.provider_named, _PLACES_OF_GDEVAL if metric.rounding else _PLACES
    else:
        name = _measure(metric, instance)
    if name is None:
        return f"No measure of ir_measures is known to be {metric.name} on this topic."
    first, second = (f"{float(Fraction(score)):.{places}f}" for score in (worse, better))
    # A smaller difference could become a tie when the printed scores are rounded.
    if kind != "tie" and float(first) - float(second) <= 1.01 * 10.0**-places:
        return "ir_measures has the metric, and the two scores differ by less than shows in what it prints."
    return ToolCall(name, places, first, second, provider)


def _measure(metric: Metric, instance: Instance) -> str | None:
    """Return the measure that is equal to a metric of the catalogue on a topic; None if there is none."""
    name, k = MEASURES.get(type(metric)), metric.cutoff
    if name is None or not is_genuine(metric):
        return None
    if name in _ONE_ASPECT:
        most = max(grade for grades in instance.topic.pool.values() for grade in grades)
        if len(instance.topic.weights) > 1 or most / _step(instance) > _MOST_GRADE:
            return None
        return name if k is None else f"{name}@{k}"
    given = {key: float(metric.values[key]) for key in _DEFAULTS if key in metric.values}
    if name in _WITHOUT_CUTOFF:
        if k is not None and k < max(len(instance.worse), len(instance.better)):
            return None
        k = None
    elif k is None or k > _DEEPEST or (name == "ERR_IA" and given.pop("alpha") != _DEFAULTS["alpha"]):
        return None
    inside = ",".join(f"{key}={value!r}" for key, value in given.items() if value != _DEFAULTS[key])
    return name + (f"({inside})" if inside else "") + ("" if k is None else f"@{k}")


def _step(instance: Instance) -> Fraction:
    """Return the largest number of which all grades are multiples; 1 if all grades are 0."""
    positive = [grade for grades in instance.topic.pool.values() for grade in grades if grade]
    if not positive:
        return Fraction(1)
    return Fraction(math.gcd(*(g.numerator for g in positive)), math.lcm(*(g.denominator for g in positive)))

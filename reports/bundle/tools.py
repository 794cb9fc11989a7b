"""Find the call of ir_measures that shows an instance: its measure, its TREC files and the scores that it prints.

The tests run every entry of the tables with the tool. Measures that the tool normalises differently are in neither
table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from axiomcheck.core.domain import Instance, Ranking, Topic
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
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.provenance import is_genuine

AD_HOC: dict[type[Metric], str] = {
    Precision: "P",
    ReciprocalRank: "RR",
    AveragePrecision: "AP",
    DiscountedGain: "nDCG",
    ExpectedReciprocalRank: "RR",
    RankBiasedPrecision: "RBP",
}
"""Measures of ir_measures that are equal to metrics of one aspect, which may be the base of intent-aware metrics."""

NDEVAL: dict[type[Metric], str] = {
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
"""Measures of ndeval that are equal to TREC metrics."""

_GREEDY = (TrecAlphaNDCG, TrecNormalizedExpectedReciprocalRankIA, TrecNormalizedNRBP)
"""Measures that are divided by a greedy ideal, which may depend on the order of tied documents."""

_DEEPEST = 20
"""Last rank that ndeval evaluates, except for NRBP and AP-IA."""

_DEFAULTS = {"alpha": 0.5, "beta": 0.5, "p": 0.8}
"""Parameter values that ir_measures omits from the measure names it prints."""

_MOST_GRADE = 127
"""Largest judgment that trec_eval is documented to accept."""

_MOST_TOPICS = 99
"""Maximum number of topics that represent the aspects of one topic."""

_PLACES, _PLACES_OF_GDEVAL = (6, 9, 12), (5,)
"""Decimal places to try in turn, until the printed scores differ."""


@dataclass(frozen=True)
class TrecFiles:
    """TREC files that represent an instance.

    Args:
        stem: Prefix of the file names; empty for the unmodified instance.
        qrels: Lines ``topic aspect document grade``.
        topics: Topics of the files, each with both rankings.
        says: Sentence on the meaning of a judgment.

    """

    stem: str
    qrels: str
    topics: tuple[str, ...]
    says: str

    @property
    def names(self) -> tuple[str, str, str]:
        """File names of the judgments, the worse run and the better run; forms with a single topic share their runs."""
        qrels = f"{self.stem}.qrels" if self.stem else "qrels.txt"
        runs = f"{self.stem}-" if len(self.topics) > 1 else ""
        return qrels, f"{runs}worse.run", f"{runs}better.run"

    def contents(self, instance: Instance) -> dict[str, str]:
        """Return the contents of the files of an instance, by file name."""
        qrels, worse, better = self.names
        runs = {worse: self._run(instance.worse, "worse"), better: self._run(instance.better, "better")}
        return {qrels: self.qrels, **runs}

    def _run(self, ranking: Ranking, tag: str) -> str:
        """Return a run with one ranking for each topic, by decreasing scores without ties."""
        return "".join(
            f"{topic} Q0 {name} {rank} {len(ranking) - rank + 1} {tag}\n"
            for topic in self.topics
            for rank, name in enumerate(ranking, start=1)
        )


def _step(grades: Iterable[Fraction]) -> Fraction:
    """Return the largest number of which all grades are multiples; 1 if all grades are 0."""
    positive = [grade for grade in grades if grade]
    if not positive:
        return Fraction(1)
    return Fraction(math.gcd(*(g.numerator for g in positive)), math.lcm(*(g.denominator for g in positive)))


def _by_aspect(instance: Instance) -> list[dict[str, Fraction]]:
    """Return a dictionary from documents to grades for each aspect."""
    pool = instance.topic.pool
    return [{name: grades[aspect] for name, grades in pool.items()} for aspect in range(len(instance.topic.weights))]


def _form(stem: str, judged: Mapping[tuple[str, int], Mapping[str, Fraction]]) -> TrecFiles:
    """Return the files for grades given by (topic, aspect), written as integer multiples of a step."""
    step = _step(grade for grades in judged.values() for grade in grades.values())
    qrels = (
        f"{topic} {aspect} {name} {grade / step}\n"
        for (topic, aspect), grades in judged.items()
        for name, grade in grades.items()
    )
    says = "grades are as they are" if step == 1 else f"a grade g stands for g * {step}"
    return TrecFiles(stem, "".join(qrels), tuple(dict.fromkeys(topic for topic, _ in judged)), says)


def aspects_form(instance: Instance) -> TrecFiles:
    """Return the unmodified instance as one topic, whose grades are listed by aspect if there are several."""
    first = 1 if len(instance.topic.weights) > 1 else 0
    return _form("", {("1", aspect): grades for aspect, grades in enumerate(_by_aspect(instance), first)})


def intents_form(instance: Instance) -> TrecFiles | None:
    """Return files with separate topics for each aspect, whose plain mean equals the weighted mean over aspects.

    The result is None if the tools accept no integers that represent the grades, or if too many topics would be needed.
    An instance of one aspect is returned unmodified.
    """
    weights, aspects = instance.topic.weights, _by_aspect(instance)
    step, positive = _step(weights), _positive(instance)
    if 1 / step > _MOST_TOPICS or max(positive, default=Fraction(0)) / _step(positive) > _MOST_GRADE:
        return None
    if len(weights) == 1:
        return aspects_form(instance)
    copies = [(t, copy) for t, weight in enumerate(weights) for copy in range(1, int(weight / step) + 1)]
    return _form("intents", {(f"{t + 1}{copy:02d}", 0): aspects[t] for t, copy in copies})  # topics 201, 202: aspect 2


def _positive(instance: Instance) -> frozenset[Fraction]:
    return frozenset(grade for grades in instance.topic.pool.values() for grade in grades if grade)


@dataclass(frozen=True)
class ToolCall:
    """A measure of ir_measures on one form of an instance.

    Args:
        measure: Name of the measure, as it is typed and printed.
        files: Judgments and runs.
        provider: Provider that computes the measure; empty for the default of ir_measures.
        places: Number of decimal places to print.
        worse, better: Printed scores of the two runs.

    """

    measure: str
    files: TrecFiles
    provider: str = ""
    places: int = 0
    worse: str = ""
    better: str = ""

    @property
    def commands(self) -> tuple[str, str]:
        """Command lines for the worse run and for the better run."""
        qrels, worse, better = self.files.names
        end = f"-p {self.places}" + (f" --provider {self.provider}" if self.provider else "")
        first, second = (f'ir_measures {qrels} {run} "{self.measure}" {end}' for run in (worse, better))
        return first, second


def tool_call(metric: Metric, shown: ScoredInstance) -> ToolCall | str:
    """Return the call of ir_measures that prints both scores of an instance, or the reason why there is none."""
    places: tuple[int, ...] = _PLACES
    if isinstance(metric, LibraryMetric) and metric.package == "ir_measures":
        call, rounded = _of_itself(metric, shown)
        places = _PLACES_OF_GDEVAL if rounded else _PLACES
    elif not is_genuine(metric):
        return "The metric is none of axiomcheck's catalogue, so that nothing is known of its like in other tools."
    elif shown.of_distributions:
        return "The metric compares distributions of scores, which no measure of ir_measures does."
    elif type(metric) not in (*AD_HOC, *NDEVAL) and not isinstance(metric, IntentAware):
        return f"ir_measures has no measure that is known to be {metric.name}."
    else:
        found = _ndeval(metric, shown) if type(metric) in NDEVAL else _ad_hoc(metric, shown)
        if found is None:
            return "ir_measures has the metric on other instances only; docs/how-to/bundle.md says on which."
        call = found
    worse, better = (float(Fraction(score)) for score in (shown.worse, shown.better))
    for digits in places:
        texts = f"{worse:.{digits}f}", f"{better:.{digits}f}"
        # A smaller difference could become a tie when the printed scores are rounded.
        if shown.kind == "tie" or float(texts[0]) - float(texts[1]) > 1.01 * 10.0**-digits:
            return replace(call, places=digits, worse=texts[0], better=texts[1])
    return "ir_measures has the metric, and the two scores differ by less than shows in what it prints."


def _of_itself(metric: LibraryMetric, shown: ScoredInstance) -> tuple[ToolCall, bool]:
    """Return the call for an ir_measures metric on its adapter's judgments, and whether its scores are rounded."""
    from axiomcheck.sources.adapters.ir_measures_adapter import IrMeasure  # imports ir_measures

    assert isinstance(metric, IrMeasure)
    lines = [
        f"1 {aspect if metric.per_aspect else 0} {name} {metric.judgments.of(float(grade))}\n"
        for aspect, grades in enumerate(_by_aspect(shown.instance), start=1)
        for name, grade in grades.items()
    ]
    files = TrecFiles("judged", "".join(lines), ("1",), metric.abilities.notes[1])
    return ToolCall(str(metric.parsed), files, metric.provider_named), bool(metric.rounding)


def _ad_hoc(metric: Metric, shown: ScoredInstance) -> ToolCall | None:
    """Return the call for a metric of one aspect or an intent-aware metric; None if no measure fits the instance."""
    base = metric.base if isinstance(metric, IntentAware) else metric
    files = intents_form(shown.instance)
    several = len(shown.instance.topic.weights) > 1
    if files is None or type(base) not in AD_HOC or (several and base is metric):
        return None
    graded = not _positive(shown.instance) <= {1}
    if isinstance(base, RankBiasedPrecision):
        if graded or base.values["p"] >= 1 or not _is_uncut(base, shown):
            return None
        return ToolCall(_spelled("RBP", p=base.values["p"], rel=1), files)
    if isinstance(base, ExpectedReciprocalRank) and graded:
        return None  # ERR is equal to RR only if all positive grades are 1
    return ToolCall(_spelled(AD_HOC[type(base)], base.cutoff), files)


def _ndeval(metric: Metric, shown: ScoredInstance) -> ToolCall | None:
    """Return the call of ndeval for a TREC metric; None if its measure does not fit the instance."""
    name, k = NDEVAL[type(metric)], metric.cutoff
    if isinstance(metric, _GREEDY) and not _has_one_ideal(metric, shown):
        return None
    given = {key: metric.values[key] for key in ("alpha", "beta") if key in metric.values}
    if name in ("NRBP", "nNRBP", "AP_IA"):
        undefined = name == "nNRBP" and not _positive(shown.instance)  # ndeval prints NaN
        if undefined or not _is_uncut(metric, shown):
            return None
        k = None
    elif k is None or k > _DEEPEST:
        return None
    elif name in ("ERR_IA", "nERR_IA") and float(given.pop("alpha")) != _DEFAULTS["alpha"]:
        return None  # the measure has no parameter alpha
    return ToolCall(_spelled(name, k, **given), aspects_form(shown.instance))


def _is_uncut(metric: Metric, shown: ScoredInstance) -> bool:
    longest = max(len(shown.instance.worse), len(shown.instance.better))
    return metric.cutoff is None or metric.cutoff >= longest


def _has_one_ideal(metric: Metric, shown: ScoredInstance) -> bool:
    """Return True if the scores stay equal when ties in the ideal are broken by the last name, as in ndeval."""
    instance = shown.instance
    pool = dict(sorted(instance.topic.pool.items(), reverse=True))
    again = judge(metric, pairs_of(Instance(Topic(instance.topic.weights, pool), instance.worse, instance.better)))
    return (again.worse, again.better) == (shown.worse, shown.better)


def _spelled(name: str, cutoff: int | None = None, **parameters: Fraction | int) -> str:
    """Return the name of a measure in the spelling of ir_measures."""
    shown = [
        f"{key}={value if isinstance(value, int) else float(value)!r}"
        for key, value in parameters.items()
        if key not in _DEFAULTS or float(value) != _DEFAULTS[key]
    ]
    return name + (f"({','.join(shown)})" if shown else "") + (f"@{cutoff}" if cutoff is not None else "")

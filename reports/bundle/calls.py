"""Find the call of ir_measures that shows both scores of an instance, with what it prints."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from axiomcheck.core.domain import Instance, Topic
from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.decide.comparison import judge
from axiomcheck.metrics import Metric
from axiomcheck.reports.bundle.instance import ScoredInstance, pairs_of
from axiomcheck.reports.bundle.measures import GREEDY, Part, parts_of, where_known
from axiomcheck.reports.bundle.trec import TOPIC, TrecFiles, aspects_form
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.provenance import is_genuine

LIBRARIES = "pytrec_eval (trec_eval), pyndeval (ndeval), cwl-eval and gdeval.pl"
"""What ir_measures computes its measures by, that was looked at."""

_PLACES = (6, 9, 12)
_PLACES_OF_GDEVAL = 5
"""For a topic; the mean of topics that were rounded so has one less."""

_ROUNDING = 1e-11

_PACKAGE = "ir_measures"


@dataclass(frozen=True)
class ToolCall:
    """One measure of ir_measures on one form of an instance.

    Args:
        measure: as it is typed and printed.
        files: judgments and runs.
        places: digits after the point that are asked for.
        worse, better: what is printed for the two runs.
        factor: the metric's score is so many times what is printed.
        why: why the measure is the metric here, in words.
        provider: what is to compute it; empty where ir_measures picks one.

    """

    measure: str
    files: TrecFiles
    places: int
    worse: str
    better: str
    factor: Fraction
    why: str
    provider: str = ""

    @property
    def commands(self) -> tuple[str, str]:
        """The command line for the worse run, and for the better one."""
        qrels, worse, better = self.files.names
        end = f"-p {self.places}" + (f" --provider {self.provider}" if self.provider else "")
        first, second = (f'ir_measures {qrels} {run} "{self.measure}" {end}' for run in (worse, better))
        return first, second

    @property
    def relation(self) -> str:
        """How the metric's scores follow from what is printed, in a sentence."""
        if self.factor == 1:
            return f"These are the scores above: {self.why}."
        return f"The scores above are {self.factor} times what is printed: {self.why}."


def tool_call(metric: Metric, shown: ScoredInstance) -> ToolCall | None:
    """Return the call of ir_measures that shows both scores of an instance; None where there is none.

    Raises:
        InternalDisagreement: the tables say what the scores contradict.

    """
    if isinstance(metric, LibraryMetric) and metric.package == _PACKAGE:
        return _of_itself(metric, shown)
    if shown.of_distributions or not is_genuine(metric):
        return None
    calls = (_scored(part, metric, shown) for part in parts_of(metric, shown))
    return next((call for call in calls if call is not None), None)


def _of_itself(metric: LibraryMetric, shown: ScoredInstance) -> ToolCall | None:
    """A measure of ir_measures on the judgments that the adapter makes of grades."""
    from axiomcheck.sources.adapters.ir_measures_adapter import IrMeasure  # it imports ir_measures, as the metric did

    assert isinstance(metric, IrMeasure)
    aspects = len(shown.instance.topic.weights)
    pool = shown.instance.topic.pool
    judged = {name: [metric.judgments.of(float(grade)) for grade in grades] for name, grades in pool.items()}
    lines = [
        f"{TOPIC} {t + 1 if metric.per_aspect else 0} {name} {judged[name][t]}\n"
        for t in range(aspects)
        for name in pool
    ]
    plain = aspects_form(shown.instance)
    files = replace(plain, stem="judged", qrels="".join(lines), says=metric.abilities.notes[1])
    worse, better = float(shown.worse), float(shown.better)
    for places in (_PLACES_OF_GDEVAL,) if metric.rounding else _PLACES:
        texts = f"{worse:.{places}f}", f"{better:.{places}f}"
        why = f"the metric is this measure of {metric.library}"
        call = ToolCall(str(metric.parsed), files, places, *texts, Fraction(1), why, metric.provider_named)
        if shown.kind == "tie" or _shows(call):
            return call
    return None


def _scored(part: Part, metric: Metric, shown: ScoredInstance) -> ToolCall | None:
    """Return a call with what it prints; None where the outcome does not show in the digits that there are."""
    exact = _printed(part, metric, shown)
    for printed, said in zip(exact, (shown.worse, shown.better), strict=True):
        score, total = float(_value(said)), float(part.factor * printed)
        if not math.isclose(total, score, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
            if isinstance(part.prints, GREEDY):
                return None  # the greedy ideal of the other order of ties is another one
            raise InternalDisagreement(f"{shown.axiom}: {part.measure} is said to give {score}, not {total}")
    worse, better = map(float, exact)
    for places in (_PLACES_OF_GDEVAL - (part.files.topics > 1),) if part.coarse else _PLACES:
        texts = f"{worse:.{places}f}", f"{better:.{places}f}"
        call = ToolCall(part.measure, part.files, places, *texts, part.factor, part.why)
        if shown.kind == "tie" or _shows(call):
            return call
    return None


def _printed(part: Part, metric: Metric, shown: ScoredInstance) -> tuple[Fraction, Fraction]:
    """What the measure says of both rankings, exactly or to many digits."""
    greedy = isinstance(part.prints, GREEDY)
    if part.prints == metric and part.grade == 1 and not greedy:
        return _value(shown.worse), _value(shown.better)
    topic = shown.instance.topic
    pool = {name: [grade / part.grade for grade in grades] for name, grades in topic.pool.items()}
    if greedy:  # where gains tie, ndeval's ideal takes the name that sorts last
        pool = dict(sorted(pool.items(), reverse=True))
    instance = Instance(Topic(topic.weights, pool), shown.instance.worse, shown.instance.better)
    judged = judge(part.prints, pairs_of(instance))
    return _value(judged.worse), _value(judged.better)


def _shows(call: ToolCall) -> bool:
    """Tell whether the worse run is ahead by more than what rounding what is printed could make of a tie."""
    return float(call.worse) - float(call.better) > 1.01 * 10.0**-call.places


def _value(text: str) -> Fraction:
    """A score as it is written: an exact fraction, or decimals."""
    return Fraction(text)


def reason_without(metric: Metric, shown: ScoredInstance) -> str:
    """Why there is no call of a tool, in words."""
    if shown.of_distributions:
        return "The metric compares distributions of scores, which no measure of ir_measures does."
    known = where_known(metric)
    if not known:
        return f"ir_measures has no measure that is {metric.name}; those of {LIBRARIES} were looked through."
    if any(not isinstance(part.prints, GREEDY) for part in parts_of(metric, shown)):
        return "ir_measures has the metric, and the two scores differ by less than shows in what it prints."
    return f"ir_measures has the metric on other instances only ({known})."

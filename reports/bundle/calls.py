"""Find the call of ir_measures that shows both scores of an instance, with what it prints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from axiomcheck.metrics import Metric
from axiomcheck.reports.bundle.instance import ScoredInstance
from axiomcheck.reports.bundle.measures import Part, parts_of, where_known
from axiomcheck.reports.bundle.trec import TOPIC, TrecFiles, aspects_form
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.provenance import is_genuine

LIBRARIES = "pytrec_eval (trec_eval), pyndeval (ndeval) and cwl-eval"
"""The libraries that ir_measures computes its measures by, that were looked at."""

_PLACES = (6, 9, 12)
_PLACES_OF_GDEVAL = (5,)
"""Digits after the point that are asked for, the first of these that tell the scores apart."""


@dataclass(frozen=True)
class ToolCall:
    """One measure of ir_measures on one form of an instance.

    Args:
        measure: as it is typed and printed.
        files: judgments and runs.
        places: digits after the point that are asked for.
        worse, better: what is printed for the two runs.
        why: why the measure is the metric here, in words.
        provider: what is to compute it; empty where ir_measures picks one.

    """

    measure: str
    files: TrecFiles
    places: int
    worse: str
    better: str
    why: str
    provider: str = ""

    @property
    def commands(self) -> tuple[str, str]:
        """The command line for the worse run, and for the better one."""
        qrels, worse, better = self.files.names
        end = f"-p {self.places}" + (f" --provider {self.provider}" if self.provider else "")
        first, second = (f'ir_measures {qrels} {run} "{self.measure}" {end}' for run in (worse, better))
        return first, second


def tool_call(metric: Metric, shown: ScoredInstance) -> ToolCall | None:
    """Return the call of ir_measures that shows both scores of an instance; None where there is none."""
    if isinstance(metric, LibraryMetric) and metric.package == "ir_measures":
        return _of_itself(metric, shown)
    if shown.of_distributions or not is_genuine(metric):
        return None
    calls = (_printed(part, _PLACES, shown) for part in parts_of(metric, shown))
    return next((call for call in calls if call is not None), None)


def _of_itself(metric: LibraryMetric, shown: ScoredInstance) -> ToolCall | None:
    """Return the call of a measure of ir_measures, on the judgments that the adapter makes of grades."""
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
    says = metric.abilities.notes[1]
    files = replace(aspects_form(shown.instance), stem="judged", qrels="".join(lines), says=says)
    part = Part(str(metric.parsed), files, f"the metric is this measure of {metric.library}")
    call = _printed(part, _PLACES_OF_GDEVAL if metric.rounding else _PLACES, shown)
    return None if call is None else replace(call, provider=metric.provider_named)


def _printed(part: Part, places: tuple[int, ...], shown: ScoredInstance) -> ToolCall | None:
    """Return a call with what it prints; None where the outcome does not show in the digits that there are."""
    worse, better = _number(shown.worse), _number(shown.better)
    for digits in places:
        texts = f"{worse:.{digits}f}", f"{better:.{digits}f}"
        # Rounding what is printed could make a tie of no more than this.
        if shown.kind == "tie" or float(texts[0]) - float(texts[1]) > 1.01 * 10.0**-digits:
            return ToolCall(part.measure, part.files, digits, *texts, part.why)
    return None


def _number(score: str) -> float:
    """Return a score as a number: it is written as an exact fraction, or in decimals."""
    return float(Fraction(score))


def reason_without(metric: Metric, shown: ScoredInstance) -> str:
    """Return why there is no call of a tool, in words."""
    if shown.of_distributions:
        return "The metric compares distributions of scores, which no measure of ir_measures does."
    known = where_known(metric)
    if not known:
        return f"ir_measures has no measure that is {metric.name}; those of {LIBRARIES} were looked through."
    if any(True for _ in parts_of(metric, shown)):
        return "ir_measures has the metric, and the two scores differ by less than shows in what it prints."
    return f"ir_measures has the metric on other instances only ({known})."

"""Parse the names of metrics and measures that score runs, including how they map integer grades to [0, 1].

Names may have two parameters that concern integer grades, which metrics themselves do not receive. ``rel=2`` in
``AP(rel=2)@100`` makes documents of grade 2 or more fully relevant and all others not relevant, as in ir_measures.
``gain=exponential`` in ``nDCG(gain=exponential)@10`` maps grades for this metric alone. trec_eval's names, such as
``ndcg_cut_10``, are translated to axiomcheck's.
"""

from __future__ import annotations

import contextlib
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, get_args

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics.base import MOST_RANKS, Metric
from axiomcheck.metrics.catalogue import parse
from axiomcheck.metrics.inst import InstUpper
from axiomcheck.metrics.spelling import Spelling, spelled
from axiomcheck.runs.trec import trec_names
from axiomcheck.runs.trec.library_measures import LibraryMeasure, library_measure
from axiomcheck.runs.trec.rankings import Gain
from axiomcheck.runs.trec.residuals import is_modelled
from axiomcheck.sources.names import Home, read_name
from axiomcheck.sources.provenance import check_name, each_once


class GradeMap(NamedTuple):
    """Mapping of grades to numbers in [0, 1]; see `axiomcheck.runs.trec.rankings.gains_of`."""

    gain: Gain
    level: int | None


@dataclass(frozen=True)
class Measure:
    """Metric or ir_measures measure that scores runs, with the mapping of grades that its name states.

    Args:
        scorer: Metric that computes the scores, or measure that ir_measures computes.
        rel: Minimum relevant grade in the name; None to use `Options.level`.
        gain: Mapping of grades in the name; None to use `Options.gain`.
        typed: trec_eval's name for the measure if the user typed that name, else empty.

    """

    scorer: Metric | LibraryMeasure
    rel: int | None = None
    gain: Gain | None = None
    typed: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """Canonical name of the metric or measure, with ``rel`` and ``gain`` among its parameters if they are set."""
        text = str(self.scorer)
        more = [f"rel={self.rel}"] if self.rel is not None else []
        more += [f"gain={self.gain}"] if self.gain is not None else []
        if not more:
            return text
        said = spelled(text)
        assert said is not None
        inside = ", ".join([said.inside, *more] if said.inside else more)
        return f"{said.name}({inside})" + ("" if said.after is None else f"@{said.after}")

    def __str__(self) -> str:
        return self.name

    @property
    def is_binary(self) -> bool:
        """True if the measure only distinguishes relevant from non-relevant grades."""
        return isinstance(self.scorer, LibraryMeasure) or self.scorer.binary_only

    @property
    def takes_level(self) -> bool:
        """True if `Options.level` sets the minimum relevant grade, because the measure is binary and states none."""
        if isinstance(self.scorer, LibraryMeasure):
            return self.scorer.takes_level
        return self.scorer.binary_only and self.rel is None

    def level(self, default: int) -> int:
        """Return the minimum relevant grade: as in the name, else ``default`` for binary measures and 1 for others."""
        if isinstance(self.scorer, LibraryMeasure):
            return self.scorer.level(default)
        return self.rel or (default if self.is_binary else 1)

    @cached_property
    def uses_user_model(self) -> bool:
        """True if the metric's user model computes the scores of runs (`residuals.evaluate_all`)."""
        return isinstance(self.scorer, Metric) and is_modelled(self.scorer)

    @property
    def has_residual(self) -> bool:
        """True if the measure has a residual. INST's upper bound has none, because it already includes a residual."""
        return self.uses_user_model and not isinstance(self.scorer, InstUpper)

    def reading(self, level: int, gain: Gain) -> GradeMap:
        """Return the measure's grade mapping.

        Args:
            level: Minimum relevant grade, for binary measures that do not set one.
            gain: Mapping of grades, for measures that do not set one.

        """
        gain = self.gain or gain
        if self.rel is not None:
            return GradeMap(gain, self.rel)
        # use a level to test for positive grades, as gains with 2^-gmax may underflow to 0
        return GradeMap(gain, level if self.is_binary and (level > 1 or gain != "linear") else None)


def measures_asked(given: Iterable[Any]) -> tuple[list[Measure], list[str]]:
    """Parse names as `measures_named` does, after expanding families of trec_eval measures such as ``official``.

    Returns:
        The measures, and a note on each family that includes measures that are not computed here.

    Raises:
        InvalidInput: See `measures_named`.

    """
    names: list[Any] = []
    notes = []
    for one in given:
        if not isinstance(one, str) or not trec_names.is_family(one):
            names.append(one)
            continue
        members, others = trec_names.expanded(one)
        names += members
        if others:
            notes.append(f"{one} includes measures that are not computed here: {', '.join(others)}")
    return measures_named(names), notes


def measures_named(given: Iterable[Any]) -> list[Measure]:
    """Convert names and objects to metrics and ir_measures measures, without duplicates.

    Args:
        given: Names, metrics, or objects that `axiomcheck.sources.function_metrics.as_metric` accepts.

    Raises:
        InvalidInput: A name or object is not a metric, a metric comes from a library that scores runs itself, a metric
            gives no score, two different metrics have the same name, an external metric has the name of a catalogue
            metric, ``rel`` is not an integer of at least 1, or ``gain`` is unknown.

    """
    named = [(one, _as_measure(one)) for one in given]
    for _, measure in named:
        if isinstance(measure.scorer, Metric):
            check_name(measure.scorer)
    found = list(each_once((measure.name, one, measure) for one, measure in named).values())
    _check_some([measure.scorer for measure in found])
    typed = {measure.name: measure.typed for _, measure in named if measure.typed}
    return [replace(measure, typed=typed.get(measure.name, "")) for measure in found]


def _check_some(found: list[Any]) -> None:
    for metric in found:
        if isinstance(metric, Metric) and metric.partial:
            raise InvalidInput(f"{metric} orders rankings but gives no scores, so it cannot score runs")
    if not found:
        raise InvalidInput("no metric was given; expected at least one, such as nDCG@20")


def _as_measure(given: Any) -> Measure:
    if isinstance(given, Measure):
        return given
    if not isinstance(given, str):
        return Measure(_as_metric(given))
    ours = trec_names.ours(given) if read_name(given).home is Home.CATALOGUE else None
    return _as_spelled(given) if ours is None else replace(_as_spelled(ours), typed=given)


def _as_spelled(given: str) -> Measure:
    said = spelled(given)
    if said is None:
        return Measure(_as_metric(given))
    in_catalogue = read_name(given).home is Home.CATALOGUE
    if in_catalogue and (measure := library_measure(said)) is not None:
        return Measure(measure)
    about_grades, rest = _split_grade_parameters(said, in_catalogue)
    metric = _as_metric(rest.text)
    if any(parameter.name in about_grades for parameter in metric.declared):
        return Measure(_as_metric(given))  # the metric has a parameter of that name
    return _measure_with(metric, given, **about_grades)


def _split_grade_parameters(said: Spelling, in_catalogue: bool) -> tuple[dict[str, str], Spelling]:
    """Split a name into its parameters ``rel`` and ``gain``, and the name without them."""
    given = said.parameters() if said.inside else {}
    if in_catalogue and "dcg" in given:
        names = "instead of dcg='exp-log2', write gain=exponential; instead of dcg='log2', gain=linear"
        raise InvalidInput(f"{said.text}: dcg is a parameter of ir_measures; {names}")
    mine = {key: given.pop(key) for key in list(given) if key in ("rel", "gain")}
    if not mine:
        return {}, said
    inside = ", ".join(f"{key}={value}" for key, value in given.items())
    text = said.name + (f"({inside})" if inside else "") + ("" if said.after is None else f"@{said.after}")
    return mine, Spelling(text, said.name, inside, said.after)


def _measure_with(scorer: Metric, text: str, rel: str | None = None, gain: str | None = None) -> Measure:
    """Combine a metric with the values of ``rel`` and ``gain`` in its name ``text``.

    Raises:
        InvalidInput: A value is out of range, or has no effect.

    """
    if rel is not None and not (rel.isascii() and rel.isdecimal() and 1 <= int(rel) < MOST_RANKS):
        raise InvalidInput(f"{text}: rel={rel}; expected an integer of at least 1")
    if gain is not None and gain not in get_args(Gain):
        raise InvalidInput(f"{text}: gain={gain}; expected {' or '.join(get_args(Gain))}")
    found = Measure(scorer, None if rel is None else int(rel), gain)  # type: ignore[arg-type]
    if gain is not None and (rel is not None or found.is_binary):
        raise InvalidInput(f"{text}: the metric only tests whether a document is relevant; omit gain")
    return found


def _as_metric(given: Any) -> Metric:
    if isinstance(given, Metric):
        return given
    if not isinstance(given, str):
        if not callable(given):
            wanted = "a name such as nDCG@20, a function, or a Metric"
            raise InvalidInput(f"{reprlib.repr(given)} is not a metric; expected {wanted}")
        from axiomcheck.sources.function_metrics import as_metric  # lazy: catalogue names need no user code

        return as_metric(given)
    home = read_name(given).home
    if home is Home.LIBRARY:
        raise InvalidInput(
            f"{given} is a library measure, which cannot score runs here; expected a catalogue metric or one of your "
            f"own"
        )
    if home is Home.CATALOGUE:
        with contextlib.suppress(UnknownName):
            return parse(trec_names.ours(given) or given)
    from axiomcheck.sources.resolve import resolve  # also for unknown names: the message says more

    return resolve(given)

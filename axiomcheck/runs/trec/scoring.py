"""Score runs against judgments, topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.inst import InstUpper
from axiomcheck.runs.trec import notes
from axiomcheck.runs.trec.library_measures import LibraryMeasure, library_scores
from axiomcheck.runs.trec.lines import shown_text, source_name, text_of
from axiomcheck.runs.trec.measures import GradeMap, Measure
from axiomcheck.runs.trec.qrels import Qrels
from axiomcheck.runs.trec.rankings import (
    MOST_HIGHEST,
    Gain,
    Highest,
    JudgedTopic,
    Ranking,
    gains_of,
    ordered_documents,
    rankings_of,
    score_all,
)
from axiomcheck.runs.trec.residuals import evaluate_all
from axiomcheck.runs.trec.runs import Run, Ties

Unjudged = Literal["nonrelevant", "skip"]

TOGETHER = 1000
"""Number of topics per batch."""


@dataclass(frozen=True)
class Options:
    """Options for scoring runs.

    Args:
        ties: Tie-breaking rule, one of `axiomcheck.runs.trec.TIES`.
        unjudged: Treatment of documents without a judgment: not relevant, or left out of the ranking.
        gain: Mapping of a grade g to a number in [0, 1]: g / gmax, or (2^g - 1) / 2^gmax.
        highest: gmax, as a number that is at least the largest grade in the judgments, or as the scope whose largest
            grade is gmax: the whole file, the topic, or each aspect of the topic.
        complete: True to count judged topics that are missing from a run as 0 in its mean.
        level: Minimum relevant grade, for binary metrics whose names have no ``rel``.
        depth: Maximum length of a ranking, which is also the last rank that users can reach for metrics that set no
            limit themselves; None for no limit.

    """

    ties: Ties = "trec_eval"
    unjudged: Unjudged = "nonrelevant"
    gain: Gain = "linear"
    highest: Highest = "file"
    complete: bool = False
    level: int = 1
    depth: int | None = None

    def __post_init__(self) -> None:
        whole = type(self.highest) is int and 1 <= self.highest <= MOST_HIGHEST
        if not whole and self.highest not in ("file", "topic", "aspect"):
            wanted = f"file, topic, aspect, or an integer from 1 to {MOST_HIGHEST}"
            raise InvalidInput(f"gmax {self.highest!r}: expected {wanted}")


@dataclass(frozen=True)
class Scores:
    """Scores of one run.

    Args:
        mean: Mean score over the topics of ``per_topic``, by metric.
        per_topic: Scores by topic and then by metric, with topics in the order of the judgments.
        residual: Mean residual by metric, for metrics that have residuals. A residual is the increase in the score if
            all unjudged documents, in the ranking and beyond its end, were relevant.
        residual_per_topic: Residuals by topic and then by metric.
        unscored: Topics of the run without judgments, which have no score.
        missing: Judged topics that are missing from the run; they are left out of the mean, or count as 0 if requested.
        notes: Sentences about the data and settings that affect the scores.

    """

    run: str
    mean: Mapping[str, float]
    per_topic: Mapping[str, Mapping[str, float]]
    residual: Mapping[str, float] = field(default_factory=dict)
    residual_per_topic: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    unscored: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def upper(self) -> dict[str, float]:
        """Mean upper bound (score plus residual) by metric, for metrics that have residuals."""
        return {name: self.mean[name] + residual for name, residual in self.residual.items()}


def score_runs(
    metrics: Sequence[Metric | Measure],
    qrels: Qrels,
    runs: Sequence[Run],
    options: Options | None = None,
    listen: Callable[[int, int], None] | None = None,
) -> list[Scores]:
    """Score several runs against the same judgments.

    Args:
        metrics: Distinct metrics.
        qrels: Judgments.
        runs: Runs to score.
        options: Options for scoring; None for the defaults.
        listen: Callback that receives the number of finished topics and the total.

    Raises:
        InvalidInput: A metric for one aspect is used on a topic with several, a grade is above gmax, a document was
            retrieved twice, a run has no judged topic, or a score is not finite.

    """
    scoring = _Scoring(metrics, qrels, runs, options or Options())
    scoring.fill(listen)
    return [scoring.scores_of(run) for run in range(len(runs))]


class _Scoring:
    """Computation of the scores of several runs: its inputs, and the arrays that `fill` computes.

    Attributes:
        places: Index of each scored topic among the judged topics, shape (topics,).
        topics: Names of the scored topics.
        present: Mask, shape (runs, topics), that is True if a run is scored on a topic.
        values: Scores, shape (measures, runs, topics), NaN where a run is not scored.
        residuals: Residuals of the same shape, NaN for measures without residuals.

    """

    def __init__(
        self,
        metrics: Sequence[Metric | Measure],
        qrels: Qrels,
        runs: Sequence[Run],
        options: Options,
    ) -> None:
        self.qrels, self.runs, self.options = qrels, runs, options
        self.measures = [one if isinstance(one, Measure) else Measure(one) for one in metrics]
        _check_compatible(self.measures, qrels, runs, options)
        self.ordered = [
            ordered_documents(run, qrels, options.ties, options.unjudged == "skip", options.depth) for run in runs
        ]
        places = range(len(qrels.topics))
        retrieved = [set(ordered.places.tolist()) for ordered in self.ordered]
        present = np.array([[options.complete or place in own for place in places] for own in retrieved], dtype=bool)
        scored: Mask = np.asarray(present.any(axis=0))
        self.present: Mask = present[:, scored]
        self.places: Integers = np.array(places, dtype=np.intp)[scored]
        self.topics = [text_of(qrels.table.names[place]) for place in self.places]
        self.values = np.full((len(self.measures), *self.present.shape), np.nan)
        self.residuals = self.values.copy()

    @cached_property
    def rankings(self) -> list[dict[int, Ranking]]:
        """Rankings of each run, keyed by the topic's index in the judgments."""
        return [rankings_of(ordered, self.qrels) for ordered in self.ordered]

    def fill(self, listen: Callable[[int, int], None] | None) -> None:
        """Score all runs on all topics, and store the results in ``values`` and ``residuals``.

        Args:
            listen: Callback that receives the number of finished topics and the total.

        """
        qrels, options = self.qrels, self.options
        library = [number for number, one in enumerate(self.measures) if isinstance(one.scorer, LibraryMeasure)]
        for run, ordered in enumerate(self.ordered):
            scorers = [one.scorer for one in self.measures if isinstance(one.scorer, LibraryMeasure)]
            if scorers:
                found = library_scores(scorers, options.level, qrels, ordered)[:, self.places]
                self.values[library, run] = np.where(self.present[run], found, np.nan)
        readings: dict[GradeMap, list[int]] = {}
        for number, one in enumerate(self.measures):
            if number not in library:
                readings.setdefault(one.reading(options.level, options.gain), []).append(number)
        highest: int | Integers = qrels.highest
        if options.highest != "file":
            highest = (
                options.highest if isinstance(options.highest, int) else qrels.largest(options.highest == "aspect")
            )
        gains = [(gains_of(qrels.grades, one.gain, highest, one.level), numbers) for one, numbers in readings.items()]
        for start in range(0, len(self.places), TOGETHER):
            some = slice(start, start + TOGETHER)
            for values, numbers in gains:
                topics = [self._topic(place, values) for place in self.places[some].tolist()]
                self._fill(numbers, topics, some)
            if listen is not None:
                listen(min(start + TOGETHER, len(self.places)), len(self.places))

    def _topic(self, place: int, gains: Reals) -> JudgedTopic:
        none = np.zeros(0, dtype=np.intp)
        empty = Ranking(0, none, none, none) if self.options.complete else None
        rankings = [own.get(place, empty) for own in self.rankings]
        qrels = self.qrels
        name, weights = qrels.table.names[place], qrels.weights_of(place)
        return JudgedTopic(name, qrels.of_topic(gains, place), int(qrels.judged[place]), weights, rankings)

    def _fill(self, numbers: Sequence[int], topics: Sequence[JudgedTopic], some: slice) -> None:
        """Score some topics with the metrics at the given indices, all of which use the same mapping of grades."""
        metrics = {number: one for number in numbers if isinstance(one := self.measures[number].scorer, Metric)}
        modelled = {number: metric for number, metric in metrics.items() if self.measures[number].uses_user_model}
        others = {number: metric for number, metric in metrics.items() if number not in modelled}
        options, runs = self.options, len(self.runs)
        try:
            for number, values in zip(others, score_all(list(others.values()), topics, runs), strict=True):
                self.values[number, :, some] = values
            found = evaluate_all(list(modelled.values()), topics, runs, options.depth)
        except MetricError as error:
            raise InvalidInput(str(error)) from None
        for number, (base, residual) in zip(modelled, found, strict=True):
            # the upper end of INST is its score plus its residual, which includes unjudged documents
            self.values[number, :, some] = base + residual if isinstance(metrics[number], InstUpper) else base
            self.residuals[number, :, some] = residual

    def check_finite(self, run: int) -> None:
        """Check that every score of a run is a finite number.

        Raises:
            InvalidInput: A score is not finite. The message names the metric and the topic.

        """
        wrong = np.argwhere(self.present[run] & ~np.isfinite(self.values[:, run]))
        if len(wrong):
            number, topic = wrong[0].tolist()
            where = f"topic {self.topics[topic]!r} of {self.runs[run].name}"
            raise InvalidInput(f"{self.measures[number].name} does not give a finite score for {where}")

    def scores_of(self, number: int) -> Scores:
        """Return the scores of the run with the index ``number``.

        Raises:
            InvalidInput: A score is not finite.

        """
        self.check_finite(number)
        run, present = self.runs[number], self.present[number]
        scores, bounds = self.values[:, number, present], self.residuals[:, number, present]
        topics = [topic for topic, here in zip(self.topics, present, strict=True) if here]
        names = [measure.name for measure in self.measures]
        residuals = {one.name: row for one, row in zip(self.measures, bounds, strict=True) if one.has_residual}
        unscored = tuple(text_of(topic) for topic in run.topics if topic not in self.qrels.topics)
        missing = tuple(text_of(topic) for topic in self.qrels.topics if topic not in run.topics)
        return Scores(
            run=run.name,
            mean={
                one.name: one.scorer.mean(values) if isinstance(one.scorer, LibraryMeasure) else mean
                for one, values, mean in zip(self.measures, scores, scores.mean(axis=1).tolist(), strict=True)
            },
            per_topic={
                topic: dict(zip(names, values, strict=True))
                for topic, values in zip(topics, scores.T.tolist(), strict=True)
            },
            residual={name: float(row.mean()) for name, row in residuals.items()},
            residual_per_topic={
                topic: {name: float(row[t]) for name, row in residuals.items()} for t, topic in enumerate(topics)
            }
            if residuals
            else {},
            unscored=unscored,
            missing=missing,
            notes=tuple(self._notes(number, topics, unscored, missing)),
        )

    def _notes(
        self, number: int, scored: Sequence[str], unscored: Sequence[str], missing: Sequence[str]
    ) -> Iterator[str]:
        options, ordered = self.options, self.ordered[number]
        yield from notes.of_topics(unscored, missing, options.complete)
        levels = sorted({measure.level(options.level) for measure in self.measures})
        yield from notes.of_judgments(self.qrels, scored, levels)
        if options.depth is not None:
            yield from notes.of_depth(options.depth, self.measures)
        yield from notes.of_documents(ordered.unjudged, ordered.retrieved, options.unjudged == "skip")


def check_grades(qrels: Qrels, options: Options) -> None:
    """Compare the largest grade with gmax if gmax is a number.

    Raises:
        InvalidInput: A grade is above gmax.

    """
    if isinstance(options.highest, int) and qrels.highest > options.highest:
        raise InvalidInput(
            f"{source_name(qrels.source)} has a grade of {qrels.highest}; expected at most gmax {options.highest}"
        )


def _check_compatible(measures: Sequence[Measure], qrels: Qrels, runs: Sequence[Run], options: Options) -> None:
    """Check that measures, judgments, runs and options fit together.

    Raises:
        InvalidInput: A grade is above gmax, a measure supports only one aspect, an option has no effect, or a run has
            no judged topic.

    """
    check_grades(qrels, options)
    several = np.flatnonzero(qrels.aspects > 1)
    for one in measures:
        if len(several) and not one.scorer.applies_to_aspects():
            topic, m = qrels.table.names[several[0]], qrels.aspects[several[0]]
            lifted = _lifted(one)
            hint = "" if lifted is None else f"; lift it to the largest grade over aspects: {lifted}"
            raise InvalidInput(f"{one} supports only one aspect, but topic {shown_text(topic)} has {m}{hint}")
    if options.level > 1 and not any(one.takes_level for one in measures):
        raise InvalidInput(f"level {options.level} needs a binary metric, such as AP")
    for one in measures:
        if one.typed and not one.is_binary and options.gain != "linear":
            raise InvalidInput(f"{one.typed} uses linear gains in trec_eval; for {options.gain} gains, use {one}")
    for run in runs:
        if not any(topic in qrels.topics for topic in run.topics):
            ours, theirs = (shown_text(next(iter(some))) for some in (run.topics, qrels.topics))
            raise InvalidInput(
                f"none of the topics in {source_name(run.source)} is judged in {source_name(qrels.source)} (the "
                f"first topic is {ours}, the first judged topic is {theirs})"
            )


def _lifted(measure: Measure) -> Measure | None:
    """Return the measure with ``aggregate=max``, which scores documents by their largest grade; None if unsupported."""
    one = measure.scorer
    if not isinstance(one, Metric) or not any(parameter.name == "aggregate" for parameter in one.declared):
        return None
    return replace(measure, scorer=type(one)(cutoff=one.cutoff, **(one.values | {"aggregate": "max"})))

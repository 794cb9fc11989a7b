"""Scores runs against judgments, topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.inst import Inst, InstUpper
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
    RankedRun,
    Ranking,
    rank_run,
    score_all,
)
from axiomcheck.runs.trec.residuals import evaluate_all
from axiomcheck.runs.trec.runs import Run, Ties
from axiomcheck.runs.trec.topic_parameters import Targets

Unjudged = Literal["nonrelevant", "skip"]

Alteration = Callable[[JudgedTopic], JudgedTopic]
"""A topic with other gains, weights or rankings, of the same documents, aspects and runs."""

TOGETHER = 1000
"""Topics that are in memory at a time, as rankings."""


@dataclass(frozen=True)
class Options:
    """The options that runs are scored by.

    Args:
        ties: how equal scores are ordered, one of `axiomcheck.runs.trec.TIES`.
        unjudged: a document without a judgment is not relevant, or is left out of the ranking.
        gain: how a grade g becomes a number in [0, 1]: g / gmax, or (2^g - 1) / 2^gmax.
        highest: gmax, a number that is at least the largest grade of the judgments, or whose largest grade it is: that
            of the whole file, of the topic, or of each aspect of the topic.
        complete: whether judged topics that a run lacks count as 0 in its mean.
        targets: topic -> T of INST, where it is not the metric's.
        level: the least grade that is relevant, for binary metrics whose names have no ``rel``.
        depth: how many documents of each ranking are looked at, and the rank beyond which no user goes of metrics
            whose users have no other end; None is all.

    """

    ties: Ties = "trec_eval"
    unjudged: Unjudged = "nonrelevant"
    gain: Gain = "linear"
    highest: Highest = "file"
    complete: bool = False
    targets: Targets = field(default_factory=dict)
    level: int = 1
    depth: int | None = None

    def __post_init__(self) -> None:
        whole = type(self.highest) is int and 1 <= self.highest <= MOST_HIGHEST
        if not whole and self.highest not in ("file", "topic", "aspect"):
            wanted = f"file, topic, aspect, or a whole number from 1 to {MOST_HIGHEST}"
            raise InvalidInput(f"gmax {self.highest!r}: expected {wanted}")


@dataclass(frozen=True)
class Scores:
    """The scores of one run.

    Args:
        run: its name.
        mean: metric -> the mean over the topics of ``per_topic``.
        per_topic: topic -> metric -> score, topics in the order of the judgments.
        residual: metric -> the mean residual, of metrics that have one: what documents without a judgment, in the
            ranking and beyond its end, could add to the score if all were relevant.
        residual_per_topic: topic -> metric -> residual.
        unscored: topics of the run without judgments; they have no score.
        missing: judged topics that the run lacks; left out of the mean, or 0 in it where that was asked for.
        notes: in words, what else the numbers depend on.

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
        """Metric -> the mean upper bound, score plus residual, of metrics that have a residual."""
        return {name: self.mean[name] + residual for name, residual in self.residual.items()}


def score_runs(
    metrics: Sequence[Metric | Measure],
    qrels: Qrels,
    runs: Sequence[Run],
    options: Options | None = None,
    listen: Callable[[int, int], None] | None = None,
    alter: Alteration | None = None,
    topics: Sequence[bytes] | None = None,
) -> list[Scores]:
    """Scores several runs against the same judgments, topic by topic for all of them together.

    Args:
        metrics: different from each other.
        qrels: the judgments.
        runs: the runs.
        options: how.
        listen: is told how many topics of how many are done.
        alter: what is scored in place of each topic; it is asked once for each way of reading grades.
        topics: those that are scored, each of them judged, and in some run where not all judged topics count; None is
            all that there are.

    Raises:
        InvalidInput: a metric that knows one aspect and topics of several; a grade above gmax; a document retrieved
            twice; a run without any judged topic.

    """
    options = options or Options()
    measures = [one if isinstance(one, Measure) else Measure(one) for one in metrics]
    check_grades(qrels, options)
    _check_measures(measures, qrels)
    if options.targets and not any(isinstance(one.scorer, Inst) and one.has_residual for one in measures):
        raise InvalidInput("targets are T of INST; expected INST without a cutoff among the metrics")
    for one in measures:
        if isinstance(one.scorer, Inst) and not one.by_model and (options.targets or options.ties == "metric"):
            what = "targets are" if options.targets else "its rule for equal scores is"
            raise InvalidInput(f"{one}: {what} not for a cutoff; expected INST without one")
    if options.level > 1 and not any(one.takes_level for one in measures):
        raise InvalidInput(f"level {options.level} is of binary metrics; expected one, such as AP, among the metrics")
    for one in measures:
        if one.typed and not one.is_binary and options.gain != "linear":
            raise InvalidInput(f"{one.typed} of trec_eval has linear gains; expected {one} with {options.gain} ones")
    for run in runs:
        if not any(topic in qrels.store for topic in run.store):
            ours, theirs = (shown_text(next(iter(some))) for some in (run.store, qrels.store))
            raise InvalidInput(
                f"{source_name(run.source)}: no topic of it is judged in {source_name(qrels.source)} "
                f"(the first here is {ours}, there {theirs})"
            )
    asked = None if topics is None else frozenset(topics)
    how = (options.ties, options.unjudged == "skip", options.depth, asked)
    ranked = [rank_run(run, qrels, *how) for run in runs]
    library = [one.scorer for one in measures if isinstance(one.scorer, LibraryMeasure)]
    values = [library_scores(library, options.level, qrels, run, *how) if library else None for run in runs]
    tables = [_Table(*parts) for parts in zip(runs, ranked, values, strict=True)]
    highest = _highest(qrels, options)
    maps = dict.fromkeys(measure.reading(options.level, options.gain) for measure in measures)
    gains = {one: one.gains(qrels.columns.grades, highest) for one in maps}
    names = list(qrels.store)
    wanted = range(len(names)) if topics is None else [names.index(topic) for topic in topics]
    for start in range(0, len(wanted), TOGETHER):
        places = wanted[start : start + TOGETHER]
        read = {one: list(_topics_at(places, names, some, qrels, ranked, options)) for one, some in gains.items()}
        if alter is not None:
            read = {one: [alter(topic) for topic in some] for one, some in read.items()}
        _fill(measures, read, tables, options, qrels)
        if listen is not None:
            listen(start + len(places), len(wanted))
    return [_result(table, measures, qrels, options) for table in tables]


class _Table:
    """The scores of one run, as they are filled in."""

    def __init__(self, run: Run, ranked: RankedRun, by_library: Reals | None) -> None:
        self.run, self.ranked, self.by_library = run, ranked, by_library
        self.topics: list[str] = []
        self.scores: list[Reals] = []
        self.bounds: list[Reals] = []


def check_grades(qrels: Qrels, options: Options) -> None:
    """Checks that no grade is above gmax.

    Raises:
        InvalidInput: one is.

    """
    if isinstance(options.highest, int) and qrels.highest > options.highest:
        raise InvalidInput(
            f"{source_name(qrels.source)}: a grade of {qrels.highest}; expected none above gmax {options.highest}"
        )


def _check_measures(measures: Sequence[Measure], qrels: Qrels) -> None:
    for measure in measures:
        if measure.scorer.applies_to_aspects():
            continue
        several = np.flatnonzero(qrels.columns.aspects > 1)
        if len(several):
            topic, m = list(qrels.store)[several[0]], qrels.columns.aspects[several[0]]
            lifted = _lifted(measure)
            hint = "" if lifted is None else f"; lift it to the largest grade over aspects: {lifted}"
            raise InvalidInput(f"{measure} knows one aspect and topic {shown_text(topic)} has {m}{hint}")


def _lifted(measure: Measure) -> Measure | None:
    """The same on the largest grade over aspects; None where there is no such form."""
    one = measure.scorer
    if not isinstance(one, Metric) or not any(parameter.name == "aggregate" for parameter in one.declared):
        return None
    return replace(measure, scorer=type(one)(cutoff=one.cutoff, **(one.values | {"aggregate": "max"})))


def _topics_at(
    places: Iterable[int],
    names: Sequence[bytes],
    gains: Reals,
    qrels: Qrels,
    ranked: Sequence[RankedRun],
    options: Options,
) -> Iterator[JudgedTopic]:
    """Topics with their rankings, without those that no run is scored on."""
    columns, none = qrels.columns, np.zeros(0, dtype=np.intp)
    judged = columns.judged.tolist()
    empty = Ranking(0, none, none, none, np.zeros(0)) if options.complete else None
    for place in places:
        rankings = [one.rankings.get(place, empty) for one in ranked]
        if any(ranking is not None for ranking in rankings):
            some = columns.of_topic(gains, place)
            yield JudgedTopic(names[place], some, judged[place], columns.weights_of(place), rankings)


def _highest(qrels: Qrels, options: Options) -> int | Integers:
    """gmax, of all or of every grade."""
    if isinstance(options.highest, int):
        return options.highest
    return qrels.highest if options.highest == "file" else qrels.columns.largest(options.highest == "aspect")


def _fill(
    measures: Sequence[Measure],
    topics_by: Mapping[GradeMap, Sequence[JudgedTopic]],
    tables: Sequence[_Table],
    options: Options,
    qrels: Qrels,
) -> None:
    """Score some topics, given with the gains of each way of reading grades."""
    topics = next(iter(topics_by.values()))
    if not topics:
        return
    shape = (len(measures), len(tables), len(topics))
    scores, bounds = np.full(shape, np.nan), np.full(shape, np.nan)
    for one, read in topics_by.items():
        numbers = [n for n, measure in enumerate(measures) if measure.reading(options.level, options.gain) == one]
        _fill_alike(numbers, measures, read, scores, bounds, options)
    places = [qrels.store.place(topic.name) for topic in topics]
    by_library = [number for number, measure in enumerate(measures) if isinstance(measure.scorer, LibraryMeasure)]
    for r, table in enumerate(tables):
        if table.by_library is not None:
            scores[by_library, r] = table.by_library[:, places]
        here = [t for t, topic in enumerate(topics) if topic.rankings[r] is not None]
        table.topics += [text_of(topics[t].name) for t in here]
        table.scores.append(scores[:, r, here])
        table.bounds.append(bounds[:, r, here])


def _fill_alike(
    numbers: Sequence[int],
    measures: Sequence[Measure],
    topics: Sequence[JudgedTopic],
    scores: Reals,
    bounds: Reals,
    options: Options,
) -> None:
    """Scores, and residuals, by the metrics of some numbers, which read grades alike."""
    metrics = {number: one for number in numbers if isinstance(one := measures[number].scorer, Metric)}
    modelled = {number: metric for number, metric in metrics.items() if measures[number].by_model}
    others = {number: metric for number, metric in metrics.items() if number not in modelled}
    runs = scores.shape[1]
    try:
        for number, values in zip(others, score_all(list(others.values()), topics, runs), strict=True):
            scores[number] = values
        found = evaluate_all(
            list(modelled.values()), topics, runs, options.ties == "metric", options.targets, options.depth
        )
    except MetricError as error:
        raise InvalidInput(str(error)) from None
    for number, (base, residual) in zip(modelled, found, strict=True):
        # the upper end of INST is the score of INST and its residual, of documents without a judgment, too
        scores[number] = base + residual if isinstance(metrics[number], InstUpper) else base
        bounds[number] = residual


def _result(table: _Table, measures: Sequence[Measure], qrels: Qrels, options: Options) -> Scores:
    names = [measure.name for measure in measures]
    scores, bounds = np.concatenate(table.scores, axis=1), np.concatenate(table.bounds, axis=1)
    for name, values in zip(names, scores, strict=True):
        if not np.isfinite(values).all():
            where = table.topics[int(np.flatnonzero(~np.isfinite(values))[0])]
            raise InvalidInput(f"{name} gives no finite number on topic {where!r} of {table.run.name}")
    residuals = [n for n, one in enumerate(measures) if one.has_residual]
    run = table.run
    unscored = tuple(text_of(topic) for topic in run.store if topic not in qrels.store)
    missing = tuple(text_of(topic) for topic in qrels.store if topic not in run.store)
    return Scores(
        run=run.name,
        mean={
            one.name: one.scorer.mean(values) if isinstance(one.scorer, LibraryMeasure) else mean
            for one, values, mean in zip(measures, scores, scores.mean(axis=1).tolist(), strict=True)
        },
        per_topic={
            topic: dict(zip(names, values, strict=True))
            for topic, values in zip(table.topics, scores.T.tolist(), strict=True)
        },
        residual={names[number]: float(bounds[number].mean()) for number in residuals},
        residual_per_topic={
            topic: {names[number]: float(bounds[number, t]) for number in residuals}
            for t, topic in enumerate(table.topics)
        }
        if residuals
        else {},
        unscored=unscored,
        missing=missing,
        notes=tuple(_notes(table, measures, qrels, unscored, missing, options)),
    )


def _notes(
    table: _Table,
    measures: Sequence[Measure],
    qrels: Qrels,
    unscored: Sequence[str],
    missing: Sequence[str],
    options: Options,
) -> Iterator[str]:
    yield from notes.of_topics(unscored, missing, options.complete)
    levels = sorted({measure.level(options.level) for measure in measures})
    yield from notes.of_judgments(qrels, table.topics, levels)
    yield from notes.of_targets(options.targets, qrels, table.topics)
    if options.depth is not None:
        yield from notes.of_depth(options.depth, measures)
    yield from notes.of_documents(table.ranked, options.unjudged == "skip")
    if options.ties == "trec_eval":  # a rule that was asked for by a name of its own is meant
        yield from notes.of_ties(measures, table.ranked, qrels)
    yield from notes.of_tag(table.run)

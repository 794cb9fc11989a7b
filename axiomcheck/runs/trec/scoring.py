"""Scores runs against judgments.

>>> from axiomcheck.runs.trec import score
>>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 2}}
>>> run = {"q1": {"d1": 0.7, "d2": 0.5}, "q9": {"d1": 1.0}}
>>> scores = score(["nDCG@10", "P@2"], qrels, run)
>>> scores
<Scores of run over 1 topics: nDCG@10: 0.3801, P@2: 0.5000>
>>> scores.unscored
('q9',)
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.typing import Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.inst import Inst
from axiomcheck.runs.trec.lines import shown_text, source_name
from axiomcheck.runs.trec.qrels import Kind, Qrels, attach_weights
from axiomcheck.runs.trec.rankings import Gain, JudgedTopic, Ranking, gains_of, make_ranking, score_all
from axiomcheck.runs.trec.residuals import evaluate_all, has_residual
from axiomcheck.runs.trec.results import Scores
from axiomcheck.runs.trec.runs import Run, Ties, check_ties, compared, order
from axiomcheck.runs.trec.shapes import as_qrels, as_run, as_weights
from axiomcheck.runs.trec.targets import Targets, as_targets
from axiomcheck.sources.names import Home, read_name
from axiomcheck.sources.own import as_metric
from axiomcheck.sources.provenance import each_once
from axiomcheck.sources.resolve import resolve

Unjudged = Literal["nonrelevant", "skip"]

TOGETHER = 1000
"""Topics that are in memory at a time, as rankings."""


@dataclass(frozen=True)
class Options:
    """How runs are scored.

    Args:
        ties: how equal scores are ordered, one of `axiomcheck.runs.trec.TIES`.
        unjudged: a document without a judgment is not relevant, or is left out of the ranking.
        gain: how a grade g becomes a number in [0, 1]: g / gmax, or (2^g - 1) / 2^gmax.
        highest: gmax, at least the largest grade of the judgments; None is that grade.
        complete: whether judged topics that a run lacks count as 0 in its mean.
        targets: topic -> T of INST, where it is not the metric's.

    """

    ties: Ties = "trec_eval"
    unjudged: Unjudged = "nonrelevant"
    gain: Gain = "linear"
    highest: int | None = None
    complete: bool = False
    targets: Targets = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_ties(self.ties)
        if self.unjudged not in get_args(Unjudged):
            raise InvalidInput(f"unjudged {self.unjudged!r}: expected {' or '.join(get_args(Unjudged))}")
        if self.gain not in get_args(Gain):
            raise InvalidInput(f"gain {self.gain!r}: expected {' or '.join(get_args(Gain))}")
        if self.highest is not None and not (isinstance(self.highest, int) and self.highest >= 1):
            raise InvalidInput(f"gmax {self.highest!r}: expected a whole number, 1 or more")


def score(
    metrics: Any,
    qrels: Any,
    run: Any,
    *,
    kind: Kind = "auto",
    ties: Ties = "trec_eval",
    unjudged: Unjudged = "nonrelevant",
    gain: Gain = "linear",
    gmax: int | None = None,
    weights: Any = None,
    complete: bool = False,
    targets: Any = None,
) -> Scores:
    """Scores one run.

    Args:
        metrics: one or several: names, such as ``"nDCG@20"``, `Metric` objects or classes, and functions with one of
            the signatures of `axiomcheck.metric`.
        qrels: the judgments: a dict of dicts (topic -> document -> grade), named tuples or a DataFrame with query_id,
            doc_id, relevance and, if a document is judged per aspect, iteration; or a file's name.
        run: a dict of dicts (topic -> document -> score), named tuples or a DataFrame with query_id, doc_id and score;
            or a file's name.
        kind: what the second column (iteration) is: ``"adhoc"``, ``"diversity"``, or found out.
        ties: how equal scores are ordered, one of `axiomcheck.runs.trec.TIES`.
        unjudged: what a document without a judgment is: ``"nonrelevant"``, or left out of the ranking (``"skip"``).
        gain: how a grade g becomes a number in [0, 1]: g / gmax, or (2^g - 1) / 2^gmax.
        gmax: at least the largest grade of the judgments; None is that grade.
        weights: of aspects: a dict (topic -> aspect -> weight) or a file's name; None is uniform.
        complete: whether judged topics that the run lacks count as 0 in the mean.
        targets: of INST: a dict (topic -> T) or a file's name; topics without one have the metric's T.

    Raises:
        InvalidInput: unusable input; the message says where.

    """
    options = Options(ties, unjudged, gain, gmax, complete, {} if targets is None else as_targets(targets))
    names = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, (str, bytes)) else [metrics]
    judgments = as_qrels(qrels, kind)
    if weights is not None:
        attach_weights(judgments, as_weights(weights), weights if isinstance(weights, str) else "weights")
    (result,) = score_runs(metrics_named(names), judgments, [as_run(run, ties == "ndeval")], options)
    return result


def metrics_named(given: Iterable[Any]) -> list[Metric]:
    """Metrics, each once.

    Args:
        given: names, metrics, or what `axiomcheck.sources.own.as_metric` takes for one.

    Raises:
        InvalidInput: no such metric, or no metric; one of a library, which scores runs itself; one that gives no score;
            two different ones of one name; one from outside that bears a name of the catalogue.

    """
    named = [(one, _as_metric(one)) for one in given]
    found = list(each_once((metric.canonical, one, metric) for one, metric in named).values())
    for metric in found:
        if metric.partial:
            raise InvalidInput(f"{metric}: orders rankings and has no single score")
    if not found:
        raise InvalidInput("no metric; expected at least one, such as nDCG@20")
    return found


def _as_metric(given: Any) -> Metric:
    if isinstance(given, Metric):
        return given
    if not isinstance(given, str):
        if not callable(given):
            wanted = "a name such as nDCG@20, a function, or a Metric"
            raise InvalidInput(f"{reprlib.repr(given)} is no metric; expected {wanted}")
        return as_metric(given, str(getattr(given, "__name__", type(given).__name__)))
    if read_name(given).home is Home.LIBRARY:
        raise InvalidInput(f"{given}: a library's measure; expected one of the catalogue, or your own")
    return resolve(given)


def score_runs(
    metrics: Sequence[Metric],
    qrels: Qrels,
    runs: Sequence[Run],
    options: Options | None = None,
    listen: Callable[[int, int], None] | None = None,
) -> list[Scores]:
    """Scores several runs against the same judgments, topic by topic for all of them together.

    Args:
        metrics: different from each other.
        qrels: the judgments.
        runs: the runs.
        options: how.
        listen: is told how many topics of how many are done.

    Raises:
        InvalidInput: a metric that knows one aspect and topics of several; a grade above gmax; a document retrieved
            twice; a run without any judged topic.

    """
    options = options or Options()
    check_grades(qrels, options)
    _check_metrics(metrics, qrels)
    if options.targets and not any(isinstance(metric, Inst) and has_residual(metric) for metric in metrics):
        raise InvalidInput("targets are T of INST; expected INST without a cutoff among the metrics")
    for run in runs:
        if not any(topic in qrels.store for topic in run.store):
            ours, theirs = (shown_text(next(iter(some))) for some in (run.store, qrels.store))
            raise InvalidInput(
                f"{source_name(run.source)}: no topic of it is judged in {source_name(qrels.source)} "
                f"(the first here is {ours}, there {theirs})"
            )
    tables = [_Table(run) for run in runs]
    names = list(qrels.store)
    for start in range(0, len(names), TOGETHER):
        portion = names[start : start + TOGETHER]
        topics = [topic for name in portion if (topic := _topic(name, qrels, runs, options, tables)) is not None]
        _fill(metrics, topics, tables, options)
        if listen is not None:
            listen(start + len(portion), len(names))
    return [_result(table, metrics, qrels, options) for table in tables]


class _Table:
    """What is found out about one run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.topics: list[str] = []
        self.scores: list[Reals] = []
        self.bounds: list[Reals] = []
        self.retrieved = self.unjudged = 0


def check_grades(qrels: Qrels, options: Options) -> None:
    """Checks that no grade is above gmax.

    Raises:
        InvalidInput: one is.

    """
    if options.highest is not None and qrels.highest > options.highest:
        raise InvalidInput(
            f"{source_name(qrels.source)}: a grade of {qrels.highest}; expected none above gmax {options.highest}"
        )


def _check_metrics(metrics: Sequence[Metric], qrels: Qrels) -> None:
    for metric in metrics:
        if metric.applies_to_aspects():
            continue
        for topic in qrels.store:
            if (m := qrels.aspects(topic)) > 1:
                lifted = any(p.name == "aggregate" for p in metric.declared)
                hint = f"; lift it to the largest grade over aspects: {_lifted(metric)}" if lifted else ""
                raise InvalidInput(f"{metric} knows one aspect and topic {shown_text(topic)} has {m}{hint}")


def _lifted(metric: Metric) -> str:
    return str(type(metric)(cutoff=metric.cutoff, **(metric.values | {"aggregate": "max"})))


def _topic(
    name: bytes, qrels: Qrels, runs: Sequence[Run], options: Options, tables: Sequence[_Table]
) -> JudgedTopic | None:
    """One topic with its rankings; None if no run is scored on it."""
    if not options.complete and not any(name in run.store for run in runs):
        return None
    judgments = qrels.judgments(name)
    rankings: list[Ranking | None] = []
    for run, table in zip(runs, tables, strict=True):
        if name in run.store:
            found = compared(run.retrieved(name), options.ties)
            placed = order(found, options.ties, run, name)
            ranking = make_ranking(found, placed, judgments, options.unjudged == "skip")
            table.retrieved += len(found.documents)
            table.unjudged += len(found.documents) - ranking.length + len(ranking.unjudged)
            rankings.append(ranking)
        elif options.complete:
            none = np.zeros(0, dtype=np.intp)
            rankings.append(Ranking(0, none, none, none, np.zeros(0)))
        else:
            rankings.append(None)
    highest = qrels.highest if options.highest is None else options.highest
    gains = gains_of(judgments.relevant, options.gain, highest)
    return JudgedTopic(name, gains, judgments.judged, judgments.weights, rankings)


def _fill(metrics: Sequence[Metric], topics: Sequence[JudgedTopic], tables: Sequence[_Table], options: Options) -> None:
    if not topics:
        return
    shape = (len(metrics), len(tables), len(topics))
    scores, bounds = np.full(shape, np.nan), np.full(shape, np.nan)
    modelled = [number for number, metric in enumerate(metrics) if has_residual(metric)]
    others = [number for number in range(len(metrics)) if number not in modelled]
    try:
        for number, values in zip(others, score_all([metrics[n] for n in others], topics, len(tables)), strict=True):
            scores[number] = values
        found = evaluate_all(
            [metrics[n] for n in modelled], topics, len(tables), options.ties == "metric", options.targets
        )
    except MetricError as error:
        raise InvalidInput(str(error)) from None
    for number, (base, residual) in zip(modelled, found, strict=True):
        scores[number], bounds[number] = base, residual
    for r, table in enumerate(tables):
        here = [t for t, topic in enumerate(topics) if topic.rankings[r] is not None]
        table.topics += [_text(topics[t].name) for t in here]
        table.scores.append(scores[:, r, here])
        table.bounds.append(bounds[:, r, here])


def _result(table: _Table, metrics: Sequence[Metric], qrels: Qrels, options: Options) -> Scores:
    names = [str(metric) for metric in metrics]
    scores, bounds = np.concatenate(table.scores, axis=1), np.concatenate(table.bounds, axis=1)
    for name, values in zip(names, scores, strict=True):
        if not np.isfinite(values).all():
            where = table.topics[int(np.flatnonzero(~np.isfinite(values))[0])]
            raise InvalidInput(f"{name} gives no finite number on topic {where!r} of {table.run.name}")
    residuals = [number for number, metric in enumerate(metrics) if has_residual(metric)]
    run = table.run
    unscored = tuple(_text(topic) for topic in run.store if topic not in qrels.store)
    missing = tuple(_text(topic) for topic in qrels.store if topic not in run.store)
    return Scores(
        run=run.name,
        mean=dict(zip(names, scores.mean(axis=1).tolist(), strict=True)),
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
        notes=tuple(_notes(table, unscored, missing, options)),
    )


def _notes(table: _Table, unscored: Sequence[str], missing: Sequence[str], options: Options) -> Iterable[str]:
    if unscored:
        yield f"{_topics(len(unscored))} without judgments, not scored: {_some(unscored)}"
    if missing:
        how = "counted as 0 in the mean" if options.complete else "left out of the mean"
        yield f"{_topics(len(missing))} judged and not in the run, {how}: {_some(missing)}"
    yield from _targets_note(table, options)
    if table.unjudged:
        how = "left out of the rankings" if options.unjudged == "skip" else "counted as not relevant"
        yield f"{table.unjudged:,} of {table.retrieved:,} documents without a judgment, {how}"


def _targets_note(table: _Table, options: Options) -> Iterable[str]:
    if options.targets:
        own = sum(topic.encode() not in options.targets for topic in table.topics)
        rest = f"; {_topics(own)} with the metric's own" if own else ""
        yield f"INST with a T per topic{rest}"


def _topics(count: int) -> str:
    return f"{count:,} topic{'' if count == 1 else 's'}"


def _some(topics: Sequence[str]) -> str:
    return ", ".join(topics[:5]) + (", ..." if len(topics) > 5 else "")


def _text(topic: bytes) -> str:
    return topic.decode("utf-8", errors="replace")

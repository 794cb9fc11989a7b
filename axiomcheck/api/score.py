"""`axiomcheck.score`: runs scored against judgments.

>>> import axiomcheck
>>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 2}}
>>> run = {"q1": {"d1": 0.7, "d2": 0.5}, "q9": {"d1": 1.0}}
>>> scores = axiomcheck.score(["nDCG@10", "P@2"], qrels, run)
>>> scores
<Scores of run over 1 topic: nDCG@10: 0.3801, P@2: 0.5000>
>>> scores.unscored
('q9',)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from axiomcheck.api.results import Result, Writers
from axiomcheck.core.counting import counted
from axiomcheck.reports.score_report import scores_csv, scores_json, scores_report
from axiomcheck.reports.table import report_text
from axiomcheck.runs.trec import (
    BY_RANK,
    Measure,
    Options,
    Qrels,
    Run,
    Scores,
    attach_weights,
    measures_named,
    notes,
    score_runs,
)
from axiomcheck.runs.trec.lines import source_name
from axiomcheck.runs.trec.qrels import Kind
from axiomcheck.runs.trec.rankings import Gain, Highest
from axiomcheck.runs.trec.runs import Ties
from axiomcheck.runs.trec.scoring import Unjudged
from axiomcheck.runs.trec.shapes import as_qrels, as_run, several_runs
from axiomcheck.runs.trec.topic_parameters import as_targets, as_weights

_MOST_MEANS = 12


@dataclass(frozen=True, repr=False)
class ScoreResult(Result, Scores):
    """The scores of one run, see `axiomcheck.Scores`.

    Args:
        tag: the run's own name for itself.

    """

    tag: str = ""

    def lines(self) -> list[str]:
        """The means, in one line."""
        means = [f"{name}: {value:.4f}" for name, value in self.mean.items()]
        more = [f"... and {len(means) - _MOST_MEANS} more"] if len(means) > _MOST_MEANS else []
        topics = counted(len(self.per_topic), "topic")
        return [f"<Scores of {self.run} over {topics}: {', '.join(means[:_MOST_MEANS] + more)}>"]

    def _head(self) -> list[str]:
        return [*super()._head(), *self.notes]

    def rows(self) -> tuple[Sequence[str], list[Sequence[Any]]]:
        """A row per topic and metric: query_id, measure, value, and residual where there is one."""
        rows = [
            (topic, name, value, self.residual_per_topic.get(topic, {}).get(name, float("nan")))
            for topic, values in self.per_topic.items()
            for name, value in values.items()
        ]
        if self.residual:
            return ("query_id", "measure", "value", "residual"), list(rows)
        return ("query_id", "measure", "value"), [row[:3] for row in rows]

    def writers(self) -> Writers:
        """The forms of ``axiomcheck score --per-topic``."""
        return {
            ".json": lambda: scores_json([self], [self.tag], True),
            ".csv": lambda: scores_csv([self], True),
            ".txt": lambda: report_text(scores_report([self], True)),
        }


def score(
    metrics: Any,
    qrels: Any,
    run: Any,
    *,
    kind: Kind = "auto",
    ties: Ties = "trec_eval",
    unjudged: Unjudged = "nonrelevant",
    gain: Gain = "linear",
    gmax: Highest = "file",
    weights: Any = None,
    complete: bool = False,
    targets: Any = None,
    level: int = 1,
    max_results: int | None = None,
) -> Any:
    """Scores one run, or several against the same judgments.

    Args:
        metrics: one or several: names, such as ``"nDCG@20"`` or ``"AP(rel=2)"``, `Metric` objects or classes, and
            functions with one of the signatures of `axiomcheck.metric`.
        qrels: the judgments: a dict of dicts (topic -> document -> grade), named tuples or a DataFrame with query_id,
            doc_id, relevance and, if a document is judged per aspect, iteration; or a file's name.
        run: a dict of dicts (topic -> document -> score), named tuples or a DataFrame with query_id, doc_id and score;
            or a file's name. Several runs are a list of those, or a dict of name -> run.
        kind: what the second column (iteration) is: ``"adhoc"``, ``"diversity"``, or found out.
        ties: how equal scores are ordered, one of `axiomcheck.runs.trec.TIES`.
        unjudged: what a document without a judgment is: ``"nonrelevant"``, or left out of the ranking (``"skip"``).
        gain: how a grade g becomes a number in [0, 1]: g / gmax, or (2^g - 1) / 2^gmax.
        gmax: a number that is at least the largest grade of the judgments, or whose largest grade it is: ``"file"``,
            ``"topic"`` or ``"aspect"`` (of a topic).
        weights: of aspects: a dict (topic -> aspect -> weight) or a file's name; None is uniform.
        complete: whether judged topics that the run lacks count as 0 in the mean.
        targets: of INST: a dict (topic -> T) or a file's name; topics without one have the metric's T.
        level: the least grade that is relevant, for binary metrics whose names have no ``rel``.
        max_results: how many documents of each ranking are looked at; None is all.

    Returns:
        `ScoreResult` of one run; of several a list of them, or a dict by name, as they were given.

    Raises:
        InvalidInput: unusable input; the message says where.

    """
    wanted = {} if targets is None else as_targets(targets)
    options = Options(ties, unjudged, gain, gmax, complete, wanted, level, max_results)
    names = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, (str, bytes)) else [metrics]
    judgments = as_qrels(qrels, kind)
    if weights is not None:
        attach_weights(judgments, as_weights(weights), weights if isinstance(weights, str) else "weights")
    measures, several = measures_named(names), several_runs(run, ties in BY_RANK)
    if several is None:
        return _noted(measures, judgments, [as_run(run, ties in BY_RANK)], options)[0]
    if isinstance(several, list):
        return _noted(measures, judgments, several, options)
    return dict(zip(several, _noted(measures, judgments, list(several.values()), options), strict=True))


def _noted(measures: Sequence[Measure], qrels: Qrels, runs: Sequence[Run], options: Options) -> list[ScoreResult]:
    """Scores, and what was passed over in the files among their notes."""
    judged = [f"{source_name(qrels.source)}: {note}" for note in notes.of_lines(qrels.comments, qrels.repeated)]
    found = []
    for scores, run in zip(score_runs(measures, qrels, runs, options), runs, strict=True):
        said = {one.name: getattr(scores, one.name) for one in fields(scores)}
        said["notes"] = (*scores.notes, *notes.of_lines(run.comments), *judged)
        found.append(ScoreResult(**said, tag=run.tag))
    return found

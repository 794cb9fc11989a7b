"""`axiomcheck.score`: score runs against judgments.

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
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

from msgspec import Meta

from axiomcheck.api.options import Option, checked, with_options
from axiomcheck.api.results import Result, Rows, Writers
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.reports.score_report import scores_csv, scores_json, scores_report
from axiomcheck.reports.table import Report, report_text
from axiomcheck.runs.trec import (
    BY_RANK,
    TIES,
    Measure,
    Options,
    Qrels,
    Run,
    Scores,
    measures_asked,
    notes,
    score_runs,
    with_weights,
)
from axiomcheck.runs.trec.lines import source_name
from axiomcheck.runs.trec.qrels import Kind, as_qrels, as_weights
from axiomcheck.runs.trec.rankings import Gain, Highest
from axiomcheck.runs.trec.runs import Ties, as_run, several_runs, with_names
from axiomcheck.runs.trec.scoring import Unjudged

if TYPE_CHECKING:
    from axiomcheck.api.asked import MetricLike

_MOST_MEANS = 12


@dataclass(frozen=True, repr=False)
class ScoreResult(Result, Scores):
    """Scores of one run. See `axiomcheck.Scores`.

    Args:
        tag: Tag in the run file.

    """

    tag: str = ""

    def lines(self) -> list[str]:
        """Return one line with the mean scores, which is also the ``repr``."""
        means = [f"{name}: {value:.4f}" for name, value in self.mean.items()]
        more = [f"... and {len(means) - _MOST_MEANS} more"] if len(means) > _MOST_MEANS else []
        topics = counted(len(self.per_topic), "topic")
        return [f"<Scores of {self.run} over {topics}: {', '.join(means[:_MOST_MEANS] + more)}>"]

    def report(self) -> Report:
        """Return a report with the scores of all topics, and notes on the settings and data that they depend on."""
        scores = scores_report([self], True)
        return replace(scores, lines=[*self.lines(), *self.notes])

    def rows(self) -> Rows:
        """Return a row per topic and metric: query_id, measure, value, and residual if there is one."""
        rows = [
            (topic, name, value, self.residual_per_topic.get(topic, {}).get(name, float("nan")))
            for topic, values in self.per_topic.items()
            for name, value in values.items()
        ]
        if self.residual:
            return ("query_id", "measure", "value", "residual"), list(rows)
        return ("query_id", "measure", "value"), [row[:3] for row in rows]

    def writers(self) -> Writers:
        """Map formats to functions that return the scores of all topics, as ``axiomcheck score --per-topic`` does."""
        return {
            "json": lambda: scores_json([self], [self.tag], True),
            "csv": lambda: scores_csv([self], True),
            "table": lambda: report_text(scores_report([self], True)),
        }


class ScoreOptions(TypedDict, total=False):
    """Options of ``axiomcheck score``."""

    qrels_kind: Annotated[
        Kind,
        Option(
            "Meaning of the second column of the judgments: iteration (adhoc), aspect (diversity), or whichever is "
            "detected (auto).",
            "auto",
            Kind,
            metavar="KIND",
        ),
    ]
    weights: Annotated[
        object,
        Option(
            "File of aspect weights, with columns topic, aspect, weight. Default: uniform weights.",
            is_file=True,
        ),
    ]
    ties: Annotated[
        Ties,
        Option(
            f"Rule for ordering documents, especially those with equal scores: {', '.join(TIES)}.",
            Options.ties,
            Ties,
            metavar="TOOL",
        ),
    ]
    unjudged: Annotated[
        Unjudged,
        Option(
            "Treatment of documents without a judgment: count them as nonrelevant, or remove them (skip).",
            Options.unjudged,
            Unjudged,
            metavar="HOW",
        ),
    ]
    gain: Annotated[
        Gain,
        Option(
            "Gain of a grade g: g / gmax (linear) or (2^g - 1) / 2^gmax (exponential).",
            Options.gain,
            Gain,
            metavar="HOW",
        ),
    ]
    gmax: Annotated[
        Highest,
        Option(
            "Largest grade, gmax: the largest in the file, the topic or the aspect, or a number.",
            Options.highest,
            metavar="WHAT",
        ),
    ]
    level: Annotated[
        int,
        Option(
            "Lowest relevant grade, for binary metrics without the parameter rel, as in trec_eval -l.",
            Options.level,
            Annotated[int, Meta(ge=1)],
            flags=("-l", "--level"),
            metavar="N",
        ),
    ]
    max_results: Annotated[
        int | None,
        Option(
            "Maximum number of documents per ranking, as in trec_eval -M. Default: all.",
            kind=Annotated[int, Meta(ge=1)] | None,
            flags=("-M", "--max-results"),
            metavar="N",
        ),
    ]
    complete: Annotated[
        bool,
        Option(
            "Count topics that are missing from a run as 0 in its mean, as in trec_eval -c.",
            Options.complete,
            bool,
            flags=("-c", "--complete"),
        ),
    ]


def scoring_of(asked: ScoreOptions) -> Options:
    """Convert options to scoring settings.

    Raises:
        InvalidInput: A value is invalid.

    """
    highest = asked["gmax"]
    if isinstance(highest, str) and highest.isascii() and highest.isdecimal() and len(highest) <= 16:
        highest = int(highest)
    return Options(
        asked["ties"],
        asked["unjudged"],
        asked["gain"],
        highest,
        asked["complete"],
        asked["level"],
        asked["max_results"],
    )


@with_options(ScoreOptions)
def score(
    metrics: MetricLike | Iterable[MetricLike],
    qrels: object,
    run: object,
    **options: Unpack[ScoreOptions],
) -> Any:
    """Score one run, or several against the same judgments.

    Args:
        metrics: One or several metrics: names such as ``"nDCG@20"`` or ``"AP(rel=2)"``, `Metric` objects or classes, or
            functions with one of the signatures of `axiomcheck.metric`.
        qrels: Judgments as a dict of dicts (topic -> document -> grade), as named tuples or a DataFrame with query_id,
            doc_id, relevance and, for judgments per aspect, iteration; or a file name.
        run: Run as a dict of dicts (topic -> document -> score), as named tuples or a DataFrame with query_id, doc_id
            and score; or a file name. Several runs are given as a list of these, or as a dict of name -> run.
        **options: see `Option`. Weights may be a dict (topic -> aspect -> weight).

    Returns:
        A `ScoreResult` for one run. For several runs, a list of results or a dict (name -> result), like the argument.

    Raises:
        InvalidInput: An argument is invalid. The message gives the position of the error.

    """
    asked = checked("score", ScoreOptions, options)
    how = scoring_of(asked)
    names = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, (str, bytes)) else [metrics]
    try:
        judgments, weights = as_qrels(qrels, asked["qrels_kind"]), asked["weights"]
    except InvalidInput as error:
        raise InvalidInput(f"{error} (the argument order is metrics, qrels, run)") from None
    if weights is not None:
        source = weights if isinstance(weights, str) else "weights"
        judgments = with_weights(judgments, as_weights(weights), source)
    by_rank = how.ties in BY_RANK
    (measures, others), several = measures_asked(names), several_runs(run, by_rank)
    if several is None:
        return _noted(measures, judgments, [as_run(run, by_rank)], how, others)[0]
    if isinstance(several, list):
        return _noted(measures, judgments, with_names(several), how, others)
    return dict(zip(several, _noted(measures, judgments, list(several.values()), how, others), strict=True))


def _noted(
    measures: Sequence[Measure], qrels: Qrels, runs: Sequence[Run], options: Options, others: Sequence[str]
) -> list[ScoreResult]:
    """Score the runs, and add notes on skipped lines in the files and on omitted measures."""
    judged = [f"{source_name(qrels.source)}: {note}" for note in notes.of_lines(qrels.table.comments, qrels.repeated)]
    found = []
    for scores, run in zip(score_runs(measures, qrels, runs, options), runs, strict=True):
        said = {one.name: getattr(scores, one.name) for one in fields(scores)}
        said["notes"] = (*scores.notes, *notes.of_lines(run.table.comments), *judged, *others)
        found.append(ScoreResult(**said, tag=run.tag))
    return found

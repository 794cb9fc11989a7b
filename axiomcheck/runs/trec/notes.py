"""Write one-line notes on scores, for example on topics that were left out and documents without a judgment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from axiomcheck.core.printable import counted
from axiomcheck.metrics.base import Metric
from axiomcheck.runs.trec.lines import text_of
from axiomcheck.runs.trec.measures import Measure
from axiomcheck.runs.trec.qrels import Qrels


def of_topics(unscored: Sequence[str], missing: Sequence[str], complete: bool) -> Iterator[str]:
    """Yield notes on topics that are missing from the judgments or the run.

    Args:
        unscored: Topics of the run without judgments.
        missing: Judged topics that are missing from the run.
        complete: True if missing topics count as 0.

    """
    if unscored:
        yield f"no scores for {counted(len(unscored), 'topic')} without judgments: {_some(unscored)}"
    if missing:
        how = "counted as 0 in the mean" if complete else "omitted from the mean"
        yield f"{counted(len(missing), 'topic')} judged but not in the run, {how}: {_some(missing)}"


def of_judgments(qrels: Qrels, scored: Sequence[str], levels: Sequence[int]) -> Iterator[str]:
    """Yield notes on scored topics without a relevant document, and on weights of topics or aspects without judgments.

    Some tools omit topics without a relevant document from the mean.

    Args:
        qrels: Judgments.
        scored: Scored topics.
        levels: Minimum relevant grades of the measures.

    """
    relevant, grades = qrels.document_topics[qrels.relevant], qrels.largest_grades[qrels.relevant]
    for level in levels:
        counts = np.bincount(relevant[grades >= level], minlength=len(qrels.topics))
        empty = {text_of(name) for name, count in zip(qrels.topics, counts, strict=True) if not count}
        if none := [topic for topic in scored if topic in empty]:
            what = "a relevant document" if len(levels) == 1 else f"a document of grade {level} or more"
            yield f"{counted(len(none), 'topic')} without {what}, counted in the mean: {_some(none)}"
    if qrels.weights is not None:
        judged = qrels.judged_aspects()
        unknown = [text_of(topic) for topic in qrels.weights if topic not in judged]
        if unknown:
            yield f"weights given for {counted(len(unknown), 'topic')} without judgments: {_some(unknown)}"
        more = sum(len(own.keys() - set(judged[topic])) for topic, own in qrels.weights.items() if topic in judged)
        if more:
            yield f"weights given for {counted(more, 'aspect')} without judgments, which still count as aspects"


def of_depth(depth: int, measures: Sequence[Measure]) -> Iterator[str]:
    """Yield a note that users of metrics without a cutoff stop at rank ``depth``, with the names of these metrics."""
    unbounded = [
        one.name
        for one in measures
        if isinstance(one.scorer, Metric) and one.scorer.cutoff is None and one.has_residual
    ]
    if unbounded:
        yield f"users stop at rank {depth:,}, as in cwl-eval ({_some(unbounded)})"


def of_documents(unjudged: int, retrieved: int, skip: bool = False) -> Iterator[str]:
    """Yield a note on the number of unjudged documents, and whether they were removed or counted as not relevant."""
    if unjudged:
        how = "removed from the rankings" if skip else "counted as not relevant"
        yield f"{unjudged:,} of {counted(retrieved, 'document')} without a judgment, {how}"


def of_lines(comments: int, repeated: int = 0) -> Iterator[str]:
    """Yield notes on the numbers of lines that were skipped in a file.

    Skipped comments matter because a topic's name may begin with ``#`` as well.

    Args:
        comments: Number of lines that begin with ``#``.
        repeated: Number of lines that repeat earlier lines.

    """
    if comments:
        yield f"ignored {counted(comments, 'line')} beginning with #"
    if repeated:
        yield f"{counted(repeated, 'line')} repeated"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")

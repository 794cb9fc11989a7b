"""Scores of many metrics on many runs, as one array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.typing import Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.runs.trec import Alteration, Options, Qrels, Run, score_runs


@dataclass(frozen=True)
class ScoreGrid:
    """Scores of metrics on runs and topics.

    Args:
        metrics: their names.
        runs: their names.
        topics: their names, in the order of the judgments.
        values: (metrics, runs, topics)
        notes: in words, what else the numbers depend on.

    """

    metrics: tuple[str, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Reals
    notes: tuple[str, ...] = ()


def score_grid(
    metrics: Sequence[Metric],
    qrels: Qrels,
    runs: Sequence[Run],
    options: Options,
    listen: Callable[[int, int], None] | None = None,
    alter: Alteration | None = None,
    topics: Sequence[bytes] | None = None,
) -> ScoreGrid:
    """Scores every run by every metric on every judged topic that some run has.

    A topic that a run lacks is an empty ranking of it, for pairs of runs are compared on the same topics.

    Args:
        metrics: different from each other.
        qrels: the judgments.
        runs: the runs.
        options: how they are scored.
        listen: is told how many topics of how many are done.
        alter: what is scored in place of each topic.
        topics: judged ones that alone are scored; None is all.

    Raises:
        InvalidInput: as `axiomcheck.runs.trec.score_runs`.

    """
    found = score_runs(metrics, qrels, runs, replace(options, complete=True), listen, alter, topics)
    names = tuple(map(str, metrics))
    nowhere = set.intersection(*(set(scores.missing) for scores in found))
    scored = tuple(topic for topic in found[0].per_topic if topic not in nowhere)
    values = np.array(
        [[[scores.per_topic[topic][name] for topic in scored] for scores in found] for name in names], dtype=np.float64
    )
    notes = []
    total = len(qrels.store) - len(nowhere)
    for scores in found:
        lacking = [topic for topic in scores.missing if topic not in nowhere]
        if lacking:
            notes.append(
                f"{scores.run}: {len(lacking)} of {counted(total, 'topic')} not in it, scored as empty rankings"
            )
    if nowhere:
        notes.append(f"{counted(len(nowhere), 'judged topic')} in no run, left out")
    return ScoreGrid(names, tuple(scores.run for scores in found), scored, values, tuple(notes))

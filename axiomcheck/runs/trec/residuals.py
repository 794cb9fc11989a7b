"""Compute scores and residuals from user models; a residual is the largest increase that unjudged documents allow.

The user model receives rankings in which unjudged documents are marked. The residual is the increase in the score if
all unjudged documents, and all documents beyond the end of the ranking, had gain 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from axiomcheck.core.limits import CELLS
from axiomcheck.core.typing import Reals
from axiomcheck.metrics.adhoc import Precision
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.cwl import Scenario, UserModel
from axiomcheck.runs.trec.rankings import JudgedTopic
from axiomcheck.sources.provenance import is_genuine


def is_modelled(metric: Metric) -> bool:
    """Return True if a metric's user model computes its scores for runs.

    The user model does not compute the score of a metric with a cutoff, other than P, since the cutoff leaves out users
    who read on. It does not compute the score of an external subclass either, which may inherit the model and score
    differently.
    """
    if not is_genuine(metric):
        return False
    if metric.cutoff is not None and not isinstance(metric, Precision):
        return False
    return callable(getattr(metric, "user_model", None))


def evaluate_all(
    metrics: Sequence[Metric],
    topics: Sequence[JudgedTopic],
    runs: int,
    depth: int | None = None,
) -> list[tuple[Reals, Reals]]:
    """Score every run on every topic with every metric's user model, and return scores and residuals.

    Args:
        metrics: Metrics with a user model. If there are several aspects, the largest gain over aspects is used.
        topics: Topics with their rankings.
        runs: Number of runs.
        depth: Last rank that users can reach, for metrics without a cutoff; None for no limit. cwl-eval has the same
            limit.

    Returns:
        Scores and residuals for each metric, both of shape (runs, topics), NaN where a run has no ranking.

    """
    out = [(np.full((runs, len(topics)), np.nan), np.full((runs, len(topics)), np.nan)) for _ in metrics]
    cells = [(run, t) for t, topic in enumerate(topics) for run in range(runs) if topic.rankings[run] is not None]
    longest = max((topics[t].rankings[run].length for run, t in cells), default=0)  # type: ignore[union-attr]
    step = max(1, CELLS // max(1, longest, depth or 0))
    for start in range(0, len(cells), step):
        some = cells[start : start + step]
        gains = _arrays(topics, some)
        where = tuple(zip(*some, strict=True))
        for metric, (base, residual) in zip(metrics, out, strict=True):
            model: UserModel = metric.user_model()  # type: ignore[attr-defined]
            shown = gains[:, : metric.cutoff]
            if metric.binary_only:
                shown = np.where(shown > 0, 1.0, shown)  # NaN stays NaN
            if depth is None or metric.cutoff is not None:
                evaluation = model.evaluate(shown)
                base[where], residual[where] = evaluation.score, evaluation.residual
            else:
                evaluation = model.evaluate(shown[:, :depth], depth)
                base[where] = _cut(evaluation.base)
                residual[where] = _cut(evaluation.full) - base[where]
    return out


def _cut(scenario: Scenario) -> Reals:
    """Return the expected rate of gain, shape (...), if all users stop at or before the last rank."""
    reached = scenario.reached[..., :-1]
    score: Reals = (scenario.gains * reached).sum(axis=-1) / reached.sum(axis=-1)
    return score


def _arrays(topics: Sequence[JudgedTopic], cells: Sequence[tuple[int, int]]) -> Reals:
    """Return the gains of the rankings, shape (rankings, ranks), NaN for unjudged documents and past the end."""
    rankings = [one for run, t in cells if (one := topics[t].rankings[run]) is not None]
    lengths = np.array([ranking.length for ranking in rankings])
    ranked = np.arange(lengths.max(initial=0)) < lengths[:, None]
    gains = np.where(ranked, 0.0, np.nan)
    blank = np.repeat(np.arange(len(rankings)), [len(ranking.unjudged) for ranking in rankings])
    gains[blank, np.concatenate([ranking.unjudged for ranking in rankings])] = np.nan
    best = {t: topics[t].gains.max(axis=1) for t in {t for _, t in cells}}
    found = np.repeat(np.arange(len(rankings)), [len(ranking.hits) for ranking in rankings])
    gains[found, np.concatenate([ranking.hits for ranking in rankings])] = np.concatenate(
        [best[t][ranking.rows] for (_, t), ranking in zip(cells, rankings, strict=True)]
    )
    return gains

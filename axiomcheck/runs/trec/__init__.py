"""Read TREC runs and relevance judgments, and score runs."""

from axiomcheck.runs.trec.measures import Measure, measures_asked, measures_named, metrics_named
from axiomcheck.runs.trec.qrels import Qrels, read_qrels, read_weights, with_weights
from axiomcheck.runs.trec.runs import BY_RANK, TIES, Run, read_run
from axiomcheck.runs.trec.scoring import Alteration, Options, ScoreGrid, Scores, score_grid, score_runs

__all__ = [
    "BY_RANK",
    "TIES",
    "Alteration",
    "Measure",
    "Options",
    "Qrels",
    "Run",
    "ScoreGrid",
    "Scores",
    "measures_asked",
    "measures_named",
    "metrics_named",
    "read_qrels",
    "read_run",
    "read_weights",
    "score_grid",
    "score_runs",
    "with_weights",
]

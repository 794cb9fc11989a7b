"""Read TREC runs and relevance judgments, and score runs."""

from axiomcheck.runs.trec.measures import Measure, measures_asked, measures_named
from axiomcheck.runs.trec.qrels import Qrels, read_qrels, read_weights, with_weights
from axiomcheck.runs.trec.runs import BY_RANK, TIES, Run, read_run
from axiomcheck.runs.trec.scoring import Options, Scores, score_runs

__all__ = [
    "BY_RANK",
    "TIES",
    "Measure",
    "Options",
    "Qrels",
    "Run",
    "Scores",
    "measures_asked",
    "measures_named",
    "read_qrels",
    "read_run",
    "read_weights",
    "score_runs",
    "with_weights",
]

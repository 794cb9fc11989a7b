"""Runs and judgments of TREC's kind, and scores of the one by the other."""

from axiomcheck.runs.trec.asked import Measure, measures_named, metrics_named
from axiomcheck.runs.trec.qrels import Qrels, attach_weights, read_qrels, read_weights
from axiomcheck.runs.trec.results import Scores
from axiomcheck.runs.trec.runs import BY_RANK, TIES, Run, read_run
from axiomcheck.runs.trec.scoring import Alteration, Options, score_runs
from axiomcheck.runs.trec.targets import read_targets

__all__ = [
    "BY_RANK",
    "TIES",
    "Alteration",
    "Measure",
    "Options",
    "Qrels",
    "Run",
    "Scores",
    "attach_weights",
    "measures_named",
    "metrics_named",
    "read_qrels",
    "read_run",
    "read_targets",
    "read_weights",
    "score_runs",
]

"""Metric unanimity (MU): what metrics capture of the improvements that all others agree on, on real runs."""

from axiomcheck.runs.unanimity.measuring import (
    LEVEL,
    TOLERANCE,
    Counts,
    Unanimity,
    count_pairs,
    families_of,
    measure,
    mu,
)
from axiomcheck.runs.unanimity.scenarios import SCENARIOS, RunScenario, altered
from axiomcheck.runs.unanimity.scoring import PRESETS, ScoringTask, score_task

__all__ = [
    "LEVEL",
    "PRESETS",
    "SCENARIOS",
    "TOLERANCE",
    "Counts",
    "RunScenario",
    "ScoringTask",
    "Unanimity",
    "altered",
    "count_pairs",
    "families_of",
    "measure",
    "mu",
    "score_task",
]

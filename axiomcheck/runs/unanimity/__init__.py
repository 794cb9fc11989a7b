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
from axiomcheck.runs.unanimity.scenarios import PRESETS, SCENARIOS, RunScenario, altered

__all__ = [
    "LEVEL",
    "PRESETS",
    "SCENARIOS",
    "TOLERANCE",
    "Counts",
    "RunScenario",
    "Unanimity",
    "altered",
    "count_pairs",
    "families_of",
    "measure",
    "mu",
]

"""Informativeness of a measure's value: maximum-entropy probabilities of relevance, and their predictions."""

from axiomcheck.runs.informativeness.lists import Selection, select
from axiomcheck.runs.informativeness.measures import MEASURES, ListSettings, measure_named
from axiomcheck.runs.informativeness.study import Informativeness, curve_errors, outcomes, predictions, study

__all__ = [
    "MEASURES",
    "Informativeness",
    "ListSettings",
    "Selection",
    "curve_errors",
    "measure_named",
    "outcomes",
    "predictions",
    "select",
    "study",
]

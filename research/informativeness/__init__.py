"""Informativeness of a measure's value: maximum-entropy probabilities of relevance, and their predictions."""

from research.informativeness.lists import Selection, select
from research.informativeness.measures import MEASURES, ListSettings
from research.informativeness.study import Informativeness, curve_errors, outcomes, predictions, study

__all__ = [
    "MEASURES",
    "Informativeness",
    "ListSettings",
    "Selection",
    "curve_errors",
    "outcomes",
    "predictions",
    "select",
    "study",
]

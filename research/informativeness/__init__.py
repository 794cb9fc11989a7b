"""Study how much a measure's value reveals about a ranking, by inferring maximum-entropy probabilities of relevance."""

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

"""Precision-recall curves of lists, and those that probabilities of relevance lead one to expect."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.runs.informativeness.lists import JudgedList

_RISE = 1e-9
"""Ranks at which no intent gets more than that do not lengthen a curve: fits keep probabilities that far from 0."""


@dataclass(frozen=True)
class Curve:
    """Precision over recall, a point per rank.

    With several intents precision and recall are the weighted means of those of the intents, as intent-aware measures
    are of theirs.

    Args:
        recall: (n,), not falling.
        precision: (n,)

    """

    recall: Reals
    precision: Reals


def curve(p: Reals, judged: JudgedList) -> Curve:
    """The expected recall and the expected precision at every rank; of a list's zeros and ones, its own.

    Args:
        p: (n, m)
        judged: of which the total numbers of relevant documents and the weights are used.

    """
    found = np.cumsum(p, axis=0)
    return Curve((found / judged.totals) @ judged.weights, found @ judged.weights / np.arange(1, len(p) + 1))


@dataclass(frozen=True)
class CurveError:
    """How far an inferred curve is from the list's, at the recalls that the list's rises to.

    Args:
        rms: the root of the mean square difference of precision.
        mae: the mean absolute difference.

    """

    rms: float
    mae: float


def curve_error(p: Reals, judged: JudgedList) -> CurveError | None:
    """How far the curve inferred from p is from the list's.

    Between its points the inferred curve is straight, and before the first one level.

    Returns:
        None if nothing relevant was retrieved, so that recall does not rise.

    """
    actual, inferred = curve(judged.relevant, judged), curve(p, judged)
    at = judged.relevant.any(axis=1)
    if not at.any():
        return None
    rises = p.max(axis=1) > _RISE
    precision = np.interp(actual.recall[at], inferred.recall[rises], inferred.precision[rises])
    differences = precision - actual.precision[at]
    return CurveError(float(np.sqrt((differences**2).mean())), float(np.abs(differences).mean()))

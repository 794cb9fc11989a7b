"""Fit probabilities of relevance to many lists and measures, and predict curves and other measures from the fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import kendalltau
from threadpoolctl import threadpool_limits

from axiomcheck.core.typing import Reals
from research.informativeness.fit import Fit, count_only, fit, only_point
from research.informativeness.lists import JudgedList, Selection, TopicLists
from research.informativeness.measures import MEASURES, ListMeasure, ListSettings


@dataclass(frozen=True)
class Informativeness:
    """Fits of the lists of a selection.

    Args:
        targets: Names of the measures whose values were used for the fits.
        fits: For each list of the selection, a dict from target to fit.

    """

    selection: Selection
    settings: ListSettings
    targets: tuple[str, ...]
    fits: tuple[dict[str, Fit], ...]


def study(
    selection: Selection,
    settings: ListSettings,
    targets: Sequence[str],
    listen: Callable[[int, int], None] | None = None,
) -> Informativeness:
    """Fit probabilities of relevance to every list, once for each target measure.

    Args:
        selection: Lists.
        settings: Parameters of the measures.
        targets: Names of the measures whose values are used.
        listen: Callback that receives the number of finished lists and the total.

    """
    fits: list[dict[str, Fit]] = []
    # Matrices are small, so threads of linear algebra would wait more than they compute.
    with threadpool_limits(limits=1, user_api="blas"):
        for lists in selection.lists:
            if listen is not None:
                listen(len(fits), len(selection.lists))
            fits.append({name: fit_one(name, lists, settings) for name in targets})
    return Informativeness(selection, settings, tuple(targets), tuple(fits))


def fit_one(name: str, lists: TopicLists, settings: ListSettings) -> Fit:
    """Fit probabilities to one list, given its value of the measure ``name``."""
    measure = MEASURES[name]
    judged = measure.list_of(lists)
    only = only_point(measure.form(judged, settings), judged)
    return fit(judged, measure.expectation(judged, settings), measure.value(judged, settings), only)


_RISE = 1e-9
"""Largest probability that does not extend a curve: fits keep probabilities this far from 0."""

_STEP = 2.0**-30
"""Step to which means are rounded before they are ordered. Means are simple fractions, rarely halfway between two steps
of a power of two."""


@dataclass(frozen=True)
class Curve:
    """Precision-recall curve with one point per rank.

    With several intents, precision and recall are the weighted means over the intents, as in intent-aware measures.

    Args:
        recall: Recall at every rank, shape (n,), non-decreasing.
        precision: Precision at every rank, shape (n,).

    """

    recall: Reals
    precision: Reals


def curve(p: Reals, judged: JudgedList) -> Curve:
    """Return the expected recall and precision at every rank.

    If p is the list's own relevance (0 or 1), these are the actual values.

    Args:
        p: Probabilities of relevance, shape (n, m).
        judged: List. Only its total numbers of relevant documents and its weights are used.

    """
    found = np.cumsum(p, axis=0)
    return Curve((found / judged.totals) @ judged.weights, found @ judged.weights / np.arange(1, len(p) + 1))


def curve_error(p: Reals, judged: JudgedList) -> float | None:
    """Return the error of the precision-recall curve inferred from p, at the recalls at which the actual curve rises.

    The inferred curve is linear between its points, and constant before the first one.

    Returns:
        The root mean square difference of precision; None if no relevant document was retrieved, so that recall does
        not rise.

    """
    actual, inferred = curve(judged.relevant, judged), curve(p, judged)
    at = judged.relevant.any(axis=1)
    if not at.any():
        return None
    rises = p.max(axis=1) > _RISE
    precision = np.interp(actual.recall[at], inferred.recall[rises], inferred.precision[rises])
    return float(np.sqrt(((precision - actual.precision[at]) ** 2).mean()))


@dataclass(frozen=True)
class Basis:
    """Information from which probabilities of relevance are inferred.

    Args:
        target: Name of the measure whose value is used; None if only the number of relevant documents is used.
        by_intent: True if there are probabilities per intent.

    """

    target: str | None
    by_intent: bool

    @property
    def measures(self) -> list[ListMeasure]:
        """Measures that can be predicted from the inferred probabilities."""
        return [one for one in MEASURES.values() if one.by_intent == self.by_intent and one.name != self.target]


def bases(study: Informativeness) -> list[Basis]:
    """Return one basis per target, first those with intents.

    Each of the two groups begins with a basis that uses only the numbers of relevant documents.
    """
    out: list[Basis] = []
    for by_intent in (True, False):
        mine = [name for name in study.targets if MEASURES[name].by_intent == by_intent]
        out += [Basis(None, by_intent)] * bool(mine) + [Basis(name, by_intent) for name in mine]
    return out


def outcomes(study: Informativeness) -> dict[str, Counter[str]]:
    """Count the fits of each target by their status."""
    return {name: Counter(fits[name].status for fits in study.fits) for name in study.targets}


@dataclass(frozen=True)
class CurveErrors:
    """Errors of inferred precision-recall curves.

    Args:
        basis: Information from which the curves were inferred.
        rms: Error averaged over the topics of each run, then over the runs; None if there are no lists.
        lists: Number of lists.

    """

    basis: Basis
    rms: float | None
    lists: int


def curve_errors(study: Informativeness) -> list[CurveErrors]:
    """Return the errors of inferred curves for every basis (the paper's Table 1)."""
    out = []
    for basis in bases(study):
        by_run: dict[int, list[float]] = {}
        for lists, p in usable(study, basis):
            error = curve_error(p, lists.by_intent if basis.by_intent else lists.single)
            if error is not None:
                by_run.setdefault(lists.run, []).append(error)
        rms = float(np.mean([np.mean(errors) for errors in by_run.values()])) if by_run else None
        out.append(CurveErrors(basis, rms, sum(map(len, by_run.values()))))
    return out


def usable(study: Informativeness, basis: Basis) -> Iterator[tuple[TopicLists, Reals]]:
    """Yield each list whose fit is usable, with the probabilities inferred from a basis."""
    for lists, fits in zip(study.selection.lists, study.fits, strict=True):
        if basis.target is None:
            yield lists, count_only(lists.by_intent if basis.by_intent else lists.single)
        elif (found := fits[basis.target]).usable:
            yield lists, found.p


@dataclass(frozen=True)
class Prediction:
    """Prediction of one measure from probabilities that were inferred from another measure's values.

    Args:
        basis: Information from which the probabilities were inferred.
        runs: Names of the runs with at least one topic.
        actual: Mean of the measure over topics, by run, shape (runs,).
        expected: Mean of its expectation over the same topics, by run, shape (runs,).

    """

    basis: Basis
    predicted: str
    runs: tuple[str, ...]
    actual: Reals
    expected: Reals

    @property
    def tau(self) -> float | None:
        """Kendall's tau-b between the orders of runs by actual and expected mean; None if all runs tie in one of them.

        Means that differ by rounding only are equal.
        """
        actual, expected = (np.rint(means / _STEP) for means in (self.actual, self.expected))
        if len(self.runs) < 2 or np.ptp(actual) == 0 or np.ptp(expected) == 0:
            return None
        return float(kendalltau(actual, expected).statistic)

    @property
    def relative(self) -> Reals:
        """Relative errors (expected - actual) / actual of the runs whose actual mean is not 0."""
        some = self.actual != 0
        errors: Reals = (self.expected[some] - self.actual[some]) / self.actual[some]
        return errors

    @property
    def rmsr(self) -> float | None:
        """Root mean square relative error."""
        return float(np.sqrt((self.relative**2).mean())) if len(self.relative) else None


def predictions(study: Informativeness) -> list[Prediction]:
    """Predict every measure from every basis that can predict it (the paper's Tables 2 and 3)."""
    out = []
    for basis in bases(study):
        pairs = list(usable(study, basis))
        for measure in basis.measures:
            values: dict[int, list[tuple[float, float]]] = {}
            for lists, p in pairs:
                judged = measure.list_of(lists)
                expected = float(measure.expectation(judged, study.settings)(p)[0])
                values.setdefault(lists.run, []).append((measure.value(judged, study.settings), expected))
            means = np.array([np.mean(rows, axis=0) for rows in values.values()]).reshape(-1, 2)
            runs = tuple(study.selection.runs[run] for run in values)
            out.append(Prediction(basis, measure.name, runs, means[:, 0], means[:, 1]))
    return out

"""What fits say of measures: how they ended, and how well curves are inferred and other measures predicted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.runs.comparison.correlation import kendall
from axiomcheck.runs.comparison.steps import in_steps, step_of
from axiomcheck.runs.informativeness.curves import CurveError, curve_error
from axiomcheck.runs.informativeness.fit import count_only
from axiomcheck.runs.informativeness.lists import TopicLists
from axiomcheck.runs.informativeness.measures import MEASURES, ListMeasure
from axiomcheck.runs.informativeness.study import Informativeness


@dataclass(frozen=True)
class Basis:
    """What probabilities are inferred from, besides the number of relevant documents.

    Args:
        target: the measure whose value is given; None where the number is all.
        by_intent: whether there are probabilities per intent.

    """

    target: str | None
    by_intent: bool

    @property
    def measures(self) -> list[ListMeasure]:
        """Those that its probabilities can predict."""
        return [one for one in MEASURES.values() if one.by_intent == self.by_intent and one.name != self.target]


def bases(study: Informativeness) -> list[Basis]:
    """The targets, and before the first with intents and the first without what the numbers alone say."""
    out: list[Basis] = []
    for by_intent in (True, False):
        mine = [name for name in study.targets if MEASURES[name].by_intent == by_intent]
        out += [Basis(None, by_intent)] * bool(mine) + [Basis(name, by_intent) for name in mine]
    return out


@dataclass(frozen=True)
class FitOutcomes:
    """How the fits of one target ended.

    Args:
        target: the measure.
        statuses: status -> how many fits.
        several: for how many of the usable ones the search came to another maximum as well, from another start.

    """

    target: str
    statuses: Counter[str]
    several: int


def outcomes(study: Informativeness) -> list[FitOutcomes]:
    """How the fits ended, by target."""
    out = []
    for name in study.targets:
        fits = [one[name] for one in study.fits]
        several = sum(found.usable and found.starts[0] < found.starts[1] for found in fits)
        out.append(FitOutcomes(name, Counter(found.status for found in fits), several))
    return out


@dataclass(frozen=True)
class CurveErrors:
    """How far inferred precision-recall curves are off: means over the topics of a run, then over runs.

    Args:
        basis: what they are inferred from.
        mean: of both errors; None without a list.
        lists: how many lists are in it.

    """

    basis: Basis
    mean: CurveError | None
    lists: int


def curve_errors(study: Informativeness) -> list[CurveErrors]:
    """The errors of inferred curves, of every basis (the paper's Table 1)."""
    out = []
    for basis in bases(study):
        by_run: dict[int, list[CurveError]] = {}
        for lists, p in usable(study, basis):
            error = curve_error(p, lists.by_intent if basis.by_intent else lists.single)
            if error is not None:
                by_run.setdefault(lists.run, []).append(error)
        count = sum(map(len, by_run.values()))
        rms, mae = (
            np.mean([np.mean([getattr(error, name) for error in errors]) for errors in by_run.values()] or [0.0])
            for name in ("rms", "mae")
        )
        out.append(CurveErrors(basis, CurveError(float(rms), float(mae)) if count else None, count))
    return out


def usable(study: Informativeness, basis: Basis) -> Iterator[tuple[TopicLists, Reals]]:
    """The lists with probabilities that may be inferred from."""
    for lists, fits in zip(study.selection.lists, study.fits, strict=True):
        if basis.target is None:
            yield lists, count_only(lists.by_intent if basis.by_intent else lists.single)
        elif (found := fits[basis.target]).usable:
            yield lists, found.p


@dataclass(frozen=True)
class Prediction:
    """One measure, predicted from probabilities that another one's values led to.

    Args:
        basis: what the probabilities are inferred from.
        predicted: the measure.
        runs: names of those that have a topic.
        actual: (runs,) means over topics of the measure.
        expected: (runs,) means over the same topics of its expectation.

    """

    basis: Basis
    predicted: str
    runs: tuple[str, ...]
    actual: Reals
    expected: Reals

    @property
    def tau(self) -> float | None:
        """Kendall's tau-b of the runs by actual and by expected means; None where either ties all of them.

        Means that are equal but for rounding are equal.
        """
        if len(self.runs) < 2:
            return None
        return kendall(*(in_steps(means, step_of(means)) for means in (self.actual, self.expected)))

    @property
    def relative(self) -> Reals:
        """(expected - actual) / actual of the runs whose actual mean is not 0."""
        some = self.actual != 0
        errors: Reals = (self.expected[some] - self.actual[some]) / self.actual[some]
        return errors

    @property
    def rmsr(self) -> float | None:
        """The root mean square relative error."""
        return float(np.sqrt((self.relative**2).mean())) if len(self.relative) else None

    @property
    def mare(self) -> float | None:
        """The mean absolute relative error."""
        return float(np.abs(self.relative).mean()) if len(self.relative) else None


def predictions(study: Informativeness) -> list[Prediction]:
    """Every measure predicted from every basis that can (the paper's Tables 2 and 3)."""
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

"""Render studies of informativeness (`axiomcheck.runs.informativeness`) as tables, plots and JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.writing import json_text
from axiomcheck.reports.plot import Mark, Plot, PlotAxis, PlotLine, Points
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry
from axiomcheck.runs.informativeness import MEASURES, Informativeness, curve_errors, outcomes, predictions
from axiomcheck.runs.informativeness.fit import STATUSES
from axiomcheck.runs.informativeness.lists import TopicLists
from axiomcheck.runs.informativeness.study import Basis, Prediction, curve

_ALONE = {True: "numbers alone, by intent", False: "numbers alone"}
"""Names of the probabilities that are based on the number of relevant documents alone, without a measure."""

_NOTHING = TableEntry("-")


def study_report(study: Informativeness) -> Report:
    """Return the report of a study: status of the fits, and errors of inferred curves and predicted means."""
    settings, selection = study.settings, study.selection
    line = (
        f"{counted(len(selection.runs), 'run')}, {counted(len(selection.topics), 'topic')}, "
        f"{counted(len(selection.lists), 'list')}; N = {settings.depth}, alpha = {settings.alpha}, "
        f"beta = {settings.beta}"
    )
    ended = outcomes(study)
    shown = [status for status in STATUSES if any(one.statuses[status] for one in ended)]
    fits = Table(
        (Column("Target"), *(Column(name, ",") for name in (*shown, "several maxima"))),
        [[one.target, *(one.statuses[status] for status in shown), one.several] for one in ended],
    )
    curves = Table(
        (Column("Inferred from"), Column("RMS", ".4f"), Column("lists", ",")),
        [[_name(one.basis), _NOTHING if one.rms is None else one.rms, one.lists] for one in curve_errors(study)],
    )
    errors = (Column(name, ".3f") for name in ("Kendall's tau", "RMSR"))
    means = Table(
        (Column("Inferred from"), Column("Predicted"), *errors, Column("runs", ",")),
        [
            [
                _name(one.basis),
                one.predicted,
                *(_NOTHING if number is None else number for number in (one.tau, one.rmsr)),
                len(one.runs),
            ]
            for one in predictions(study)
        ],
    )
    tables = {"How the fits ended": fits, "Inferred precision-recall curves": curves, "Predicted means of runs": means}
    plots = [plot for row in _panels(study) for plot in row]
    sections = [Section(heading, table=table) for heading, table in tables.items()]
    sections += [Section(plot.title, plot=plot, place="page") for plot in plots]
    return Report("Informativeness", [line], sections)


def _panels(study: Informativeness) -> list[list[Plot]]:
    """Return a row of plots per target: a curve, then predictions (Ashkan and Clarke 2011, figures 5 to 10)."""
    place = _example(study)
    predicted = predictions(study)
    return [
        [_curve_plot(study, target, place)] + [_prediction_plot(one) for one in predicted if one.basis.target == target]
        for target in study.targets
    ]


def _example(study: Informativeness) -> int:
    """Return the index of the list whose curves are drawn.

    It has the most relevant documents among the lists for which every fit converged, or among all lists if there are
    none.
    """

    def key(place: int) -> tuple[bool, int]:
        converged = all(fit.status == "converged" for fit in study.fits[place].values())
        return converged, int(study.selection.lists[place].single.relevant.sum())

    return max(range(len(study.fits)), key=key)


def _curve_plot(study: Informativeness, target: str, place: int) -> Plot:
    lists: TopicLists = study.selection.lists[place]
    judged, fit = MEASURES[target].list_of(lists), study.fits[place][target]
    actual = curve(judged.relevant, judged)
    curves = [PlotLine(actual.recall.tolist(), actual.precision.tolist(), "actual", "actual")]
    if fit.usable:
        inferred = curve(fit.p, judged)
        curves.append(PlotLine(inferred.recall.tolist(), inferred.precision.tolist(), "inferred", "inferred"))
    xs, ys = [x for one in curves for x in one.xs], [y for one in curves for y in one.ys]
    title = f"{target}: topic {lists.topic}"
    return Plot(title, PlotAxis("recall", *_limits(xs)), PlotAxis("precision", *_limits(ys)), curves, (360, 270))


def _prediction_plot(one: Prediction) -> Plot:
    actual, expected = one.actual.tolist(), one.expected.tolist()
    limits = _limits([*actual, *expected])
    tau = "" if one.tau is None else f", tau = {one.tau:.3f}"
    marks: list[Mark] = [PlotLine(limits, limits, "diagonal"), Points(actual, expected, "dot")]
    title = f"{one.predicted} from {one.basis.target}{tau}"
    return Plot(title, PlotAxis("actual", *limits), PlotAxis("predicted", *limits), marks, (360, 270))


def _limits(values: list[float]) -> tuple[float, float]:
    room = 0.05 * (max(values) - min(values)) or 0.05
    return min(values) - room, max(values) + room


def study_json(study: Informativeness) -> str:
    """Return a study as JSON: the tables, the means of all runs behind them, and all fits."""
    settings, selection = study.settings, study.selection
    document = {
        "schema": "axiomcheck/informativeness",
        "version": 2,
        "depth": settings.depth,
        "alpha": settings.alpha,
        "beta": settings.beta,
        "runs": list(selection.runs),
        "topics": list(selection.topics),
        "notes": list(selection.notes),
        "outcomes": [
            {"target": one.target, "several_maxima": one.several, **{s: one.statuses[s] for s in STATUSES}}
            for one in outcomes(study)
        ],
        "curves": [{**_basis(one.basis), "rms": one.rms, "lists": one.lists} for one in curve_errors(study)],
        "predictions": [
            {
                **_basis(one.basis),
                "predicted": one.predicted,
                "tau": one.tau,
                "rmsr": one.rmsr,
                "runs": [
                    {"run": run, "actual": actual, "expected": expected}
                    for run, actual, expected in zip(one.runs, one.actual.tolist(), one.expected.tolist(), strict=True)
                ],
            }
            for one in predictions(study)
        ],
        "fits": [
            {
                "run": selection.runs[lists.run],
                "topic": lists.topic,
                "target": target,
                "status": found.status,
                "entropy": found.entropy,
                "off": _finite(found.off),
                "unsteady": _finite(found.unsteady),
                "multiplier": found.multiplier,
                "p": found.p.tolist(),
            }
            for lists, fits in zip(selection.lists, study.fits, strict=True)
            for target, found in fits.items()
        ],
    }
    return json_text(document)


def _basis(basis: Basis) -> dict[str, Any]:
    return {"target": basis.target, "by_intent": basis.by_intent}


def _name(basis: Basis) -> str:
    return basis.target or _ALONE[basis.by_intent]


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None

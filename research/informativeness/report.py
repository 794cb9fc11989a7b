"""Render studies of informativeness (`research.informativeness`) as tables and JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.core.printable import counted
from axiomcheck.core.writing import json_text
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry
from research.informativeness import Informativeness, curve_errors, outcomes, predictions
from research.informativeness.fit import STATUSES
from research.informativeness.study import Basis

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
    shown = [status for status in STATUSES if any(counts[status] for counts in ended.values())]
    fits = Table(
        (Column("Target"), *(Column(name, ",") for name in shown)),
        [[target, *(counts[status] for status in shown)] for target, counts in ended.items()],
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
    return Report("Informativeness", [line], [Section(heading, table=table) for heading, table in tables.items()])


def study_json(study: Informativeness) -> str:
    """Return a study as JSON: the tables, the means of all runs behind them, and all fits."""
    settings, selection = study.settings, study.selection
    document = {
        "schema": "axiomcheck/informativeness",
        "version": 3,
        "depth": settings.depth,
        "alpha": settings.alpha,
        "beta": settings.beta,
        "runs": list(selection.runs),
        "topics": list(selection.topics),
        "notes": list(selection.notes),
        "outcomes": [
            {"target": target, **{status: counts[status] for status in STATUSES}}
            for target, counts in outcomes(study).items()
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

"""Studies of informativeness as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.reports.aligned import aligned
from axiomcheck.runs.informativeness import Informativeness, curve_errors, outcomes, predictions
from axiomcheck.runs.informativeness.fit import STATUSES
from axiomcheck.runs.informativeness.summary import Basis

_ALONE = {True: "numbers alone, by intent", False: "numbers alone"}
"""What stands for probabilities that know how many relevant documents there are, and no measure."""


def study_text(study: Informativeness) -> str:
    """A study for the terminal."""
    settings, selection = study.settings, study.selection
    how = "recursion as published" if settings.published else "exact expectations"
    lines = [
        f"{counted(len(selection.runs), 'run')}, {counted(len(selection.topics), 'topic')}, "
        f"{counted(len(selection.lists), 'list')}; N = {settings.depth}, alpha = {settings.alpha}, "
        f"beta = {settings.beta}; {how}",
        "",
        "How the fits ended",
    ]
    ended = outcomes(study)
    shown = [status for status in STATUSES if any(one.statuses[status] for one in ended)]
    lines += _table(
        ["Target", *shown, "several maxima"],
        [[one.target, *(f"{one.statuses[status]:,}" for status in shown), f"{one.several:,}"] for one in ended],
    )
    lines += ["", "Inferred precision-recall curves"]
    lines += _table(
        ["Inferred from", "RMS", "MAE", "lists"],
        [
            [
                _name(one.basis),
                *([f"{one.mean.rms:.4f}", f"{one.mean.mae:.4f}"] if one.mean else ["-", "-"]),
                f"{one.lists:,}",
            ]
            for one in curve_errors(study)
        ],
    )
    lines += ["", "Predicted means of runs"]
    lines += _table(
        ["Inferred from", "Predicted", "Kendall's tau", "RMSR", "MARE", "runs"],
        [
            [_name(one.basis), one.predicted, *map(_number, (one.tau, one.rmsr, one.mare)), f"{len(one.runs):,}"]
            for one in predictions(study)
        ],
        2,
    )
    return "\n".join(lines) + "\n"


def study_json(study: Informativeness) -> dict[str, Any]:
    """A study as JSON: the tables, the means of every run that they are made of, and every fit."""
    settings, selection = study.settings, study.selection
    return {
        "schema": "axiomcheck/informativeness",
        "version": 1,
        "depth": settings.depth,
        "alpha": settings.alpha,
        "beta": settings.beta,
        "expectations": "published" if settings.published else "exact",
        "runs": list(selection.runs),
        "topics": list(selection.topics),
        "notes": list(selection.notes),
        "outcomes": [
            {"target": one.target, "several_maxima": one.several, **{s: one.statuses[s] for s in STATUSES}}
            for one in outcomes(study)
        ],
        "curves": [
            {
                **_basis(one.basis),
                "rms": one.mean.rms if one.mean else None,
                "mae": one.mean.mae if one.mean else None,
                "lists": one.lists,
            }
            for one in curve_errors(study)
        ],
        "predictions": [
            {
                **_basis(one.basis),
                "predicted": one.predicted,
                "tau": one.tau,
                "rmsr": one.rmsr,
                "mare": one.mare,
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


def _basis(basis: Basis) -> dict[str, Any]:
    return {"target": basis.target, "by_intent": basis.by_intent}


def _name(basis: Basis) -> str:
    return basis.target or _ALONE[basis.by_intent]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    return aligned([head, *rows], left).splitlines()

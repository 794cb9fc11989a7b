"""A study of P@H as a page: expectations, who is ahead where, and the simulated distributions drawn over each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.html.plot import Scale
from axiomcheck.reports.simulate_report import (
    EXPECTATIONS,
    ahead_text,
    dominance_text,
    listed_text,
    order_text,
    score_text,
)
from axiomcheck.runs.simulate import RunStudy, as_float

_LEFT, _TOP, _WIDTH, _HEIGHT = 62, 12, 640, 360
_FINEST = 0.5
"""Pixels across between two points of a curve; closer steps are drawn as one."""


@dataclass(frozen=True)
class ExpectationLine:
    """One expectation of one run: exact, and as simulated with its standard error."""

    run: int
    name: str
    exact: float
    simulated: float
    error: float


def study_page(study: RunStudy) -> str:
    """The page of one or two runs."""
    right = max(1.0, *(float(each.values[-1]) for each in study.simulations))
    x, y = Scale(0.0, right, _LEFT, _LEFT + _WIDTH), Scale(0.0, 1.0, _TOP + _HEIGHT, _TOP)
    two = len(study.known) == 2
    lines = [
        ExpectationLine(
            number + 1,
            name,
            as_float(getattr(known, which)),
            getattr(simulated, which),
            getattr(simulated, f"{which}_error"),
        )
        for which, name in EXPECTATIONS
        for number, (known, simulated) in enumerate(zip(study.known, study.simulations, strict=True))
    ]
    return render_page(
        "simulate.html.j2",
        styles=("tables.css", "plots.css"),
        scripts=("sort.js",),
        name=study.name,
        users=study.simulations[0].users,
        seed=study.seed,
        runs=[" ".join(map(str, known.run)) for known in study.known],
        listed=[listed_text(known) for known in study.known],
        lines=lines,
        orders=[(title, order_text(study.order(which))) for which, title in EXPECTATIONS] if two else [],
        dominance=dominance_text(study.dominance()) if two else "",
        segments=[(score_text(s.low), score_text(s.high), ahead_text(s.ahead)) for s in study.segments()]
        if two
        else [],
        x=x,
        y=y,
        top=_TOP,
        left=_LEFT,
        width=_WIDTH,
        height=_HEIGHT,
        curves=[_curve(each.values, x, y) for each in study.simulations],
        means=[x.at(as_float(known.mean)) for known in study.known],
    )


def _curve(values: Reals, x: Scale, y: Scale) -> str:
    """The path of the share of users who score so much or less: values (U,), in increasing order."""
    places, counts = np.unique(values, return_counts=True)
    shares = np.cumsum(counts) / len(values)
    parts, last = [f"M{x.at(0):g} {y.at(0):g}"], -1.0
    for place, share in zip(places.tolist(), shares.tolist(), strict=True):
        across = x.at(place)
        if across - last >= _FINEST:
            parts.append(f"H{across:g}")
            last = across
        parts.append(f"V{y.at(share):g}")
    # Of steps that are closer to each other than is drawn, the last says how high the curve is.
    kept = [part for part, after in zip(parts, [*parts[1:], "H"], strict=True) if part[0] != "V" or after[0] != "V"]
    return "".join([*kept, f"H{x.end:g}"])

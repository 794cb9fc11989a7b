"""Render studies of simulated users (`axiomcheck.runs.simulate`) as tables, a plot of the distributions, and JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb, fmpq

from axiomcheck.core.counting import counted
from axiomcheck.core.writing import json_text
from axiomcheck.reports.plot import Plot, PlotAxis, PlotLine, Rule
from axiomcheck.reports.table import Column, Report, Section, Table
from axiomcheck.runs.simulate import Known, Outcome, RunStudy, as_float

_EXPECTATIONS: tuple[tuple[Literal["mean", "ratio"], str], ...] = (("mean", "E[T/f(H)]"), ("ratio", "E[T]/E[f(H)]"))
"""(attribute, name) of the two definitions of P@H as an expectation."""

_ORDERS: dict[Outcome, str] = {
    "first": "run 1 is ahead",
    "second": "run 2 is ahead",
    "equal": "a tie",
    "undecided": "not decided (too close for certified intervals)",
}
_DOMINANCE: dict[Outcome, str] = {
    "first": "run 1 dominates run 2",
    "second": "run 2 dominates run 1",
    "equal": "the distributions are the same",
    "incomparable": "incomparable, the distributions cross",
    "undecided": "not decided by the paths that were followed",
}
_AHEAD: dict[Outcome, str] = {
    "first": "more users of run 1 score x or more",
    "second": "more users of run 2 score x or more",
    "equal": "as many users of both",
    "undecided": "not decided by the paths that were followed",
}


def study_report(study: RunStudy) -> Report:
    """Return a report of the expectations of one or two runs; for two runs, with their order and dominance."""
    users = study.simulations[0].users
    lines = [f"{study.name}: {users:,} simulated users per run, seed {study.seed}"]
    for number, known in enumerate(study.known, 1):
        lines.append(f"run {number}: {' '.join(map(str, known.run))}; {_distribution(known)}")
    if len(study.known) == 2:
        lines += [f"{title}: {_ORDERS[study.order(which)]}" for which, title in _EXPECTATIONS]
        lines.append(f"dominance: {_DOMINANCE[study.dominance()]}")
    headings = ("Exact", "Simulated", "Standard error")
    columns = (Column("Expectation"), Column("Run"), *(Column(heading, ".6f") for heading in headings))
    rows = [
        [title, str(number), as_float(getattr(k, which)), getattr(s, which), getattr(s, f"{which}_error")]
        for which, title in _EXPECTATIONS
        for number, (k, s) in enumerate(zip(study.known, study.simulations, strict=True), 1)
    ]
    sections = [Section("Expectations", table=Table(columns, rows), plot=study_plot(study))]
    if len(study.known) == 2:
        columns = (Column("x above"), Column("up to"), Column("Certain"))
        segments = [[_score(s.low), _score(s.high), _AHEAD[s.ahead]] for s in study.segments()]
        sections.append(Section("Who is ahead where", table=Table(columns, segments, sortable=False, most=12)))
    return Report(f"{study.name}, simulated", lines, sections)


def _distribution(known: Known) -> str:
    """Return the known part of a distribution in words."""
    if known.depth is None:
        return f"distribution of {counted(len(known.values), 'value')}, complete"
    left_out = f"a share of {as_float(known.rest):.2g} of the users takes more than {counted(known.depth, 'step')}"
    return f"distribution of {counted(len(known.values), 'value')}; {left_out}"


def _score(value: Fraction) -> str:
    """Format a score, as an exact fraction if it is short."""
    return str(value) if value.denominator < 10_000 else f"{float(value):.6f}"


def study_plot(study: RunStudy) -> Plot:
    """Return a plot of the simulated distributions with the exact expectations (Ferrante and Ferro 2020, figure 1).

    Simulated expectations are left out: those of two runs would be two lines even where the exact ones are equal.
    """
    marks: list[PlotLine | Rule] = []
    right = max(1.0, *(float(simulation.values[-1]) for simulation in study.simulations))
    for number, (known, simulation) in enumerate(zip(study.known, study.simulations, strict=True), 1):
        style = f"line-{number}"
        xs, counts = np.unique(simulation.values, return_counts=True)
        shares = np.cumsum(counts) / simulation.users
        steps = [0.0, *xs.tolist(), right], [0.0, *shares.tolist(), 1.0]
        marks.append(PlotLine(*steps, style, f"run {number}: F(x)", steps=True))
        for which, title in _EXPECTATIONS:
            x = as_float(getattr(known, which))
            marks.append(Rule(f"{style} {which}", f"run {number}: {title} = {x:.3f}", x=x))
    title = f"{study.name}, {study.simulations[0].users:,} simulated users"
    return Plot(title, PlotAxis("x", 0.0, right), PlotAxis("share of users with P@H ≤ x", 0.0, 1.0), marks)


def study_json(study: RunStudy) -> str:
    """Return a study as JSON; exact numbers are strings, either ``a/b`` or certified decimals."""
    runs = []
    for k, s in zip(study.known, study.simulations, strict=True):
        runs.append(
            {
                "run": [str(x) for x in k.run],
                "mean": {"exact": _exact(k.mean), "simulated": s.mean, "standard_error": s.mean_error},
                "ratio": {"exact": _exact(k.ratio), "simulated": s.ratio, "standard_error": s.ratio_error},
                "distribution": {
                    "values": [str(v) for v in k.values],
                    "probabilities": [_exact(m) for m in k.masses],
                    "left_out": str(fmpq(k.rest)),
                    "most_steps": k.depth,
                },
            }
        )
    document: dict[str, Any] = {
        "schema": "axiomcheck/simulate",
        "version": 1,
        "browsing": study.name,
        "users": study.simulations[0].users,
        "seed": study.seed,
        "runs": runs,
    }
    if len(runs) == 2:
        document["orders"] = {
            "mean": study.order("mean"),
            "ratio": study.order("ratio"),
            "dominance": study.dominance(),
        }
        document["segments"] = [{"low": str(s.low), "high": str(s.high), "ahead": s.ahead} for s in study.segments()]
    return json_text(document)


def _exact(value: arb | fmpq) -> str:
    return value.str(20, radius=False) if isinstance(value, arb) else str(value)

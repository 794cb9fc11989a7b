"""Pictures of simulated distributions with the exact expectations, as in figure 1 of Ferrante and Ferro 2020."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.reports.pictures import BLUE, VERMILION, drawn
from axiomcheck.runs.simulate import RunStudy, as_float

_COLOURS = (BLUE, VERMILION)
"""Told apart in grey by their widths."""
_WIDTHS = (2.6, 1.3)


def study_picture(study: RunStudy, suffix: str) -> bytes:
    """The bytes of a picture, the same for the same study and matplotlib.

    Args:
        study: of one or two runs.
        suffix: ``".png"`` or ``".svg"``.

    """

    def draw(axes: Any) -> None:
        right = 1.04 * max(1.0, *(float(s.values[-1]) for s in study.simulations))
        for number in range(len(study.simulations)):
            _draw(axes, study, number, right)
        axes.set_xlim(-0.02 * right, right)
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel("x")
        axes.set_ylabel("share of users with P@H ≤ x")
        users = study.simulations[0].users
        axes.set_title(f"{study.name}, {users:,} simulated users", fontsize=10)
        axes.grid(color="#DDDDDD", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.figure.legend(loc="outside lower center", ncols=len(study.simulations), frameon=False, fontsize=9)

    return drawn(draw, suffix, (7.2, 5.2))


def _draw(axes: Any, study: RunStudy, number: int, right: float) -> None:
    simulation, colour = study.simulations[number], _COLOURS[number]
    run = f"run {number + 1}"
    xs, counts = np.unique(simulation.values, return_counts=True)
    shares = np.cumsum(counts) / simulation.users
    # The step function from below the smallest score to beyond the largest.
    axes.step(
        [-right, *xs, 2 * right],
        [0.0, *shares, 1.0],
        where="post",
        color=colour,
        linewidth=_WIDTHS[number],
        label=f"{run}: F(x)",
    )
    # Expectations are known exactly; simulated ones of two runs would be two lines even where the exact ones are equal.
    known = study.known[number]
    for value, (length, gap), what in (
        (known.mean, (4, 4), "E[T / f(H)]"),
        (known.ratio, (1.2, 2.4), "E[T] / E[f(H)]"),
    ):
        x = as_float(value)
        # Half a period apart, so that of two lines in one place both are seen.
        style = (number * (length + gap) / 2, (length, gap))
        axes.axvline(x, color=colour, linewidth=1.4, linestyle=style, label=f"{run}: {what} = {x:.3f}")

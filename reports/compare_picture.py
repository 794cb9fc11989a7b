"""Differences per topic between runs, as bars from the largest to the smallest: a panel per metric and run."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import escaped
from axiomcheck.reports.compare_report import baseline_of
from axiomcheck.reports.pictures import BLUE, VERMILION, drawn_figure
from axiomcheck.runs.comparison import RunComparison

_MOST_PANELS = 200


def check_panels(metrics: int, runs: int) -> None:
    """Fails before the work rather than after it.

    Raises:
        InvalidInput: more panels than a picture can show.

    """
    if metrics * (runs - 1) > _MOST_PANELS:
        raise InvalidInput(
            f"--picture: {counted(metrics, 'metric')} and {counted(runs - 1, 'run')} besides the baseline are "
            f"{counted(metrics * (runs - 1), 'panel')}; "
            f"expected at most {_MOST_PANELS}"
        )


def comparison_picture(found: RunComparison, baseline: str, suffix: str) -> bytes:
    """The bytes of a picture, the same for the same comparison and matplotlib.

    Args:
        found: the comparison.
        baseline: what runs are held against, ``"first"`` or ``"best"``.
        suffix: ``".png"`` or ``".svg"``.

    """
    rows, columns = len(found.metrics), len(found.runs) - 1

    def draw(figure: Any) -> None:
        panels = figure.subplots(rows, columns, squeeze=False, sharey="row")
        for number, one in enumerate(found.metrics):
            base = baseline_of(one, baseline)
            others = [run for run in range(len(found.runs)) if run != base]
            for axes, run in zip(panels[number], others, strict=True):
                bars = np.sort(one.differences(run, base))[::-1]
                axes.bar(np.arange(len(bars)), bars, width=1.0, color=np.where(bars >= 0, BLUE, VERMILION).tolist())
                axes.axhline(0, color="black", linewidth=0.6)
                axes.set_xticks([])
                p = one.corrected[one.place(run, base)]
                title = escaped(f"{found.runs[run]}\nless {found.runs[base]}, p = {p:.2g}")
                axes.set_title(title, fontsize=7, parse_math=False)  # a name may hold dollar signs
                axes.tick_params(labelsize=7)
            panels[number][0].set_ylabel(escaped(one.metric), fontsize=7, parse_math=False)
        figure.supxlabel(
            f"{counted(len(found.topics), 'topic')}, from the largest difference to the smallest", fontsize=9
        )

    return drawn_figure(draw, suffix, (max(4.0, 2.2 * columns), max(3.0, 0.6 + 1.9 * rows)))

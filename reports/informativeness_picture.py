"""Pictures of studies of informativeness: an inferred curve of every target, and its predictions of runs' means.

As figures 5 to 10 of Ashkan and Clarke 2011.
"""

from __future__ import annotations

from typing import Any

from axiomcheck.reports.pictures import BLUE, VERMILION, drawn_figure
from axiomcheck.runs.informativeness import MEASURES, Informativeness
from axiomcheck.runs.informativeness.curves import curve
from axiomcheck.runs.informativeness.lists import TopicLists
from axiomcheck.runs.informativeness.summary import Prediction, predictions

_PANEL = 2.7
"""Inches."""


def study_picture(study: Informativeness, suffix: str) -> bytes:
    """The bytes of a picture, a row per target; the same for the same study and matplotlib.

    Args:
        study: of one target or more.
        suffix: ``".png"`` or ``".svg"``.

    """
    found = [one for one in predictions(study) if one.basis.target is not None]
    by_target = {target: [one for one in found if one.basis.target == target] for target in study.targets}
    columns = 1 + max(map(len, by_target.values()))
    place = _example(study)

    def draw(figure: Any) -> None:
        panels = figure.subplots(len(by_target), columns, squeeze=False)
        for row, (target, shown) in zip(panels, by_target.items(), strict=True):
            _draw_curve(row[0], study, target, place)
            for axes, one in zip(row[1:], shown, strict=False):
                _draw_prediction(axes, one)
            for axes in row[1 + len(shown) :]:
                axes.set_axis_off()

    return drawn_figure(draw, suffix, (_PANEL * columns, _PANEL * len(by_target)))


def _example(study: Informativeness) -> int:
    """The list whose curves are drawn: the first with the most relevant documents where every fit converged."""

    def key(place: int) -> tuple[bool, int]:
        converged = all(found.status == "converged" for found in study.fits[place].values())
        return converged, int(study.selection.lists[place].single.relevant.sum())

    return max(range(len(study.fits)), key=key)


def _draw_curve(axes: Any, study: Informativeness, target: str, place: int) -> None:
    lists: TopicLists = study.selection.lists[place]
    judged, found = MEASURES[target].list_of(lists), study.fits[place][target]
    actual = curve(judged.relevant, judged)
    axes.plot(actual.recall, actual.precision, color="#000000", linewidth=1.0, marker="o", markersize=3, label="actual")
    if found.usable:
        inferred = curve(found.p, judged)
        axes.plot(inferred.recall, inferred.precision, color=VERMILION, linewidth=1.6, linestyle="--", label="inferred")
    axes.set_title(f"{target}: topic {lists.topic}", fontsize=9)
    axes.set_xlabel("recall", fontsize=8)
    axes.set_ylabel("precision", fontsize=8)
    axes.legend(frameon=False, fontsize=7)
    _finish(axes)


def _draw_prediction(axes: Any, one: Prediction) -> None:
    both = [*one.actual.tolist(), *one.expected.tolist()]
    room = 0.05 * (max(both) - min(both)) or 0.05
    limits = (min(both) - room, max(both) + room)
    axes.plot(limits, limits, color="#999999", linewidth=0.8)
    axes.scatter(one.actual, one.expected, color=BLUE, s=14)
    axes.set_xlim(limits)
    axes.set_ylim(limits)
    tau = "" if one.tau is None else f", tau = {one.tau:.3f}"
    axes.set_title(f"{one.predicted} from {one.basis.target}{tau}", fontsize=9)
    axes.set_xlabel("actual", fontsize=8)
    axes.set_ylabel("predicted", fontsize=8)
    _finish(axes)


def _finish(axes: Any) -> None:
    axes.tick_params(labelsize=7)
    axes.locator_params(nbins=5)
    axes.grid(color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)

"""Pictures of regions."""

from __future__ import annotations

from typing import Any

from axiomcheck.core.printable import printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.reports.pictures import BLUE, ORANGE, drawn
from axiomcheck.reports.region_map import Rectangle, axis_label, limits, rectangles, sides, values_named
from axiomcheck.studies.region.result import Region

_COLOURS = {
    Verdict.PROVED: BLUE,
    Verdict.BOUNDED: "#7FB8D8",
    Verdict.HELD: "#CFE5F2",
    Verdict.REFUTED: ORANGE,
}
"""Told apart in grey as well; what has no colour is hatched."""

_INVISIBLE = 1e-6
"""The share of the picture below which nothing is seen of a verdict."""

_LONGEST_NAME = 60


def region_picture(region: Region, suffix: str) -> bytes:
    """The bytes of a picture, the same for the same region and matplotlib.

    Args:
        region: with one or two axes.
        suffix: ``".png"`` or ``".svg"``.

    """

    def draw(axes: Any) -> None:
        for verdict, boxes in rectangles(region).items():
            _draw(axes, verdict, boxes)
        _frame(axes, region, *sides(region))
        _legend(axes, region)

    return drawn(draw, suffix, (7.2, 2.3 if len(region.axes) == 1 else 5.4))


def _draw(axes: Any, verdict: Verdict, boxes: list[Rectangle]) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle as Patch

    patches = [Patch((left, bottom), width, height) for left, bottom, width, height in boxes]
    colour = _COLOURS.get(verdict, "#FFFFFF")
    hatch = None if verdict in _COLOURS else "//////"
    # Without smoothing, which would leave hairlines between neighbours.
    edge = "#444444" if hatch else colour
    axes.add_collection(
        PatchCollection(patches, facecolor=colour, edgecolor=edge, linewidth=0.0, hatch=hatch, antialiased=False)
    )


def _frame(axes: Any, region: Region, x: str, y: str | None) -> None:
    by_name = {axis.name: axis for axis in region.axes}
    axes.set_xlim(*limits(region, x))
    axes.set_xlabel(axis_label(x))
    if y is None:
        axes.set_ylim(0, 1)
        axes.set_yticks([])
    else:
        axes.set_ylim(*limits(region, y))
        axes.set_ylabel(axis_label(y))
    for name, side in ((x, axes.xaxis), (y, axes.yaxis)):
        if name is not None and by_name[name].whole:
            side.get_major_locator().set_params(integer=True)
    title = f"{region.axiom} of {printable(region.subject, _LONGEST_NAME)}, {region.reading_text}"
    axes.set_title(title, fontsize=11, parse_math=False)
    named = values_named(region)
    point = [named.get(n) for n in (x, y) if n is not None]
    style: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (4, 3))}
    if len(point) == 2 and None not in point:
        axes.plot(
            *point,
            marker="D",
            markersize=8,
            markerfacecolor="white",
            markeredgecolor="black",
            linestyle="none",
            clip_on=False,
            zorder=5,
        )
    else:
        if point[0] is not None:
            axes.axvline(point[0], **style)
        if len(point) == 2 and point[1] is not None:
            axes.axhline(point[1], **style)


def _legend(axes: Any, region: Region) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    shares = region.shares()
    handles: list[Any] = []
    where = " at these settings" if region.grid is not None else " on the whole of each cell"
    for verdict, share in shares.items():
        if share > _INVISIBLE:
            hatch = None if verdict in _COLOURS else "//////"
            certain = where if verdict.satisfied or verdict is Verdict.REFUTED else ""
            text = f"{verdict}{certain}, {100 * float(share):.3g}%" if len(region.axes) == 2 else verdict.value
            colour = _COLOURS.get(verdict, "#FFFFFF")
            handles.append(Patch(facecolor=colour, edgecolor="#444444", hatch=hatch, label=text))
    named = values_named(region)
    if named:
        label = "the metric as named: " + ", ".join(f"{name} = {value:g}" for name, value in named.items())
        if len(named) == len(region.axes) == 2:
            handles.append(
                Line2D(
                    [],
                    [],
                    marker="D",
                    markersize=7,
                    markerfacecolor="white",
                    markeredgecolor="black",
                    linestyle="none",
                    label=label,
                )
            )
        else:
            handles.append(Line2D([], [], color="black", linewidth=1.0, linestyle=(0, (4, 3)), label=label))
    columns = 2 if len(region.axes) == 2 else len(handles)
    axes.figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)

"""Pictures of regions."""

from __future__ import annotations

from typing import Any

from axiomcheck.core.printable import printable
from axiomcheck.reports.pictures import BLUE, ORANGE, drawn
from axiomcheck.studies.region.result import Region, RegionPart

_COLOURS = {"holds": BLUE, "fails": ORANGE, "undecided": "#FFFFFF"}
"""Told apart in grey as well."""

_INVISIBLE = 1e-6
"""The share of the picture below which nothing is seen of a verdict."""

_LONGEST_NAME = 60

_LABELS = {
    "holds": "holds (certified on the whole cell)",
    "fails": "fails (certified on the whole cell)",
    "undecided": "undecided",
}


def region_picture(region: Region, suffix: str) -> bytes:
    """The bytes of a picture, the same for the same region and matplotlib.

    Args:
        region: with one or two axes.
        suffix: ``".png"`` or ``".svg"``.

    """

    def draw(axes: Any) -> None:
        x, y = _sides(region)
        for verdict, rectangles in _rectangles(region, x, y).items():
            _draw(axes, verdict, rectangles)
        _frame(axes, region, x, y)
        _legend(axes, region)

    return drawn(draw, suffix, (7.2, 2.3 if len(region.axes) == 1 else 5.4))


def _sides(region: Region) -> tuple[str, str | None]:
    """The names across and up: the order in which they were given, whole numbers across."""
    names = [axis.name for axis in region.axes]
    if len(names) == 2 and region.axes[1].whole:
        names.reverse()
    return names[0], names[1] if len(names) == 2 else None


Rectangle = tuple[float, float, float, float]


def _rectangles(region: Region, x: str, y: str | None) -> dict[str, list[Rectangle]]:
    """By verdict: (left, bottom, width, height); a whole number has a strip of width 1 around it."""
    found: dict[str, list[Rectangle]] = {"fails": [], "holds": [], "undecided": []}
    for part in region.parts:
        for verdict, sides in _boxes(region, part):
            left, right = sides[x]
            bottom, top = sides[y] if y is not None else (0.0, 1.0)
            found[verdict].append((left, bottom, right - left, top - bottom))
    return found


def _boxes(region: Region, part: RegionPart) -> list[tuple[str, dict[str, tuple[float, float]]]]:
    strip: dict[str, tuple[float, float]] = {}
    if part.cutoff is not None:
        strip = {"k": (part.cutoff - 0.5, part.cutoff + 0.5)}
    out = []
    for piece in part.pieces:
        name = region.real_axes[0].name
        out.append((piece.finding.verdict, {**strip, name: (float(piece.low.middle), float(piece.high.middle))}))
    for cell in part.cells:
        sides = {name: (float(low), float(high)) for name, low, high in cell.box}
        out.append((cell.finding.verdict, strip | sides))
    return out


def _draw(axes: Any, verdict: str, rectangles: list[Rectangle]) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle as Patch

    patches = [Patch((left, bottom), width, height) for left, bottom, width, height in rectangles]
    if not patches:
        return
    colour = _COLOURS[verdict]
    hatch = "//////" if verdict == "undecided" else None
    # Without smoothing, which would leave hairlines between neighbours.
    edge = "#444444" if hatch else colour
    axes.add_collection(
        PatchCollection(patches, facecolor=colour, edgecolor=edge, linewidth=0.0, hatch=hatch, antialiased=False)
    )


def _frame(axes: Any, region: Region, x: str, y: str | None) -> None:
    by_name = {axis.name: axis for axis in region.axes}

    def limits(name: str) -> tuple[float, float]:
        axis = by_name[name]
        margin = 0.5 if axis.whole else 0.0
        return float(axis.low) - margin, float(axis.high) + margin

    axes.set_xlim(*limits(x))
    axes.set_xlabel(_axis_label(x))
    if y is None:
        axes.set_ylim(0, 1)
        axes.set_yticks([])
    else:
        axes.set_ylim(*limits(y))
        axes.set_ylabel(_axis_label(y))
    for name, side in ((x, axes.xaxis), (y, axes.yaxis)):
        if name is not None and by_name[name].whole:
            side.get_major_locator().set_params(integer=True)
    title = f"{region.axiom} of {printable(region.subject, _LONGEST_NAME)}, {region.regime} regime"
    axes.set_title(title, fontsize=11, parse_math=False)
    named = _named(region)
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


def _named(region: Region) -> dict[str, float]:
    """The values that the metric as named has, of those that are inside the picture."""
    shown = {axis.name: (axis.default, axis.low, axis.high) for axis in region.axes}
    return {
        name: float(value) for name, (value, low, high) in shown.items() if value is not None and low <= value <= high
    }


def _axis_label(name: str) -> str:
    return {"k": "cutoff k", "rc": "grade of relevant documents, rc"}.get(name, name)


def _legend(axes: Any, region: Region) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    shares = region.shares()
    handles: list[Any] = []
    for verdict, label in _LABELS.items():
        if shares[verdict] > _INVISIBLE:
            hatch = "//////" if verdict == "undecided" else None
            text = f"{label}, {100 * float(shares[verdict]):.3g}%" if len(region.axes) == 2 else label.split(" (")[0]
            handles.append(Patch(facecolor=_COLOURS[verdict], edgecolor="#444444", hatch=hatch, label=text))
    named = _named(region)
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

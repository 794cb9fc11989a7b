"""Rectangles of a region's map, whatever they are drawn with."""

from __future__ import annotations

from fractions import Fraction

from axiomcheck.core.verdict import Verdict
from axiomcheck.studies.region.axes import Axis
from axiomcheck.studies.region.result import Region, RegionPart

Rectangle = tuple[float, float, float, float]
"""(left, bottom, width, height)"""


def sides(region: Region) -> tuple[str, str | None]:
    """The names across and up: the order in which they were given, whole numbers across."""
    names = [axis.name for axis in region.axes]
    if len(names) == 2 and region.axes[1].whole:
        names.reverse()
    return names[0], names[1] if len(names) == 2 else None


def limits(region: Region, name: str) -> tuple[float, float]:
    """The ends of an axis; a whole number has a strip of width 1 around it."""
    axis = next(axis for axis in region.axes if axis.name == name)
    margin = 0.5 if axis.whole else 0.0
    return float(axis.low) - margin, float(axis.high) + margin


def rectangles(region: Region) -> dict[Verdict, list[Rectangle]]:
    """Return the rectangles by verdict; of one axis, they reach from 0 to 1 upwards."""
    x, y = sides(region)
    found: dict[Verdict, list[Rectangle]] = {verdict: [] for verdict in Verdict}
    for part in region.parts:
        for verdict, box in _boxes(region, part):
            left, right = box[x]
            bottom, top = box[y] if y is not None else (0.0, 1.0)
            found[verdict].append((left, bottom, right - left, top - bottom))
    return {verdict: boxes for verdict, boxes in found.items() if boxes}


def _boxes(region: Region, part: RegionPart) -> list[tuple[Verdict, dict[str, tuple[float, float]]]]:
    strip: dict[str, tuple[float, float]] = {}
    if part.cutoff is not None:
        strip = {"k": (part.cutoff - 0.5, part.cutoff + 0.5)}
    out = []
    for piece in part.pieces:
        name = region.real_axes[0].name
        out.append((piece.finding.verdict, {**strip, name: (float(piece.low.middle), float(piece.high.middle))}))
    for cell in part.cells:
        box = {name: (float(low), float(high)) for name, low, high in cell.box}
        if region.grid is not None:
            axes = {axis.name: axis for axis in region.axes}
            box = {name: _around(axes[name], low, high) for name, low, high in cell.box}
        out.append((cell.finding.verdict, strip | box))
    return out


def _around(axis: Axis, low: Fraction, high: Fraction) -> tuple[float, float]:
    """Return where settings are drawn: whole numbers as strips of width 1, others halfway to their neighbours."""
    return (float(low) - 0.5, float(high) + 0.5) if axis.whole else axis.around(low, high)


def axis_label(name: str) -> str:
    """What is written beside an axis."""
    return {"k": "cutoff k", "rc": "grade of relevant documents, rc"}.get(name, name)


def values_named(region: Region) -> dict[str, float]:
    """The values that the metric as named has, of those that are inside the picture."""
    shown = {axis.name: (axis.default, axis.low, axis.high) for axis in region.axes}
    return {
        name: float(value) for name, (value, low, high) in shown.items() if value is not None and low <= value <= high
    }

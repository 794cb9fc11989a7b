"""Plots as data: axes and the curves, bars, areas and points between them.

`axiomcheck.reports.pictures` draws them into files, `axiomcheck.reports.html.drawing` on pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

PICTURES = (".svg", ".png", ".pdf")
"""File name extensions of the pictures that plots can be drawn into."""


@dataclass(frozen=True)
class PlotAxis:
    """An axis of a plot.

    Args:
        label: Text beside the axis.
        low, high: Numbers at the ends of the axis, low < high.
        whole: Whether tick labels are integers only.
        named: Whether the axis has tick labels.

    """

    label: str
    low: float
    high: float
    whole: bool = False
    named: bool = True


@dataclass(frozen=True)
class PlotLine:
    """Points joined by lines.

    Args:
        xs, ys: Coordinates of the points, from left to right.
        style: Class in the style sheets of pages and pictures, as for all marks.
        label: Text in the legend; empty for no entry.
        steps: Whether the line is horizontal from each point to the next one.

    """

    xs: Sequence[float]
    ys: Sequence[float]
    style: str
    label: str = ""
    steps: bool = False


@dataclass(frozen=True)
class Rule:
    """A straight line across the plot at a value of one axis; the value of the other axis is None."""

    style: str
    label: str = ""
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class Areas:
    """Rectangles (left, bottom, width, height); a rectangle of width 0 is drawn at a small visible width."""

    boxes: Sequence[tuple[float, float, float, float]]
    style: str
    label: str = ""


@dataclass(frozen=True)
class Bars:
    """Adjacent bars of equal width from the value 0, filling the x axis from end to end."""

    heights: Sequence[float]


@dataclass(frozen=True)
class Points:
    """Isolated points."""

    xs: Sequence[float]
    ys: Sequence[float]
    style: str
    label: str = ""


Mark: TypeAlias = PlotLine | Rule | Areas | Bars | Points


@dataclass(frozen=True)
class Plot:
    """Marks between two axes.

    Args:
        title: Title above the plot, or its text alternative for screen readers.
        x, y: Horizontal and vertical axis.
        marks: Marks in drawing order.
        size: Width and height in pixels, without the axes.
        bare: Whether the axes are left out, as in a cell of a table.

    """

    title: str
    x: PlotAxis
    y: PlotAxis
    marks: Sequence[Mark]
    size: tuple[int, int] = (640, 360)
    bare: bool = False

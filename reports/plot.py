"""Plots as data: axes, and the curves, bars and areas between them.

`axiomcheck.reports.pictures` draws them into files, `axiomcheck.reports.html.drawing` on pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

PICTURES = (".svg", ".png", ".pdf")
"""The ends of the names of files that plots are drawn into."""


@dataclass(frozen=True)
class PlotAxis:
    """An axis.

    Args:
        label: what is written beside it.
        low, high: the numbers at its ends, low < high.
        whole: whether only whole numbers are named.
        named: whether any numbers are.

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
        xs, ys: the points, from left to right.
        style: its name in the style sheet of pages and in that of pictures, as of all that is drawn.
        label: in the legend; what has none is not in it.
        steps: whether the line is level from each point to the next one.

    """

    xs: Sequence[float]
    ys: Sequence[float]
    style: str
    label: str = ""
    steps: bool = False


@dataclass(frozen=True)
class Rule:
    """A straight line across, at a value of one axis; the other is None."""

    style: str
    label: str = ""
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class Areas:
    """Rectangles (left, bottom, width, height); those without a width are drawn as narrow as can be seen."""

    boxes: Sequence[tuple[float, float, float, float]]
    style: str
    label: str = ""


@dataclass(frozen=True)
class Bars:
    """Bars of one width from 0 on, beside each other from end to end."""

    heights: Sequence[float]


@dataclass(frozen=True)
class Points:
    """Single points."""

    xs: Sequence[float]
    ys: Sequence[float]
    style: str
    label: str = ""


Mark: TypeAlias = PlotLine | Rule | Areas | Bars | Points


@dataclass(frozen=True)
class Plot:
    """Marks between two axes.

    Args:
        title: above it, or what it is called for those who do not see it.
        x, y: its axes.
        marks: in the order in which they are drawn.
        size: width and height in pixels, without the axes.
        bare: whether the axes are left out, as in a cell of a table.

    """

    title: str
    x: PlotAxis
    y: PlotAxis
    marks: Sequence[Mark]
    size: tuple[int, int] = (640, 360)
    bare: bool = False

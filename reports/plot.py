"""Describe plots as data: axes, and the curves, areas, points and symbols between them.

`axiomcheck.reports.pictures` draws them in files, and `axiomcheck.reports.html.drawing` draws them on pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class PlotAxis:
    """An axis of a plot.

    Args:
        label: Text beside the axis.
        low, high: Numbers at the ends of the axis, low < high.
        whole: Whether all tick labels are integers.
        named: Whether the axis shows tick labels.
        names: Labels, shown instead of numbers; label i, counted from 0, is centred between i and i + 1.
        headings: Indices of the names that are headings for a group of rows and have no cells.
        groups: Headings above the names of a horizontal axis, each with the number of names below it.

    """

    label: str
    low: float
    high: float
    whole: bool = False
    named: bool = True
    names: Sequence[str] = ()
    headings: Sequence[int] = ()
    groups: Sequence[tuple[str, int]] = ()


@dataclass(frozen=True)
class PlotLine:
    """Step function through points: horizontal from each point to the next one.

    Args:
        xs, ys: Coordinates of the points, from left to right.
        style: Class in the style sheets of pages and pictures, as for all marks.
        label: Text in the legend.

    """

    xs: Sequence[float]
    ys: Sequence[float]
    style: str
    label: str


@dataclass(frozen=True)
class Rule:
    """A dashed line across the plot at ``x`` or at ``y``; the other one is None."""

    label: str
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class Areas:
    """Rectangles (left, bottom, width, height); a rectangle of width 0 is drawn at a small visible width."""

    boxes: Sequence[tuple[float, float, float, float]]
    style: str
    label: str = ""


@dataclass(frozen=True)
class Point:
    """Point that is marked by a diamond."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Signs:
    """Symbols in the cells between two axes with names, on a background that fills each cell.

    Args:
        symbol: Symbol, as in tables.
        cells: (index of the x name, index of the y name) -> superscript of the symbol in that cell.
        style: Suffix of the classes ``tile-...`` of the background and ``sign-...`` of the symbol.
        label: Text in the legend.

    """

    symbol: str
    cells: Mapping[tuple[int, int], str]
    style: str
    label: str


Mark: TypeAlias = PlotLine | Rule | Areas | Point | Signs


@dataclass(frozen=True)
class Plot:
    """A plot: two axes, the marks between them, a title and a legend.

    Args:
        title: Title above the plot, or its text alternative for screen readers.
        x, y: Horizontal and vertical axis.
        marks: Marks in drawing order.
        size: Width and height in pixels, without the axes.
        keys: Superscripts of symbols with their meanings, listed at the end of the legend.

    """

    title: str
    x: PlotAxis
    y: PlotAxis
    marks: Sequence[Mark]
    size: tuple[int, int] = (640, 360)
    keys: Sequence[tuple[str, str]] = ()

"""Draw plots as SVG, with one path and one style-sheet class per mark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from axiomcheck.reports.plot import Areas, Bars, Mark, Plot, PlotAxis, PlotLine, Points, Rule

_LEFT, _TOP = 62, 12
_FINEST = 0.5
"""Minimum horizontal distance in pixels between two steps of a curve; closer steps are merged."""
_NARROWEST = 4
"""Displayed width in pixels of an area of width 0, which is drawn on top of its neighbours."""


@dataclass(frozen=True)
class Tick:
    """A tick of an axis: its position in pixels and its label."""

    at: float
    text: str


@dataclass(frozen=True)
class Scale:
    """Linear mapping from the numbers of an axis to pixels.

    Args:
        axis: Axis with the numbers.
        start, end: Pixels of the axis's low and high end; start > end for a vertical axis.

    """

    axis: PlotAxis
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the position of a number in pixels, rounded to a hundredth."""
        share = (value - self.axis.low) / (self.axis.high - self.axis.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self, most: int = 7) -> list[Tick]:
        """Return ticks at round numbers, at most `most` of them; an empty list if the axis has no tick labels."""
        if not self.axis.named:
            return []
        rough = (self.axis.high - self.axis.low) / (most - 1)
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough * (1 - 1e-9))
        if self.axis.whole:
            step = max(1.0, step)
        first, last = math.ceil(self.axis.low / step - 1e-9), math.floor(self.axis.high / step + 1e-9)
        return [Tick(self.at(k * step), f"{k * step:.6g}") for k in range(first, last + 1)]


@dataclass(frozen=True)
class Drawing:
    """A plot in pixels.

    Args:
        plot: Plot that is drawn.
        left, top: Position of the axes.
        x, y: Scales of the two axes.
        paths: (class, path data) of each mark.
        legend: (class, whether it is an area, text) of each legend entry.

    """

    plot: Plot
    left: int
    top: int
    x: Scale
    y: Scale
    paths: tuple[tuple[str, str], ...]
    legend: tuple[tuple[str, bool, str], ...]


def drawing(plot: Plot) -> Drawing:
    """Convert a plot to paths in pixels."""
    left, top = (0, 0) if plot.bare else (_LEFT, _TOP)
    width, height = plot.size
    x, y = Scale(plot.x, left, left + width), Scale(plot.y, top + height, top)
    paths = [path for mark in plot.marks for path in _paths(mark, x, y)]
    paths.sort(key=lambda path: path[0].endswith(" single"))  # drawn last, so that neighbours do not cover them
    labelled = [mark for mark in plot.marks if not isinstance(mark, Bars) and mark.label]
    legend = tuple((mark.style, isinstance(mark, Areas), mark.label) for mark in labelled)
    return Drawing(plot, left, top, x, y, tuple(paths), legend)


def _paths(mark: Mark, x: Scale, y: Scale) -> Iterator[tuple[str, str]]:
    """Yield (class, path data) for a mark."""
    if isinstance(mark, PlotLine):
        yield mark.style, _steps(mark, x, y) if mark.steps else _lines(mark, x, y)
    elif isinstance(mark, Rule):
        if mark.x is not None:
            line = f"M{x.at(mark.x):g} {y.end:g}V{y.start:g}"
        else:
            line = f"M{x.start:g} {y.at(mark.y or 0.0):g}H{x.end:g}"
        yield from [(f"{mark.style}-back", line)] * (mark.style == "named")
        yield mark.style, line
    elif isinstance(mark, Points):
        for across, down in ((x.at(a), y.at(b)) for a, b in zip(mark.xs, mark.ys, strict=True)):
            diamond = f"M{across:g} {down - 7:g}l7 7l-7 7l-7 -7z"
            circle = f"M{across - 4:g} {down:g}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"
            yield mark.style, diamond if mark.style == "point" else circle
    elif isinstance(mark, Bars):
        yield from _bars(mark.heights, x, y)
    else:
        boxes = []
        for left, bottom, width, height in mark.boxes:
            start, top = x.at(left), y.at(bottom + height)
            tall = round(y.at(bottom) - top, 2)
            if width:
                boxes.append((start, top, round(x.at(left + width) - start, 2), tall))
            else:
                start = min(max(start - _NARROWEST / 2, x.start), x.end - _NARROWEST)
                yield f"{mark.style} single", path_of_rectangles([(start, top, _NARROWEST, tall)])
        yield mark.style, path_of_rectangles(boxes)


def _lines(curve: PlotLine, x: Scale, y: Scale) -> str:
    return "M" + "L".join(f"{x.at(a):g} {y.at(b):g}" for a, b in zip(curve.xs, curve.ys, strict=True))


def _steps(curve: PlotLine, x: Scale, y: Scale) -> str:
    """Return a path that is horizontal from each point to the next."""
    points = list(zip(curve.xs, curve.ys, strict=True))
    parts, last = [f"M{x.at(points[0][0]):g} {y.at(points[0][1]):g}"], -1.0
    for value, height in points[1:]:
        across = x.at(value)
        if across - last >= _FINEST:
            parts.append(f"H{across:g}")
            last = across
        parts.append(f"V{y.at(height):g}")
    # Of several merged steps, the last one gives the height of the curve.
    kept = [part for part, after in zip(parts, [*parts[1:], "H"], strict=True) if part[0] != "V" or after[0] != "V"]
    return "".join([*kept, f"H{x.end:g}"])


def _bars(heights: Sequence[float], x: Scale, y: Scale) -> Iterator[tuple[str, str]]:
    """Yield (class, path data) for the bars above 0 and for those below."""
    width, middle = (x.end - x.start) / len(heights), y.at(0.0)
    boxes: dict[str, list[tuple[float, float, float, float]]] = {"bar-above": [], "bar-below": []}
    for place, value in enumerate(heights):
        height = round(abs(y.at(value) - middle), 2)
        if height:
            top = round(middle - height, 2) if value > 0 else middle
            box = (round(x.start + place * width, 2), top, round(width, 2), height)
            boxes["bar-above" if value > 0 else "bar-below"].append(box)
    yield from ((style, path_of_rectangles(each)) for style, each in boxes.items())


def path_of_rectangles(rectangles: Sequence[tuple[float, float, float, float]]) -> str:
    """Return the path data of rectangles (left, top, width, height)."""
    return "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in rectangles)

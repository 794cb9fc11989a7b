"""Convert plots to SVG paths and texts, each with the style-sheet class that colours it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from axiomcheck.reports.plot import Areas, Mark, Plot, PlotAxis, PlotLine, Point, Rule, Signs

_LEFT, _TOP = 62, 12
_CHARACTER, _LINE = 8.3, 20
"""Estimated width of a character, and height of a line of text, in pixels."""
_RADIUS, _INNER = 4.5, 3.3
"""Outer and inner radius in pixels of the circles of symbols."""
_NARROWEST = 4
"""Displayed width in pixels of an area of width 0, which is drawn on top of its neighbours."""


def text_width(text: str) -> int:
    """Return the estimated width of a string in pixels."""
    return round(len(text) * _CHARACTER)


@dataclass(frozen=True)
class Tick:
    """A tick on an axis: its position in pixels, its label, and the label's class in the style sheet."""

    at: float
    text: str
    style: str = ""


@dataclass(frozen=True)
class Scale:
    """Linear mapping from the numbers on an axis to pixels.

    Args:
        axis: Axis with the numbers.
        start, end: Positions, in pixels, of the low and the high end of the axis; start > end for a vertical axis.

    """

    axis: PlotAxis
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the position of a number in pixels, rounded to a hundredth."""
        share = (value - self.axis.low) / (self.axis.high - self.axis.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self, most: int = 7) -> list[Tick]:
        """Return one tick per name, or up to `most` ticks at round numbers; an empty list if the axis has no labels."""
        if not self.axis.named:
            return []
        if self.axis.names:
            styles = dict.fromkeys(self.axis.headings, "heading")
            return [Tick(self.at(k + 0.5), name, styles.get(k, "")) for k, name in enumerate(self.axis.names)]
        rough = (self.axis.high - self.axis.low) / (most - 1)
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough * (1 - 1e-9))
        if self.axis.whole:
            step = max(1.0, step)
        first, last = math.ceil(self.axis.low / step - 1e-9), math.floor(self.axis.high / step + 1e-9)
        return [Tick(self.at(k * step), f"{k * step:.6g}") for k in range(first, last + 1)]

    def groups(self) -> list[Tick]:
        """Return a tick for each group heading of the axis, centred above the names of the group."""
        starts = accumulate((count for _, count in self.axis.groups), initial=0)
        return [
            Tick(self.at(start + count / 2), heading)
            for start, (heading, count) in zip(starts, self.axis.groups, strict=False)
        ]


@dataclass(frozen=True)
class TextAt:
    """Text that starts at a position in pixels, with its class in the style sheet."""

    x: float
    y: float
    text: str
    style: str


@dataclass(frozen=True)
class LegendEntry:
    """A mark in the legend.

    Args:
        label: Meaning of the mark.
        kind: Form of the mark: a line, an area, a symbol on its background, or text.
        style: Class of a line, area or symbol in the style sheet; for a text mark, the text itself.
        paths, texts: Drawing of a symbol, 22 by 16 pixels.

    """

    label: str
    kind: Literal["line", "area", "sign", "text"]
    style: str
    paths: Sequence[tuple[str, str]] = ()
    texts: Sequence[TextAt] = ()

    @property
    def width(self) -> int:
        """Width in pixels, including the mark and a space after it."""
        return 42 + text_width(self.label)


@dataclass(frozen=True)
class Drawing:
    """Layout of a plot, in pixels.

    Args:
        plot: Plot that is laid out.
        left, top: Position of the axes.
        below: Height of the tick labels and the axis label below the plot.
        x, y: Scales of the two axes.
        paths: (class, path data) of each mark.
        texts: Text labels of the marks.
        legend: Entries of the legend.

    """

    plot: Plot
    left: int
    top: int
    below: int
    x: Scale
    y: Scale
    paths: tuple[tuple[str, str], ...]
    texts: tuple[TextAt, ...]
    legend: tuple[LegendEntry, ...]

    @property
    def is_table(self) -> bool:
        """True if both axes have names instead of numbers; the names on the x axis are then above the cells."""
        return bool(self.plot.x.names)


def drawing(plot: Plot) -> Drawing:
    """Lay out a plot: convert its axes, marks and legend to paths and texts in pixels."""
    left, top, below = _margins(plot)
    width, height = plot.size
    x, y = Scale(plot.x, left, left + width), Scale(plot.y, top + height, top)
    paths = [path for mark in plot.marks for path in _paths(mark, x, y)]
    paths.sort(key=lambda path: path[0].endswith(" single"))  # drawn last, so that neighbours do not cover them
    texts = [text for mark in plot.marks if isinstance(mark, Signs) for text in _texts(mark, x, y)]
    return Drawing(plot, left, top, below, x, y, tuple(paths), tuple(texts), tuple(_legend(plot)))


def _margins(plot: Plot) -> tuple[int, int, int]:
    """Return the space in pixels that the axes need to the left of, above and below a plot."""
    if plot.x.names:
        names, upright = (max(map(text_width, axis.names)) for axis in (plot.y, plot.x))
        return names + 12, upright + 10 + (_LINE if plot.x.groups else 0), 0
    return _LEFT, _TOP, 24 + (_LINE if plot.x.label else 0)


def _legend(plot: Plot) -> Iterator[LegendEntry]:
    for mark in plot.marks:
        if isinstance(mark, Signs):
            one = Signs(mark.symbol, {(0, 0): ""}, mark.style, mark.label)
            x, y = Scale(PlotAxis("", 0, 1), -1.5, 23.5), Scale(PlotAxis("", 0, 1), 17.5, -1.5)
            yield LegendEntry(mark.label, "sign", mark.style, [*_paths(one, x, y)], [*_texts(one, x, y)])
        elif mark.label:
            style = "named" if isinstance(mark, Rule) else "point" if isinstance(mark, Point) else mark.style
            yield LegendEntry(mark.label, "area" if isinstance(mark, Areas) else "line", style)
    yield from (LegendEntry(words, "text", text) for text, words in plot.keys)


def _paths(mark: Mark, x: Scale, y: Scale) -> Iterator[tuple[str, str]]:
    """Yield (style class, SVG path data) for each path of a mark."""
    if isinstance(mark, PlotLine):
        (first, top), *others = ((x.at(a), y.at(b)) for a, b in zip(mark.xs, mark.ys, strict=True))
        steps = "".join(f"H{across:g}V{level:g}" for across, level in others)
        yield mark.style, f"M{first:g} {top:g}{steps}H{x.end:g}"
    elif isinstance(mark, Rule):
        if mark.x is not None:
            line = f"M{x.at(mark.x):g} {y.end:g}V{y.start:g}"
        else:
            line = f"M{x.start:g} {y.at(mark.y or 0.0):g}H{x.end:g}"
        yield from (("named-back", line), ("named", line))
    elif isinstance(mark, Point):
        yield "point", f"M{x.at(mark.x):g} {y.at(mark.y) - 7:g}l7 7l-7 7l-7 -7z"
    elif isinstance(mark, Signs):
        corners = [(x.at(across) + 1.5, y.at(up + 1) + 1.5) for across, up in mark.cells]
        wide, tall = x.at(1) - x.at(0) - 3, y.at(0) - y.at(1) - 3
        yield f"tile-{mark.style}", path_of_rectangles([(left, top, wide, tall) for left, top in corners])
        signs = [sign_path(mark.symbol, *_middle(cell, beside, x, y)) for cell, beside in mark.cells.items()]
        yield f"sign-{mark.style}", "".join(signs)
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


def sign_path(symbol: str, x: float, y: float) -> str:
    """Return SVG path data for a verdict's symbol centred at (x, y), filled by the even-odd rule; '' for a letter."""
    if symbol == "∥":
        return path_of_rectangles([(x - 3, y - 5, 1.4, 10), (x + 1.6, y - 5, 1.4, 10)])
    if symbol == "–":
        return path_of_rectangles([(x - 3.5, y - 0.6, 7, 1.2)])
    half = f"M{x:g} {y - _INNER:g}a{_INNER} {_INNER} 0 0 {{}} 0 {2 * _INNER:g}z"
    inside = {"●": "", "○": _circle(x, y, _INNER), "◑": half.format(0), "◐": half.format(1)}
    if symbol not in inside:
        return ""
    # By the even-odd rule, the path inside the disc is the part that is not filled.
    return _circle(x, y, _RADIUS) + inside[symbol]


def _circle(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:g} {y:g}a{radius} {radius} 0 1 0 {2 * radius:g} 0a{radius} {radius} 0 1 0 {-2 * radius:g} 0z"


def _middle(cell: tuple[int, int], beside: str, x: Scale, y: Scale) -> tuple[float, float]:
    """Return the centre of a cell's symbol in pixels, which is left of the cell's centre if two superscripts follow."""
    return x.at(cell[0] + 0.5) - 3.5 * (len(beside) > 1), y.at(cell[1] + 0.5)


def _texts(mark: Signs, x: Scale, y: Scale) -> Iterator[TextAt]:
    """Yield the texts of signs: symbols that are letters, and the superscripts beside symbols."""
    for cell, beside in mark.cells.items():
        middle, level = _middle(cell, beside, x, y)
        if not sign_path(mark.symbol, 0, 0):
            yield TextAt(middle - 3.5, level + 4.5, mark.symbol, f"sign-{mark.style}")
        if beside:
            yield TextAt(middle + 5, level, beside, f"sign-{mark.style} superscript")


def path_of_rectangles(rectangles: Sequence[tuple[float, float, float, float]]) -> str:
    """Return SVG path data for rectangles (left, top, width, height)."""
    return "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in rectangles)

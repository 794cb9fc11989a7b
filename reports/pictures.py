"""Draw the plots of a report as a self-contained SVG file, whose bytes depend only on its content.

PNG and PDF files are converted from the SVG by vl-convert, which brings its own fonts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed
from axiomcheck.reports.html.drawing import Drawing, LegendEntry, drawing, text_width
from axiomcheck.reports.html.page import asset, render_fragment
from axiomcheck.reports.table import Report

_MARGIN, _LINE, _WIDEST = 16, 20, 1200
"""Sizes in pixels: margin around a panel, height of a line of text, maximum width of a row of panels."""

_SCALE = 2
"""Scale of a PNG: its pixels per pixel of a page."""


@dataclass(frozen=True)
class Panel:
    """A plot in a picture, with its title above and its legend below.

    Args:
        drawn: Plot in pixels.
        left, top: Position of the title in pixels.

    """

    drawn: Drawing
    left: int
    top: int

    @property
    def title(self) -> list[str]:
        """Lines of the title above the plot."""
        return self.drawn.plot.title.splitlines()

    @property
    def right(self) -> int:
        """Right edge in pixels, with the margin."""
        return self.left + self._width + (_MARGIN if self.drawn.is_table else 2 * _MARGIN)

    @property
    def _start(self) -> int:
        """Left edge of the legend."""
        return 0 if self.drawn.is_table else self.drawn.left

    @property
    def _width(self) -> int:
        widest = max((entry.width for entry in self.drawn.legend), default=0)
        title = max((text_width(line) for line in self.title), default=0)
        return max(self.drawn.left + max(self.drawn.plot.size[0], title), self._start + widest)

    @property
    def legend(self) -> list[tuple[int, int, LegendEntry]]:
        """Position and entry of each part of the legend, laid out in lines below the plot."""
        found: list[tuple[int, int, LegendEntry]] = []
        x, y = self._start, self.drawn.top + self.drawn.plot.size[1] + self.drawn.below + 8
        for entry in self.drawn.legend:
            if x > self._start and x + entry.width > self._width:
                x, y = self._start, y + _LINE
            found.append((x, y, entry))
            x += entry.width
        return found

    @property
    def bottom(self) -> int:
        """Bottom edge in pixels, with the legend."""
        below = max((y + _LINE for _, y, _ in self.legend), default=0)
        return (
            self.top + _LINE * len(self.title) + max(below, self.drawn.top + self.drawn.plot.size[1] + self.drawn.below)
        )


def check_drawable(ending: str) -> None:
    """Check that pictures of a file type can be drawn, before anything is computed.

    Raises:
        InvalidInput: The type needs vl-convert, which is not installed.

    """
    if ending != ".svg":
        try:
            import vl_convert  # noqa: F401
        except ImportError:
            raise not_installed("a picture as PNG or PDF", "vl-convert", "plot") from None


def report_picture(report: Report, ending: str) -> str | bytes:
    """Return a picture of all plots of a report, arranged in rows.

    Args:
        report: Report with the plots.
        ending: File extension, one of `PICTURES`; an SVG is returned as text.

    Raises:
        InvalidInput: The report has no plot, or the picture needs vl-convert, which is not installed.

    """
    check_drawable(ending)
    drawn = report_svg(report)
    if ending == ".svg":
        return drawn
    import vl_convert

    return vl_convert.svg_to_png(drawn, scale=_SCALE) if ending == ".png" else vl_convert.svg_to_pdf(drawn)


def report_svg(report: Report) -> str:
    """Return all plots of a report, arranged in rows, as one SVG."""
    panels: list[Panel] = []
    left = top = _MARGIN
    for plot in (section.plot for section in report.sections if section.plot is not None):
        panel = Panel(drawing(plot), left, top)
        if panel.right > _WIDEST and left > _MARGIN:
            left, top = _MARGIN, max(each.bottom for each in panels)
            panel = replace(panel, left=left, top=top)
        panels.append(panel)
        left = panel.right
    if not panels:
        raise InvalidInput(
            f"{report.title}: the report has nothing to draw; omit the file name, or use the extension .txt"
        )
    return render_fragment(
        "picture.svg.j2",
        css=_in_light(asset("plots.css")),
        panels=panels,
        title=report.title,
        width=max(panel.right for panel in panels),
        height=max(panel.bottom for panel in panels) + _MARGIN,
        line=_LINE,
    )


def _in_light(css: str) -> str:
    """Replace the variables in a style sheet with the light theme's colours.

    Not every program that shows SVG supports variables.
    """
    colours = dict(re.findall(r"(--[\w-]+): light-dark\((#\w+), #\w+\)", asset("page.css")))
    css = re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], css)
    css = re.sub(r"light-dark\((#\w+), #\w+\)", r"\1", css)
    return css.partition("@media")[0]

"""Draw the plot of a report as a self-contained SVG file, whose bytes depend only on its content.

PNG and PDF files are converted from the SVG by vl-convert, which brings its own fonts.
"""

from __future__ import annotations

import re

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed
from axiomcheck.reports.html.drawing import LegendEntry, drawing, text_width
from axiomcheck.reports.html.page import asset, render_fragment
from axiomcheck.reports.table import Report

_MARGIN, _LINE = 16, 20
"""Sizes in pixels: margin around the plot, and height of a line of text."""

_SCALE = 2
"""Scale of a PNG: its pixels per pixel of a page."""


def check_drawable(ending: str) -> None:
    """Check that pictures of a file type, such as ``.png``, can be drawn.

    Raises:
        InvalidInput: The type needs vl-convert, which is not installed.

    """
    if ending != ".svg":
        try:
            import vl_convert  # noqa: F401
        except ImportError:
            raise not_installed("a picture as PNG or PDF", "vl-convert", "plot") from None


def report_picture(report: Report, ending: str) -> str | bytes:
    """Return a picture of the plot of a report.

    Args:
        report: Report with one plot.
        ending: File extension, one of `PICTURES`; an SVG is returned as text.

    Raises:
        InvalidInput: The report has no plot or several, or the picture needs vl-convert, which is not installed.

    """
    check_drawable(ending)
    drawn = report_svg(report)
    if ending == ".svg":
        return drawn
    import vl_convert

    return vl_convert.svg_to_png(drawn, scale=_SCALE) if ending == ".png" else vl_convert.svg_to_pdf(drawn)


def report_svg(report: Report) -> str:
    """Return the plot of a report as SVG, with its title above and its legend below.

    Raises:
        InvalidInput: The report has no plot, or several.

    """
    plots = [section.plot for section in report.sections if section.plot is not None]
    if len(plots) != 1:
        what = "several plots" if plots else "nothing"
        raise InvalidInput(
            f"{report.title}: the report has {what} to draw; omit the file name, or use the extension .txt"
        )
    drawn, title = drawing(plots[0]), plots[0].title
    start = 0 if drawn.is_table else drawn.left
    widest = max((entry.width for entry in drawn.legend), default=0)
    width = max(drawn.left + max(drawn.plot.size[0], text_width(title)), start + widest)
    bottom = drawn.top + drawn.plot.size[1] + drawn.below
    legend: list[tuple[int, int, LegendEntry]] = []
    x, y = start, bottom + 8
    for entry in drawn.legend:
        if x > start and x + entry.width > width:
            x, y = start, y + _LINE
        legend.append((x, y, entry))
        x += entry.width
    head = _LINE if title else 0
    return render_fragment(
        "picture.svg.j2",
        css=_in_light(asset("plots.css")),
        drawn=drawn,
        legend=legend,
        title=report.title,
        width=width + (2 if drawn.is_table else 3) * _MARGIN,
        height=2 * _MARGIN + head + (y + _LINE if legend else bottom),
        margin=_MARGIN,
        head=head,
    )


def _in_light(css: str) -> str:
    """Replace the variables in a style sheet with the light theme's colours.

    Not every program that shows SVG supports variables.
    """
    colours = dict(re.findall(r"(--[\w-]+): light-dark\((#\w+), #\w+\)", asset("page.css")))
    css = re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], css)
    css = re.sub(r"light-dark\((#\w+), #\w+\)", r"\1", css)
    return css.partition("@media")[0]

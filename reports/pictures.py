"""Plots as files: PNG and SVG by matplotlib, the same bytes for the same content."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed
from axiomcheck.core.printable import escaped
from axiomcheck.core.verdict import Verdict
from axiomcheck.reports.plot import Areas, Bars, Mark, Plot, Points, Rule

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

FORMATS = (".png", ".svg")

_BLUE, _ORANGE, _VERMILION = "#0072B2", "#E69F00", "#D55E00"
"""Colours of the Okabe-Ito palette, which colour-blind readers tell apart."""

Style = Mapping[str, Any]
"""Keyword arguments of matplotlib."""

_HATCHED = {"facecolor": "#FFFFFF", "hatch": "//////"}
_STYLES: dict[str, Style] = {
    "line-1": {"color": _BLUE, "linewidth": 2.6},
    "line-2": {"color": _VERMILION, "linewidth": 1.3},
    # Half a period apart, so that of two lines in one place both are seen.
    "line-1 mean": {"color": _BLUE, "linewidth": 1.4, "linestyle": (0, (4, 4))},
    "line-2 mean": {"color": _VERMILION, "linewidth": 1.4, "linestyle": (4, (4, 4))},
    "line-1 ratio": {"color": _BLUE, "linewidth": 1.4, "linestyle": (0, (1.2, 2.4))},
    "line-2 ratio": {"color": _VERMILION, "linewidth": 1.4, "linestyle": (1.8, (1.2, 2.4))},
    "actual": {"color": "#000000", "linewidth": 1.0, "marker": "o", "markersize": 3},
    "inferred": {"color": _VERMILION, "linewidth": 1.6, "linestyle": "--"},
    "diagonal": {"color": "#999999", "linewidth": 0.8},
    "zero": {"color": "black", "linewidth": 0.6},
    "dot": {"color": _BLUE, "marker": "o", "markersize": 4, "linestyle": "none"},
    "named": {"color": "black", "linewidth": 1.0, "linestyle": (0, (4, 3))},
    "point": {"color": "black", "marker": "D", "markersize": 8, "markerfacecolor": "white", "linestyle": "none"},
    **{f"fill-{verdict}": _HATCHED for verdict in Verdict},
    f"fill-{Verdict.PROVED}": {"facecolor": _BLUE},
    f"fill-{Verdict.BOUNDED}": {"facecolor": "#7FB8D8"},
    f"fill-{Verdict.HELD}": {"facecolor": "#CFE5F2"},
    f"fill-{Verdict.REFUTED}": {"facecolor": _ORANGE},
}
"""Told apart in grey as well."""


def check_drawable(path: Path) -> None:
    """Fails before the work rather than after it.

    Raises:
        InvalidInput: matplotlib is not installed, or the file's ending is none of those that are drawn.

    """
    if path.suffix.lower() not in FORMATS:
        raise InvalidInput(f"--picture {path}: expected a file name that ends in {' or '.join(FORMATS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise not_installed("a picture", "matplotlib", "plot") from None


def picture(
    rows: Sequence[Sequence[Plot]], suffix: str, size: tuple[float, float], columns: int = 2, below: str = ""
) -> bytes:
    """Return the bytes of a picture, the same for the same plots and matplotlib.

    Args:
        rows: of panels; a single plot has its legend below it, others inside.
        suffix: one of `FORMATS`, in any case.
        size: width and height in inches.
        columns: of the legend of a single plot.
        below: what is written below all panels.

    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    suffix = suffix.lower()
    small = sum(map(len, rows)) > 1
    settings: Any = {"svg.hashsalt": "axiomcheck", "svg.fonttype": "none", "hatch.linewidth": 0.6}
    settings |= {"font.size": 8 if small else 10, "axes.titlesize": 8 if small else 11}
    with mpl.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(len(rows), max(map(len, rows)), squeeze=False)
        for row, plots in zip(panels, rows, strict=True):
            for axes, plot in zip(row, plots, strict=False):
                handles = _draw(axes, plot)
                if small and handles:
                    axes.legend(handles=handles, frameon=False)
            for axes in row[len(plots) :]:
                axes.set_axis_off()
        if not small and handles:
            figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)
        if below:
            figure.supxlabel(below, fontsize=9)
        buffer = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None} if suffix == ".svg" else {"Software": None}
        figure.savefig(buffer, format=suffix.removeprefix("."), dpi=150, metadata=metadata)
    return buffer.getvalue()


def _draw(axes: Axes, plot: Plot) -> list[Artist]:
    """Draw a plot, and return the handles of its legend."""
    from matplotlib.ticker import MaxNLocator

    handles = [handle for mark in plot.marks if (handle := _mark(axes, plot, mark)) is not None]
    axes.set_title(escaped(plot.title), parse_math=False)  # a name may hold dollar signs
    axes.set_xlim(plot.x.low, plot.x.high)
    axes.set_ylim(plot.y.low, plot.y.high)
    for axis, side in ((plot.x, axes.xaxis), (plot.y, axes.yaxis)):
        side.set_label_text(escaped(axis.label), parse_math=False)
        if not axis.named:
            side.set_ticks([])
        elif axis.whole:
            side.set_major_locator(MaxNLocator(integer=True))
    if not any(isinstance(mark, Areas | Bars) for mark in plot.marks):
        axes.grid(color="#DDDDDD", linewidth=0.6)
        axes.set_axisbelow(True)
    return handles


def _mark(axes: Axes, plot: Plot, mark: Mark) -> Artist | None:
    """Draw a mark, and return its handle in the legend; None where it has no label."""
    from matplotlib.collections import PatchCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch, Rectangle

    if isinstance(mark, Bars):
        colours = [_BLUE if height >= 0 else _VERMILION for height in mark.heights]
        width = (plot.x.high - plot.x.low) / len(mark.heights)
        lefts = [plot.x.low + width * k for k in range(len(mark.heights))]
        axes.bar(lefts, mark.heights, width=width, align="edge", color=colours)
        return None
    style = _STYLES[mark.style]
    if isinstance(mark, Areas):
        patches = [Rectangle((left, bottom), width, height) for left, bottom, width, height in mark.boxes]
        edge = "#444444" if "hatch" in style else style["facecolor"]
        # Without smoothing, which would leave hairlines between neighbours.
        axes.add_collection(PatchCollection(patches, edgecolor=edge, linewidth=0.0, antialiased=False, **style))
        return Patch(edgecolor="#444444", label=mark.label, **style) if mark.label else None
    if isinstance(mark, Rule):
        if mark.x is not None:
            axes.axvline(mark.x, **style)
        elif mark.y is not None:
            axes.axhline(mark.y, **style)
    elif isinstance(mark, Points):
        axes.plot(mark.xs, mark.ys, clip_on=False, zorder=5, **style)
    else:
        axes.plot(mark.xs, mark.ys, drawstyle="steps-post" if mark.steps else "default", **style)
    return Line2D([], [], label=mark.label, **style) if mark.label else None

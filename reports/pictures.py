"""What pictures have in common: PNG and SVG by matplotlib, the same bytes for the same content."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.extras import not_installed

FORMATS = (".png", ".svg")

BLUE, ORANGE, VERMILION = "#0072B2", "#E69F00", "#D55E00"
"""Of the Okabe-Ito palette: told apart by colour-blind readers."""


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


def drawn(draw: Callable[[Any], None], suffix: str, size: tuple[float, float]) -> bytes:
    """The bytes of a picture, the same for the same matplotlib.

    Args:
        draw: draws on the axes that it is given.
        suffix: one of `FORMATS`.
        size: width and height in inches.

    """
    return drawn_figure(lambda figure: draw(figure.add_subplot()), suffix, size)


def drawn_figure(draw: Callable[[Any], None], suffix: str, size: tuple[float, float]) -> bytes:
    """As `drawn`, of a picture with axes of its own: the function draws on a figure."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    settings: Any = {"svg.hashsalt": "axiomcheck", "svg.fonttype": "none", "hatch.linewidth": 0.6, "font.size": 10}
    with mpl.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        buffer = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None} if suffix == ".svg" else {"Software": None}
        figure.savefig(buffer, format=suffix.removeprefix("."), dpi=150, metadata=metadata)
    return buffer.getvalue()

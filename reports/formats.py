"""Convert a matrix to JSON, Markdown, CSV, HTML or LaTeX."""

from __future__ import annotations

from collections.abc import Callable

from axiomcheck.core.errors import UnknownName
from axiomcheck.records.cells import Ledger
from axiomcheck.records.matrix import to_json
from axiomcheck.reports.latex import to_latex
from axiomcheck.reports.matrix_report import to_csv, to_markdown


def to_html(ledger: Ledger) -> str:
    """Return the matrix as an HTML page that shows every cell in full."""
    from axiomcheck.reports.html.cells import matrix_page  # loads the code that computes gains and curves

    return matrix_page([ledger])


_RENDERERS: dict[str, Callable[[Ledger], str]] = {
    "json": to_json,
    "markdown": to_markdown,
    "csv": to_csv,
    "html": to_html,
    "latex": to_latex,
}

FORMATS: tuple[str, ...] = tuple(_RENDERERS)
"""Names of the formats that `render` accepts."""


def render(ledger: Ledger, format: str) -> str:  # noqa: A002 - part of the public interface
    """Return a ledger as text in one of `FORMATS`.

    Raises:
        UnknownName: There is no such format.

    """
    if format not in _RENDERERS:
        raise UnknownName("format", format, FORMATS)
    return _RENDERERS[format](ledger)

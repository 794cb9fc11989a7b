"""Reports: the matrix in JSON, Markdown, CSV, LaTeX and HTML, badges, tables for the terminal, and results of studies.

The terminal's modules (`terminal`, `replay` and `explain`) load rich and are to be imported by name, where they are
needed.
"""

from __future__ import annotations

from collections.abc import Callable

from axiomcheck.core.errors import UnknownName
from axiomcheck.core.writing import write_atomically
from axiomcheck.records.cells import Ledger
from axiomcheck.records.matrix import from_document, times_json, to_json
from axiomcheck.reports.badge import to_badge
from axiomcheck.reports.latex import to_latex
from axiomcheck.reports.matrix_report import to_csv, to_markdown

__all__ = [
    "FORMATS",
    "from_document",
    "render",
    "times_json",
    "to_badge",
    "to_csv",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "write_atomically",
]


def to_html(ledger: Ledger) -> str:
    """The matrix as a page for a browser, with every cell in full."""
    from axiomcheck.reports.html.matrix import matrix_page  # which loads what computes: gains, curves

    return matrix_page([ledger])


_RENDERERS: dict[str, Callable[[Ledger], str]] = {
    "json": to_json,
    "markdown": to_markdown,
    "csv": to_csv,
    "html": to_html,
    "latex": to_latex,
    "badge": to_badge,
}

FORMATS: tuple[str, ...] = tuple(_RENDERERS)
"""The formats that `render` knows."""


def render(ledger: Ledger, format: str) -> str:  # noqa: A002 - what users call it
    """A ledger as text in one of `FORMATS`.

    Raises:
        UnknownName: no such format.

    """
    if format not in _RENDERERS:
        raise UnknownName("format", format, FORMATS)
    return _RENDERERS[format](ledger)

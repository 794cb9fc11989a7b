"""Reports as they come out of the commands, to be looked at."""

from __future__ import annotations

from pages import Pages

from axiomcheck.records.cells import Ledger
from axiomcheck.reports import FORMATS, render

FOLDER = "reports"

SUFFIXES = {"html": "html", "markdown": "md", "csv": "csv", "latex": "tex", "badge": "svg"}
"""Form -> the suffix of its files, of the forms that are worth looking at."""


def write(pages: Pages, ledger: Ledger) -> None:
    """Writes the default matrix in every form that there is, and a page that lists them."""
    shown = {form: f"{FOLDER}/matrix.{suffix}" for form, suffix in SUFFIXES.items() if form in FORMATS}
    for form, name in shown.items():
        pages.write(f"files/{name}", render(ledger, form))
    pages.fill("gallery.md", "gallery.md.j2", shown=shown)

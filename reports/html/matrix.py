"""Render the matrix as HTML, with the tables of one or several readings and every cell in full."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from axiomcheck.core.documents import difference, document_of
from axiomcheck.core.errors import InvalidInput
from axiomcheck.records.cells import Cell, Ledger, joined
from axiomcheck.reports.html.cells import PUBLISHED_WORDS, ShownCell, identities, shown_cell
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.layout import Layout, caption, counts, hints, reasons_told_once
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.words import finding_sentence, findings_headline

_SHORT = {"u": "u", "contradictory": "y/n"}
_TOLD = (caption, counts, findings_headline, finding_sentence, hints, reasons_told_once)
"""Functions that the template calls with a ledger, a layout or a cell."""

INDEX = "index.html"
FOLDER = "cells"


@dataclass(frozen=True)
class MatrixView:
    """Table of one reading on a page.

    Args:
        layout: Layout of the reading's ledger.
        ids: (metric, axiom) -> name of the cell.

    """

    layout: Layout
    ids: Mapping[tuple[str, str], str]

    @property
    def ledger(self) -> Ledger:
        """Ledger of the reading."""
        return self.layout.ledger

    @property
    def id(self) -> str:
        """Name of the reading in URLs."""
        return f"{self.ledger.regime}-{self.ledger.domain}"

    @property
    def axioms(self) -> list[str]:
        """All axioms, in the order of their groups."""
        return [axiom for axioms in self.layout.groups.values() for axiom in axioms]


def matrix_page(ledgers: Sequence[Ledger]) -> str:
    """Return the matrices of one or several readings as one page, with every cell in full.

    Raises:
        InvalidInput: Two ledgers have different settings, or cannot be joined (see `axiomcheck.records.cells.joined`).

    """
    views = _views(ledgers)
    cells = [
        (shown_cell(ledger, cell, view.ids[_key(cell)]), view.layout.marks(cell)) for ledger, cell, view in _each(views)
    ]
    return _page(views, "#{}".format, cells)


def matrix_files(ledgers: Sequence[Ledger]) -> dict[str, str]:
    """Return the matrices as files: a page with the tables, and a page per cell in a folder.

    Returns:
        Path below the report's folder -> content; the page with the tables is last.

    Raises:
        InvalidInput: Two ledgers have different settings, or cannot be joined (see `axiomcheck.records.cells.joined`).

    """
    views = _views(ledgers)
    files: dict[str, str] = {}
    for ledger, cell, view in _each(views):
        identity = view.ids[_key(cell)]
        shown = shown_cell(ledger, cell, identity)
        files[f"{FOLDER}/{identity}.html"] = render_page(
            "cell.html.j2",
            styles=("cell.css", "plots.css"),
            scripts=("copy.js",),
            shown=shown,
            marks=view.layout.marks(cell),
            caption=caption(ledger),
            back=f"../{INDEX}",
        )
    files[INDEX] = _page(views, f"{FOLDER}/{{}}.html".format, [])
    return files


def _key(cell: Cell) -> tuple[str, str]:
    return cell.metric, cell.axiom


def _each(views: Sequence[MatrixView]) -> Iterator[tuple[Ledger, Cell, MatrixView]]:
    for view in views:
        for cell in view.ledger.cells:
            yield view.ledger, cell, view


def _page(views: Sequence[MatrixView], address: Callable[[str], str], cells: Sequence[tuple[ShownCell, str]]) -> str:
    every = [cell for view in views for cell in view.ledger.cells]
    return render_page(
        "matrix.html.j2",
        styles=("matrix.css", "cell.css", "plots.css"),
        scripts=("matrix.js", "copy.js"),
        views=views,
        families=list(dict.fromkeys(name for view in views for name in view.layout.families(view.axioms))),
        verdicts=[verdict for verdict in SYMBOLS if any(cell.verdict is verdict for cell in every)],
        claims=any(cell.published for cell in every),
        short=lambda published: _SHORT.get(published, published),
        published_words=PUBLISHED_WORDS,
        address=address,
        cells=cells,
        **{told.__name__: told for told in _TOLD},
    )


def _views(ledgers: Sequence[Ledger]) -> list[MatrixView]:
    ledgers = joined(ledgers)
    for other in ledgers[:-1]:
        ledger = ledgers[-1]
        apart = difference(document_of(ledger.settings), document_of(other.settings), ("settings",))
        if apart is not None:
            raise InvalidInput(
                f"the reports for {ledger.regime}, {ledger.domain} and for {other.regime}, {other.domain} cannot be "
                f"compared: {apart}; create them with the same settings"
            )
    views = []
    for ledger in ledgers:
        ids = {_key(cell): identity for cell, identity in zip(ledger.cells, identities(ledger), strict=True)}
        views.append(MatrixView(Layout(ledger), ids))
    return views

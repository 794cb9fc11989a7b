"""Render the matrix as HTML, with the tables of one or several readings and every cell in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from axiomcheck.core.documents import difference, document_of
from axiomcheck.core.errors import InvalidInput
from axiomcheck.records.cells import Ledger, joined
from axiomcheck.reports.html.cells import ShownCell, identities, shown_cells
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.layout import Layout
from axiomcheck.reports.symbols import SYMBOLS

_SHORT = {"u": "u", "contradictory": "y/n"}

INDEX = "index.html"
FOLDER = "cells"


def matrix_page(ledgers: Sequence[Ledger]) -> str:
    """Return the matrices of one or several readings as one page, with every cell in full.

    Raises:
        InvalidInput: Two ledgers have different settings, or cannot be joined (see `axiomcheck.records.cells.joined`).

    """
    together = _together(ledgers)
    return _page(together, "#{}".format, shown_cells(*together))


def matrix_files(ledgers: Sequence[Ledger]) -> dict[str, str]:
    """Return the matrices as files: a page with the tables, and a page per cell in a folder.

    Returns:
        Dict from path, relative to the report's folder, to content. The page with the tables is last.

    Raises:
        InvalidInput: Two ledgers have different settings, or cannot be joined (see `axiomcheck.records.cells.joined`).

    """
    together = _together(ledgers)
    files = {
        f"{FOLDER}/{shown.id}.html": render_page(
            "cell.html.j2",
            styles=("cell.css", "plots.css"),
            scripts=("copy.js",),
            shown=shown,
            back=f"../{INDEX}",
        )
        for shown in shown_cells(*together)
    }
    files[INDEX] = _page(together, f"{FOLDER}/{{}}.html".format, [])
    return files


def _page(ledgers: Sequence[Ledger], address: Callable[[str], str], cells: Sequence[ShownCell]) -> str:
    layouts, every = [Layout(ledger) for ledger in ledgers], [cell for ledger in ledgers for cell in ledger.cells]
    readings = [ledger for ledger in ledgers for _ in ledger.cells]
    return render_page(
        "matrix.html.j2",
        styles=("matrix.css", "cell.css", "plots.css"),
        scripts=("matrix.js", "copy.js"),
        layouts=layouts,
        families=list(dict.fromkeys(name for layout in layouts for name in layout.families(layout.axioms))),
        verdicts=[verdict for verdict in SYMBOLS if any(cell.verdict is verdict for cell in every)],
        claims=any(cell.published for cell in every),
        short=lambda published: _SHORT.get(published, published),
        addresses={
            (ledger.regime, ledger.domain, cell.metric, cell.axiom): address(name)
            for ledger, cell, name in zip(readings, every, identities(*ledgers), strict=True)
        },
        cells=cells,
    )


def _together(ledgers: Sequence[Ledger]) -> list[Ledger]:
    """Join the ledgers on a page into one per reading, and check that their settings are equal."""
    ledgers = joined(ledgers)
    for other in ledgers[:-1]:
        ledger = ledgers[-1]
        apart = difference(document_of(ledger.settings), document_of(other.settings), ("settings",))
        if apart is not None:
            raise InvalidInput(
                f"the reports for {ledger.regime}, {ledger.domain} and for {other.regime}, {other.domain} cannot be "
                f"shown on one page: {apart}; create them with the same settings"
            )
    return list(ledgers)

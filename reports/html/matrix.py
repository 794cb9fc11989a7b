"""The matrix as a page: the tables of one or several readings, and every cell in full."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.documents import difference, document_of
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.html.cells import PUBLISHED_WORDS, ShownCell, identities, shown_cell
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.layout import (
    Layout,
    TableFamily,
    TableRows,
    caption,
    counts,
    families,
    hints,
    legend,
    reasons_told_once,
)
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.words import finding_sentence, findings_headline

_SHORT = {"u": "u", "contradictory": "y/n"}
_TEN = "The ten axioms"
_OTHERS = "Other axioms"

INDEX = "index.html"
FOLDER = "cells"
BUNDLES = "bundles"


@dataclass(frozen=True)
class MatrixTable:
    """One table: a reading, and the ten axioms or the others.

    Args:
        id: of the table.
        title: which axioms they are.
        groups: heading -> axioms.
        axioms: all of them, in order.
        families: the rows.

    """

    id: str
    title: str
    groups: Mapping[str, Sequence[str]]
    axioms: tuple[str, ...]
    families: tuple[TableFamily, ...]


@dataclass(frozen=True)
class MatrixView:
    """What a page shows of one reading.

    Args:
        id: of the reading.
        reading: in words.
        caption: the reading and settings that the verdicts belong to.
        tables: one, or two where there are axioms besides the ten.
        headline: how many findings there are.
        findings: (the cell, its sentence).
        hints, missing: what else is told below a table.
        counts: how many cells have which verdict.
        legend: of what occurs.
        in_full: the canonical names of metrics that have a short one in the table.
        layout: marks and cells.
        ids: (metric, axiom) -> the cell's name.

    """

    id: str
    reading: str
    caption: str
    tables: tuple[MatrixTable, ...]
    headline: str
    findings: tuple[tuple[Cell, str], ...]
    hints: tuple[str, ...]
    missing: tuple[tuple[Verdict, str], ...]
    counts: str
    legend: tuple[tuple[Verdict | None, str, str], ...]
    in_full: tuple[str, ...]
    layout: Layout
    ids: Mapping[tuple[str, str], str]


def matrix_page(ledgers: Sequence[Ledger]) -> str:
    """The matrices of one or several readings as one page, with every cell in full.

    Raises:
        InvalidInput: two are of the same reading, or were made with different settings.

    """
    views = _views(ledgers)
    cells = [
        (shown_cell(ledger, cell, view.ids[_key(cell)]), view.layout.marks(cell))
        for ledger, cell, view in _each(ledgers, views)
    ]
    return _page(views, "#{}".format, cells)


def matrix_files(ledgers: Sequence[Ledger]) -> dict[str, str]:
    """The same as files: the page of the tables, one per cell beside it in a folder, and the bundles of witnesses.

    Returns:
        Path below the report's folder -> content; the page of the tables is last.

    Raises:
        InvalidInput: as `matrix_page`.

    """
    views = _views(ledgers)
    files: dict[str, str] = {}
    for ledger, cell, view in _each(ledgers, views):
        identity = view.ids[_key(cell)]
        shown = shown_cell(ledger, cell, identity)
        if shown.bundle:
            files |= {f"{BUNDLES}/{identity}/{name}": text for name, text in shown.bundle.files.items()}
        files[f"{FOLDER}/{identity}.html"] = render_page(
            "cell.html.j2",
            styles=("cell.css", "plots.css"),
            scripts=("copy.js",),
            shown=shown,
            folder=f"../{BUNDLES}/{identity}" if shown.bundle else "",
            marks=view.layout.marks(cell),
            caption=view.caption,
            back=f"../{INDEX}",
        )
    files[INDEX] = _page(views, f"{FOLDER}/{{}}.html".format, [])
    return files


def _key(cell: Cell) -> tuple[str, str]:
    return cell.metric, cell.axiom


def _each(ledgers: Sequence[Ledger], views: Sequence[MatrixView]) -> Iterator[tuple[Ledger, Cell, MatrixView]]:
    for ledger, view in zip(ledgers, views, strict=True):
        for cell in ledger.cells:
            yield ledger, cell, view


def _page(views: Sequence[MatrixView], address: Callable[[str], str], cells: Sequence[tuple[ShownCell, str]]) -> str:
    tables = [table for view in views for table in view.tables]
    rows = [row for table in tables for family in table.families for row in family.rows]
    there = {cell.verdict for row in rows for cell in row.cells if cell}
    return render_page(
        "matrix.html.j2",
        styles=("matrix.css", "cell.css", "plots.css"),
        scripts=("matrix.js", "copy.js"),
        views=views,
        titles=list(dict.fromkeys(table.title for table in tables)),
        families=list(dict.fromkeys(family.name for table in tables for family in table.families)),
        verdicts=[verdict for verdict in SYMBOLS if verdict in there],
        claims=any(cell and cell.published for row in rows for cell in row.cells),
        short=lambda published: _SHORT.get(published, published),
        published_words=PUBLISHED_WORDS,
        address=address,
        cells=cells,
    )


def _views(ledgers: Sequence[Ledger]) -> list[MatrixView]:
    for number, ledger in enumerate(ledgers):
        for other in ledgers[:number]:
            if (ledger.regime, ledger.domain) == (other.regime, other.domain):
                raise InvalidInput(
                    f"two reports are of regime {ledger.regime}, domain {ledger.domain}; expected one of each reading"
                )
            _check_settings(ledger, other)
    return [_view(ledger) for ledger in ledgers]


def _check_settings(ledger: Ledger, other: Ledger) -> None:
    """Refuses to put verdicts beside each other that differ by more than their reading."""
    apart = difference(document_of(ledger.settings), document_of(other.settings), ("settings",))
    if apart is not None:
        raise InvalidInput(
            f"the reports of {ledger.regime}, {ledger.domain} and {other.regime}, {other.domain} cannot be compared: "
            f"{apart}; make them with the same settings"
        )


def _view(ledger: Ledger) -> MatrixView:
    layout = Layout(ledger)
    name = f"{ledger.regime}-{ledger.domain}"
    return MatrixView(
        id=name,
        reading=f"{ledger.regime}, {ledger.domain}",
        caption=caption(ledger),
        tables=tuple(_tables(layout, name)),
        headline=findings_headline(ledger),
        findings=tuple((cell, finding_sentence(cell)) for cell in ledger.findings),
        hints=tuple(hints(ledger)),
        missing=tuple(reasons_told_once(ledger)),
        counts=counts(ledger),
        legend=tuple(legend(layout)),
        in_full=tuple(TableRows(layout).in_full),
        layout=layout,
        ids={_key(cell): identity for cell, identity in zip(ledger.cells, identities(ledger), strict=True)},
    )


def _tables(layout: Layout, name: str) -> Iterator[MatrixTable]:
    for title, suffix, wanted in ((_TEN, "", True), (_OTHERS, "-others", False)):
        groups = {
            heading: [axiom for axiom in axioms if (axiom in AXIOMS) is wanted]
            for heading, axioms in layout.groups.items()
        }
        groups = {heading: axioms for heading, axioms in groups.items() if axioms}
        axioms = tuple(axiom for names in groups.values() for axiom in names)
        if axioms:
            yield MatrixTable(f"{name}{suffix}", title, groups, axioms, tuple(families(layout, axioms)))

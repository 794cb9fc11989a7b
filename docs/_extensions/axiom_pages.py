"""Write a page for each axiom, with the output of `axiomcheck explain` and its column of the matrix."""

from __future__ import annotations

from cells import answers
from pages import Pages

from axiomcheck.axioms import AXIOMS, Axiom
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.bibliography import references_in
from axiomcheck.reports.explain import axiom_report
from axiomcheck.reports.listing import axiom_entry
from axiomcheck.reports.table import report_text

FOLDER = "axioms"
WIDTH = 88


def write(pages: Pages, ledger: Ledger) -> None:
    """Write the list of the axioms, and a page for each."""
    entries = [axiom_entry(axiom) for axiom in AXIOMS.values()]
    pages.fill(f"{FOLDER}/index.md", "axioms.md.j2", entries=entries)
    for axiom in AXIOMS.values():
        column = [cell for cell in ledger.cells if cell.axiom == axiom.name]
        pages.fill(
            f"{FOLDER}/{axiom.name}.md",
            "axiom.md.j2",
            entry=axiom_entry(axiom),
            references=references_in(axiom.source),
            explained=explained(axiom),
            answers=answers(column, "../../"),
        )


def explained(axiom: Axiom) -> str:
    """Return the output of `axiomcheck explain` as plain text."""
    return report_text(axiom_report(axiom), WIDTH).rstrip()

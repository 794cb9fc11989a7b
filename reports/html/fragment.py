"""The matrix as a piece of HTML for notebooks: a table with a style of its own, and no script."""

from __future__ import annotations

from axiomcheck.records.cells import Ledger
from axiomcheck.reports.html.page import asset, render_fragment
from axiomcheck.reports.html.table import families, legend
from axiomcheck.reports.layout import Layout, caption, counts


def matrix_fragment(ledger: Ledger) -> str:
    """The table of a ledger with its caption and legend, for ``_repr_html_``; its style touches nothing else."""
    layout = Layout(ledger)
    axioms = [axiom for names in layout.groups.values() for axiom in names]
    return render_fragment(
        "fragment.html.j2",
        css=asset("fragment.css"),
        groups=layout.groups,
        axioms=axioms,
        families=families(layout, axioms),
        layout=layout,
        legend=legend(layout),
        caption=caption(ledger),
        counts=counts(ledger),
    )

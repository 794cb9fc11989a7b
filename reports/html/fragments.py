"""Results as pieces of HTML for notebooks: the matrix, a checked metric, and tables of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axiomcheck.checks.metric import Checked
from axiomcheck.core.printable import printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.check_report import violations_told
from axiomcheck.reports.html.page import asset, render_fragment
from axiomcheck.reports.layout import Layout, caption, counts, legend
from axiomcheck.reports.symbols import SYMBOLS, WORDS

_MOST_ROWS = 60
_LONGEST = 300
"""Characters of a value."""


def matrix_fragment(ledger: Ledger) -> str:
    """The table of a ledger with its caption and legend, for ``_repr_html_``; its style touches nothing else."""
    layout = Layout(ledger)
    axioms = [axiom for names in layout.groups.values() for axiom in names]
    return render_fragment(
        "fragment.html.j2",
        css=asset("fragment.css"),
        groups=layout.groups,
        axioms=axioms,
        layout=layout,
        legend=legend(layout),
        caption=caption(ledger),
        counts=counts(ledger),
    )


def check_fragment(checked: Checked, before: Sequence[str], besides: Sequence[str]) -> str:
    """A metric's rows with what refutes it, and the contract checks that failed.

    Args:
        checked: as `axiomcheck.checks.metric.check_metric` returns it.
        before: lines that come first.
        besides: what else there is to say.

    """
    verdicts = {cell.verdict for cell in checked.cells}
    contract = [
        f"{outcome.check}: {printable(outcome.reason, _LONGEST)}"
        for outcome in checked.tried.contract
        if outcome.status in ("failed", "error")
    ]
    told = [("Violations", violations_told(checked)), ("Contract checks that failed", contract), ("Besides", besides)]
    return render_fragment(
        "check_fragment.html.j2",
        css=asset("fragment.css"),
        checked=checked,
        before=before,
        axioms=[cell.axiom for cell in checked.ledgers[0].cells] if checked.ledgers else [],
        legend=[(verdict, symbol, WORDS[verdict]) for verdict, symbol in SYMBOLS.items() if verdict in verdicts],
        told=[(heading, sentences) for heading, sentences in told if sentences],
    )


def rows_fragment(
    lines: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[Any]], picture: str | None = None
) -> str:
    """Lines of text above a table of values, of which the first rows are shown.

    Args:
        lines: above it.
        columns: names.
        rows: values.
        picture: SVG in place of the table; None for the table.

    """
    from markupsafe import Markup

    return render_fragment(
        "rows.html.j2",
        css=asset("fragment.css"),
        lines=[printable(line) for line in lines],
        columns=columns,
        rows=[[_shown(value) for value in row] for row in rows],
        most=_MOST_ROWS,
        picture=None if picture is None else Markup(picture),
    )


def _shown(value: Any) -> str:
    if value is None or value != value:  # NaN
        return ""
    if isinstance(value, Verdict):
        return value.value
    return f"{value:.6g}" if isinstance(value, float) else printable(str(value), _LONGEST)

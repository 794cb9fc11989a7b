"""Draw the matrix as a badge, a self-contained SVG with one line of counts."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.printable import counted, escaped, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.html.page import render_fragment
from axiomcheck.reports.layout import caption, decided_on_binary
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import as_markdown

_GREEN, _BLUE, _ORANGE, _GREY = "#2a7d2e", "#1f6fb2", "#a85a00", "#5f5f5f"
"""Background colours on which white letters have a contrast of at least 4.5 to 1."""

_FEW = 3
"""Maximum number of axioms, or of metrics, that are listed by name."""

_NAME = 60
"""Maximum number of characters of a metric's name that are shown."""

_LETTER, _MARGIN = 6.1, 6.0
"""Average letter width and the margin on both sides of a text, in pixels; the SVG sets the text's width explicitly."""


@dataclass(frozen=True)
class Badge:
    """Texts and colour of a badge.

    Args:
        label: Left half of the badge: the axioms and the reading.
        message: Right half of the badge: the number of cells with each verdict.
        colour: Green if every cell is proved for every instance, orange if an axiom is violated, grey if an answer is
            missing, blue otherwise.
        title: Metrics and settings, shown as a tooltip.

    """

    label: str
    message: str
    colour: str
    title: str


def badge_of(ledger: Ledger) -> Badge:
    """Summarize the verdicts of a ledger as the texts and colour of a badge."""
    metrics = ledger.metrics
    tally = Counter(cell.verdict for cell in ledger.cells)
    binary = sum(decided_on_binary(ledger, cell) and cell.verdict.satisfied for cell in ledger.cells)
    parts = [f"{tally[Verdict.PROVED]} of {len(ledger.cells)} proved"]
    parts += [
        f"{tally[verdict]} {verdict.value.replace('-', ' ')}"
        for verdict in SYMBOLS
        if tally[verdict] and verdict is not Verdict.PROVED
    ]
    if binary:
        parts.append(f"{binary} on binary grades only")
    several = f"{counted(len(metrics), 'metric')}: " if len(metrics) > 1 else ""
    named = ", ".join(printable(name, _NAME) for name in metrics[:_FEW])
    more = f" and {len(metrics) - _FEW} more" if len(metrics) > _FEW else ""
    reading = ledger.regime if ledger.domain == "graded" else f"{ledger.regime}, {ledger.domain}"
    return Badge(
        f"{_axiom_words(ledger)} ({reading})",
        several + ", ".join(parts),
        _colour(tally, binary),
        f"{named}{more}. {caption(ledger)}",
    )


def _axiom_words(ledger: Ledger) -> str:
    """Return a phrase for the axioms: "axioms" for all ten, else their names or, if there are many, their number."""
    if not ledger.cells:
        return "no cells"
    axioms = [printable(name, _NAME) for name in ledger.axioms]
    if set(axioms) == set(AXIOMS):
        return "axioms"
    return ", ".join(axioms) if len(axioms) <= _FEW else f"{len(axioms)} selected axioms"


def _colour(tally: Counter[Verdict], binary: int) -> str:
    if tally[Verdict.UNDECIDED] or tally[Verdict.ERROR] or not tally:
        return _GREY
    if tally[Verdict.REFUTED] or tally[Verdict.INCOMPARABLE]:
        return _ORANGE
    return _GREEN if set(tally) == {Verdict.PROVED} and not binary else _BLUE


def to_badge(ledger: Ledger) -> str:
    """Return the badge for a ledger as SVG."""
    badge = badge_of(ledger)
    widths = [round(len(text) * _LETTER + 2 * _MARGIN) for text in (badge.label, badge.message)]
    return render_fragment("badge.svg.j2", badge=badge, widths=widths, margin=_MARGIN)


def badge_in_markdown(ledger: Ledger, path: Path) -> str:
    """Return a line of Markdown that shows a badge file, with the badge's text as alternative text."""
    badge = badge_of(ledger)
    address = quote(os.fsencode(path.as_posix()))  # unquoted brackets or spaces would end the address
    return escaped(f"![{as_markdown(f'{badge.label}: {badge.message}')}]({address})")

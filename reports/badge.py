"""The matrix as a badge: one line of counts in a picture (SVG) that needs nothing from elsewhere."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.counting import counted
from axiomcheck.core.printable import escaped, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.html.page import render_fragment
from axiomcheck.reports.layout import caption, decided_on_binary
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import as_markdown

_GREEN, _BLUE, _ORANGE, _GREY = "#2a7d2e", "#1f6fb2", "#a85a00", "#5f5f5f"
"""On each, white letters have a contrast of 4.5 to 1 or more."""

_FEW = 3
"""Axioms that are named where not all ten were asked."""

_NAME = 60
"""Characters that are shown of a metric's name."""

_LETTER, _MARGIN = 6.1, 6.0
"""The width of a letter, on average, and what is left and right of a text; the picture is told the text's width."""


@dataclass(frozen=True)
class Badge:
    """The texts and the colour of a badge.

    Args:
        label: what was asked: the axioms and the reading.
        message: how many cells have which verdict, all of them.
        colour: green where every cell is proved for every instance, orange where an axiom is violated, grey where there
            is an answer missing, blue for everything between.
        title: the metrics, and the settings, for whoever points at it.

    """

    label: str
    message: str
    colour: str
    title: str


def badge_of(ledger: Ledger) -> Badge:
    """Return the badge of a ledger of one metric or of several."""
    metrics = list(dict.fromkeys(cell.metric for cell in ledger.cells))
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
        f"{_asked(ledger)} ({reading})",
        several + ", ".join(parts),
        _colour(tally, binary),
        f"{named}{more}. {caption(ledger)}",
    )


def _asked(ledger: Ledger) -> str:
    """The axioms, so that a few of them do not pass for all."""
    if not ledger.cells:
        return "no cells"
    axioms = [printable(name, _NAME) for name in dict.fromkeys(cell.axiom for cell in ledger.cells)]
    if set(axioms) == set(AXIOMS):
        return "axioms"
    return ", ".join(axioms) if len(axioms) <= _FEW else f"{counted(len(axioms), 'axiom')} of choice"


def _colour(tally: Counter[Verdict], binary: int) -> str:
    if tally[Verdict.UNDECIDED] or tally[Verdict.ERROR] or not tally:
        return _GREY
    if tally[Verdict.REFUTED] or tally[Verdict.INCOMPARABLE]:
        return _ORANGE
    return _GREEN if set(tally) == {Verdict.PROVED} and not binary else _BLUE


def to_badge(ledger: Ledger) -> str:
    """The badge as SVG."""
    badge = badge_of(ledger)
    widths = [round(len(text) * _LETTER + 2 * _MARGIN) for text in (badge.label, badge.message)]
    return render_fragment("badge.svg.j2", badge=badge, widths=widths, margin=_MARGIN)


def badge_in_markdown(ledger: Ledger, path: Path) -> str:
    """The line of Markdown that shows a badge, with its words for those who do not see it."""
    badge = badge_of(ledger)
    address = quote(os.fsencode(path.as_posix()))  # brackets, spaces and the like would end it
    return escaped(f"![{as_markdown(f'{badge.label}: {badge.message}')}]({address})")

"""A cell of the matrix in words: its verdict, and what it rests on, with a link to the argument."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from axiomcheck.core.verdict import Verdict
from axiomcheck.metrics import parse
from axiomcheck.metrics.catalogue import attribute_name
from axiomcheck.records.cells import Cell, violation_sentence
from axiomcheck.records.certificates import Certificate
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import as_markdown


@dataclass(frozen=True)
class Answer:
    """One cell as the pages show it; every text is Markdown."""

    metric: str
    axiom: str
    verdict: str
    published: str
    because: str


def answers(cells: Iterable[Cell], top: str) -> list[Answer]:
    """The cells in words.

    Args:
        cells: of a matrix of the catalogue's metrics.
        top: the way from the page to the folder of the documentation.

    """
    return [
        Answer(
            metric_link(cell.metric, top),
            f"[{cell.axiom}]({top}generated/axioms/{cell.axiom}.md)",
            f"{SYMBOLS[cell.verdict]}\N{NO-BREAK SPACE}{cell.verdict}"
            + ("\N{NO-BREAK SPACE}\\*" if cell.finding else ""),
            as_markdown(cell.published or "–"),
            because(cell, top),
        )
        for cell in cells
    ]


def metric_link(name: str, top: str) -> str:
    """A metric's name, and the way to its page."""
    return f"[{as_markdown(name)}]({top}generated/metrics/{attribute_name(type(parse(name)).name)}.md)"


def because(cell: Cell, top: str) -> str:
    """Why the verdict is what it is."""
    text = violation_sentence(cell) if cell.verdict is Verdict.REFUTED else cell.reason
    reason = as_markdown(text.rstrip("."))
    if cell.certificate is None:
        return f"{reason}."
    return f"{reason} ([{cell.certificate.kind}]({top}lemmas/{lemmas_of(cell.certificate)}.md))."


def lemmas_of(certificate: Certificate) -> str:
    """The page of a kind of certificate, which its record names.

    Raises:
        LookupError: it names none.

    """
    named = re.search(r"docs/lemmas/(\w+)\.md", type(certificate).__doc__ or "")
    if named is None:
        raise LookupError(f"{type(certificate).__name__} does not say where its lemmas are")
    return named[1]

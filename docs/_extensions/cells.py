"""Describe cells of the matrix in words: the verdict and its reason, with a link to the argument."""

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
    """Cell as shown on a page; every text is Markdown."""

    metric: str
    axiom: str
    verdict: str
    published: str
    because: str


def answers(cells: Iterable[Cell], top: str) -> list[Answer]:
    """Return the cells in words.

    Args:
        cells: Cells of catalogue metrics.
        top: Relative path from the page to the folder of the documentation.

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
    """Return the name of a metric, linked to its page."""
    return f"[{as_markdown(name)}]({top}generated/metrics/{attribute_name(type(parse(name)).name)}.md)"


def because(cell: Cell, top: str) -> str:
    """Return the reason of a verdict, with a link to the lemmas of its proof."""
    text = violation_sentence(cell) if cell.verdict is Verdict.REFUTED else cell.reason
    reason = as_markdown(text.rstrip("."))
    if cell.certificate is None:
        return f"{reason}."
    return f"{reason} ([{cell.certificate.kind}]({top}lemmas/{lemmas_of(cell.certificate)}.md))."


def lemmas_of(certificate: Certificate) -> str:
    """Return the name of the lemma page that the record of a certificate names.

    Raises:
        LookupError: The record names no page.

    """
    named = re.search(r"docs/lemmas/(\w+)\.md", type(certificate).__doc__ or "")
    if named is None:
        raise LookupError(f"{type(certificate).__name__} does not say where its lemmas are")
    return named[1]

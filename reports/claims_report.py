"""Published claims against what is computed, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.core.counting import counted
from axiomcheck.core.writing import json_text
from axiomcheck.reports.paragraphs import paragraph
from axiomcheck.studies.claims import Claim


def claims_json(claims: Sequence[Claim]) -> str:
    """The claims as a JSON document."""
    document = {"schema": "axiomcheck/claims", "version": 1, "claims": [asdict(claim) for claim in claims]}
    return json_text(document)


_TABLE = 100
"""The columns that the table needs; narrower, each claim is a paragraph."""


def _print_listed(console: Console, entries: Sequence[Claim]) -> None:
    for claim in entries:
        lead, style = ("= ", "green") if claim.agrees else ("! ", "red")
        text = f"{claim.where}, {claim.what}: the paper has {claim.published}; computed {claim.computed}"
        paragraph(console, text + (f" ({claim.note})" if claim.note else ""), lead, lead_style=style)
    console.print()


def print_claims(console: Console, claims: Sequence[Claim], decided: int) -> None:
    """Prints a table per paper, then the notes on what does not agree.

    Args:
        console: where to.
        claims: to be shown, those of one paper together.
        decided: how many were decided, whether shown or not.

    """
    for paper, group in groupby(claims, key=lambda claim: claim.paper):
        paragraph(console, paper, style="bold")
        entries = list(group)
        if console.width < _TABLE:
            _print_listed(console, entries)
            continue
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
        for heading in ("where", "what", "paper", "computed", ""):
            table.add_column(heading, overflow="fold")
        for claim in entries:
            agrees = Text("agrees", style="green") if claim.agrees else Text("differs", style="red")
            table.add_row(Text(claim.where), Text(claim.what), Text(claim.published), Text(claim.computed), agrees)
        console.print(table)
        console.print()
        for claim in entries:
            if claim.note:
                lead = "- " if claim.agrees else "! "
                paragraph(console, f"{claim.where}, {claim.what}: {claim.note}", lead)
        console.print()
    if console.width < _TABLE and any(claim.agrees for claim in claims):
        paragraph(console, "= the computed value agrees with the paper's; ! it differs.", style="dim")
    differing = sum(not claim.agrees for claim in claims)
    paragraph(console, f"{counted(decided, 'claim')}: {decided - differing} agree, {differing} differ", style="bold")

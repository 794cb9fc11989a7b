"""Print published claims beside computed values in a table per paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.core.printable import counted
from research.claims import Claim
from research.printing import paragraph


def print_claims(console: Console, claims: Sequence[Claim]) -> None:
    """Print a table per paper, each followed by its notes.

    Args:
        console: Console of at least 100 columns.
        claims: Claims, grouped by paper.

    """
    for paper, group in groupby(claims, key=lambda claim: claim.paper):
        paragraph(console, paper, style="bold")
        entries = list(group)
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
    differing = sum(not claim.agrees for claim in claims)
    paragraph(
        console, f"{counted(len(claims), 'claim')}: {len(claims) - differing} agree, {differing} differ", style="bold"
    )

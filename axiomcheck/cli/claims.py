"""The command `axiomcheck claims`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import formats
from axiomcheck.reports.claims_report import claims_json, print_claims
from axiomcheck.studies.claims import inst, stopping

_PAPERS = {"INST": inst, "P@H": stopping}
"""What users type -> the module that decides the paper's claims."""


@click.command(
    "claims",
    epilog=epilog(
        "axiomcheck claims",
        "axiomcheck claims INST --differing",
    ),
)
@click.argument("papers", nargs=-1, metavar="[PAPER]...", type=click.Choice(list(_PAPERS), case_sensitive=False))
@click.option("--differing", is_flag=True, help="Show only what does not agree.")
@formats()
def command(papers: tuple[str, ...], differing: bool, format_: str, output: Path | None) -> None:
    """Recompute what papers print about their metrics: INST, P@H (default: both).

    Each line has the paper's value, the computed one, and whether they agree;
    where they do not, whose error it is and where.
    """
    check_writable(output)
    found = [claim for paper in papers or _PAPERS for claim in _PAPERS[paper].claims()]
    shown = [claim for claim in found if not (differing and claim.agrees)]
    if format_ == "json":
        print_or_write(claims_json(shown), output)
    else:
        draw_or_write(lambda console: print_claims(console, shown, len(found)), output)

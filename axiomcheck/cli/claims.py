"""The command `axiomcheck claims`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from axiomcheck.cli.console import console_of_stdout, print_or_write, recording_console
from axiomcheck.cli.options import EXIT_INTERRUPTED, EXITS, check_writable, shared

if TYPE_CHECKING:
    from axiomcheck.studies.claims import Claim

__all__ = ["claims"]

_PAPERS = {"INST": "inst", "P@H": "stopping"}
"""What users type -> the module that decides the paper's claims."""


@click.command(epilog=EXITS)
@click.argument("papers", nargs=-1, metavar="[PAPER]...", type=click.Choice(list(_PAPERS), case_sensitive=False))
@click.option("--differing", is_flag=True, help="Show only what does not agree.")
@shared("json", "output")
def claims(papers: tuple[str, ...], differing: bool, as_json: bool, output: Path | None) -> None:
    """Recompute what papers print about their metrics: INST, P@H (default: both).

    Each line has the paper's value, the computed one, and whether they agree;
    where they do not, whose error it is and where.
    """
    from axiomcheck.reports import write_atomically
    from axiomcheck.reports.claims_report import claims_json, print_claims

    check_writable(output)
    try:
        found = [claim for paper in papers or _PAPERS for claim in _decided(paper)]
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    shown = [claim for claim in found if not (differing and claim.agrees)]
    if as_json:
        print_or_write(claims_json(shown), output)
        return
    console: Any = console_of_stdout() if output is None else recording_console()
    print_claims(console, shown, len(found))
    if output is not None:
        write_atomically(output, console.export_text())


def _decided(paper: str) -> list[Claim]:
    from importlib import import_module

    return list(import_module(f"axiomcheck.studies.claims.{_PAPERS[paper]}").claims())

"""The command `axiomcheck explain`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.axioms import find_axiom
from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write
from axiomcheck.cli.options import formats, shared
from axiomcheck.core.writing import json_text
from axiomcheck.reports.explain import print_axiom
from axiomcheck.reports.listing import axiom_entry


@click.command("explain")
@shared("axiom")
@formats()
def command(axiom: str, format_: str, output: Path | None) -> None:
    """Show an axiom: its sentence, formula, source, assumptions, and a small drawn example."""
    check_writable(output)
    wanted = find_axiom(axiom)
    if format_ == "json":
        print_or_write(json_text(axiom_entry(wanted)), output)
    else:
        draw_or_write(lambda console: print_axiom(console, wanted), output)

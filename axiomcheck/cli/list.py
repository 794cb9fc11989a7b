"""The command `axiomcheck list`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write
from axiomcheck.cli.exits import SHOWS, epilog
from axiomcheck.cli.options import formats
from axiomcheck.core.writing import json_text
from axiomcheck.reports.listing import axiom_entries, metric_entries, print_axioms, print_metrics


@click.command(
    "list",
    epilog=epilog(
        "axiomcheck list metrics",
        "axiomcheck list axioms -f json",
        exits=SHOWS,
    ),
)
@click.argument("what", type=click.Choice(["metrics", "axioms"]))
@formats()
def command(what: str, format_: str, output: Path | None) -> None:
    """List the catalogue's metrics, or the axioms, with parameters, defaults and sources."""
    check_writable(output)
    entries, draw = (metric_entries(), print_metrics) if what == "metrics" else (axiom_entries(), print_axioms)
    if format_ == "json":
        print_or_write(json_text(entries), output)
    else:
        draw_or_write(lambda console: draw(console, entries), output)

"""The command `axiomcheck list`."""

from __future__ import annotations

import click

from axiomcheck.cli.console import deliver
from axiomcheck.cli.exits import SHOWS, epilog
from axiomcheck.cli.options import format_option
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
@format_option()
def command(what: str, format_: str) -> None:
    """List the catalogue's metrics, or the axioms, with parameters, defaults and sources."""
    entries, draw = (metric_entries(), print_metrics) if what == "metrics" else (axiom_entries(), print_axioms)
    deliver(format_, None, {"json": lambda: json_text(entries)}, draw=lambda console: draw(console, entries))

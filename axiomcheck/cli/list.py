"""The command `axiomcheck list`."""

from __future__ import annotations

import click

from axiomcheck.cli.console import deliver
from axiomcheck.cli.exits import SHOWS, epilog
from axiomcheck.cli.options import format_option
from axiomcheck.core.writing import json_text
from axiomcheck.reports.listing import axiom_entries, axioms_report, metric_entries, metrics_report


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
    entries, report = (metric_entries(), metrics_report) if what == "metrics" else (axiom_entries(), axioms_report)
    deliver(format_, lambda: report(entries), {"json": lambda: json_text(entries)})

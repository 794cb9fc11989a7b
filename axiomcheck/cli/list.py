"""Define the command `axiomcheck list`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import deliver
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.core.writing import json_text
from axiomcheck.reports.listing import axiom_entries, axioms_report, metric_entries, metrics_report


@command_named(
    "list",
    "axiomcheck list metrics",
    "axiomcheck list axioms -o axioms.json",
)
@click.argument("what", type=click.Choice(["metrics", "axioms"]))
@formats()
def command(what: str, format_: str, output: Path | None) -> None:
    """List the catalogue's metrics with their parameters, defaults and sources, or the axioms with their formulas."""
    entries, report = (metric_entries(), metrics_report) if what == "metrics" else (axiom_entries(), axioms_report)
    deliver(format_, lambda: report(entries), {"json": lambda: json_text(entries)}, output)

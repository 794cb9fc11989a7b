"""The commands that show things: `axiomcheck explain` and `axiomcheck list`."""

from __future__ import annotations

import json

import click

from axiomcheck.cli.console import console_of_stdout
from axiomcheck.cli.options import complete_axiom

__all__ = ["explain", "list_"]


@click.command()
@click.argument("axiom", shell_complete=complete_axiom)
def explain(axiom: str) -> None:
    """Show a constraint: its sentence, formula, source, assumptions, and a small drawn example."""
    from axiomcheck.axioms import find_axiom
    from axiomcheck.reports.explain import print_axiom

    print_axiom(console_of_stdout(), find_axiom(axiom))


@click.command("list")
@click.argument("what", type=click.Choice(["metrics", "axioms"]))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(what: str, as_json: bool) -> None:
    """List the catalogue's metrics, or the axioms, with parameters, defaults and sources."""
    from axiomcheck.reports.listing import axiom_entries, metric_entries, print_axioms, print_metrics

    entries = metric_entries() if what == "metrics" else axiom_entries()
    if as_json:
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
    elif what == "metrics":
        print_metrics(console_of_stdout(), entries)
    else:
        print_axioms(console_of_stdout(), entries)

"""Define the command `axiomcheck identity`."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, deliver
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import EXIT_UNDECIDED, command_named
from axiomcheck.cli.options import complete_metric
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.writing import json_text
from axiomcheck.reports.identity_report import identity_json, identity_report
from axiomcheck.sources.resolve import resolve
from axiomcheck.studies.identity.decide import decide_identity


@command_named(
    "identity",
    'axiomcheck identity "RBU(e=0)@20" RBP-IA --regime limit',
    'axiomcheck identity "RBU(e=0, p=1)@20" ERR-IA@20',
)
@click.argument("first", metavar="METRIC", shell_complete=complete_metric)
@click.argument("second", metavar="METRIC", shell_complete=complete_metric)
@click.option(
    "--regime",
    type=click.Choice(["limit", "finite"]),
    default="finite",
    show_default=True,
    help="limit assumes r << 1 and compares the leading coefficients of the scores.",
)
@formats()
def command(first: str, second: str, regime: str, format_: str, output: Path | None) -> None:
    """Decide whether two metrics have equal or proportional scores, or order some rankings differently."""
    check_writable(output, read=(first, second))
    try:
        with contextlib.redirect_stdout(sys.stderr):  # output of a user's metric is not part of the result
            found = decide_identity(resolve(first), resolve(second), regime == "limit")
    except MetricError as error:
        raise InvalidInput(f"the metrics cannot be compared in exact arithmetic: {error}") from None
    deliver(format_, lambda: identity_report(found), {"json": lambda: json_text(identity_json(found))}, output)
    sys.exit(0 if found.decided else EXIT_UNDECIDED)

"""The command `axiomcheck weakest`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from axiomcheck.api.asked import cell_named, metric_of
from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write, progress_bar
from axiomcheck.cli.exits import EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import examples, formats, shared
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.decide.search import Settings
from axiomcheck.processes.isolation import Limits
from axiomcheck.reports.weakest_report import print_weakest, to_text
from axiomcheck.studies.weakest.search import weakest


@click.command(
    "weakest",
    epilog=epilog(
        "axiomcheck weakest RBU Red",
        "axiomcheck weakest my_metric.py:patient_gain AspRel --regime finite",
    ),
)
@shared("metric", "axiom", "regime", "domain")
@examples(REPEATED)
@shared("seed", "timeout", "memory")
@formats()
def command(
    metric: str,
    axiom: str,
    regime: str,
    domain: str,
    examples: int,
    seed: int,
    timeout: float,
    memory: int,
    format_: str,
    output: Path | None,
) -> None:
    """Show which added assumptions are enough for METRIC to satisfy AXIOM, the weakest first.

    Of an axiom that the metric violates: such as r << 1, or nothing relevant after the last rank compared.
    Every set of assumptions is a cell of its own.
    """
    check_writable(output, read=[metric])
    chosen, wanted = cell_named(metric, axiom, metric_of)
    reading, settings = Reading(Regime(regime), Domain(domain)), Settings(seed=seed, examples=examples)
    with progress_bar() as listen:
        found = weakest(wanted, chosen, reading, settings, listen, Limits(timeout, memory))
    if format_ == "json":
        print_or_write(to_text(found), output)
    else:
        draw_or_write(lambda console: print_weakest(console, found, wanted), output)
    sys.exit(0 if found.decided else EXIT_UNDECIDED)

"""The command `axiomcheck independence`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write, progress_bar
from axiomcheck.cli.exits import EXIT_INTERRUPTED, EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import examples, formats, shared
from axiomcheck.core.domain import Regime
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.decide.search import Settings
from axiomcheck.engine.events import Interrupted
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.reports.independence_report import print_studies, to_json
from axiomcheck.studies.independence.study import study


@click.command(
    "independence",
    epilog=epilog(
        "axiomcheck independence",
        "axiomcheck independence --regime finite -f json -o study.json",
    ),
)
@shared("regimes")
@examples(REPEATED)
@shared("seed", "exhaustive", "jobs")
@formats()
def command(
    regimes: tuple[str, ...],
    examples: int,
    seed: int,
    no_exhaustive: bool,
    jobs: int | None,
    format_: str,
    output: Path | None,
) -> None:
    """Show which axioms follow from none of the others, and which sets no metric can satisfy."""
    check_writable(output)
    chosen = [regime for regime in Regime if not regimes or regime.value in regimes]
    settings = Settings(seed=seed, examples=examples, exhaustive=not no_exhaustive, proofs=False)
    with progress_bar() as listen:
        try:
            studies = study(chosen, settings, jobs or usable_cpus(), listen)
        except Interrupted:
            click.echo("interrupted before the metrics were decided; nothing to report", err=True)
            sys.exit(EXIT_INTERRUPTED)
    if format_ == "json":
        print_or_write(to_json(studies), output)
    else:
        draw_or_write(lambda console: print_studies(console, studies), output)
    verdicts = [verdict for each in studies for row in each.rows for verdict in (*row.verdicts.values(), row.monotone)]
    sys.exit(0 if all(verdict.decided for verdict in verdicts) else EXIT_UNDECIDED)

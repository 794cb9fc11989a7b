"""The command `axiomcheck grid`."""

from __future__ import annotations

import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path

import click

from axiomcheck.api.asked import axioms_of
from axiomcheck.cli.console import check_writable, print_or_write, print_text_or_write, progress_bar, say, say_loaded
from axiomcheck.cli.exits import EXIT_INTERRUPTED, EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import examples, formats, shared
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.decide.search import Settings
from axiomcheck.engine.events import Progress
from axiomcheck.ledger import ledger_of_user
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.reports.grid_report import grid_csv, grid_document, grid_text
from axiomcheck.studies.wide.study import GridStudy, study_grids


@click.command(
    "grid",
    epilog=epilog(
        "axiomcheck grid 'RBP(p=0.1..0.99/200)'",
        "axiomcheck grid 'RBU(p=../50, e=0..0.5/20)' 'NRBP(p=../30, alpha=../30)' \\",
        "    -a CloseTh -a AspRel -f csv -o settings.csv",
        "axiomcheck grid 'P@1..50' -a Deep",
    ),
)
@click.argument("grids", nargs=-1, required=True, metavar="GRID...")
@shared("axioms", "regime", "domain")
@examples(REPEATED)
@shared("seed", "jobs")
@formats("csv")
def command(
    grids: tuple[str, ...],
    axioms: tuple[str, ...],
    regime: str,
    domain: str,
    examples: int,
    seed: int,
    jobs: int | None,
    format_: str,
    output: Path | None,
) -> None:
    """Decide axioms for every setting of a GRID of parameters, and show in which regions they hold.

    A GRID is a metric with ranges for numbers: LOW..HIGH/COUNT for so many evenly spaced values, ../COUNT for the whole
    range that the metric declares, @LOW..HIGH for every cutoff.
    """
    check_writable(output)
    reading = Reading(Regime(regime), Domain(domain))
    settings, began = Settings(seed=seed, examples=examples), time.monotonic()
    ledger = ledger_of_user()
    with progress_bar() as listen, nullcontext() if ledger is None else closing(ledger):
        study = study_grids(
            grids,
            axioms_of(axioms or None),
            reading,
            settings,
            jobs or usable_cpus(),
            lambda share, doing: listen(Progress(share, doing)),
            ledger,
        )
    say_loaded(study.remembered)
    if sys.stderr.isatty():
        say(_rate(study, time.monotonic() - began))
    if format_ == "json":
        print_or_write(grid_document(study), output)
    elif format_ == "csv":
        print_or_write(grid_csv(study), output)
    else:
        print_text_or_write(grid_text(study), output)
    if study.interrupted:
        click.echo("interrupted; settings not decided yet are shown as undecided", err=True)
        sys.exit(EXIT_INTERRUPTED)
    decided = all(finding.verdict.decided for column in study.columns for finding in column.findings)
    sys.exit(0 if decided else EXIT_UNDECIDED)


def _rate(study: GridStudy, seconds: float) -> str:
    cells = sum(len(column.by) for column in study.columns)
    compared = sum(column.compared for column in study.columns)
    return f"{counted(cells, 'cell')}, {compared:,} comparisons in {seconds:.0f} s: {compared / seconds:,.0f} a second"

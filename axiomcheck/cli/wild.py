"""The command `axiomcheck wild`."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from axiomcheck.api.options import DomainName
from axiomcheck.cli.console import check_writable, deliver
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import asks, axiom_option, formats, metrics_argument
from axiomcheck.cli.progress import Counted
from axiomcheck.cli.runs import Given, SampledOptions, closing_ledger, reads_runs
from axiomcheck.core.domain import Domain
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.reports.wild_report import wild_csv, wild_json, wild_report
from axiomcheck.runs.trec import metrics_named
from axiomcheck.runs.wild import Extent, wild
from axiomcheck.sources.resolve import axiom_of


class WildOptions(SampledOptions, total=False):
    """Options of ``axiomcheck wild`` that are shared with other commands."""

    domain: DomainName


@click.command(
    "wild",
    epilog=epilog(
        "axiomcheck wild nDCG@20 ERR@20 --qrels qrels --run a.run --run b.run",
        "axiomcheck wild alpha-nDCG@20 -a Pri --witnesses --qrels qrels --run a.run",
    ),
)
@metrics_argument
@reads_runs
@axiom_option()
@click.option(
    "--depth", type=click.IntRange(1, 1000), default=20, show_default=True, help="The rank that runs are cut at."
)
@click.option(
    "--edits",
    type=click.IntRange(1, 10**7),
    default=5000,
    show_default=True,
    help="Different edits of one run, topic and axiom that are looked at; of more, as many are drawn.",
)
@click.option("-w", "--witnesses", is_flag=True, help="Print the worst violation of every metric and axiom, too.")
@asks(WildOptions)
@formats("csv", "markdown", "html")
def command(
    metrics: tuple[str, ...],
    given: Given,
    axioms: tuple[str, ...],
    depth: int,
    edits: int,
    witnesses: bool,
    format_: str,
    output: Path | None,
    **options: Unpack[WildOptions],
) -> None:
    """Count how often METRIC... violate axioms on edits of real runs, and measure the size of the violations."""
    check_writable(output, read=[*given.files, *metrics])
    chosen = metrics_named(metrics)
    wanted = list({axiom.name: axiom for axiom in map(axiom_of, axioms)}.values()) or None
    extent = Extent(depth, edits, options["seed"], Domain(options["domain"]))
    with Counted() as show, closing_ledger(given) as kept:
        judgments, runs = given.read(show)
        study = wild(
            chosen,
            judgments,
            runs,
            given.options,
            extent,
            wanted,
            jobs=options["jobs"] or usable_cpus(),
            kept=kept,
            listen=show.of("topics"),
        )
    writers = {"csv": lambda: wild_csv(study), "json": lambda: wild_json(study)}
    deliver(format_, lambda: wild_report(study, witnesses), writers, output)

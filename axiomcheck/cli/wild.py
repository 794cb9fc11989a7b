"""The command `axiomcheck wild`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, print_result
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import formats, shared
from axiomcheck.cli.run_options import Counted, Given, kept_in, reads_runs, resumed
from axiomcheck.core.domain import Domain
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.reports.wild_report import wild_csv, wild_json, wild_report
from axiomcheck.runs.trec import metrics_named
from axiomcheck.runs.wild import Extent, wild
from axiomcheck.sources.resolve import axiom_of


@click.command(
    "wild",
    epilog=epilog(
        "axiomcheck wild nDCG@20 ERR@20 --qrels qrels --run a.run --run b.run",
        "axiomcheck wild alpha-nDCG@20 -a Pri --witnesses --qrels qrels --run a.run",
    ),
)
@shared("metrics")
@reads_runs
@shared("axioms")
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
@shared("domain")
@click.option(
    "--lift/--no-lift",
    default=True,
    show_default=True,
    help="Where a topic has several aspects, ask axioms of one aspect about the largest grade over them.",
)
@click.option("-w", "--witnesses", is_flag=True, help="Print the worst violation of every metric and axiom, too.")
@shared("seed", "jobs")
@resumed
@formats("csv", "markdown", "html")
def command(
    metrics: tuple[str, ...],
    given: Given,
    axioms: tuple[str, ...],
    depth: int,
    edits: int,
    domain: str,
    lift: bool,
    witnesses: bool,
    seed: int,
    jobs: int | None,
    resume: Path | None,
    format_: str,
    output: Path | None,
) -> None:
    """How often METRIC... violate axioms on edits of real runs, by how much, and which systems change order for it."""
    check_writable(output, resume, read=[*given.files, *metrics])
    chosen = metrics_named(metrics)
    wanted = list({axiom.name: axiom for axiom in map(axiom_of, axioms)}.values()) or None
    extent = Extent(depth, edits, seed, Domain(domain), lift)
    with Counted() as show:
        judgments, runs = given.read(show)
        study = wild(
            chosen,
            judgments,
            runs,
            given.options,
            extent,
            wanted,
            jobs=jobs or usable_cpus(),
            kept=kept_in(resume),
            listen=show.of("topics"),
        )
    writers = {"csv": lambda: wild_csv(study), "json": lambda: wild_json(study)}
    print_result(format_, wild_report(study, witnesses), writers, output)

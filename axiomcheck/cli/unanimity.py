"""Define the command `axiomcheck unanimity`."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.cli.options import WholeRange, asks, metrics_argument
from axiomcheck.cli.progress import parts_done, progress_bar
from axiomcheck.cli.runs import Given, SampledOptions, reads_runs
from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.unanimity_report import unanimity_csv, unanimity_json, unanimity_report
from axiomcheck.runs.trec import metrics_named, score_grid
from axiomcheck.runs.unanimity import families_of, measure


@command_named(
    "unanimity",
    "axiomcheck unanimity RBU@20 EU nDCG@20 --qrels qrels --run a.run --run b.run",
    "axiomcheck unanimity P-IA AP-IA --qrels q --run a.run --run b.run -o mu.csv",
)
@metrics_argument
@reads_runs
@click.option(
    "--samples",
    type=WholeRange(0, 100_000),
    default=1000,
    metavar="N",
    show_default=True,
    help="Number of bootstrap samples for the intervals; 0 for no intervals.",
)
@asks(SampledOptions)
@formats("csv")
def command(
    metrics: tuple[str, ...],
    given: Given,
    samples: int,
    format_: str,
    output: Path | None,
    **options: Unpack[SampledOptions],
) -> None:
    """Measure how well each metric captures the improvements that all other metrics agree on.

    For each metric, count the improvements (pairs of runs on a topic) that no other METRIC opposes, and how many of
    them the metric captures. Metric unanimity (MU) is at most 1; it is 0 for a metric that decides at random.
    """
    seed = options["seed"]
    if seed < 0:
        raise InvalidInput(f"--seed {seed}: expected a nonnegative number")
    given.check_several_runs()
    check_writable(output, read=[*given.files, *metrics])
    with progress_bar() as listen:
        chosen = metrics_named(metrics)
        if len(chosen) < 2:
            raise InvalidInput(f"only {chosen[0]} was given; expected at least two metrics to compare with each other")
        judgments, read = given.read(listen)
        grid = score_grid(chosen, judgments, read, given.options, parts_done(listen, "topics"))
    found = measure(grid, families_of(chosen), samples, seed)
    for note in grid.notes:
        say(note)
    writers = {"csv": lambda: unanimity_csv(found), "json": lambda: unanimity_json(found, seed)}
    deliver(format_, lambda: unanimity_report(found, seed), writers, output)

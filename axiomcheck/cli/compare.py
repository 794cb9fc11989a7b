"""Define the command `axiomcheck compare`."""

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
from axiomcheck.reports.compare_report import comparison_csv, comparison_json, comparison_report
from axiomcheck.runs.comparison import Correction, Significance, compare_runs
from axiomcheck.runs.trec import metrics_named, score_grid

_MOST_SAMPLES = 10_000_000


@command_named(
    "compare",
    "axiomcheck compare nDCG@20 RBP --qrels qrels --run my.run --run other.run",
    "axiomcheck compare RBP --qrels qrels --run '*.run' --correction tukey",
)
@metrics_argument
@reads_runs
@click.option(
    "--baseline",
    type=click.Choice(["first", "best"]),
    default="first",
    show_default=True,
    help="Run to compare the others with: the first run, or the best run according to each metric.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "tukey", "none"]),
    default="holm",
    show_default=True,
    help="Correction for comparing all pairs of runs: Holm's, Tukey's randomized test of honestly significant "
    "differences, or none.",
)
@click.option(
    "--samples",
    type=WholeRange(1, _MOST_SAMPLES),
    default=10_000,
    metavar="N",
    show_default=True,
    help="Number of random samples. If there are at most this many sign flips, all of them are tried.",
)
@asks(SampledOptions)
@formats("csv")
def command(
    metrics: tuple[str, ...],
    given: Given,
    baseline: str,
    correction: Correction,
    samples: int,
    format_: str,
    output: Path | None,
    **options: Unpack[SampledOptions],
) -> None:
    """Compare runs: show their mean scores, the differences, and how significant the differences are.

    With three runs or more, also compare the metrics: how many pairs of runs each metric distinguishes, and how
    similarly the metrics rank the runs. Topics that appear in no run are omitted. A topic that is missing from one run
    counts as an empty ranking.
    """
    how = Significance(correction, samples, options["seed"])
    given.check_several_runs()
    check_writable(output, read=[*given.files, *metrics])
    with progress_bar() as listen:
        chosen = metrics_named(metrics)
        judgments, read = given.read(listen)
        grid = score_grid(chosen, judgments, read, given.options, parts_done(listen, "topics"))
        found = compare_runs(grid, [run.name for run in read], how, parts_done(listen, "metrics"))
    writers = {"csv": lambda: comparison_csv(found), "json": lambda: comparison_json(found, given.run_files)}
    deliver(format_, lambda: comparison_report(found, baseline), writers, output)
    for note in found.notes:
        say(note)

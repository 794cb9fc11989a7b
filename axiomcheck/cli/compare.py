"""The command `axiomcheck compare`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import click

from axiomcheck.cli.console import check_picture, check_writable, deliver, say
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import asks, formats, metric_option
from axiomcheck.cli.progress import Counted
from axiomcheck.cli.runs import Given, SampledOptions, reads_runs_as_arguments
from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.compare_report import comparison_csv, comparison_json, comparison_report
from axiomcheck.runs.comparison import Correction, Significance, compare_runs
from axiomcheck.runs.trec import Run, metrics_named, score_grid

_MOST_SAMPLES = 10_000_000


@click.command(
    "compare",
    epilog=epilog(
        "axiomcheck compare my.run other.run --qrels qrels -m nDCG@20 -m RBP",
        'axiomcheck compare a.run b.run c.run --qrels qrels -m "RBP(p=0.8)" \\',
        "    --correction tukey -o differences.svg",
    ),
)
@metric_option("A metric, such as nDCG@20 or one of your own.", required=True)
@reads_runs_as_arguments
@click.option(
    "--baseline",
    type=click.Choice(["first", "best"]),
    default="first",
    show_default=True,
    help="What the others are held against: the first run, or by each metric the best.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "tukey", "none"]),
    default="holm",
    show_default=True,
    help="For all pairs of runs by a metric: Holm's, or Tukey's randomized test of honestly significant differences.",
)
@click.option(
    "--samples",
    type=click.IntRange(1, _MOST_SAMPLES),
    default=10_000,
    show_default=True,
    help="Resamples of the topics; all sign flips where they are no more.",
)
@asks(SampledOptions)
@formats("csv", "markdown", "html", picture=True)
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
    """Compare runs with each other: show means, differences and their significance.

    With three runs or more, also compare the metrics: how many pairs of runs each one tells apart (discriminative
    power), and how similarly they rank the runs. Topics that no run has are left out. A topic that only some runs have
    counts as an empty ranking for the others.
    """
    how = Significance(correction, samples, options["seed"])
    names = names_of(given.run_files)
    check_writable(output, read=[*given.files, *metrics])
    chosen = metrics_named(metrics)
    check_picture(output, format_)
    with Counted() as show:
        judgments, read = given.read(show)
        grid = score_grid(chosen, judgments, read, given.options, show.of("topics"))
        names = by_tag(read, names)
        found = compare_runs(grid, names, how, show.of("metrics"))
    writers = {"csv": lambda: comparison_csv(found), "json": lambda: comparison_json(found, given.run_files)}
    deliver(format_, lambda: comparison_report(found, baseline), writers, output)
    for note in found.notes:
        say(note)


def names_of(files: Sequence[str]) -> list[str]:
    """Return the names of runs: the names of their files, or the paths as typed if file names repeat.

    Raises:
        InvalidInput: There are fewer than two runs, or a run is given twice.

    """
    if len(files) < 2:
        raise InvalidInput(f"{len(files)} run; expected two or more, such as my.run other.run")
    for number, file in enumerate(files):
        if file in files[:number]:
            raise InvalidInput(f"{file} is given twice; expected different runs")
    short = ["standard input" if file == "-" else Path(file).name for file in files]
    return short if len(set(short)) == len(short) else list(files)


def by_tag(runs: Sequence[Run], names: Sequence[str]) -> list[str]:
    """Return the tags of runs, or the given names if tags repeat or are missing."""
    tags = [run.tag for run in runs]
    return tags if len(set(tags)) == len(tags) and all(tags) else list(names)

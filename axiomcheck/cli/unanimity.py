"""The command `axiomcheck unanimity`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Unpack

import click

from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import asks, complete_metric, formats
from axiomcheck.cli.progress import Counted
from axiomcheck.cli.runs import Given, SampledOptions, reads_runs
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics import parse
from axiomcheck.reports.unanimity_report import UnanimityView, unanimity_csv, unanimity_json, unanimity_report
from axiomcheck.runs.trec import metrics_named, score_grid
from axiomcheck.runs.unanimity import PRESETS, SCENARIOS, altered, families_of, measure


@click.command(
    "unanimity",
    epilog=epilog(
        "axiomcheck unanimity --preset amigo-2018 --qrels qrels --run a.run",
        "axiomcheck unanimity RBU@20 EU nDCG@20 --qrels qrels --run a.run --run b.run",
    ),
)
@click.argument("metrics", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metric)
@reads_runs
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    help="Metrics besides those named: amigo-2018 is that paper's experiment, 109 variants of 16 metrics.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="Leave out the preset's variants of a metric, such as EU; may be repeated.",
)
@click.option(
    "--scenario",
    type=click.Choice(list(SCENARIOS)),
    default="official",
    show_default=True,
    help="What is changed at random before scoring: " + "; ".join(f"{k}: {v.words}" for k, v in SCENARIOS.items()),
)
@click.option(
    "--bootstrap",
    "resamples",
    type=click.IntRange(0, 100_000),
    default=1000,
    show_default=True,
    help="Samples of the topics that intervals come from; 0 for no intervals.",
)
@asks(SampledOptions)
@formats("csv", "markdown", "html")
def command(
    metrics: tuple[str, ...],
    given: Given,
    preset: str | None,
    without: tuple[str, ...],
    scenario: str,
    resamples: int,
    format_: str,
    output: Path | None,
    **options: Unpack[SampledOptions],
) -> None:
    """Measure how well each metric captures the improvements that all other metrics agree on.

    METRIC... and the metrics of --preset form one set. For each metric, the command counts the pairs of runs on a topic
    that no other metric of the set opposes, and how many of these pairs the metric captures. Metric unanimity (MU) is
    at most 1, and 0 for a metric that decides by chance.
    """
    seed = options["seed"]
    if seed < 0:
        raise InvalidInput(f"--seed {seed}: expected 0 or more")
    changes = SCENARIOS[scenario]
    if changes.weights and given.asked.get("weights") is not None:
        raise InvalidInput(f"--scoring weights and --scenario {scenario}, which draws weights; expected one of them")
    if len(given.run_files) < 2:
        raise InvalidInput("one run; expected --run twice or more, for runs are compared with each other")
    check_writable(output, read=[*given.files, *metrics])
    chosen = metrics_named((*metrics, *_of_preset(preset, without)))
    if len(chosen) < 2:
        raise InvalidInput(f"{chosen[0]} alone; expected two metrics or more, for each is measured against the others")
    with Counted() as show:
        judgments, read = given.read(show)
        alter = partial(altered, scenario=changes, seed=seed)
        grid = score_grid(chosen, judgments, read, given.options, show.of("topics"), alter)
    found = measure(grid, families_of(chosen), resamples, seed)
    asked = UnanimityView(scenario, changes.words, seed, every=format_ in ("json", "csv"))
    if changes.weights and (judgments.aspects == 1).all():
        say(f"{judgments.source}: one aspect per topic, so that random weights change nothing")
    for note in grid.notes:
        say(note)
    writers = {"csv": lambda: unanimity_csv(found, asked), "json": lambda: unanimity_json(found, asked)}
    deliver(format_, lambda: unanimity_report(found, asked), writers, output)


def _of_preset(preset: str | None, without: tuple[str, ...]) -> list[str]:
    """Return the metric names of a preset, without the variants of excluded metrics."""
    if preset is None:
        if without:
            raise InvalidInput(f"--without {without[0]} leaves out metrics of a preset; expected --preset as well")
        return []
    names = {name: parse(name).name for name in PRESETS[preset]()}
    for name in without:
        if name not in names.values():
            raise UnknownName("metric of the preset", name, dict.fromkeys(names.values()))
    return [name for name, family in names.items() if family not in without]

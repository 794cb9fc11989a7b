"""The command `axiomcheck informativeness`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, print_result, say
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import formats, shared
from axiomcheck.cli.run_options import Counted, Given, kept_in, reads_runs, resumed
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.processes.interrupts import at_work
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.reports.informativeness_report import study_json, study_picture, study_report
from axiomcheck.reports.pictures import check_drawable
from axiomcheck.runs.informativeness import MEASURES, ListSettings, measure_named, select, study


def _complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in MEASURES if name.casefold().startswith(incomplete.casefold())]


@click.command(
    "informativeness",
    epilog=epilog(
        "axiomcheck informativeness --qrels qrels --run a.run --run b.run",
        "axiomcheck informativeness ERR nDCG --qrels qrels --run a.run --depth 20",
    ),
)
@click.argument("measures", nargs=-1, metavar="[MEASURE...]", shell_complete=_complete)
@reads_runs
@click.option(
    "--depth",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="How many ranks, N. A fit takes some hundredths of a second at 10; at 100 one second, or with ten intents "
    "twenty, and as published ten times that.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.5,
    show_default=True,
    help="The probability that a relevant document satisfies.",
)
@click.option(
    "--beta",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="The patience of RBP and NRBP.",
)
@click.option(
    "--topics",
    "most_topics",
    type=click.IntRange(min=1),
    default=25,
    show_default=True,
    help="The most topics: those with the most relevant documents.",
)
@click.option(
    "--runs",
    "most_runs",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    help="The most runs: those that return the most relevant documents.",
)
@click.option(
    "--as-published", is_flag=True, help="Take the paper's recursion for the expectation, which it is not, as printed."
)
@shared("jobs")
@resumed
@formats("markdown", "html")
@shared("pictures")
def command(
    measures: tuple[str, ...],
    given: Given,
    depth: int,
    alpha: float,
    beta: float,
    most_topics: int,
    most_runs: int,
    as_published: bool,
    jobs: int | None,
    resume: Path | None,
    format_: str,
    output: Path | None,
    pictures: tuple[Path, ...],
) -> None:
    """How much the value of a MEASURE tells of a ranking, by maximum entropy.

    MEASURE is one of ERR-IA, NRBP, alpha-DCG, AP-IA, ERR, RBP, AP, nDCG. Default: all.

    From a measure's value and the number of relevant documents the most likely probabilities of relevance are inferred,
    and from these precision-recall curves and other measures.
    """
    check_writable(output, resume, *pictures, read=given.files)
    for path in pictures:
        check_drawable(path)
    if given.targets_file is not None:
        raise InvalidInput("--targets are T of INST, which is none of the measures")
    if given.options.gain != "linear" or given.options.highest != "file":
        raise InvalidInput("--gain and --gmax are of graded measures; these see what is relevant from --level on")
    targets = list(dict.fromkeys(measure_named(name).name for name in measures or MEASURES))
    settings = ListSettings(depth, alpha, beta, as_published)
    kept = kept_in(resume)
    with at_work(), Counted() as show:
        judgments, read = given.read(show)
        selection = select(judgments, read, given.options, depth, most_topics, most_runs)
        found = study(
            selection, settings, targets, jobs=jobs or usable_cpus(), kept=kept, listen=show.of("lists fitted")
        )
    drawn = [(path, study_picture(found, path.suffix.lower())) for path in pictures]
    for note in selection.notes:
        say(note)
    print_result(format_, study_report(found), {"json": lambda: study_json(found)}, output)
    for path, content in drawn:
        write_atomically(path, content)

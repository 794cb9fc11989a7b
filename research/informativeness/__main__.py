"""Command ``python -m research.informativeness``, which studies the informativeness of measures on TREC runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import Command, examples
from axiomcheck.cli.program import printable_errors
from axiomcheck.cli.progress import parts_done, progress_bar
from axiomcheck.cli.runs import Given, reads_runs
from axiomcheck.core.errors import InvalidInput
from research.informativeness import MEASURES, ListSettings, select, study
from research.informativeness.report import study_json, study_report

_MOST_RUNS = 30
"""Maximum number of runs; those that return the most relevant documents are chosen."""


class _Study(Command):
    """Command that prints errors in one line, like the commands of axiomcheck."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with printable_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with printable_errors():
            return super().invoke(ctx)


@click.command(
    "informativeness",
    cls=_Study,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "python -m research.informativeness --qrels qrels --run a.run --run b.run",
        "python -m research.informativeness ERR nDCG --qrels qrels --run a.run --depth 20",
    ),
)
@click.argument("measures", nargs=-1, metavar="[MEASURE...]", type=click.Choice([*MEASURES], case_sensitive=False))
@reads_runs
@click.option(
    "--depth",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Number of ranks, N. At 10, a fit takes hundredths of a second; at 100, up to a second with several intents.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.5,
    show_default=True,
    help="Probability that a relevant document satisfies the user.",
)
@click.option(
    "--beta",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="Patience of RBP and NRBP.",
)
@click.option(
    "--topics",
    "most_topics",
    type=click.IntRange(min=1),
    default=25,
    show_default=True,
    help="Maximum number of topics. Those with the most relevant documents are chosen.",
)
@formats()
def command(
    measures: tuple[str, ...],
    given: Given,
    depth: int,
    alpha: float,
    beta: float,
    most_topics: int,
    format_: str,
    output: Path | None,
) -> None:
    """Estimate by maximum entropy how much the value of a MEASURE reveals about a ranking.

    MEASURE is one of ERR-IA, NRBP, alpha-DCG, AP-IA, ERR, RBP, AP, nDCG. Default: all.

    A measure's value and the number of relevant documents determine the most likely probability of relevance at each
    rank. Precision-recall curves and other measures are predicted from them, and the errors are reported.
    """
    check_writable(output, read=given.files)
    if given.options.gain != "linear" or given.options.highest != "file" or given.options.complete:
        raise InvalidInput("gain, gmax and complete do not apply; omit them, or set the lowest grade with level")
    targets = list(dict.fromkeys(measures or MEASURES))
    settings = ListSettings(depth, alpha, beta)
    with progress_bar() as listen:
        judgments, read = given.read(listen)
        selection = select(judgments, read, given.options, depth, most_topics, _MOST_RUNS)
        found = study(selection, settings, targets, parts_done(listen, "lists fitted"))
    for note in selection.notes:
        say(note)
    writers = {"json": lambda: study_json(found)}
    deliver(format_, lambda: study_report(found), writers, output)


if __name__ == "__main__":
    command(prog_name="python -m research.informativeness")

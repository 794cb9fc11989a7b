"""The command `axiomcheck score`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from axiomcheck.cli.console import check_writable, print_or_write, print_text_or_write, say
from axiomcheck.cli.exits import EXITS
from axiomcheck.cli.options import formats, shared
from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.score_report import scores_text
from axiomcheck.runs.trec import (
    BY_RANK,
    TIES,
    Options,
    Qrels,
    Scores,
    attach_weights,
    metrics_named,
    read_qrels,
    read_run,
    read_targets,
    read_weights,
    score_runs,
)

_FILE = click.Path(allow_dash=True, dir_okay=False)


@click.command("score", epilog=EXITS)
@shared("metrics")
@click.option("--qrels", required=True, type=_FILE, help="Judgments: topic, iteration or aspect, document, grade.")
@click.option(
    "--run",
    "runs",
    required=True,
    multiple=True,
    type=_FILE,
    help="A run: topic, Q0, document, rank, score, tag; may be repeated. '-' is standard input.",
)
@click.option(
    "--qrels-kind",
    type=click.Choice(["auto", "adhoc", "diversity"]),
    default="auto",
    show_default=True,
    help="What the second column of the judgments is: an iteration, an aspect, or found out.",
)
@click.option("--weights", type=_FILE, help="Weights of aspects: topic, aspect, weight. Default: uniform.")
@click.option("--targets", type=_FILE, help="T of INST: topic, T. Default: the metric's T on every topic.")
@click.option(
    "--ties",
    type=click.Choice([*TIES]),
    default="trec_eval",
    show_default=True,
    help="How documents are ordered, equal scores above all: as that tool does, as the file does, or (INST) averaged. "
    "trec_eval (trec_eval-9) and metric compare scores in single precision, the others in double.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["nonrelevant", "skip"]),
    default="nonrelevant",
    show_default=True,
    help="What documents without a judgment are: not relevant, or left out of the ranking.",
)
@click.option(
    "--gain",
    type=click.Choice(["linear", "exponential"]),
    default="linear",
    show_default=True,
    help="A grade g as a gain: g / gmax, or (2^g - 1) / 2^gmax.",
)
@click.option("--gmax", type=click.IntRange(1, 2**53), help="gmax. Default: the largest grade of the judgments.")
@click.option(
    "-c", "--complete", is_flag=True, help="Count judged topics that a run lacks as 0 in its mean, as trec_eval -c."
)
@click.option("-q", "--per-topic", is_flag=True, help="Print every topic, too.")
@formats("trec", "csv")
def command(
    metrics: tuple[str, ...],
    qrels: str,
    runs: tuple[str, ...],
    qrels_kind: Any,
    weights: str | None,
    targets: str | None,
    ties: Any,
    unjudged: Any,
    gain: Any,
    gmax: int | None,
    complete: bool,
    per_topic: bool,
    format_: str,
    output: Path | None,
) -> None:
    """Score runs against judgments by METRIC..., such as nDCG@20 or "alpha-nDCG(alpha=0.5)@20".

    What else the numbers depend on is said on stderr: topics without judgments or without results, documents without a
    judgment. The format trec is what trec_eval prints.
    """
    check_writable(output, read=[qrels, *runs, weights, targets, *metrics])
    if [qrels, *runs, weights, targets].count("-") > 1:
        raise InvalidInput("standard input ('-') is named twice")
    wanted = {} if targets is None else read_targets(targets)
    options = Options(ties, unjudged, gain, gmax, complete, wanted)
    chosen = metrics_named(metrics)
    show = _Progress()
    try:
        judgments = read_qrels(qrels, qrels_kind, show.lines)
        if weights is not None:
            attach_weights(judgments, read_weights(weights), weights)
        read = [read_run(run, ties in BY_RANK, show.lines) for run in runs]
        found = score_runs(chosen, judgments, read, options, show.topics)
    finally:
        show.clear()
    text = scores_text(format_, found, read, per_topic)
    _say(judgments, found)
    (print_text_or_write if format_ == "table" else print_or_write)(text, output)


class _Progress:
    """A line on stderr, where that is a terminal, that says how far reading and scoring have come."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self.last = time.monotonic()
        self.width = 0

    def _show(self, text: str) -> None:
        if self.shown and time.monotonic() - self.last > 0.5:
            click.echo("\r" + text.ljust(self.width), err=True, nl=False)
            self.last, self.width = time.monotonic(), len(text)

    def lines(self, name: str, count: int) -> None:
        """Reading."""
        self._show(f"{count:,} lines of {name}")

    def topics(self, done: int, total: int) -> None:
        """Scoring."""
        self._show(f"{done:,} of {total:,} topics")

    def clear(self) -> None:
        """Wipes the line."""
        if self.width:
            click.echo("\r" + " " * self.width + "\r", err=True, nl=False)
            self.width = 0


def _say(judgments: Qrels, found: Sequence[Scores]) -> None:
    if judgments.repeated:
        say(f"{judgments.source}: {judgments.repeated:,} lines repeat earlier ones")
    for scores in found:
        for note in scores.notes:
            say(f"{scores.run}: {note}")

"""The command `axiomcheck score`."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from axiomcheck.cli.console import print_or_write, print_text_or_write, say
from axiomcheck.cli.options import EXIT_INTERRUPTED, check_writable, complete_metric
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import spreadsheet_cell

if TYPE_CHECKING:
    from axiomcheck.runs.trec import Qrels, Run, Scores

__all__ = ["score"]

_EXITS = "Exit codes: 0 scored; 2 usage or unusable input; 130 interrupted."

_FILE = click.Path(allow_dash=True, dir_okay=False)


@click.command(epilog=_EXITS)
@click.argument("metrics", metavar="METRIC...", nargs=-1, required=True, shell_complete=complete_metric)
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
    type=click.Choice(["trec_eval", "ndeval", "ndeval-traditional", "pyndeval", "file", "metric"]),
    default="trec_eval",
    show_default=True,
    help="How documents are ordered, equal scores above all: as that tool does, as the file does, or (INST) averaged. "
    "trec_eval and metric compare scores in single precision, ndeval-traditional and pyndeval in double.",
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
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "trec", "json", "csv"]),
    default="table",
    show_default=True,
    help="What to print; trec is what trec_eval prints.",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write there.")
def score(
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
    style: str,
    output: Path | None,
) -> None:
    """Score runs against judgments by METRIC..., such as nDCG@20 or "alpha-nDCG(alpha=0.5)@20".

    What else the numbers depend on is said on stderr: topics without judgments or without results, documents without a
    judgment.
    """
    from axiomcheck.runs.trec import (
        Options,
        attach_weights,
        metrics_named,
        read_qrels,
        read_run,
        read_targets,
        read_weights,
        score_runs,
    )

    check_writable(output)
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
        read = [read_run(run, ties == "ndeval", show.lines) for run in runs]
        found = score_runs(chosen, judgments, read, options, show.topics)
        show.clear()
        text = _WRITERS[style](found, read, per_topic)
    except KeyboardInterrupt:
        show.clear()
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except InvalidInput:
        show.clear()
        raise
    _say(judgments, found)
    (print_text_or_write if style == "table" else print_or_write)(text, output)


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


def _rows(found: Sequence[Scores], per_topic: bool) -> list[tuple[str, str, str, float, float | None]]:
    """Run, topic ('all' for the mean), metric, score, residual."""
    rows: list[tuple[str, str, str, float, float | None]] = []
    for scores in found:
        if per_topic:
            for topic, values in scores.per_topic.items():
                residual = scores.residual_per_topic.get(topic, {})
                rows += [(scores.run, topic, name, value, residual.get(name)) for name, value in values.items()]
        rows += [(scores.run, "all", name, value, scores.residual.get(name)) for name, value in scores.mean.items()]
    return rows


def _as_trec(found: Sequence[Scores], runs: Sequence[Run], per_topic: bool) -> str:
    """As trec_eval: name, topic and value; each run begins with its tag."""
    out: list[str] = []
    for scores, run in zip(found, runs, strict=True):
        out.append(f"{'runid':<22}\tall\t{run.tag}\n")
        for _, topic, name, value, residual in _rows([scores], per_topic):
            out.append(f"{name:<22}\t{topic}\t{value:6.4f}\n")
            if residual is not None:
                out.append(f"{name + ':residual':<22}\t{topic}\t{residual:6.4f}\n")
        out.append(f"{'num_q':<22}\tall\t{len(scores.per_topic)}\n")
    return "".join(out)


def _as_csv(found: Sequence[Scores], runs: Sequence[Run], per_topic: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "topic", "metric", "score", "residual"])
    for run, topic, name, value, residual in _rows(found, per_topic):
        writer.writerow([*map(spreadsheet_cell, (run, topic, name)), value, "" if residual is None else residual])
    return text.getvalue()


def _as_json(found: Sequence[Scores], runs: Sequence[Run], per_topic: bool) -> str:
    documents = []
    for scores, run in zip(found, runs, strict=True):
        document: dict[str, Any] = {"run": scores.run, "tag": run.tag, "topics": len(scores.per_topic)}
        document["mean"] = dict(scores.mean)
        if scores.residual:
            document |= {"residual": dict(scores.residual), "upper": scores.upper}
        if per_topic:
            document["per_topic"] = dict(scores.per_topic)
            if scores.residual:
                document["residual_per_topic"] = dict(scores.residual_per_topic)
        document |= {"unscored": list(scores.unscored), "missing": list(scores.missing), "notes": list(scores.notes)}
        documents.append(document)
    return json.dumps(documents, indent=2, ensure_ascii=False) + "\n"


def _as_table(found: Sequence[Scores], runs: Sequence[Run], per_topic: bool) -> str:
    """Columns as wide as they need to be; a run's name only where there are several."""
    several, residuals = len(found) > 1, any(scores.residual for scores in found)
    head = [*(["Run"] if several else []), "Topic", "Metric", "Score", *(["Residual"] if residuals else [])]
    lines = [head]
    for run, topic, name, value, residual in _rows(found, per_topic):
        last = ["" if residual is None else f"{residual:.4f}"] if residuals else []
        lines.append([*([run] if several else []), topic, name, f"{value:.4f}", *last])
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    right = len(head) - (2 if residuals else 1)
    shown = [
        "  ".join(
            cell.rjust(width) if column >= right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([shown[0], "─" * len(shown[0]), *shown[1:]]) + "\n"


_WRITERS: dict[str, Callable[[Sequence[Any], Sequence[Any], bool], str]] = {
    "table": _as_table,
    "trec": _as_trec,
    "json": _as_json,
    "csv": _as_csv,
}

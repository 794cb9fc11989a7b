"""Options of the commands that read judgments and runs, and what they read."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from axiomcheck.cli.console import say
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.ledger import LedgerFile
from axiomcheck.runs.trec import (
    BY_RANK,
    TIES,
    Options,
    Qrels,
    Run,
    attach_weights,
    read_qrels,
    read_run,
    read_targets,
    read_weights,
)
from axiomcheck.runs.trec.notes import of_lines

_Command = TypeVar("_Command", bound=Callable[..., Any])
_FILE = click.Path(allow_dash=True, dir_okay=False)

_RUN_OPTION = click.option(
    "--run",
    "runs",
    required=True,
    multiple=True,
    type=_FILE,
    help="A run: topic, Q0, document, rank, score, tag; may be repeated. '-' is standard input.",
)
_RUN_ARGUMENTS = click.argument("runs", nargs=-1, required=True, type=_FILE, metavar="RUN...")
_OPTIONS = (
    click.option("--qrels", required=True, type=_FILE, help="Judgments: topic, iteration or aspect, document, grade."),
    click.option(
        "--qrels-kind",
        type=click.Choice(["auto", "adhoc", "diversity"]),
        default="auto",
        show_default=True,
        help="What the second column of the judgments is: an iteration, an aspect, or found out.",
    ),
    click.option("--weights", type=_FILE, help="Weights of aspects: topic, aspect, weight. Default: uniform."),
    click.option("--targets", type=_FILE, help="T of INST: topic, T. Default: the metric's T on every topic."),
    click.option(
        "--ties",
        metavar="TOOL",
        type=click.Choice([*TIES]),
        default="trec_eval",
        show_default=True,
        help="How documents are ordered, equal scores above all: as that tool does, as the file does, or (INST, by "
        "metric) averaged. trec_eval (trec_eval-9) and metric compare scores in single precision, the others in "
        f"double. One of {', '.join(TIES)}.",
    ),
    click.option(
        "--unjudged",
        type=click.Choice(["nonrelevant", "skip"]),
        default="nonrelevant",
        show_default=True,
        help="What documents without a judgment are: not relevant, or left out of the ranking.",
    ),
    click.option(
        "--gain",
        type=click.Choice(["linear", "exponential"]),
        default="linear",
        show_default=True,
        help="A grade g as a gain: g / gmax, or (2^g - 1) / 2^gmax.",
    ),
    click.option(
        "--gmax",
        default="file",
        show_default=True,
        metavar="file|topic|aspect|N",
        help="gmax: the largest grade of the judgments, of the topic, of the aspect of the topic, or a number.",
    ),
    click.option(
        "-l",
        "--level",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="The least grade that is relevant, for binary metrics without a rel of their own, as trec_eval -l.",
    ),
    click.option(
        "-M",
        "--max-results",
        type=click.IntRange(min=1),
        help="Look at that many documents of each ranking, as trec_eval -M. Default: all.",
    ),
)
_FILES = ("qrels", "runs", "qrels_kind", "weights", "targets")
_HOW = ("ties", "unjudged", "gain", "gmax", "level", "max_results")


@dataclass(frozen=True)
class Given:
    """What a command was given to read.

    Args:
        files: every file that is read, for `axiomcheck.cli.console.check_writable`.
        qrels_kind: what the second column of the judgments is.
        options: how runs are scored.

    """

    qrels_file: str
    run_files: tuple[str, ...]
    weights_file: str | None
    targets_file: str | None
    qrels_kind: Any
    options: Options

    @property
    def files(self) -> list[str | None]:
        """Every file that is read."""
        return [self.qrels_file, *self.run_files, self.weights_file, self.targets_file]

    def read(self, show: Counted) -> tuple[Qrels, list[Run]]:
        """The judgments, with weights where there are some, and the runs.

        Raises:
            InvalidInput: unusable input.

        """
        judgments = read_qrels(self.qrels_file, self.qrels_kind, show.lines)
        if self.weights_file is not None:
            attach_weights(judgments, read_weights(self.weights_file), self.weights_file)
        by_rank = self.options.ties in BY_RANK
        runs = [read_run(run, by_rank, show.lines) for run in self.run_files]
        show.clear()
        for note in of_lines(judgments.comments, judgments.repeated):
            say(f"{self.qrels_file}: {note}")
        for file, run in zip(self.run_files, runs, strict=True):
            for note in of_lines(run.comments):
                say(f"{file}: {note}")
        return judgments, runs


def reads_runs(function: _Command) -> _Command:
    """The options of a command that reads judgments and runs; it gets them as one argument, ``given``."""
    return _reads(function, (_OPTIONS[0], _RUN_OPTION, *_OPTIONS[1:]))


def reads_runs_as_arguments(function: _Command) -> _Command:
    """As `reads_runs`, of a command whose arguments are the runs."""
    return _reads(function, (_RUN_ARGUMENTS, *_OPTIONS))


def _reads(function: _Command, options: Sequence[Callable[[Any], Any]]) -> _Command:
    @functools.wraps(function)
    def command(**arguments: Any) -> Any:
        mine: dict[str, Any] = {name: arguments.pop(name) for name in (*_FILES, *_HOW)}
        return function(given=_given(**mine), **arguments)

    for option in reversed(options):
        command = option(command)
    return command  # type: ignore[return-value]


def _given(
    qrels: str,
    runs: tuple[str, ...],
    qrels_kind: Any,
    weights: str | None,
    targets: str | None,
    ties: Any,
    unjudged: Any,
    gain: Any,
    gmax: str,
    level: int,
    max_results: int | None,
) -> Given:
    if [qrels, *runs, weights, targets].count("-") > 1:
        raise InvalidInput("standard input ('-') is named twice")
    wanted = {} if targets is None else read_targets(targets)
    highest: Any = int(gmax) if gmax.isascii() and gmax.isdecimal() and len(gmax) <= 16 else gmax
    options = Options(ties, unjudged, gain, highest, targets=wanted, level=level, depth=max_results)
    return Given(qrels, runs, weights, targets, qrels_kind, options)


class Counted:
    """A line on stderr, where that is a terminal, that says how far a command has come."""

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
        self._show(f"{counted(count, 'line')} of {name}")

    def of(self, what: str) -> Callable[[int, int], None]:
        """A listener to work of many equal parts.

        Args:
            what: the parts, such as ``"topics"``.

        """
        return lambda done, total: self._show(f"{done:,} of {total:,} {what}")

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Wipes the line."""
        if self.width:
            click.echo("\r" + " " * self.width + "\r", err=True, nl=False)
            self.width = 0


def resumed(function: _Command) -> _Command:
    """The option of work that keeps what it finished; the command gets ``resume``, a file or None."""
    return click.option(
        "--resume",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Keep what is finished in FILE, and go on from what is there.",
    )(function)


def kept_in(path: Path | None) -> LedgerFile | None:
    """The file of ``--resume``.

    Raises:
        InvalidInput: it cannot be made or read.

    """
    return None if path is None else LedgerFile(path)

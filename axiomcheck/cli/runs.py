"""Add the options for judgments and runs to commands, and read the given files."""

from __future__ import annotations

import functools
import glob
import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from axiomcheck.api.options import options_of
from axiomcheck.api.score import ScoreOptions, scoring_of
from axiomcheck.cli.options import asks
from axiomcheck.cli.progress import lines_read
from axiomcheck.core.errors import InvalidInput
from axiomcheck.engine.events import Said
from axiomcheck.runs.trec import (
    BY_RANK,
    Options,
    Qrels,
    Run,
    measures_asked,
    read_qrels,
    read_run,
    read_weights,
    with_weights,
)
from axiomcheck.runs.trec.notes import of_lines
from axiomcheck.runs.trec.runs import with_names

_Command = TypeVar("_Command", bound=Callable[..., object])
_FILE = click.Path(allow_dash=True, dir_okay=False)

_QRELS = click.option(
    "--qrels",
    required=True,
    type=_FILE,
    help="File of judgments, with columns topic, iteration or aspect, document, grade.",
)
_RUN_OPTION = click.option(
    "--run",
    "runs",
    required=True,
    multiple=True,
    type=click.Path(allow_dash=True),
    help="File of a run, with columns topic, Q0, document, rank, score, tag; '-' is standard input. May be repeated, "
    "or be a quoted pattern, such as '*.run'.",
)


@dataclass(frozen=True)
class Given:
    """Judgments, runs and scoring options as named on the command line. `read` reads the files.

    Args:
        qrels_file: File of the judgments; ``-`` for standard input.
        run_files: Files of the runs; ``-`` for standard input.
        asked: Scoring options as typed.
        options: The same options for `axiomcheck.runs.trec`.

    """

    qrels_file: str
    run_files: tuple[str, ...]
    asked: ScoreOptions
    options: Options

    @property
    def files(self) -> list[str]:
        """All files that `read` reads, which the command must not overwrite."""
        named = [self.qrels_file, *self.run_files, self.asked["weights"]]
        return [str(file) for file in named if file is not None]

    def read(self, listen: Callable[[object], None]) -> tuple[Qrels, list[Run]]:
        """Read the judgments, with weights if they are given, and the runs, with their names in reports.

        Args:
            listen: Event listener for the progress and for notes on the files.

        Raises:
            InvalidInput: A file cannot be used.

        """
        judgments = read_qrels(self.qrels_file, self.asked["qrels_kind"], lines_read(listen))
        weights = self.asked["weights"]
        if isinstance(weights, str):
            judgments = with_weights(judgments, read_weights(weights), weights)
        by_rank = self.options.ties in BY_RANK
        runs = [read_run(run, by_rank, lines_read(listen)) for run in self.run_files]
        for note in of_lines(judgments.table.comments, judgments.repeated):
            listen(Said(f"{self.qrels_file}: {note}"))
        for file, run in zip(self.run_files, runs, strict=True):
            for note in of_lines(run.table.comments):
                listen(Said(f"{file}: {note}"))
        return judgments, with_names(runs)


def reads_runs(command: _Command) -> _Command:
    """Add judgments, runs and scoring options to a command, which receives them as one argument ``given``."""

    @functools.wraps(command)
    def reads(qrels: str, runs: tuple[str, ...], **arguments: Any) -> object:
        asked = {name: arguments.pop(name) for name in options_of(ScoreOptions)}
        return command(given=_given(qrels, runs, cast(ScoreOptions, asked), arguments.get("metrics", ())), **arguments)

    return cast(_Command, _QRELS(_RUN_OPTION(asks(ScoreOptions)(reads))))


def _given(qrels: str, named: tuple[str, ...], asked: ScoreOptions, metrics: tuple[str, ...]) -> Given:
    for name in metrics:
        if os.path.isfile(name) and not name.endswith(".py") and not _is_metric(name):
            pattern = shlex.quote(os.path.join(os.path.dirname(name), f"*{Path(name).suffix}"))
            raise InvalidInput(
                f"{name} is a file, but a metric is expected: each --run takes one file. For several, repeat --run, "
                f"or give a pattern in quotes: --run {pattern}"
            )
    runs = tuple(file for name in named for file in _matching(name))
    if [qrels, *runs, asked["weights"]].count("-") > 1:
        raise InvalidInput("standard input ('-') is named twice; use it for one file only")
    for number, file in enumerate(runs):
        if file in runs[:number]:
            raise InvalidInput(f"--run {file} was given twice; expected different runs")
    return Given(qrels, runs, asked, scoring_of(asked))


def _is_metric(name: str) -> bool:
    """Return True if a string names a metric or measure, although it may also be the name of a file."""
    try:
        return bool(measures_asked([name]))
    except InvalidInput:
        return False


def _matching(name: str) -> list[str]:
    """Expand a pattern such as ``runs/*.gz`` to file names; return a plain name unchanged, even if no such file exists.

    Raises:
        InvalidInput: The name is a directory, or a pattern matches no file.

    """
    if os.path.isdir(name):
        pattern = shlex.quote(os.path.join(name, "*"))
        raise InvalidInput(
            f"--run {name} is a directory, but a file is expected; for the files in it, use --run {pattern}"
        )
    found = [name] if os.path.exists(name) else sorted(glob.glob(name))
    if not found and glob.has_magic(name):
        raise InvalidInput(f"--run {name}: no file matches the pattern")
    return found or [name]

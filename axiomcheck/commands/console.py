"""Where commands print to: the terminal, a file, and a progress bar."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from axiomcheck.interrupts import at_work

if TYPE_CHECKING:
    from rich.console import Console

    from axiomcheck.engine import Event

__all__ = ["console_of_stdout", "print_or_write", "progress_bar", "recording_console"]


@contextlib.contextmanager
def progress_bar() -> Iterator[Any]:
    """A listener that draws a progress bar with the time left on stderr, where that is a terminal."""
    with at_work():
        if sys.stderr.isatty():
            with _drawn() as listen:
                yield listen
        else:
            yield lambda event: None


@contextlib.contextmanager
def _drawn() -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from axiomcheck.engine import Progress as Share

    columns = (
        TextColumn("{task.description:<8}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def listen(event: Event) -> None:
            if isinstance(event, Share):
                bar.update(task, completed=event.share, description=event.doing)

        yield listen


def console_of_stdout() -> Console:
    """The console that commands print tables to."""
    from rich.console import Console

    return Console(highlight=False)


def recording_console() -> Console:
    """A console whose text goes to a file in the end."""
    from rich.console import Console

    return Console(highlight=False, record=True, width=120, file=io.StringIO())


def print_or_write(text: str, output: Path | None) -> None:
    """Prints a finished text, or writes it to a file in one piece."""
    from axiomcheck.reports import write_atomically

    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)

"""Where commands print to: the terminal, a file, and a progress bar."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from axiomcheck.core.printable import escaped
from axiomcheck.processes.interrupts import at_work

if TYPE_CHECKING:
    from rich.console import Console

    from axiomcheck.engine.matrix import Event

__all__ = ["console_of_stdout", "print_or_write", "print_text_or_write", "progress_bar", "recording_console", "say"]


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

    from axiomcheck.engine.matrix import Progress as Share

    columns = (
        TextColumn("{task.description:<8}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def listen(event: Event) -> None:
            if isinstance(event, Share):
                bar.update(task, completed=event.share, description=event.doing)

        yield listen


class _Fitting:
    """Standard output for a report's text: symbols that its encoding has not give way to others."""

    def write(self, text: str) -> int:
        """Writes the text."""
        from axiomcheck.reports.symbols import fitting

        return sys.stdout.write(fitting(text, sys.stdout.encoding))

    def __getattr__(self, name: str) -> Any:
        # Without the stream's encoding, which is none of rich's business now.
        if name == "encoding":
            raise AttributeError(name)
        return getattr(sys.stdout, name)


def console_of_stdout() -> Console:
    """The console that commands print tables to."""
    from rich.console import Console

    return Console(highlight=False, file=cast(TextIO, _Fitting()))


def recording_console() -> Console:
    """A console whose text goes to a file in the end."""
    from rich.console import Console

    return Console(highlight=False, record=True, width=120, file=io.StringIO())


def print_or_write(text: str, output: Path | None) -> None:
    """Prints a finished document, or writes it to a file in one piece, its characters `escaped` where they do not show.

    A JSON document says the same afterwards.
    """
    from axiomcheck.reports import write_atomically

    if output is None:
        click.echo(escaped(text), nl=False)
    else:
        write_atomically(output, escaped(text))


def print_text_or_write(text: str, output: Path | None) -> None:
    """As `print_or_write`, of text for people, whose symbols give way to others where they cannot be encoded."""
    from axiomcheck.reports.symbols import fitting

    print_or_write(fitting(text, sys.stdout.encoding) if output is None else text, output)


def say(text: str) -> None:
    """Prints a line on stderr, of whatever names it speaks."""
    click.echo(escaped(text), err=True)

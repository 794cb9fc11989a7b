"""Where commands print to: the terminal, a file, and a progress bar."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO, cast

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import write_atomically
from axiomcheck.engine import events
from axiomcheck.processes.interrupts import at_work
from axiomcheck.reports.symbols import fitting
from axiomcheck.reports.table import Report, report_markdown, report_text

_HEARTBEAT = 10.0
"""Seconds between two signs of life of a run with a budget, where no bar is drawn."""


@contextlib.contextmanager
def progress_bar(budget: float | None = None) -> Iterator[Any]:
    """A listener that draws a progress bar with the time left on stderr, where that is a terminal that can.

    Args:
        budget: the seconds that the run is limited to, of which its estimate and every answer is told as it comes, on a
            terminal or off it; off it, so is that the run is alive. Of other runs, only what they `Said`.

    """
    with at_work():
        if _draws_bars():
            with _drawn(_line_of if budget is not None else _said) as listen:
                yield listen
        elif budget is not None:
            with _heartbeat(budget) as listen:
                yield listen
        else:
            yield _say_what_is_said


def _say_what_is_said(event: Any) -> None:
    if line := _said(event):
        say(line)


@contextlib.contextmanager
def _heartbeat(budget: float) -> Iterator[Any]:
    began, done = time.monotonic(), 0
    ended = threading.Event()

    def listen(event: Any) -> None:
        nonlocal done
        done += isinstance(event, events.CellDecided)
        if line := _line_of(event):
            say(line)

    def beat() -> None:
        while not ended.wait(_HEARTBEAT):
            say(f"{time.monotonic() - began:.0f} s of {budget:g} s, cells decided: {done}")

    heart = threading.Thread(target=beat, daemon=True)
    heart.start()
    try:
        yield listen
    finally:
        ended.set()
        heart.join()


def _line_of(event: Any) -> str:
    """What a run with a budget says of an event; empty if nothing."""
    if line := _said(event):
        return line
    if isinstance(event, events.CellDecided | events.CellSoFar):
        soon = "so far " if isinstance(event, events.CellSoFar) else ""
        cell, where = event.cell, " where r << 1" if event.small else ""
        tried = f" (N = {cell.instances:,})" if cell.evidence else ""
        return f"{cell.metric}, {cell.axiom}{where}: {soon}{cell.verdict}{tried}"
    return ""


def _said(event: Any) -> str:
    """What a run says in words of its own."""
    return event.text if isinstance(event, events.Said) else ""


@contextlib.contextmanager
def _drawn(line_of: Callable[[Any], str]) -> Iterator[Any]:
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

        def listen(event: Any) -> None:
            if isinstance(event, events.Progress):
                bar.update(task, completed=event.share, description=event.doing)
            elif line := line_of(event):
                bar.console.print(escaped(line), highlight=False, markup=False)

        yield listen


def _in_locale_c() -> bool:
    """Whether the locale says ASCII, for which Python writes UTF-8 all the same unless it was told an encoding."""
    asked = {"PYTHONUTF8", "PYTHONIOENCODING"} & os.environ.keys()
    return os.environ.get("LC_ALL") in ("C", "POSIX") and not asked


def _draws_bars() -> bool:
    """Whether standard error is a terminal that can go back in a line and has the characters of a bar."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") and not _in_locale_c()


def _encoding() -> str | None:
    """What standard output can show."""
    return "ascii" if _in_locale_c() else sys.stdout.encoding


class _Fitting:
    """Standard output for a report's text: symbols that its encoding has not give way to others."""

    def write(self, text: str) -> int:
        """Writes the text."""
        return sys.stdout.write(fitting(text, _encoding()))

    def __getattr__(self, name: str) -> Any:
        # Without the stream's encoding, which is none of rich's business now.
        if name == "encoding":
            raise AttributeError(name)
        return getattr(sys.stdout, name)


def console_of_stdout() -> Console:
    """The console that commands print tables to."""
    return Console(highlight=False, file=cast(TextIO, _Fitting()))


def draw_or_write(draw: Callable[[Console], None], output: Path | None) -> None:
    """Has a report drawn on standard output, or written to a file in one piece."""
    if output is None:
        draw(console_of_stdout())
        return
    console = Console(highlight=False, record=True, width=120, file=io.StringIO())
    draw(console)
    print_or_write(console.export_text(), output)


def print_or_write(text: str, output: Path | None) -> None:
    """Prints a finished document, or writes it to a file in one piece, its characters `escaped` where they do not show.

    A JSON document says the same afterwards.
    """
    if output is None:
        click.echo(escaped(text), nl=False)
    else:
        write_atomically(output, escaped(text))


def print_text_or_write(text: str, output: Path | None) -> None:
    """As `print_or_write`, of text for people, whose symbols give way to others where they cannot be encoded."""
    print_or_write(fitting(text, _encoding()) if output is None else text, output)


def print_result(format_: str, report: Report, writers: Mapping[str, Callable[[], str]], output: Path | None) -> None:
    """Print a result, or write it to a file in one piece.

    Args:
        format_: what was asked for: a key of `writers`, or ``table``, ``markdown`` or ``html``.
        report: what these three draw.
        writers: of the other formats.
        output: the file; None for standard output.

    """
    if format_ in writers:
        print_or_write(writers[format_](), output)
    elif format_ == "html":
        from axiomcheck.reports.html.page import report_page

        print_or_write(report_page(report), output)
    else:
        draw = report_text if format_ == "table" else report_markdown
        print_text_or_write(draw(report), output)


def say(text: str) -> None:
    """Prints a line on stderr, of whatever names it speaks."""
    click.echo(escaped(text), err=True)


def say_loaded(searches: int) -> None:
    """Print on stderr how many searches were loaded from the ledger, if any were."""
    if searches:
        say(f"{counted(searches, 'search')} loaded from the ledger")


def check_writable(*paths: Path | None, read: Iterable[str | Path | None] = ()) -> None:
    """Fails before the work rather than after it.

    Args:
        paths: files to be written; None for those that nobody asked for.
        read: files that the command reads; texts may be names such as ``file.py:metric``, and may be of no file.

    Raises:
        InvalidInput: a file cannot be made where one of the paths says, would be written twice, or is read as well.

    """
    taken = {_place(Path(str(name).partition(".py:")[0] + ".py" * (".py:" in str(name)))) for name in read if name}
    for path in paths:
        if path is None:
            continue
        if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
            raise InvalidInput(f"cannot write {path}: {path.parent} is not a directory that can be written to")
        if path.is_dir():
            raise InvalidInput(f"cannot write {path}: it is a directory")
        if _place(path) in taken and not path.is_char_device():
            raise InvalidInput(f"cannot write {path}: it is read, or written otherwise, by the same command")
        taken.add(_place(path))


def _place(path: Path) -> str:
    return os.path.realpath(path)

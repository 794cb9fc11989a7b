"""Show on standard error how far a command has come: a bar, or a line that counts."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from axiomcheck.cli.console import in_locale_c, say
from axiomcheck.core.counting import counted
from axiomcheck.core.printable import escaped
from axiomcheck.engine import events
from axiomcheck.processes.interrupts import at_work


@contextlib.contextmanager
def progress_bar(budget: float | None = None) -> Iterator[Callable[[object], None]]:
    """Give a listener that draws a progress bar with the time left on stderr, where that is a terminal that can.

    Args:
        budget: the seconds that the run is limited to, of which its estimate and every answer is told as it comes, on a
            terminal or off it. Of other runs, only what they `Said`.

    """
    line_of = _said if budget is None else _line_of
    with at_work():
        if _draws_bars():
            with _drawn(line_of) as listen:
                yield listen
        else:
            yield lambda event: say(line_of(event)) if line_of(event) else None


def _line_of(event: object) -> str:
    """Return what a run with a budget says of an event; empty if nothing."""
    if line := _said(event):
        return line
    if isinstance(event, events.CellDecided | events.CellSoFar):
        soon = "so far " if isinstance(event, events.CellSoFar) else ""
        cell, where = event.cell, " where r << 1" if event.small else ""
        tried = f" (N = {cell.instances:,})" if cell.evidence else ""
        return f"{cell.metric}, {cell.axiom}{where}: {soon}{cell.verdict}{tried}"
    return ""


def _said(event: object) -> str:
    """Return what a run says in words of its own."""
    return event.text if isinstance(event, events.Said) else ""


@contextlib.contextmanager
def _drawn(line_of: Callable[[object], str]) -> Iterator[Callable[[object], None]]:
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

        def listen(event: object) -> None:
            if isinstance(event, events.Progress):
                bar.update(task, completed=event.share, description=event.doing)
            elif line := line_of(event):
                bar.console.print(escaped(line), highlight=False, markup=False)

        yield listen


def _draws_bars() -> bool:
    """Tell whether standard error is a terminal that can go back in a line and has the characters of a bar."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") and not in_locale_c()


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
        """Say how many lines of a file were read."""
        self._show(f"{counted(count, 'line')} of {name}")

    def of(self, what: str) -> Callable[[int, int], None]:
        """Return a listener to work of many equal parts.

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

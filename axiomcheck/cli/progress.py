"""Show the progress of a command on stderr, as a bar or a line with a count."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from axiomcheck.cli.console import in_locale_c, say
from axiomcheck.core.counting import counted
from axiomcheck.core.printable import escaped
from axiomcheck.engine import events
from axiomcheck.processes.interrupts import at_work

if TYPE_CHECKING:
    from axiomcheck.axioms import Axiom


@contextlib.contextmanager
def progress_bar(budget: float | None = None, axioms: Sequence[Axiom] = ()) -> Iterator[Callable[[object], None]]:
    """Provide an event listener that draws a progress bar with the remaining time, if stderr is a capable terminal.

    Args:
        axioms: Axioms that are decided for one metric in every regime. Their verdicts so far are drawn as a table.
        budget: Time limit of the run in seconds. With a limit, every answer and estimate is printed when it arrives,
            also without a terminal; without a limit, only `Said` events are printed.

    """
    line_of = _said if budget is None else _line_of
    with at_work():
        if _draws_bars():
            with _drawn(line_of, axioms) as listen:
                yield listen
        else:
            yield lambda event: say(line_of(event)) if line_of(event) else None


def _line_of(event: object) -> str:
    """Return the line that a run with a time limit prints for an event; empty for no line."""
    if line := _said(event):
        return line
    if isinstance(event, events.CellDecided | events.CellSoFar):
        soon = "so far " if isinstance(event, events.CellSoFar) else ""
        cell, where = event.cell, " where r << 1" if event.small else ""
        tried = f" (N = {cell.instances:,})" if cell.evidence else ""
        return f"{cell.metric}, {cell.axiom}{where}: {soon}{cell.verdict}{tried}"
    return ""


def _said(event: object) -> str:
    """Return the text of a `Said` event; empty for other events."""
    return event.text if isinstance(event, events.Said) else ""


@contextlib.contextmanager
def _drawn(line_of: Callable[[object], str], axioms: Sequence[Axiom]) -> Iterator[Callable[[object], None]]:
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from axiomcheck.cli.verdicts_so_far import VerdictsSoFar  # lazy: without a terminal there is no table

    verdicts = VerdictsSoFar(axioms) if axioms else None

    class Drawn(Progress):
        """Progress bar below the verdicts so far."""

        def get_renderables(self) -> Iterator[RenderableType]:
            if verdicts is not None:
                yield verdicts.table()
            yield from super().get_renderables()

    columns = (
        TextColumn("{task.description:<8}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Drawn(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def listen(event: object) -> None:
            if isinstance(event, events.CellDecided | events.CellSoFar) and verdicts is not None:
                verdicts.add(event)
            if isinstance(event, events.Progress):
                bar.update(task, completed=event.share, description=event.doing)
            elif line := line_of(event):
                bar.console.print(escaped(line), highlight=False, markup=False)

        yield listen


def _draws_bars() -> bool:
    """Return True if stderr is a terminal that supports carriage returns and the characters of a bar."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") and not in_locale_c()


class Counted:
    """Status line on stderr with a count, shown only if stderr is a terminal."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self.last = time.monotonic()
        self.width = 0

    def _show(self, text: str) -> None:
        if self.shown and time.monotonic() - self.last > 0.5:
            click.echo("\r" + text.ljust(self.width), err=True, nl=False)
            self.last, self.width = time.monotonic(), len(text)

    def lines(self, name: str, count: int) -> None:
        """Show the number of lines read from a file."""
        self._show(f"{counted(count, 'line')} of {name}")

    def of(self, what: str) -> Callable[[int, int], None]:
        """Return a callback that shows the number of finished parts of the work.

        Args:
            what: Noun for the parts, such as ``"topics"``.

        """
        return lambda done, total: self._show(f"{done:,} of {total:,} {what}")

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Clear the status line."""
        if self.width:
            click.echo("\r" + " " * self.width + "\r", err=True, nl=False)
            self.width = 0

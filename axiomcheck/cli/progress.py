"""Show the progress of a command on stderr: as a bar on a terminal, otherwise as a line every 10 s."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from axiomcheck.cli.console import in_locale_c, say
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.core.printable import counted, escaped
from axiomcheck.engine import events
from axiomcheck.processes.interrupts import at_work
from axiomcheck.reports.symbols import SYMBOLS

if TYPE_CHECKING:
    from rich.table import Table

    from axiomcheck.axioms import Axiom
    from axiomcheck.records.cells import Cell

PERIOD = 10.0
"""Seconds between two progress lines without a terminal."""


@contextlib.contextmanager
def progress_bar(budget: float | None = None, axioms: Sequence[Axiom] = ()) -> Iterator[Callable[[object], None]]:
    """Yield an event listener that draws a progress bar with the remaining time, or prints a line every 10 s.

    The bar is drawn only on a terminal that can show it.

    Args:
        budget: Time limit of the run in seconds. With a limit, each answer and estimate is also printed when it
            arrives; without a limit, only the messages of `Said` events are.
        axioms: Axioms that are decided for one metric in every regime. On a terminal, their verdicts so far are shown
            as a table above the bar.

    """
    line_of = _said if budget is None else _line_of
    with at_work(), contextlib.redirect_stdout(sys.stderr):  # output of a user's axiom is not part of the result
        is_plain = os.environ.get("TERM") in ("dumb", "unknown") or in_locale_c()  # no carriage returns or no bars
        with _drawn(line_of, axioms) if sys.stderr.isatty() and not is_plain else _logged(line_of) as listen:
            yield listen


def _line_of(event: object) -> str:
    """Return the line that a run with a time limit prints for an event, or an empty string for none."""
    if line := _said(event):
        return line
    if isinstance(event, events.CellDecided | events.CellSoFar):
        soon = "so far " if isinstance(event, events.CellSoFar) else ""
        cell, where = event.cell, " where r << 1" if event.small else ""
        tried = f" (N = {cell.instances:,})" if cell.evidence else ""
        return f"{cell.metric}, {cell.axiom}{where}: {soon}{cell.verdict}{tried}"
    return ""


def _said(event: object) -> str:
    """Return the text of a `Said` event, or an empty string for other events."""
    return event.text if isinstance(event, events.Said) else ""


@contextlib.contextmanager
def _logged(line_of: Callable[[object], str]) -> Iterator[Callable[[object], None]]:
    """Yield a listener that prints lines on stderr, and print the progress there every `PERIOD` seconds."""
    now, start, ended = "at work", time.monotonic(), threading.Event()
    failures: list[Exception] = []

    def repeat() -> None:
        while not ended.wait(PERIOD):
            try:
                say(f"{time.monotonic() - start:.0f} s: {now}")
            except Exception as failure:  # such as a closed pipe, which the command's own thread has to handle
                failures.append(failure)
                return

    def listen(event: object) -> None:
        nonlocal now
        if isinstance(event, events.Progress):
            now = f"{event.share:.0%} done, now {event.doing}"
        elif line := line_of(event):
            say(line)

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield listen
    finally:
        ended.set()
        thread.join()
    if failures:
        raise failures[0]


@contextlib.contextmanager
def _drawn(line_of: Callable[[object], str], axioms: Sequence[Axiom]) -> Iterator[Callable[[object], None]]:
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    verdicts = VerdictsSoFar(axioms) if axioms else None

    class Drawn(Progress):
        """Rich progress bar with the table of verdicts above it."""

        def get_renderables(self) -> Iterator[RenderableType]:
            if verdicts is not None:
                yield verdicts.table()
            yield from super().get_renderables()

    columns = (
        TextColumn("{task.description:<8}", markup=False),
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
                bar.update(task, completed=event.share, description=escaped(event.doing))
            elif line := line_of(event):
                bar.console.print(escaped(line), highlight=False, markup=False)

        yield listen


def lines_read(listen: Callable[[object], None]) -> Callable[[str, int], None]:
    """Return a callback that takes a file's name and the number of lines read so far, and reports the progress."""
    return lambda name, count: listen(events.Progress(0.0, f"{counted(count, 'line')} of {name}"))


def parts_done(listen: Callable[[object], None], what: str) -> Callable[[int, int], None]:
    """Return a callback that takes the number of finished parts and their total, and reports the progress.

    Args:
        listen: Event listener of `progress_bar`.
        what: Noun for the parts, such as ``"topics"``.

    """
    return lambda done, total: listen(events.Progress(done / max(1, total), f"{done:,} of {total:,} {what}"))


_AWAITED = "·"


class VerdictsSoFar:
    """Table of a metric's verdicts by axiom and regime, which is redrawn during `axiomcheck check` as they arrive.

    Args:
        axioms: Axioms that are decided, in the order of the columns.

    """

    def __init__(self, axioms: Sequence[Axiom]) -> None:
        self._axioms = axioms
        self._metric = ""
        self._cells: dict[tuple[str, bool], Cell] = {}

    def add(self, event: events.CellDecided | events.CellSoFar) -> None:
        """Add a cell, or start over with the first cell of the next metric."""
        if event.cell.metric != self._metric:
            self._metric, self._cells = event.cell.metric, {}
        self._cells[event.cell.axiom, event.small] = event.cell

    def table(self) -> Table:
        """Return the table, with a dot for each pending verdict."""
        from rich.table import Table  # lazy: its import takes time, and without a terminal there is no table

        table = Table("Regime", *(axiom.name for axiom in self._axioms), title=escaped(self._metric), box=None)
        for regime in Regime:
            read = [(axiom.name, assumes_small(axiom, Reading(regime))) for axiom in self._axioms]
            found = [self._cells.get(key) for key in read]
            table.add_row(regime.value, *(SYMBOLS[cell.verdict] if cell else _AWAITED for cell in found))
        return table

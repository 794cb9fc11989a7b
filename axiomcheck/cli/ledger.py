"""Define the command `axiomcheck ledger` and its subcommands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from axiomcheck.cli.console import deliver
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named, examples
from axiomcheck.cli.options import WholeRange
from axiomcheck.core.printable import counted
from axiomcheck.ledger.file import LedgerFile, wanted_ledger
from axiomcheck.reports.ledger_report import ledger_json, ledger_report

_DAYS = 30


@click.group(
    "ledger",
    epilog=examples(
        "axiomcheck ledger show",
        "axiomcheck ledger gc 7",
    ),
)
def command() -> None:
    """Show and delete saved results, which later runs load instead of computing them again.

    The results are saved in a file, your ledger. Set AXIOMCHECK_LEDGER to the path of another file, or to "off".
    """


@command_named("show", "axiomcheck ledger show", "axiomcheck ledger show -o entries.json", of=command)
@formats()
def show(format_: str, output: Path | None) -> None:
    """Show the number and size of entries by kind, metric and axiom."""
    with _opened() as ledger:
        summary = ledger.summary()
    deliver(format_, lambda: ledger_report(summary), {"json": lambda: ledger_json(summary)}, output)


@command_named("gc", "axiomcheck ledger gc", "axiomcheck ledger gc 7", of=command)
@click.argument("days", type=WholeRange(0, 100_000), default=_DAYS)
def gc(days: int) -> None:
    """Delete old entries and entries from other versions of axiomcheck.

    An entry is old if it was not used in the last DAYS days (default 30).
    """
    with _opened() as ledger:
        found = ledger.forget(days)
    others, unused = counted(found.others, "entry"), counted(found.unused, "entry")
    click.echo(
        f"deleted {others} from other versions of axiomcheck and {unused} not used for {counted(days, 'day')}; "
        f"{found.left:,} left"
    )


@contextmanager
def _opened() -> Iterator[LedgerFile]:
    ledger = wanted_ledger()
    try:
        yield ledger
    finally:
        ledger.close()

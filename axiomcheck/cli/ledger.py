"""Define the command `axiomcheck ledger` and its subcommands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, deliver, print_or_write
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named, examples
from axiomcheck.cli.options import WholeRange
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.ledger.file import LedgerFile, wanted_ledger
from axiomcheck.reports.ledger_report import ledger_json, ledger_lines, ledger_report

_DAYS = 30
_ENDING = ".jsonl"


@click.group(
    "ledger",
    epilog=examples(
        "axiomcheck ledger show",
        "axiomcheck ledger gc 7",
        "axiomcheck ledger export verdicts.jsonl",
    ),
)
def command() -> None:
    """Show, export and delete saved results, which later runs load instead of computing them again.

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
    """Delete entries not used in the last DAYS days (default 30), and entries of other versions of axiomcheck."""
    with _opened() as ledger:
        found = ledger.forget(days)
    others, unused = counted(found.others, "entry"), counted(found.unused, "entry")
    click.echo(
        f"deleted {others} of other versions of axiomcheck and {unused} not used for {counted(days, 'day')}; "
        f"{found.left:,} left"
    )


@command_named(
    "export", "axiomcheck ledger export verdicts.jsonl", "axiomcheck ledger export - | head -n 1", of=command
)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
def export(file: Path) -> None:
    """Write all entries as JSON Lines to FILE, or to standard output if FILE is '-'.

    Each line is an object with four fields: key, a digest of everything that the result depends on; about, a
    description of the result; engine, the digest of the version of axiomcheck that saved it; and content, the result.
    """
    output = None if str(file) == "-" else file
    if output is not None and output.suffix != _ENDING:
        raise InvalidInput(f"cannot write {file}: expected a file name that ends in {_ENDING}, or '-'")
    check_writable(output)
    with _opened() as ledger:
        text = ledger_lines(ledger)
    print_or_write(text, output)


@contextmanager
def _opened() -> Iterator[LedgerFile]:
    ledger = wanted_ledger()
    try:
        yield ledger
    finally:
        ledger.close()

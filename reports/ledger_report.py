"""The content of a ledger: amounts for terminals and as JSON, entries as JSON Lines."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich import box
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table

from axiomcheck.core.counting import counted
from axiomcheck.core.writing import json_text
from axiomcheck.ledger.file import Amount, Forgotten, LedgerFile, LedgerSummary
from axiomcheck.reports.paragraphs import entry, paragraph


def print_ledger(console: Console, summary: LedgerSummary) -> None:
    """Prints the amounts, by kind, by metric and by axiom."""
    console.print(entry(summary.path), soft_wrap=True)  # to be copied whole
    paragraph(console, f"{_amount(summary.entries)}; the file has {decimal(summary.size)}.")
    if summary.others.entries:
        paragraph(
            console, f"Of other versions of axiomcheck: {_amount(summary.others)}; axiomcheck ledger gc deletes them."
        )
    if summary.unsealed:
        paragraph(console, f"Not used, since damaged or not sealed by you: {counted(summary.unsealed, 'entry')}.")
    for name, amounts in summary.by.items():
        if amounts:
            console.print()
            table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
            table.add_column(name.capitalize(), overflow="fold")
            table.add_column("entries", justify="right", no_wrap=True)
            table.add_column("size", justify="right", no_wrap=True)
            for what, amount in amounts.items():
                table.add_row(entry(what), f"{amount.entries:,}", decimal(amount.size))
            console.print(table)


def ledger_json(summary: LedgerSummary) -> str:
    """The amounts, sizes in bytes."""
    return json_text(asdict(summary))


def ledger_lines(ledger: LedgerFile) -> str:
    """The entries: a line each, an object with ``key``, ``about``, ``engine`` and ``content``."""
    lines = (
        {"key": one.key, "about": dict(one.about), "engine": one.engine, "content": json.loads(one.content)}
        for one in ledger.entries()
    )
    return "".join(f"{json.dumps(line, allow_nan=False)}\n" for line in lines)


def forgotten_words(found: Forgotten, days: int) -> str:
    """Return a line on what was deleted."""
    return (
        f"deleted: {counted(found.others, 'entry')} of other versions of axiomcheck, {counted(found.unused, 'entry')} "
        f"not used for {counted(days, 'day')}; left: {found.left:,}"
    )


def _amount(amount: Amount) -> str:
    return f"{counted(amount.entries, 'entry')} of {decimal(amount.size)}"

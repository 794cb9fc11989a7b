"""Render a ledger: entry counts and sizes as a report and as JSON."""

from __future__ import annotations

from dataclasses import asdict

from axiomcheck.core.printable import counted
from axiomcheck.core.writing import json_text
from axiomcheck.ledger.file import Amount, LedgerSummary
from axiomcheck.reports.table import Column, Report, Section, Table


def ledger_report(summary: LedgerSummary) -> Report:
    """Report the number and size of a ledger's entries by kind, by metric and by axiom."""
    lines = [summary.path, f"{_amount(summary.entries)}; the file has {_size(summary.size)}."]
    if summary.others.entries:
        lines.append(
            f"From other versions of axiomcheck: {_amount(summary.others)}; axiomcheck ledger gc deletes them."
        )
    if summary.unsealed:
        lines.append(f"Ignored because they are damaged or not sealed by you: {counted(summary.unsealed, 'entry')}.")
    tables = [
        Table(
            (Column(name.capitalize()), Column("Entries", ","), Column("Size", ",")),
            [[what, amount.entries, _size(amount.size)] for what, amount in amounts.items()],
        )
        for name, amounts in summary.by.items()
        if amounts
    ]
    return Report("Ledger", lines, [Section(table=table) for table in tables])


def ledger_json(summary: LedgerSummary) -> str:
    """Return the entry counts and sizes as JSON, with sizes in bytes."""
    return json_text(asdict(summary))


def _amount(amount: Amount) -> str:
    return f"{counted(amount.entries, 'entry')} of {_size(amount.size)}"


def _size(size: int) -> str:
    """Format a number of bytes, using kilobytes from 1,000 bytes up."""
    return counted(size, "byte") if size < 1000 else f"{size / 1000:,.1f} kB"

"""Define the command `axiomcheck diff`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from axiomcheck.api.asked import axioms_of
from axiomcheck.cli.console import check_writable, deliver
from axiomcheck.cli.documents import naming, read_json
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import EXIT_EXPECTATION, command_named
from axiomcheck.cli.options import FILE, axioms_of_files_option
from axiomcheck.reports.diff_report import diff_json, diff_report
from axiomcheck.studies.difference import Change, compare_reports


@command_named(
    "diff",
    "axiomcheck diff before.json after.json",
    "axiomcheck diff before.json after.json -o changes.md",
)
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@axioms_of_files_option
@formats()
def command(old: Path, new: Path, axioms: tuple[str, ...], format_: str, output: Path | None) -> None:
    """Compare the verdicts of two saved reports.

    OLD and NEW are JSON reports written by matrix or check for the same regime and domain. The command fails if a cell
    got worse: the axiom no longer holds, the evidence is weaker (strongest first: proved, bounded, held) or covers
    fewer kinds of instances, or the cell is no longer decided.
    """
    check_writable(output, read=(old, new))
    axioms_of(axioms or None)
    documents = []
    for path in (old, new):
        with naming(path):
            documents.append((str(path), read_json(path)))
    found = compare_reports(*documents)
    deliver(format_, lambda: diff_report(found), {"json": lambda: diff_json(found)}, output)
    sys.exit(EXIT_EXPECTATION if found.of_kind(Change.REGRESSION) else 0)

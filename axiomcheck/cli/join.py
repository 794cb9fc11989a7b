"""The command `axiomcheck join`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, print_or_write, print_text_or_write
from axiomcheck.cli.documents import read_json
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import FILE, formats
from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.joined_report import joined_text
from axiomcheck.studies.joined import join


@click.command(
    "join",
    epilog=epilog(
        "axiomcheck join matrix.json unanimity.json wild.json",
        "axiomcheck join matrix.json compare.json -f csv -o table.csv",
    ),
)
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...", type=FILE)
@formats("csv")
def command(reports: tuple[Path, ...], format_: str, output: Path | None) -> None:
    """One table of what several reports say of the same metrics.

    Each REPORT is a file of JSON (--format json): one by matrix, the others by unanimity, informativeness, compare or
    wild. Below the table: whether metrics that satisfy more axioms do better in the other columns.
    """
    check_writable(output, read=reports)
    documents = []
    for path in reports:
        try:
            documents.append((str(path), read_json(path)))
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from None
    text = joined_text(format_, join(documents))
    (print_text_or_write if format_ == "table" else print_or_write)(text, output)

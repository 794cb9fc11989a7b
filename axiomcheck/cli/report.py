"""Define the command `axiomcheck report`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.api.asked import axioms_of
from axiomcheck.cli.console import check_writable
from axiomcheck.cli.documents import bibliography_file, naming, read_json, write_matrices
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.cli.options import FILE, axioms_of_files_option
from axiomcheck.core.errors import InvalidInput
from axiomcheck.records.matrix import from_document
from axiomcheck.reports.formats import FORMATS


@command_named(
    "report",
    "axiomcheck report report.json",
    "axiomcheck report stated.json limit.json -o verdicts.html",
    "axiomcheck report report.json -o table.tex",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@axioms_of_files_option
@formats(*FORMATS, pictures=True)
def command(files: tuple[Path, ...], axioms: tuple[str, ...], format_: str, output: Path | None) -> None:
    """Show a saved report of 'axiomcheck matrix' in another format, without deciding anything again.

    Each FILE is a JSON report. Reports with the same reading, axioms and settings but different metrics are combined
    into one table. Reports with different readings are combined into one HTML page. Verdicts and witnesses are shown as
    saved in FILE; 'axiomcheck replay' checks them.
    """
    check_writable(output, bibliography_file(output, format_), read=files)
    axioms_of(axioms or None)
    ledgers = []
    for path in files:
        with naming(path):
            ledgers.append(from_document(read_json(path)))
    try:
        write_matrices(ledgers, format_, output)
    except InvalidInput as error:  # for example, a witness is not an instance of its axiom
        raise InvalidInput(f"{', '.join(map(str, files))}: {error}") from None

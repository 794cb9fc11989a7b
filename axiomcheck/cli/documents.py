"""Read reports and witnesses from files, write witnesses to files with unique names, and write matrices."""

from __future__ import annotations

import contextlib
import hashlib
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from axiomcheck.cli.console import deliver, print_or_write, say, write_file
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.core.writing import file_stem, json_text, unique_names, write_atomically
from axiomcheck.records.cells import Cell, Ledger, joined
from axiomcheck.reports.formats import FORMATS, render
from axiomcheck.reports.matrix_report import matrix_report
from axiomcheck.sources.names import read_name

_LONGEST_STEM = 100
"""Maximum length in bytes of a metric's name in a file name; file systems allow 255 bytes in total."""


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Prepend a file's path to the message of any `InvalidInput` raised in the ``with`` block."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def read_json(path: Path) -> Any:
    """Read a JSON document from a file.

    Raises:
        InvalidInput: The file cannot be read, or `axiomcheck.core.documents.parse_json` rejects its text.

    """
    try:
        return parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput("cannot be read: it is not UTF-8 text") from None


def write_witnesses(decided: Iterable[Cell], directory: Path) -> None:
    """Write each cell's witness to its own file in a directory. File names contain the regime if regimes differ.

    File names are unique even on case-insensitive file systems: a number is added to a repeated name, and a digest to a
    shortened one.

    Raises:
        InvalidInput: The directory cannot be written to.

    """
    found = {json_text(document_of(witness)): (cell, witness) for cell in decided if (witness := cell.witness)}
    several = len({witness.reading.regime for _, witness in found.values()}) > 1
    stems = (
        f"{_short_stem(cell.metric)}-{file_stem(cell.axiom)}" + f"-{witness.reading.regime}" * several
        for cell, witness in found.values()
    )
    for name, text in zip(unique_names(stems, "-"), found, strict=True):
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"cannot write to {directory}: {error.strerror}") from None
        write_atomically(directory / f"{name}.json", text)
    check = "axiomcheck replay FILE"
    for metric in dict.fromkeys(cell.metric for cell, _ in found.values()):
        check += f" -m {shlex.quote(metric)}" * read_name(metric).loads_code
    for axiom in dict.fromkeys(cell.axiom for cell, _ in found.values()):
        check += f" -a {shlex.quote(axiom)}" * (":" in axiom)
    say(f"{counted(len(found), 'witness')} written to {directory}" + f"; to check one, run: {check}" * bool(found))


def _short_stem(metric: str) -> str:
    stem = file_stem(metric)
    if len(stem.encode()) <= _LONGEST_STEM:
        return stem
    digest = hashlib.sha256(metric.encode("utf-8", errors="backslashreplace")).hexdigest()[:12]
    return f"{stem.encode()[:_LONGEST_STEM].decode(errors='ignore')}-{digest}"


def write_matrices(
    ledgers: Sequence[Ledger], format_: str, output: Path | None, *, explain: bool = False, offered: Sequence[str] = ()
) -> None:
    """Combine ledgers, and print or write them in a format.

    BibTeX entries are written next to a LaTeX file.

    Args:
        ledgers: Ledgers for one reading, or for several if the format is HTML. See `axiomcheck.records.cells.joined`.
        format_: ``table``, or one of `axiomcheck.reports.formats.FORMATS`.
        output: File, or None for the terminal.
        explain: Whether the table explains each finding in full.
        offered: Unused options of the command, suggested as next steps.

    Raises:
        InvalidInput: There are several ledgers and the format shows only one, they do not belong on one page, or the
            output cannot be written.

    """
    ledgers = joined(ledgers)
    if format_ == "html":
        from axiomcheck.reports.html.cells import matrix_page

        print_or_write(matrix_page(ledgers), output)
        return
    if len(ledgers) > 1:
        raise InvalidInput(
            f"reports of {len(ledgers)} readings were given; --format html shows several on one page, but {format_} "
            "shows only one"
        )
    (ledger,) = ledgers
    writers = {form: lambda form=form: render(ledger, form) for form in FORMATS if form != "markdown"}
    explains, reasons = explain or format_ == "markdown", explain and not ledger.findings
    deliver(format_, lambda: matrix_report(ledger, explains, offered, reasons), writers, output)
    bibliography = bibliography_file(output, format_)
    if bibliography is not None:
        from axiomcheck.reports.latex import bibliography_of

        write_file(bibliography, bibliography_of(ledger))


def bibliography_file(output: Path | None, format_: str) -> Path | None:
    """Return the path of the BibTeX file to write next to a ``.tex`` file; None for other outputs."""
    is_latex = output is not None and format_ == "latex" and output.suffix == ".tex"
    return output.with_suffix(".bib") if output is not None and is_latex else None

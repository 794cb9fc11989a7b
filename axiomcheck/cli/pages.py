"""Write reports of the matrix to standard output, to a file, or as pages to a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from axiomcheck.cli.console import check_writable, deliver, print_or_write, say, write_file, write_files
from axiomcheck.cli.forms import is_folder
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.records.cells import Ledger, joined
from axiomcheck.reports.formats import FORMATS, render
from axiomcheck.reports.matrix_report import matrix_report


def check_output(output: str | None, format_: str, read: Iterable[str | Path | None]) -> None:
    """Raise an error before the work if the output cannot be written (see `axiomcheck.cli.console.check_writable`).

    Args:
        output: File, folder, or None for the terminal.
        format_: Format of the output.
        read: Files that are read.

    Raises:
        InvalidInput: The output cannot be written, or it is a folder and the format is written to a single file.

    """
    if not is_folder(output):
        if output and os.path.isdir(output):
            raise InvalidInput(f"cannot write {output}: it is a directory; to write HTML pages into it, use {output}/")
        check_writable(Path(output) if output else None, _bibliography(output, format_), read=read)
        return
    folder = Path(str(output))
    if format_ != "html":
        raise InvalidInput(f"cannot write {output}: only --format html writes a folder; expected a file")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise InvalidInput(f"cannot write {output}: {folder} is a file, but a name that ends in a slash means a folder")
    check_writable(folder / "index.html" if os.path.isdir(folder) else folder)


def write_matrices(
    ledgers: Sequence[Ledger], format_: str, output: str | None, *, explain: bool = False, offered: Sequence[str] = ()
) -> None:
    """Print or write reports in a format.

    The BibTeX of a LaTeX file is written beside it. The Markdown that shows a badge is printed on stderr.

    Args:
        ledgers: Ledgers of one reading, or for HTML of several. See `axiomcheck.records.cells.joined`.
        format_: ``table``, or one of `axiomcheck.reports.formats.FORMATS`.
        output: Output that `check_output` has accepted.
        explain: Whether the table explains each finding in full.
        offered: Unused options of the command, suggested as next steps.

    Raises:
        InvalidInput: There are several ledgers and the format shows only one, they do not belong on one page, or the
            output cannot be written.

    """
    path, ledgers = Path(output) if output else None, joined(ledgers)
    if format_ == "html":
        from axiomcheck.reports.html.matrix import matrix_files, matrix_page

        if is_folder(output):
            pages = matrix_files(ledgers)
            write_files(Path(str(output)), pages)
            say(f"wrote {counted(len(pages), 'file')} to {output}")
        else:
            print_or_write(matrix_page(ledgers), path)
        return
    if len(ledgers) > 1:
        raise InvalidInput(
            f"reports of {len(ledgers)} readings were given; --format html shows several on one page, but {format_} "
            "shows only one"
        )
    (ledger,) = ledgers
    writers = {form: lambda form=form: render(ledger, form) for form in FORMATS if form != "markdown"}
    explains, reasons = explain or format_ == "markdown", explain and not ledger.findings
    deliver(format_, lambda: matrix_report(ledger, explains, offered, reasons), writers, path)
    bibliography = _bibliography(output, format_)
    if bibliography is not None:
        from axiomcheck.reports.latex import bibliography_of

        write_file(bibliography, bibliography_of(ledger))
    if format_ == "badge" and path is not None:
        from axiomcheck.reports.badge import badge_in_markdown

        say(f"in Markdown: {badge_in_markdown(ledger, path)}")


def _bibliography(output: str | None, format_: str) -> Path | None:
    """Return the path of the BibTeX file beside a LaTeX file named ``.tex``; None for other outputs."""
    path = Path(output) if output else None
    return path.with_suffix(".bib") if path is not None and format_ == "latex" and path.suffix == ".tex" else None

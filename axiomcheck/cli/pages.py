"""Reports of the matrix, one or several, in a form that was asked for: printed, in a file, or pages in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write, print_text_or_write, say
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.records.cells import Ledger
from axiomcheck.reports import render


def is_folder(output: str | None) -> bool:
    """Whether what was asked for is a folder of pages: one that is there, or a name that ends with a slash."""
    return output is not None and (output.endswith(("/", os.sep)) or os.path.isdir(output))


def check_output(output: str | None, format_: str, *others: Path | None, read: Iterable[str | Path | None]) -> None:
    """Fails before the work rather than after it; see `axiomcheck.cli.console.check_writable`.

    Args:
        output: a file, a folder, or None for the terminal.
        format_: what is written there.
        others: further files that are written.
        read: files that are read.

    Raises:
        InvalidInput: it cannot be written, or is a folder and the format is one of a single file.

    """
    if not is_folder(output):
        check_writable(_path(output), _bibliography(output, format_), *others, read=read)
        return
    check_writable(*others, read=read)
    folder = Path(str(output))
    if format_ != "html":
        raise InvalidInput(f"cannot write {output}: a folder, which only --format html fills; expected a file")
    if os.path.lexists(folder) and not folder.is_dir():
        raise InvalidInput(f"cannot write {output}: {folder} is a file, and a name with a slash means a folder")
    home = folder if folder.is_dir() else folder.parent
    if not (home.is_dir() and os.access(home, os.W_OK)):
        raise InvalidInput(f"cannot write {output}: {home} is not a directory that can be written to")
    from axiomcheck.cli.folder import check_pages

    check_pages(folder)


def write_matrices(
    ledgers: Sequence[Ledger], format_: str, output: str | None, *, explain: bool = False, offered: Sequence[str] = ()
) -> None:
    """Prints or writes reports in a format; the BibTeX of a LaTeX file beside it, and how a badge is shown.

    Args:
        ledgers: one, or for HTML one of each reading.
        format_: ``table``, or one of `axiomcheck.reports.FORMATS`.
        output: as `check_output` passed it.
        explain: whether the table tells each finding in full.
        offered: further options of the command that change what is told of the table.

    Raises:
        InvalidInput: several in a format that tells of one, or that do not belong on one page; it cannot be written.

    """
    path = _path(output)
    if format_ == "html":
        from axiomcheck.reports.html.matrix import matrix_files, matrix_page

        if is_folder(output):
            from axiomcheck.cli.folder import write_pages

            write_pages(matrix_files(ledgers), Path(str(output)))
        else:
            print_or_write(matrix_page(ledgers), path)
        return
    if len(ledgers) > 1:
        raise InvalidInput(
            f"{counted(len(ledgers), 'report')}; --format html shows several on one page, {format_} tells of one"
        )
    (ledger,) = ledgers
    if format_ == "table":
        from axiomcheck.reports.terminal import print_ledger

        draw_or_write(lambda console: print_ledger(console, ledger, explain, offered), path)
    else:
        (print_text_or_write if format_ == "markdown" else print_or_write)(render(ledger, format_), path)
    bibliography = _bibliography(output, format_)
    if bibliography is not None:
        from axiomcheck.reports.latex import bibliography_of

        write_atomically(bibliography, bibliography_of(ledger))
    if format_ == "badge" and path is not None:
        from axiomcheck.reports.badge import badge_in_markdown

        say(f"in Markdown: {badge_in_markdown(ledger, path)}")


def _path(output: str | None) -> Path | None:
    return Path(output) if output is not None else None


def _bibliography(output: str | None, format_: str) -> Path | None:
    """Where the BibTeX goes: beside a file of LaTeX whose name says so."""
    path = _path(output)
    return path.with_suffix(".bib") if path is not None and format_ == "latex" and path.suffix == ".tex" else None

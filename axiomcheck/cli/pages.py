"""Write reports of the matrix in a form that was asked for: printed, in a file, or as pages in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, deliver, print_or_write, say, write_files
from axiomcheck.cli.documents import is_bundle
from axiomcheck.cli.options import Decorator
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.records.cells import Ledger
from axiomcheck.reports import FORMATS, render
from axiomcheck.reports.matrix_report import matrix_report

_GENERATOR = b'<meta name="generator" content="axiomcheck">'
_BEGINNING = 4096
"""Bytes of a page in which its generator stands."""

_OF_BUNDLES = ("README.md", "witness.json", "qrels.txt", "*.qrels", "*.run")
"""Files that a bundle may have."""


output_or_folder_option: Decorator = click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Write there instead of printing; of HTML, NAME/ is a folder with a page for each cell.",
)


def is_folder(output: str | None) -> bool:
    """Tell whether a folder of pages was asked for: one that is there, or a name that ends with a slash."""
    return output is not None and (output.endswith(("/", os.sep)) or os.path.isdir(output))


def check_output(output: str | None, format_: str, *others: Path | None, read: Iterable[str | Path | None]) -> None:
    """Fail before the work rather than after it; see `axiomcheck.cli.console.check_writable`.

    Args:
        output: a file, a folder, or None for the terminal.
        format_: what is written there.
        others: further files that are written.
        read: files that are read.

    Raises:
        InvalidInput: it cannot be written, or is a folder and the format is one of a single file.

    """
    if not is_folder(output):
        check_writable(Path(output) if output else None, _bibliography(output, format_), *others, read=read)
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
    _check_pages(folder)


def write_matrices(
    ledgers: Sequence[Ledger], format_: str, output: str | None, *, explain: bool = False, offered: Sequence[str] = ()
) -> None:
    """Print or write reports in a format; the BibTeX of a LaTeX file beside it, and how a badge is shown.

    Args:
        ledgers: one, or for HTML one of each reading.
        format_: ``table``, or one of `axiomcheck.reports.FORMATS`.
        output: as `check_output` passed it.
        explain: whether the table tells each finding in full.
        offered: further options of the command that change what is told of the table.

    Raises:
        InvalidInput: several in a format that tells of one, or that do not belong on one page; it cannot be written.

    """
    path = Path(output) if output else None
    if format_ == "html":
        from axiomcheck.reports.html.matrix import matrix_files, matrix_page

        if is_folder(output):
            _write_pages(matrix_files(ledgers), Path(str(output)))
        else:
            print_or_write(matrix_page(ledgers), path)
        return
    if len(ledgers) > 1:
        raise InvalidInput(
            f"{counted(len(ledgers), 'report')}; --format html shows several on one page, {format_} tells of one"
        )
    (ledger,) = ledgers
    writers = {form: lambda form=form: render(ledger, form) for form in FORMATS if form != "markdown"}
    explains = explain or format_ == "markdown"
    deliver(format_, lambda: matrix_report(ledger, explains, offered), writers, path)
    bibliography = _bibliography(output, format_)
    if bibliography is not None:
        from axiomcheck.reports.latex import bibliography_of

        write_atomically(bibliography, bibliography_of(ledger))
    if format_ == "badge" and path is not None:
        from axiomcheck.reports.badge import badge_in_markdown

        say(f"in Markdown: {badge_in_markdown(ledger, path)}")


def _bibliography(output: str | None, format_: str) -> Path | None:
    """Return where the BibTeX goes: beside a file of LaTeX whose name says so."""
    path = Path(output) if output else None
    return path.with_suffix(".bib") if path is not None and format_ == "latex" and path.suffix == ".tex" else None


# Folders of pages


def _check_pages(folder: Path) -> None:
    """Fail before the work rather than after it.

    Args:
        folder: of the report; it may not be there yet.

    Raises:
        InvalidInput: a file is where a folder has to be, or the other way round, or it cannot be written to.

    """
    from axiomcheck.reports.html.matrix import BUNDLES, FOLDER, INDEX

    for place in (folder / FOLDER, folder / BUNDLES):
        if not os.path.lexists(place):
            continue
        if not place.is_dir():
            raise InvalidInput(f"cannot write {place}: it is a file; expected a folder, or none yet")
        if not os.access(place, os.W_OK):
            raise InvalidInput(f"cannot write {place}: it is not a directory that can be written to")
    if (folder / INDEX).is_dir():
        raise InvalidInput(f"cannot write {folder / INDEX}: it is a directory")


def _write_pages(files: Mapping[str, str], folder: Path) -> None:
    """Write a report's folder, and take away pages and bundles of an earlier report that this one does not have.

    Args:
        files: path below the folder -> content.
        folder: of the report; files of others in it stay.

    Raises:
        InvalidInput: it cannot be written.

    """
    from axiomcheck.reports.html.matrix import BUNDLES, FOLDER

    write_files(folder, files)
    written = {(folder / name).name.casefold() for name in files if name.startswith(f"{FOLDER}/")}
    written |= {name.removeprefix(f"{BUNDLES}/").casefold() for name in files if name.startswith(f"{BUNDLES}/")}
    try:
        _remove_stale(folder / FOLDER, folder / BUNDLES, written)
    except OSError as error:
        raise InvalidInput(f"cannot remove {error.filename}, of an earlier report: {error.strerror}") from None


def _remove_stale(pages: Path, bundles: Path, written: set[str]) -> None:
    """Remove what an earlier report left.

    Args:
        pages: the folder of its pages.
        bundles: the folder of its bundles.
        written: what is of this report, below the folder of pages or of bundles, in small letters as some file systems
            make no difference.

    """
    for page in _own_pages(pages):
        if page.name.casefold() not in written:
            page.unlink()
    for bundle in _own_bundles(bundles):
        for file in [file for pattern in _OF_BUNDLES for file in bundle.glob(pattern)]:
            if f"{bundle.name}/{file.name}".casefold() not in written:
                file.unlink()
        if not any(bundle.iterdir()):  # somebody may keep more in it
            bundle.rmdir()
    if bundles.is_dir() and not any(bundles.iterdir()):
        bundles.rmdir()


def _own_pages(folder: Path) -> Iterator[Path]:
    for page in sorted(folder.glob("*.html")):
        if page.is_file() and not page.is_symlink():
            with page.open("rb") as file:
                beginning = file.read(_BEGINNING)
            if _GENERATOR in beginning:
                yield page


def _own_bundles(folder: Path) -> Iterator[Path]:
    for bundle in sorted(folder.glob("*")):
        if bundle.is_dir() and not bundle.is_symlink() and is_bundle(bundle):
            yield bundle

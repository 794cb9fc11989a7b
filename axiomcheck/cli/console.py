"""Print and write what commands come to: on the terminal, or into a file in one piece."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO, cast

import click
from rich.console import Console

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import write_atomically
from axiomcheck.reports.pictures import check_drawable
from axiomcheck.reports.symbols import fitting
from axiomcheck.reports.table import Report, report_markdown, report_text


def in_locale_c() -> bool:
    """Tell whether the locale says ASCII, for which Python writes UTF-8 all the same unless it was told an encoding."""
    asked = {"PYTHONUTF8", "PYTHONIOENCODING"} & os.environ.keys()
    return os.environ.get("LC_ALL") in ("C", "POSIX") and not asked


def _encoding() -> str | None:
    """Return the encoding of what standard output can show."""
    return "ascii" if in_locale_c() else sys.stdout.encoding


class _Fitting:
    """Standard output for a report's text: symbols that its encoding has not give way to others."""

    def write(self, text: str) -> int:
        """Write the text."""
        return sys.stdout.write(fitting(text, _encoding()))

    def __getattr__(self, name: str) -> Any:
        # Without the stream's encoding, which is none of rich's business now.
        if name == "encoding":
            raise AttributeError(name)
        return getattr(sys.stdout, name)


def console_of_stdout() -> Console:
    """Return the console that commands print tables to."""
    return Console(highlight=False, file=cast(TextIO, _Fitting()))


def draw_or_write(draw: Callable[[Console], None], output: Path | None) -> None:
    """Have a report drawn on standard output, or written to a file in one piece."""
    if output is None:
        draw(console_of_stdout())
        return
    console = Console(highlight=False, record=True, width=120, file=io.StringIO())
    draw(console)
    print_or_write(console.export_text(), output)


def deliver(
    form: str,
    output: Path | None,
    documents: Mapping[str, Callable[[], str]],
    *,
    draw: Callable[[Console], None] | None = None,
    picture: Callable[[str], bytes] | None = None,
) -> None:
    """Print a result, or write it to a file, in the form that was asked for.

    Args:
        form: as ``--format`` has it.
        output: the file; None for standard output.
        documents: form -> makes its text. A "table" and "markdown" are for people: symbols that cannot be shown give
            way to others.
        draw: draws the table, where it is not among the documents.
        picture: makes a picture for the ending of a file's name, where `is_picture` is true of the file.

    """
    if picture is not None and output is not None and is_picture(output):
        write_atomically(output, picture(output.suffix.lower()))
    elif form in documents:
        write = print_text_or_write if form in ("table", "markdown") else print_or_write
        write(documents[form](), output)
    else:
        assert draw is not None
        draw_or_write(draw, output)


def print_result(
    form: str,
    report: Report,
    writers: Mapping[str, Callable[[], str]],
    output: Path | None,
    picture: Callable[[str], bytes] | None = None,
) -> None:
    """Print a study's result, or write it to a file, in the form that was asked for.

    Args:
        form: a key of `writers`, or ``table``, ``markdown`` or ``html``.
        report: what these three draw.
        writers: of the other forms.
        output: the file; None for standard output.
        picture: see `deliver`.

    """
    documents = {
        "table": lambda: report_text(report),
        "markdown": lambda: report_markdown(report),
        "html": lambda: _report_page(report),
        **writers,
    }
    deliver(form, output, documents, picture=picture)


def _report_page(report: Report) -> str:
    from axiomcheck.reports.html.page import report_page

    return report_page(report)


def is_picture(output: Path | None) -> bool:
    """Tell whether a file's name says that a picture is written there."""
    return output is not None and output.suffix.lower() in (".png", ".svg")


def check_picture(output: Path | None, form: str) -> bool:
    """Tell whether a picture is to be written, and fail before the work where it cannot be drawn.

    Raises:
        InvalidInput: another form was asked for as well; matplotlib is not installed.

    """
    if output is None or not is_picture(output):
        return False
    if form != "table":
        raise InvalidInput(f"cannot write {output}: --format {form} is no picture; leave it out, or name another file")
    check_drawable(output)
    return True


def print_or_write(text: str, output: Path | None) -> None:
    """Print a finished document, or write it to a file in one piece, its characters `escaped` where they do not show.

    A JSON document says the same afterwards.
    """
    if output is None:
        click.echo(escaped(text), nl=False)
    else:
        write_atomically(output, escaped(text))


def print_text_or_write(text: str, output: Path | None) -> None:
    """Print or write a text for people, whose symbols give way to others where they cannot be encoded."""
    print_or_write(fitting(text, _encoding()) if output is None else text, output)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder, which is made if it is not there.

    Args:
        folder: where they go.
        files: path below the folder -> content.

    Raises:
        InvalidInput: it cannot be written.

    """
    for name, content in files.items():
        target = folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"cannot write to {target.parent}: {error.strerror}") from None
        write_atomically(target, content)


def say(text: str) -> None:
    """Print a line on stderr, whatever names are in it."""
    click.echo(escaped(text), err=True)


def say_loaded(searches: int) -> None:
    """Print on stderr how many searches were loaded from the ledger, if any were."""
    if searches:
        say(f"{counted(searches, 'search')} loaded from the ledger")


def check_writable(*paths: Path | None, read: Iterable[str | Path | None] = ()) -> None:
    """Fail before the work rather than after it.

    Args:
        paths: files to be written; None for those that nobody asked for.
        read: files that the command reads; texts may be names such as ``file.py:metric``, and may be of no file.

    Raises:
        InvalidInput: a file cannot be made where one of the paths says, would be written twice, or is read as well.

    """
    taken = {_place(Path(str(name).partition(".py:")[0] + ".py" * (".py:" in str(name)))) for name in read if name}
    for path in paths:
        if path is None:
            continue
        if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
            raise InvalidInput(f"cannot write {path}: {path.parent} is not a directory that can be written to")
        if path.is_dir():
            raise InvalidInput(f"cannot write {path}: it is a directory")
        if _place(path) in taken and not path.is_char_device():
            raise InvalidInput(f"cannot write {path}: it is read, or written otherwise, by the same command")
        taken.add(_place(path))


def _place(path: Path) -> str:
    return os.path.realpath(path)

"""Print the results of commands to the terminal, or write them atomically to files."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, escaped
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import PICTURES, write_atomically
from axiomcheck.reports.symbols import SYMBOLS, fitting
from axiomcheck.reports.table import WIDTH, Report, report_lines, report_markdown, report_text

_LONGEST_NAME = 255
"""Maximum length of a file name in bytes in most file systems."""

_STYLES = {"": "", "heading": "bold", "quiet": "dim"}
_COLOURS = {
    SYMBOLS[Verdict.PROVED]: "bold green",
    SYMBOLS[Verdict.BOUNDED]: "green",
    SYMBOLS[Verdict.HELD]: "cyan",
    SYMBOLS[Verdict.REFUTED]: "red",
    SYMBOLS[Verdict.INCOMPARABLE]: "magenta",
    "✓": "green",
    "✗": "bold red",
}
"""Colours of the symbols on a terminal, as rich styles."""


def in_locale_c() -> bool:
    """Return True if LC_ALL is C or POSIX and no encoding is set; Python prints UTF-8 there, despite the locale."""
    asked = {"PYTHONUTF8", "PYTHONIOENCODING"} & os.environ.keys()
    return os.environ.get("LC_ALL") in ("C", "POSIX") and not asked


def _encoding() -> str | None:
    """Return the encoding of standard output, treating it as ASCII in the C locale."""
    return "ascii" if in_locale_c() else sys.stdout.encoding


def print_report(report: Report) -> None:
    """Print a report: with the width and colours of the terminal, or as plain text to a file or pipe."""
    if not sys.stdout.isatty() and not {"FORCE_COLOR", "TTY_COMPATIBLE"} & os.environ.keys():
        print_text_or_write(report_text(report), None)
        return
    from rich.console import Console  # lazy: its import takes longer than many commands
    from rich.text import Text

    console = Console(highlight=False)
    with console.capture() as drawn:
        for style, line in report_lines(report, console.width if console.is_terminal else WIDTH):
            text = Text(escaped(line), _STYLES[style])
            for symbol, colour in _COLOURS.items():
                text.highlight_words([symbol], colour)
            console.print(text, soft_wrap=True)
    sys.stdout.write(fitting(drawn.get(), _encoding()))


def deliver(
    form: str, report: Callable[[], Report], writers: Mapping[str, Callable[[], str]], output: Path | None = None
) -> None:
    """Print a result, or write it to a file, in the requested format.

    Args:
        form: Requested format: a key of ``writers``, or ``table``, ``markdown`` or ``html``.
        report: Function that returns the report, for the last three formats.
        writers: Functions that return the text in other formats, by format.
        output: File to write, or None for standard output. If it has the extension of a picture format, the format
            ``table`` draws plots.

    """
    if form in writers:
        print_or_write(writers[form](), output)
    elif form == "html":
        from axiomcheck.reports.html.page import report_page

        print_or_write(report_page(report()), output)
    elif form == "markdown":
        print_text_or_write(report_markdown(report()), output)
    elif output is None:
        print_report(report())
    elif is_picture(output):
        from axiomcheck.reports.pictures import report_picture

        write_file(output, report_picture(report(), output.suffix.lower()))
    else:
        print_or_write(report_text(report()), output)


def is_picture(output: Path) -> bool:
    """Return True if a file name has the extension of a picture format."""
    return output.suffix.lower() in PICTURES


def print_or_write(text: str, output: Path | None) -> None:
    """Print a document, or write it to a file atomically, after escaping unprintable characters (see `escaped`).

    The escapes do not change the meaning of a JSON document.
    """
    if output is None:
        click.echo(escaped(text), nl=False)
    else:
        write_file(output, escaped(text))


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file atomically, and print its name on stderr.

    Raises:
        InvalidInput: The file cannot be written.

    """
    write_atomically(path, content)
    say(f"wrote {path}")


def print_text_or_write(text: str, output: Path | None) -> None:
    """Print or write human-readable text; symbols that standard output cannot encode are replaced."""
    print_or_write(fitting(text, _encoding()) if output is None else text, output)


def say(text: str) -> None:
    """Print a line on stderr, with unprintable characters escaped."""
    click.echo(escaped(text), err=True)


def say_loaded(searches: int) -> None:
    """Print on stderr how many searches were loaded from the ledger, and the command that shows more."""
    if searches:
        say(f"{counted(searches, 'search')} loaded from the ledger (see: axiomcheck ledger -h)")


def check_writable(*paths: Path | None, read: Iterable[str | Path | None] = ()) -> None:
    """Check up front, rather than after the work, that files can be written.

    Args:
        paths: Files to be written; None for files that were not requested.
        read: Files that the command reads. Strings may be names such as ``file.py:metric``, and need not name a file.

    Raises:
        InvalidInput: A file cannot be created, would be written twice, or is also read.

    """
    taken = {_place(Path(str(name).partition(".py:")[0] + ".py" * (".py:" in str(name)))) for name in read if name}
    for path in paths:
        if path is None:
            continue
        if str(path) == "-":
            raise InvalidInput("cannot write -: to print to standard output, omit the output file")
        if not (os.path.isdir(path.parent) and os.access(path.parent, os.W_OK)):
            raise InvalidInput(f"cannot write {path}: {path.parent} is not a writable directory")
        if len(os.fsencode(path.name)) > _LONGEST_NAME:
            raise InvalidInput(f"cannot write {path}: {os.strerror(errno.ENAMETOOLONG)}")
        if os.path.isdir(path):
            raise InvalidInput(f"cannot write {path}: it is a directory")
        if _place(path) in taken and not path.is_char_device():
            raise InvalidInput(f"cannot write {path}: the same command reads it, or writes it for another option")
        taken.add(_place(path))


def _place(path: Path) -> str:
    return os.path.realpath(path)

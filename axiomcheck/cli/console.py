"""Print and write what commands come to: on the terminal, or into a file in one piece."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO, cast

import click
from rich.console import Console
from rich.text import Text

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import escaped
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import write_atomically
from axiomcheck.reports.plot import PICTURES
from axiomcheck.reports.symbols import SYMBOLS, fitting
from axiomcheck.reports.table import WIDTH, Report, report_lines, report_markdown, report_text

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
"""Colours of symbols on a terminal, in rich's words."""


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


def print_report(report: Report) -> None:
    """Print a report, in the width and with the colours that a terminal has."""
    draw_report(Console(highlight=False, file=cast(TextIO, _Fitting())), report)


def draw_report(console: Console, report: Report) -> None:
    """Draw a report on a console: headings in bold, notes dim, symbols in their colours."""
    for style, line in report_lines(report, console.width if console.is_terminal else WIDTH):
        text = Text(escaped(line), _STYLES[style])
        for symbol, colour in _COLOURS.items():
            text.highlight_words([symbol], colour)
        console.print(text, soft_wrap=True)


def deliver(
    form: str, report: Callable[[], Report], writers: Mapping[str, Callable[[], str]], output: Path | None = None
) -> None:
    """Print a result, or write it to a file, in the form that was asked for.

    Args:
        form: a key of `writers`, or ``table``, ``markdown`` or ``html``.
        report: makes what these three draw.
        writers: of the other forms.
        output: the file, which has the report's plots where its name is a picture's; None for standard output.

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

        write_atomically(output, report_picture(report(), output.suffix.lower()))
    else:
        print_or_write(report_text(report()), output)


def is_picture(output: Path) -> bool:
    """Tell whether a file's name says that a picture is written there."""
    return output.suffix.lower() in PICTURES


def check_picture(output: Path | None, form: str) -> None:
    """Fail before the work where a file's name is a picture's, and no picture can be drawn.

    Raises:
        InvalidInput: another form was asked for as well; what draws it is not installed.

    """
    if output is None or not is_picture(output):
        return
    if form != "table":
        raise InvalidInput(f"cannot write {output}: --format {form} is no picture; leave it out, or name another file")
    from axiomcheck.reports.pictures import check_drawable

    check_drawable(output.suffix.lower())


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

"""Add the options for the format and the file of a command's output; the format follows the file extension."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from axiomcheck.cli.console import check_writable
from axiomcheck.cli.options import Decorator
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import ENDINGS, PICTURES

_Command = TypeVar("_Command", bound=Callable[..., object])

_EVERYWHERE = ("table", "json", "markdown", "html")


def formats(*more: str, pictures: bool = False, several: bool = False) -> Decorator:
    """Return a decorator that adds the options ``--format`` and ``--output`` to a command.

    The command receives a format that fits the file as ``format_``, and a path, or None for the terminal, as
    ``output``.

    Args:
        more: Formats in addition to those that every command has.
        pictures: Whether tables are drawn as pictures if the file has the extension of a picture format.
        several: Whether several files may be written in addition to the printed output; the command then receives each
            file with its format, and the format to print.

    """
    forms = tuple(dict.fromkeys((*_EVERYWHERE, *more)))
    endings = _endings_of(forms, pictures)
    words = f"Write to a file {'as well; may be repeated' if several else 'instead of printing'}: {', '.join(endings)}."

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def writes(*arguments: Any, format_: str | None, output: Any, **named: Any) -> object:
            if several:
                files = {Path(file): form_of(format_, file, forms, pictures) for file in output}
                form = "table" if files else format_ or "table"
                return command(*arguments, format_=form, output=files, **named)
            form = form_of(format_, output, forms, pictures)
            path = None if output is None else Path(output)
            check_writable(path)
            return command(*arguments, format_=form, output=path, **named)

        asked = click.option(
            *("-f", "--format", "format_"),
            type=click.Choice(forms),
            metavar="FORMAT",
            help=f"One of {', '.join(forms)}. Default: the format implied by the file extension, or else table.",
        )
        named = click.option("-o", "--output", type=click.Path(dir_okay=False), multiple=several, help=words)
        return cast(_Command, asked(named(writes)))

    return decorate


def form_of(asked: str | None, output: str | None, forms: Sequence[str], pictures: bool) -> str:
    """Return the format of an output: the requested one, else the one that the file extension implies, else ``table``.

    Args:
        asked: Requested format, or None.
        output: File, or None for the terminal.
        forms: Formats that the command supports.
        pictures: Whether the command draws pictures.

    Raises:
        InvalidInput: The extension does not fit the requested format or any format of the command, or the package that
            draws the picture is not installed.

    """
    if output is None:
        return asked or "table"
    if output.endswith("/"):
        raise InvalidInput(f"cannot write {output}: expected a file, but a name that ends in a slash means a folder")
    ending = Path(output).suffix.lower()
    if pictures and asked is None and ending in PICTURES:
        from axiomcheck.reports.pictures import check_drawable  # lazy: it imports the modules that draw pages

        check_drawable(ending)
        return "table"
    if asked is not None:
        if (asked, ending) == ("trec", ".txt") or (ENDINGS.get(ending, asked) == asked and ending not in PICTURES):
            return asked
        fitting = next((own for own, form in ENDINGS.items() if form == asked), ".txt")
        raise InvalidInput(
            f"cannot write {output}: {ending} does not fit --format {asked}; omit --format, or use the extension "
            f"{fitting}"
        )
    if not ending:
        return "table"
    if ENDINGS.get(ending) not in forms:
        expected = ", ".join(_endings_of(forms, pictures))
        raise InvalidInput(
            f"cannot write {output}: no format of this command has the extension {ending}; expected one of "
            f"{expected}, or --format"
        )
    return ENDINGS[ending]


def _endings_of(forms: Sequence[str], pictures: bool) -> list[str]:
    return [ending for ending, form in ENDINGS.items() if form in forms] + [*PICTURES] * pictures

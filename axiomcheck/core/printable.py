"""Text that came from elsewhere (names, messages, values), as people can be shown it."""

from __future__ import annotations

import re

from axiomcheck.core.counting import counted

LONGEST_MESSAGE = 2_000
"""Characters that are kept of a message; a metric may raise one of megabytes."""

_LONGEST_VALUE = 200
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escaped(text: str) -> str:
    r"""Text whose every character shows: those that do not are written as ``\uXXXX``, in UTF-16 units as JSON has them.

    That is so of control characters, which a terminal obeys, of bidirectional ones, which change the order of what
    stands around them, of lone surrogates, which no file can hold, and of the others that `str.isprintable` does not
    pass. Line feeds and tabs stay. Of a JSON document this changes the spelling only.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else in_units(c) for c in text)


def in_units(character: str) -> str:
    r"""A character as one or two ``\uXXXX``."""
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[k : k + 4]}" for k in range(0, len(units), 4))


def printable(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """A message that may hold anything, `escaped` and cut after so many characters."""
    if len(text) <= longest:
        return escaped(text)
    return f"{escaped(text[:longest])}... ({counted(len(text) - longest, 'more character')})"


def shown(value: object) -> str:
    """The `repr` of a value that was read from a file or an option, for a message about it."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of more digits than Python writes; arrays in arrays in arrays
        return f"a value too large to be shown, of type {type(value).__name__}"
    return printable(text, _LONGEST_VALUE)


def spreadsheet_cell(text: str) -> str:
    """Text as the cell of a CSV: `escaped`, and with ' before what a spreadsheet would take for a formula.

    A plain number stays as it is, a negative one too: there is nothing in it to be run.
    """
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return escaped(text)

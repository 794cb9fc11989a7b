"""Escape external text, such as names and messages, so that it is safe to display, and format counts with nouns."""

from __future__ import annotations

import re
from typing import SupportsInt

LONGEST_MESSAGE = 2_000
"""Maximum length of a message in characters. The message of a metric's exception may have several megabytes."""

_LONGEST_VALUE = 200
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escaped(text: str) -> str:
    r"""Escape the non-printable characters in a string as ``\uXXXX``, in UTF-16 units as in JSON.

    These are the characters that `str.isprintable` rejects, except line feeds and tabs. They include control
    characters, which a terminal executes, bidirectional characters, which reorder the text around them, and lone
    surrogates, which UTF-8 cannot encode. Escaping a JSON text changes the spelling of its strings, not their values.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else in_units(c) for c in text)


def in_units(character: str) -> str:
    r"""Format a character as one or two ``\uXXXX`` escapes."""
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[k : k + 4]}" for k in range(0, len(units), 4))


def printable(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """Escape a message. If it is longer than ``longest`` characters, truncate it and say how many are missing."""
    if len(text) <= longest:
        return escaped(text)
    return f"{escaped(text[:longest])}... ({counted(len(text) - longest, 'more character')})"


def shown(value: object) -> str:
    """Format a value from a file or an option for a message: its `repr`, escaped and truncated."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # too many digits for Python to format, or too deeply nested
        return f"a value of type {type(value).__name__} that is too large to be shown"
    return printable(text, _LONGEST_VALUE)


def spreadsheet_cell(text: str) -> str:
    """Escape a string for a CSV cell, and prepend ``'`` if a spreadsheet would read it as a formula.

    Numbers such as -1 are not prefixed, since they are not formulas.
    """
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return escaped(text)


def counted(number: SupportsInt, noun: str) -> str:
    """Format a number with a noun in the singular or plural, such as ``1 cell``, ``2 cells`` or ``1,000 witnesses``."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        plural = f"{noun[:-1]}ies"
    else:
        plural = f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
    return f"{int(number):,} {noun if number == 1 else plural}"

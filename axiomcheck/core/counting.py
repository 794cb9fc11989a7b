"""Format counts with their nouns."""

from __future__ import annotations

from typing import SupportsInt


def counted(number: SupportsInt, noun: str) -> str:
    """Format a number with a noun in the singular or plural, such as ``1 cell``, ``2 cells`` or ``1,000 witnesses``."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        plural = f"{noun[:-1]}ies"
    else:
        plural = f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
    return f"{int(number):,} {noun if number == 1 else plural}"

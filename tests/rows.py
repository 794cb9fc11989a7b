"""Which rows of a long table the everyday tests have, and which are left to ``tests/quality``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Row = TypeVar("Row")


def few(rows: Sequence[Row], step: int) -> list[Row]:
    """Every so many-th row, from the first on."""
    return list(rows[::step])


def others(rows: Sequence[Row], step: int) -> list[Row]:
    """The rows that `few` leaves out."""
    return [row for number, row in enumerate(rows) if number % step]

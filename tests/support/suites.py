"""Say which suite a test belongs to: everyday, quality, or exhaustive.

`pytest` runs the everyday suite. `pytest -m quality` repeats it over more seeds, rows and budgets.
`pytest -m exhaustive` runs the remaining rows of long tables.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest

quality = pytest.mark.quality
"""Marks a test, or a row of a table, that only the quality suite runs."""

exhaustive = pytest.mark.exhaustive
"""Marks a row of a long table that only the exhaustive suite runs."""

LONG = 3
"""The largest number of rows, beside the everyday ones, that the quality suite runs whole. It samples longer tables."""


def each(
    names: str | tuple[str, ...],
    rows: Sequence[Any],
    step: int,
    ids: Callable[[Any], object] | None = None,
    whole: bool = False,
    besides: Collection[Any] = (),
    share: int = 8,
) -> pytest.MarkDecorator:
    """Parametrize a test over rows, of which the everyday suite has every ``step``-th from the first on.

    The quality suite runs the other rows. If these are more than `LONG`, it runs a share of them. The exhaustive suite
    runs the others.

    Args:
        names: the test's parameters: a name, or a tuple of names where a row is a tuple of values.
        rows: the table.
        step: 1 for a table that is everyday as a whole, 0 for one that the everyday suite leaves out.
        ids: names a value, as `pytest.mark.parametrize` asks for it.
        whole: the quality suite runs every other row, however many there are.
        besides: further everyday rows, such as those that run code which no other row runs.
        share: of a long table, the quality suite runs every ``share``-th of the other rows.

    """
    single = isinstance(names, str)
    everyday = range(0, len(rows), step) if step else ()
    others = [number for number in range(len(rows)) if number not in everyday]
    repeated = {*(others if whole or len(others) <= LONG else others[::share])}
    sets = [
        pytest.param(
            *([row] if single else row),
            marks=() if number in everyday or row in besides else quality if number in repeated else exhaustive,
        )
        for number, row in enumerate(rows)
    ]
    return pytest.mark.parametrize(names, sets, ids=ids)  # type: ignore[arg-type]


def few(rows: Sequence[Any], step: int) -> list[Any]:
    """Return every ``step``-th row from the first on, for a test that walks through a table itself."""
    return list(rows[::step])

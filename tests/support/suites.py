"""Say which suite a test belongs to: the everyday one, the quality suite, or one that needs an extra.

`pytest` runs the everyday suite, `pytest -m quality` what repeats it over more seeds, rows and budgets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

quality = pytest.mark.quality
"""Marks a test, or a row of a table, that only the quality suite runs."""


def each(
    names: str | tuple[str, ...], rows: Sequence[Any], step: int, ids: Callable[[Any], object] | None = None
) -> pytest.MarkDecorator:
    """Parametrize a test over rows, of which the everyday suite has every ``step``-th from the first on.

    Args:
        names: the test's parameters: a name, or a tuple of names where a row is a tuple of values.
        rows: the table; the quality suite has the rows that the everyday suite leaves out.
        step: 1 for a table that is everyday as a whole.
        ids: names a value, as `pytest.mark.parametrize` asks for it.

    """
    single = isinstance(names, str)
    sets = [
        pytest.param(*([row] if single else row), marks=quality if number % step else ())
        for number, row in enumerate(rows)
    ]
    return pytest.mark.parametrize(names, sets, ids=ids)  # type: ignore[arg-type]


def few(rows: Sequence[Any], step: int) -> list[Any]:
    """Return every ``step``-th row from the first on, for a test that walks through a table itself."""
    return list(rows[::step])

"""Mark whatever is tested in this folder as belonging to the quality suite."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Import nothing of this folder for the everyday suite, which has none of its tests."""
    return True if config.option.markexpr == "not quality" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test below this folder the mark, before the expression after ``-m`` selects."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.quality)

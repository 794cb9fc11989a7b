"""Mark whatever is tested in this folder as belonging to the quality suite."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test below this folder the mark, before the expression after ``-m`` selects."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.quality)

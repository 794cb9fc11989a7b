"""Makes the modules that tests share (such as ``planted``) importable from every folder of the tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

_HERE = str(Path(__file__).parent)
if _HERE not in sys.path:
    sys.path.insert(0, _HERE)


@pytest.fixture(scope="session", autouse=True)
def _settings_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the gate keeps for its user is made for the tests, and for the processes that they start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield

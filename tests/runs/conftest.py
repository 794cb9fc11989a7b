"""Give tests of runs files to read."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

Write: TypeAlias = Callable[[str | bytes], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return what writes a text into a new file, and says its path."""

    def made(text: str | bytes) -> str:
        path = tmp_path / f"file{len(list(tmp_path.iterdir()))}"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return made

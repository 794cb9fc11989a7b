"""Print a research script's answer as the text that is committed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

OUTPUT = Path(__file__).parent / "output"
"""The folder of what the scripts printed: a file per script, named after it."""

_WIDTH = 120


def text_of(draw: Callable[[Console], None]) -> str:
    """Return what a function prints to a console of 120 columns, without colours and trailing blanks."""
    console = Console(width=_WIDTH, record=True, file=io.StringIO())
    draw(console)
    return "".join(f"{line.rstrip()}\n" for line in console.export_text().splitlines())

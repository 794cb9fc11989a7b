"""Print the answer of a research script as the text that is committed."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from axiomcheck.core.printable import escaped

OUTPUT = Path(__file__).parent / "output"
"""Folder of the committed output, with a file per script that is named after it."""

_WIDTH = 120


def text_of(draw: Callable[[Console], None]) -> str:
    """Return the text that a function prints to a console of 120 columns, without colours and trailing spaces.

    Args:
        draw: Function that prints to the console.

    """
    console = Console(width=_WIDTH, record=True, file=io.StringIO())
    draw(console)
    return "".join(f"{line.rstrip()}\n" for line in console.export_text().splitlines())


def paragraph(console: Console, text: str, lead: str = "", style: str = "", lead_style: str = "") -> None:
    """Print text wrapped to the width of a console, with a hanging indent below the lead.

    Args:
        console: Console to print to.
        text: Text to print verbatim, including square brackets; unprintable characters are escaped.
        lead: Bullet or label before the first line.
        style: Style of rich for the whole paragraph.
        lead_style: Style of rich for the lead.

    """
    lead = escaped(lead)
    lines = textwrap.wrap(
        escaped(text),
        max(20, console.width),
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_on_hyphens=False,
    )
    shown = Text("\n".join(lines) or lead.rstrip(), style=style)
    if lead_style:
        shown.stylize(lead_style, 0, len(lead))
    console.print(shown, soft_wrap=True)

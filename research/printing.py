"""Print a research script's answer as the text that is committed."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from axiomcheck.core.printable import escaped

OUTPUT = Path(__file__).parent / "output"
"""The folder of what the scripts printed: a file per script, named after it."""

_WIDTH = 120


def text_of(draw: Callable[[Console], None]) -> str:
    """Return what a function prints to a console of 120 columns, without colours and trailing blanks."""
    console = Console(width=_WIDTH, record=True, file=io.StringIO())
    draw(console)
    return "".join(f"{line.rstrip()}\n" for line in console.export_text().splitlines())


def paragraph(console: Console, text: str, lead: str = "", style: str = "", lead_style: str = "") -> None:
    """Prints text wrapped at the console's width, further lines indented as deep as its lead is long.

    Args:
        console: where to.
        text: printed as it is, square brackets included; characters that would not show are escaped.
        lead: a bullet or label before the first line.
        style: a rich style for all of it.
        lead_style: one for the lead.

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

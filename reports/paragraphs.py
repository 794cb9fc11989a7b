"""Plain paragraphs on a rich console: nothing in them is markup, and no line ends in blanks."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from axiomcheck.core.printable import escaped
from axiomcheck.records.cells import Cell


def entry(text: str, style: str = "") -> Text:
    """A name as an entry of a table, its control characters and the like escaped."""
    return Text(escaped(text), style=style)


def as_sentence(cell: Cell) -> str:
    """Why a cell is so, beginning with a capital unless that would change a metric's name."""
    return cell.reason if cell.reason.startswith(cell.metric) else cell.reason[:1].upper() + cell.reason[1:]


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


def listed(console: Console, texts: Iterable[str], lead: str) -> None:
    """Prints texts with semicolons between them and a full stop after them, a new line only where one begins.

    Args:
        console: where to.
        texts: names, which are to be copied whole.
        lead: what stands before the first.

    """
    lines, line = [], lead
    *parts, last = (escaped(text) for text in texts)
    for part in [*(f"{part};" for part in parts), f"{last}."]:
        if line.strip() and line != lead and cell_len(line) + 1 + cell_len(part) > console.width:
            lines.append(line)
            line = " " * len(lead)
        line += part if line.endswith(" ") else f" {part}"
    console.print(Text("\n".join([*lines, line])), soft_wrap=True)

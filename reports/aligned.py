"""Tables of plain text: columns as wide as they need to be, two blanks between them."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(lines: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table below a head.

    Args:
        lines: rows of equally many cells, the head first.
        left: how many columns are texts, set to the left; the others are numbers, set to the right.

    """
    shown = aligned_rows(lines, left)
    return "\n".join([shown[0], "─" * max(map(len, shown)), *shown[1:]]) + "\n"


def aligned_rows(lines: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """The rows of such a table, without the line below the head."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]

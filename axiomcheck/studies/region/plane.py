"""Regions in two real parameters: rectangles of which something is certain everywhere."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from axiomcheck.studies.region.axes import Axis
from axiomcheck.studies.region.polynomials import Box
from axiomcheck.studies.region.result import Cell, Finding

__all__ = ["bisected_plane"]


def bisected_plane(
    find: Callable[[Box], Finding | None],
    axes: tuple[Axis, Axis],
    depth: int,
    worth: Callable[[Box], bool] = lambda box: True,
    listen: Callable[[Fraction], None] = lambda share: None,
) -> tuple[Cell, ...]:
    """The rectangle cut into four, and each quarter again, until something is certain of it.

    Args:
        find: what is certain of a closed box; None for nothing.
        axes: the two sides.
        depth: how often each side may be halved.
        worth: whether a box of which nothing is certain is worth cutting.
        listen: called with the share of the area that is done.

    """
    cells: list[Cell] = []
    x, y = axes
    whole = (x.high - x.low) * (y.high - y.low)
    done = Fraction(0)

    def cut(box: dict[str, tuple[Fraction, Fraction]], left: int) -> None:
        nonlocal done
        found = find(box)
        if found is None and left and worth(box):
            (a, b), (c, d) = box[x.name], box[y.name]
            across, up = (a + b) / 2, (c + d) / 2
            for side in ((a, across), (across, b)):
                for other in ((c, up), (up, d)):
                    cut({x.name: side, y.name: other}, left - 1)
            return
        finding = found or Finding("undecided", "nothing was certain of the whole cell")
        cells.append(Cell(tuple((name, low, high) for name, (low, high) in box.items()), finding))
        done += cells[-1].area / whole
        listen(done)

    cut({axis.name: (axis.low, axis.high) for axis in axes}, depth)
    return tuple(cells)

"""Boxes of parameters, halved until something is certain everywhere in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from axiomcheck.core.verdict import Verdict
from axiomcheck.studies.region.axes import Axis
from axiomcheck.studies.region.polynomials import Box
from axiomcheck.studies.region.result import RegionCell, RegionFinding


def halved(
    find: Callable[[Box], RegionFinding | None],
    axes: Sequence[Axis],
    depth: int,
    listen: Callable[[Fraction], None] = lambda share: None,
) -> list[tuple[Box, RegionFinding | None]]:
    """A range cut into halves along every axis, and each part again, until something is certain of it.

    Args:
        find: what is certain of a closed box; None for nothing.
        axes: the sides.
        depth: how often each side may be halved.
        listen: called with the share of the range that is done.

    """
    whole = _size((axis.low, axis.high) for axis in axes)
    parts: list[tuple[Box, RegionFinding | None]] = []
    done = Fraction(0)

    def cut(box: Box, left: int) -> None:
        nonlocal done
        found = find(box)
        if found is None and left:
            halves = [((low, (low + high) / 2), ((low + high) / 2, high)) for low, high in box.values()]
            for sides in product(*halves):
                cut(dict(zip(box, sides, strict=True)), left - 1)
            return
        parts.append((box, found))
        done += _size(box.values()) / whole
        listen(done)

    cut({axis.name: (axis.low, axis.high) for axis in axes}, depth)
    return parts


def _size(sides: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    return prod((high - low for low, high in sides), start=Fraction(1))


def bisected_plane(
    find: Callable[[Box], RegionFinding | None],
    axes: tuple[Axis, Axis],
    depth: int,
    listen: Callable[[Fraction], None] = lambda share: None,
) -> tuple[RegionCell, ...]:
    """`halved` as the cells of a region in two real parameters."""
    nothing = RegionFinding(Verdict.UNDECIDED, "nothing was certain of the whole cell")
    parts = halved(find, axes, depth, listen)
    return tuple(
        RegionCell(tuple((name, *side) for name, side in box.items()), found or nothing) for box, found in parts
    )

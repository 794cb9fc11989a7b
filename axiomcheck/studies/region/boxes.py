"""Neighbouring settings of one verdict, as boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import prod

from axiomcheck.core.verdict import Verdict

Ranges = tuple[tuple[int, int], ...]
"""The first and the last value of each axis, by number."""


@dataclass(frozen=True)
class SettingsBox:
    """A box of settings of one verdict.

    Args:
        ranges: where it reaches from and to.
        verdict: of every setting in it.

    """

    ranges: Ranges
    verdict: Verdict

    @property
    def settings(self) -> int:
        """How many settings there are in it."""
        return prod(high - low + 1 for low, high in self.ranges)

    def corner(self, shape: Sequence[int]) -> int:
        """The number of its first setting in a grid of a shape."""
        number = 0
        for (low, _), size in zip(self.ranges, shape, strict=True):
            number = number * size + low
        return number


def boxes_of(verdicts: Sequence[Verdict], shape: Sequence[int]) -> Iterator[SettingsBox]:
    """Boxes that fill a grid, without overlap: along the first axis as far as everything across it stays the same.

    Args:
        verdicts: of every setting, the last axis changing fastest.
        shape: how many values each axis has.

    """
    for ranges, verdict in _boxes(tuple(verdicts), tuple(shape)):
        yield SettingsBox(ranges, verdict)


def _boxes(verdicts: tuple[Verdict, ...], shape: tuple[int, ...]) -> list[tuple[Ranges, Verdict]]:
    if not shape:
        return [((), verdicts[0])]
    step = prod(shape[1:])
    across = [_boxes(verdicts[k : k + step], shape[1:]) for k in range(0, len(verdicts), step)]
    found: list[tuple[Ranges, Verdict]] = []
    for boxes, group in groupby(enumerate(across), key=lambda pair: pair[1]):
        same = [number for number, _ in group]
        found += [(((same[0], same[-1]), *ranges), verdict) for ranges, verdict in boxes]
    return found

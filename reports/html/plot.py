"""Where numbers lie in a drawing, and the numbers that its axes name."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Tick:
    """A number that an axis names: where it lies, in pixels, and its text."""

    at: float
    text: str


@dataclass(frozen=True)
class Scale:
    """A straight line of numbers, in pixels.

    Args:
        low, high: the numbers at its ends, low < high.
        start, end: the pixels there; start > end of an axis that goes up.
        whole: whether only whole numbers are named.

    """

    low: float
    high: float
    start: float
    end: float
    whole: bool = False

    def at(self, value: float) -> float:
        """The pixel of a number, to a hundredth."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self, most: int = 7) -> list[Tick]:
        """Round numbers from end to end, so many at most."""
        rough = (self.high - self.low) / (most - 1)
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough * (1 - 1e-9))
        if self.whole:
            step = max(1.0, step)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [Tick(self.at(k * step), f"{k * step:.6g}") for k in range(first, last + 1)]


def path_of_rectangles(rectangles: list[tuple[float, float, float, float]]) -> str:
    """The path of an SVG that has rectangles, each (left, top, width, height)."""
    return "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in rectangles)

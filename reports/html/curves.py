"""Two distributions of scores drawn over each other, as what a picture of SVG is made of."""

from __future__ import annotations

from dataclasses import dataclass

from axiomcheck.decide.working import Steps

WIDTH, HEIGHT, LEFT, BOTTOM = 340, 170, 44, 30
"""Of the picture, and of what stands left of the axes and below them."""


@dataclass(frozen=True)
class SurvivalCurves:
    """P[S >= x] of two rankings.

    Args:
        worse, better: points of polylines.
        ticks: (place, label) along the axis of scores.

    """

    worse: str
    better: str
    ticks: tuple[tuple[float, str], ...]


def survival_curves(worse: Steps, better: Steps) -> SurvivalCurves:
    """The curves of (worse, better), on one scale."""
    most = max((value for value, _ in (*worse, *better)), default=0.0) or 1.0
    ticks = tuple((round(_x(share * most, most), 1), f"{share * most:.3g}") for share in (0, 0.5, 1))
    return SurvivalCurves(_points(worse, most), _points(better, most), ticks)


def _points(steps: Steps, most: float) -> str:
    """Level up to each value of the score, then down to the probability of more."""
    points = [(0.0, 1.0)]
    for value, tail in steps:
        points += [(points[-1][0], tail), (value, tail)]
    points += [(points[-1][0], 0.0), (most, 0.0)]
    return " ".join(f"{_x(x, most):.1f},{_y(y):.1f}" for x, y in dict.fromkeys(points))


def _x(value: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - 12) * value / most


def _y(tail: float) -> float:
    return 8 + (HEIGHT - BOTTOM - 8) * (1 - tail)

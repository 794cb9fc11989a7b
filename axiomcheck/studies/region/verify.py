"""Cross-check a region of DeepTh or CloseTh at single points, in exact arithmetic without symbols.

This check shares only the metric's definition with the code that found the region. The metric is created with rational
values of its parameters, and both rankings are scored for n = 1, 2, ... (`axiomcheck.decide.comparison`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.domain import assumes_small
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.thresholds import ThresholdCase, block_pairs
from axiomcheck.metrics import Metric
from axiomcheck.studies.region.axes import GRADE
from axiomcheck.studies.region.result import Region

_FARTHEST = 32
_MOST_CELLS = 24
_NEAR = Fraction(1, 10**6)


def block_signs(metric: Metric, rc: Fraction, small: bool, numbers: Iterable[int]) -> Iterator[int | None]:
    """Yield the exact sign of Q(top) - Q(block) for each given n; None if it cannot be determined."""
    for n in numbers:
        yield signs(metric, block_pairs(ThresholdCase(rc, 0), n, small))[0]


def contradictions(region: Region, metric: Metric, axiom: ThresholdAxiom) -> list[str]:
    """Check a region at single points, and return a description of each point that contradicts it.

    The tested points are the middle of every interval, points next to both of its endpoints, and the middle and two
    corners of some cells. If the region says that CloseTh holds at a point, the block must be ahead at some n. If it
    says that CloseTh fails, the block must not be ahead at any tested n. DeepTh must hold exactly at the points where
    the top is ahead at n = k.

    Args:
        region: Region of a threshold axiom.
        metric: Metric of the region. Its own values for the varied parameters do not matter.
        axiom: DeepTh (checked only with a cutoff) or CloseTh.

    """
    small = assumes_small(axiom, region.reading)
    names = {axis.name for axis in region.axes}
    if not small and GRADE not in names:
        return []  # the region is about every rc, so its points have no rc to score rankings with
    wrong = []
    for cutoff, point, verdict in _points(region):
        k = metric.cutoff if cutoff is None else cutoff
        values = {name: value for name, value in point.items() if name != GRADE}
        placed = metric.remade(k, metric.values | values)
        if axiom.winner == "top" and k is None:
            continue
        rc = point.get(GRADE, Fraction(1))
        if axiom.winner == "block":
            last = k or _FARTHEST
            won = any(sign == -1 for sign in block_signs(placed, rc, small, range(1, last + 1)))
            if not won and k is None and verdict is Verdict.PROVED:
                tail = placed.tail()
                if tail is None or tail.side == "above" or tail.start > last + 1:
                    continue  # the block may be ahead at a larger n
            seen = Verdict.PROVED if won else Verdict.REFUTED
        else:
            last = k or 1
            seen = Verdict.PROVED if list(block_signs(placed, rc, small, [last])) == [1] else Verdict.REFUTED
        if seen != verdict:
            at = ", ".join(f"{name} = {value}" for name, value in point.items())
            wrong.append(f"reported as {verdict} at {at or placed}, but exact scores up to n = {last} give {seen}")
    return wrong


def _points(region: Region) -> Iterator[tuple[int | None, Mapping[str, Fraction], Verdict]]:
    """Yield (cutoff, point, verdict) for points to check inside the decided parts of a region."""
    for part in region.parts:
        for piece in part.pieces:
            name = region.real_axes[0].name
            low, high = piece.low.high, piece.high.low
            inside = {(low + high) / 2} if low < high else set()
            inside |= {low + _NEAR, high - _NEAR} if high - low > 2 * _NEAR else set()
            if piece.low.rational and piece.low_in:
                inside.add(low)
            if piece.high.rational and piece.high_in:
                inside.add(high)
            if piece.finding.verdict is not Verdict.UNDECIDED:
                for x in sorted(inside):
                    yield part.cutoff, {name: x}, piece.finding.verdict
        certified = [cell for cell in part.cells if cell.finding.verdict is not Verdict.UNDECIDED]
        step = max(1, len(certified) // _MOST_CELLS)
        for cell in certified[::step]:
            for share in (Fraction(1, 2), _NEAR, 1 - _NEAR) if cell.box else (Fraction(1, 2),):
                point = {name: low + (high - low) * share for name, low, high in cell.box}
                yield part.cutoff, point, cell.finding.verdict

"""Finds what is certain of DeepTh or CloseTh on whole boxes of parameters, which are halved until something is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.verdict import Verdict
from axiomcheck.studies.region.axes import GRADE, Axis
from axiomcheck.studies.region.blocks import Blocks
from axiomcheck.studies.region.polynomials import Box
from axiomcheck.studies.region.result import RegionCell, RegionFinding
from axiomcheck.studies.region.symbols import Undecided

MOST = 400
"""The largest n that blocks are compared at one by one."""

_SHORT = 40
"""The largest n at which a metric without cutoff is tried for a block that wins."""

_GRADES = tuple(Fraction(x) for x in ("1", "1/2", "9/10", "1/10", "99/100"))
_GRADE_DEPTH = 5


def behind(start: int, words: str) -> RegionFinding:
    """CloseTh fails: compared one by one before ``start``, and by an argument from there on."""
    tried = f"the block is not ahead at n = 1 to {start - 1}, and " if start > 1 else "the block is not ahead "
    return RegionFinding(Verdict.REFUTED, tried + words)


@dataclass
class ThresholdJudge:
    """Decides boxes of one metric.

    Args:
        blocks: with symbols for what the boxes are about, and for ``rc`` unless r << 1 is assumed.
        axiom: DeepTh or CloseTh.
        axes: what was varied; where ``rc`` is a symbol and not one of them, the claim is about every rc in (0, 1].

    """

    blocks: Blocks
    axiom: ThresholdAxiom
    axes: tuple[Axis, ...]
    _won: list[int] = field(default_factory=list)

    @property
    def every_grade(self) -> bool:
        """Tell whether the claim is about every rc in (0, 1]."""
        return GRADE in self.blocks.box and GRADE not in {axis.name for axis in self.axes}

    def full(self, box: Box) -> Box:
        """A box with every rc, where the claim is about every rc."""
        return {**box, GRADE: self.blocks.box[GRADE]} if self.every_grade else box

    def finding(self, box: Box) -> RegionFinding | None:
        """Return what is certain at every point of a box (without ends that the metric does not allow), or None."""
        return self._for_every_grade(box) if self.every_grade else self._one(box)

    def _for_every_grade(self, box: Box) -> RegionFinding | None:
        found = self._one(self.full(box))
        if found is not None or not self._grade_matters():
            return found
        for rc in _GRADES:
            found = self._one({**box, GRADE: (rc, rc)})
            if found is not None and found.verdict is Verdict.REFUTED:
                return RegionFinding(Verdict.REFUTED, f"at rc = {rc}: {found.how}")
        return self._all_grades(box, Fraction(0), Fraction(1), _GRADE_DEPTH)

    def _grade_matters(self) -> bool:
        try:
            last = self.blocks.metric.cutoff
            numbers = self.tried() if self.axiom.winner == "block" or last is None else [last]
            differences = [self.blocks.difference(n) for n in numbers]
        except Undecided:
            return True
        return any(d.polynomial is not None and GRADE in d.polynomial.variables for d in differences)

    def _all_grades(self, box: Box, low: Fraction, high: Fraction, depth: int) -> RegionFinding | None:
        found = self._one({**box, GRADE: (low, high)})
        if found is not None and found.verdict is Verdict.PROVED:
            return RegionFinding(Verdict.PROVED, "for every rc in (0, 1]: " + found.how)
        if found is not None or not depth:
            return None
        middle = (low + high) / 2
        parts = [self._all_grades(box, *side, depth - 1) for side in ((low, middle), (middle, high))]
        return parts[0] if all(parts) else None

    def _one(self, box: Box) -> RegionFinding | None:
        """By the polynomials of the whole range; failing that, by the metric's code run again on this box only."""
        try:
            found = self._by(self.blocks, box)
        except Undecided:
            return self._again(box)
        point = all(low == high for name, (low, high) in box.items() if name != GRADE)
        return self._again(box) if found is None and point else found

    def _again(self, box: Box) -> RegionFinding | None:
        blocks = self.blocks
        if dict(box) == dict(blocks.box):
            return None
        # What has one value only is a number; comparisons of the others have to be certain on this box.
        fixed = {name: low for name, (low, high) in box.items() if low == high and name != GRADE}
        kept = {name: ends for name, ends in box.items() if name not in fixed}
        metric = blocks.metric.at(fixed)
        try:
            return self._by(Blocks(metric, kept, blocks.small, blocks.open_ends), kept)
        except Undecided:
            return None

    def _by(self, blocks: Blocks, box: Box) -> RegionFinding | None:
        return self._close(blocks, box) if self.axiom.winner == "block" else self._deep(blocks, box)

    def tried(self) -> Iterator[int]:
        """The n worth trying for a block that wins, those that won before first."""
        last = self.blocks.metric.cutoff or _SHORT
        yield from self._won
        yield from (n for n in range(1, last + 1) if n not in self._won)

    def _close(self, blocks: Blocks, box: Box) -> RegionFinding | None:
        for n in self.tried():
            if blocks.difference(n).signs(box)[1] == -1:
                if n in self._won:
                    self._won.remove(n)
                self._won.insert(0, n)
                return RegionFinding(Verdict.PROVED, f"the block is ahead at n = {n}")
        argument = blocks.behind_from(box, MOST)
        if argument is None:
            return None
        start, words = argument
        for n in range(1, start):
            difference = blocks.difference(n)
            low, _ = difference.signs(box)
            if low != 1 and not (low == 0 and len(difference.plain) <= 1):
                return None
        return behind(start, words)

    def _deep(self, blocks: Blocks, box: Box) -> RegionFinding | None:
        found = blocks.eventually(box, blocks.open_ends)
        return None if found is None else self.deep(*found)

    def deep(self, sign: int, words: str) -> RegionFinding:
        """DeepTh, by who is ahead for every large n."""
        what = {1: "the top is ahead", 0: "the two tie", -1: "the block is ahead"}[sign]
        return RegionFinding(Verdict.PROVED if sign == 1 else Verdict.REFUTED, f"{what} for every large n: {words}")


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

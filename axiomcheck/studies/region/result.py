"""What is known of a region: intervals with exact or certified ends, and cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from axiomcheck.studies.region.axes import Axis

Verdict = str
"""``"holds"``, ``"fails"`` or ``"undecided"``."""


@dataclass(frozen=True)
class RegionFinding:
    """What is known of one set of parameters, and how it was shown."""

    verdict: Verdict
    how: str


@dataclass(frozen=True)
class End:
    """An end of an interval.

    Args:
        low, high: rationals that it lies between; equal where it is rational itself.
        decimal: its decimal expansion, cut.
        polynomial: the irreducible polynomial that it is the only root of in [low, high]; None if it is rational, or
            an end of which nothing is known but the enclosure.
        tied: the n at which the two rankings tie exactly there.

    """

    low: Fraction
    high: Fraction
    decimal: str
    polynomial: str | None = None
    tied: tuple[int, ...] = ()

    @classmethod
    def at(cls, value: Fraction, tied: tuple[int, ...] = ()) -> End:
        """A rational end."""
        return cls(value, value, str(value), None, tied)

    @property
    def rational(self) -> bool:
        """Whether the end is a rational number."""
        return self.low == self.high

    @property
    def middle(self) -> Fraction:
        """A rational number at or next to it."""
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class RegionPiece:
    """An interval of one parameter with one verdict, or a single point.

    Args:
        low, high: its ends.
        low_in, high_in: whether they are part of it.
        finding: what is known of it.

    """

    low: End
    high: End
    low_in: bool
    high_in: bool
    finding: RegionFinding

    @property
    def length(self) -> Fraction:
        """High - low, to the width of their enclosures."""
        return self.high.middle - self.low.middle


@dataclass(frozen=True)
class RegionCell:
    """A closed rectangle of parameters with one verdict; without sides a single metric."""

    box: tuple[tuple[str, Fraction, Fraction], ...]
    finding: RegionFinding

    @property
    def area(self) -> Fraction:
        """The product of its sides."""
        area = Fraction(1)
        for _, low, high in self.box:
            area *= high - low
        return area


@dataclass(frozen=True)
class RegionPart:
    """What is known at one cutoff, or at the metric's own (None).

    Args:
        cutoff: where k is varied.
        pieces: along the one real parameter, in order.
        cells: rectangles where there are two, or one without sides where there is none.

    """

    cutoff: int | None
    pieces: tuple[RegionPiece, ...] = ()
    cells: tuple[RegionCell, ...] = ()

    @property
    def verdicts(self) -> frozenset[Verdict]:
        """Those of its pieces and cells."""
        return frozenset([p.finding.verdict for p in self.pieces] + [c.finding.verdict for c in self.cells])

    def shares(self) -> dict[Verdict, Fraction]:
        """The share of length or area that each verdict has."""
        sizes = {"holds": Fraction(0), "fails": Fraction(0), "undecided": Fraction(0)}
        for piece in self.pieces:
            sizes[piece.finding.verdict] += piece.length
        for cell in self.cells:
            sizes[cell.finding.verdict] += cell.area
        # An end that is known by an enclosure only leaves that much undecided.
        for left, right in zip(self.pieces, self.pieces[1:], strict=False):
            if (
                left.high.polynomial is None
                and not left.high.rational
                and "undecided" not in (left.finding.verdict, right.finding.verdict)
            ):
                width = left.high.high - left.high.low
                sizes["undecided"] += width
                sizes[left.finding.verdict] -= width / 2
                sizes[right.finding.verdict] -= width / 2
        total = sum(sizes.values(), Fraction(0))
        return {verdict: size / total for verdict, size in sizes.items()}


@dataclass(frozen=True)
class Region:
    """For which parameters an axiom holds.

    Args:
        axiom, metric, regime: of what, the metric by its canonical name.
        subject: the metric without what was varied.
        axes: what was varied.
        parts: one per cutoff where k was, else one.
        witnesses: the instances that cells refer to by number, from 1, as JSON.
        notes: what else the reader has to know.

    """

    axiom: str
    metric: str
    subject: str
    regime: str
    axes: tuple[Axis, ...]
    parts: tuple[RegionPart, ...]
    witnesses: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def real_axes(self) -> tuple[Axis, ...]:
        """The axes that are not whole numbers."""
        return tuple(axis for axis in self.axes if not axis.whole)

    def shares(self) -> dict[Verdict, Fraction]:
        """The share of the whole region that each verdict has; every cutoff counts alike."""
        each = [part.shares() for part in self.parts]
        return {verdict: sum((s[verdict] for s in each), Fraction(0)) / len(each) for verdict in each[0]}

    @property
    def decided(self) -> bool:
        """Whether no cell and no interval is undecided."""
        return all("undecided" not in part.verdicts for part in self.parts)


def runs(parts: tuple[RegionPart, ...]) -> Iterator[tuple[RegionFinding, list[int]]]:
    """Neighbouring cutoffs of one verdict, where k alone was varied."""
    for _, group in groupby(parts, key=lambda part: part.cells[0].finding.verdict):
        same = list(group)
        yield same[0].cells[0].finding, [part.cutoff for part in same if part.cutoff is not None]

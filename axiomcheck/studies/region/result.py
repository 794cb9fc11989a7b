"""Define the results of region studies: intervals with exact or certified endpoints, boxes, and grid settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from axiomcheck.core.domain import Domain, Reading
from axiomcheck.core.typing import Integers
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.studies.region.axes import CUTOFF, Axis

INTERRUPTED = "interrupted before it was decided"
"""Reason of a setting that was not decided because the user interrupted the work."""


@dataclass(frozen=True)
class RegionFinding:
    """Verdict for a set of parameter values, with its reason.

    Args:
        verdict: `Verdict.PROVED`, `REFUTED` or `UNDECIDED` for an interval or a box. A setting may have any verdict.
        how: Reason for the verdict.
        metric: Setting whose own proof or counterexample gives the verdict, for other settings too; empty for an
            interval or a box.
        witness: Counterexample, or None.
        contradicts_axiomcheck: Whether two parts of axiomcheck contradict each other for the setting.

    """

    verdict: Verdict
    how: str
    metric: str = ""
    witness: AnyWitness | None = None
    contradicts_axiomcheck: bool = False


@dataclass(frozen=True)
class End:
    """Endpoint of an interval, known exactly or enclosed by two rationals.

    Args:
        low, high: Rationals that enclose the endpoint. They are equal if it is rational.
        decimal: Leading digits of the endpoint's decimal expansion, or its exact fraction.
        polynomial: Irreducible polynomial whose only root in [low, high] is the endpoint. None for a rational endpoint,
            or for one that is known only by its enclosure.
        tied: Values of n for which the two rankings tie at the endpoint.

    """

    low: Fraction
    high: Fraction
    decimal: str
    polynomial: str | None = None
    tied: tuple[int, ...] = ()

    @classmethod
    def at(cls, value: Fraction, tied: tuple[int, ...] = ()) -> End:
        """Create an endpoint at a rational number."""
        return cls(value, value, str(value), None, tied)

    @property
    def rational(self) -> bool:
        """True if the endpoint is known to be a rational number, ``low``."""
        return self.low == self.high

    @property
    def middle(self) -> Fraction:
        """Middle of the enclosure, which is the endpoint itself if it is rational."""
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class RegionPiece:
    """Interval of one parameter, or a single point, with one verdict.

    Args:
        low, high: Endpoints of the interval.
        low_in, high_in: Whether the endpoint belongs to the interval.
        finding: Verdict on the interval.

    """

    low: End
    high: End
    low_in: bool
    high_in: bool
    finding: RegionFinding

    @property
    def size(self) -> Fraction:
        """Length of the interval, using the middle of the enclosure for an irrational endpoint."""
        return self.high.middle - self.low.middle


@dataclass(frozen=True)
class RegionCell:
    """Closed box of parameter values with one verdict.

    Args:
        box: Sides as tuples (name, low, high). For a grid, low and high are the lowest and the highest value.
        finding: Finding for the box. For a grid, it is the finding of the first setting.
        settings: Number of grid settings in the box; None if the verdict is about all points of the box.

    """

    box: tuple[tuple[str, Fraction, Fraction], ...]
    finding: RegionFinding
    settings: int | None = None

    @property
    def size(self) -> Fraction:
        """Number of settings in the box. Without a grid, it is the product of the side lengths."""
        if self.settings is not None:
            return Fraction(self.settings)
        return prod((high - low for _, low, high in self.box), start=Fraction(1))


@dataclass(frozen=True)
class RegionPart:
    """Part of a region at one cutoff: intervals of one parameter, or boxes of several.

    Args:
        cutoff: Cutoff if k is varied; None for the metric's own cutoff.
        pieces: Pieces along a single real parameter, in order.
        cells: Rectangles of two parameters, or the boxes of a grid.

    """

    cutoff: int | None
    pieces: tuple[RegionPiece, ...] = ()
    cells: tuple[RegionCell, ...] = ()

    @property
    def areas(self) -> tuple[RegionPiece | RegionCell, ...]:
        """All pieces and cells."""
        return (*self.pieces, *self.cells)

    def shares(self) -> dict[Verdict, Fraction]:
        """Return each verdict's share, from 0 to 1, of the total length, area or number of settings."""
        sizes = dict.fromkeys(Verdict, Fraction(0))
        for area in self.areas:
            sizes[area.finding.verdict] += area.size
        total = sum(sizes.values(), Fraction(0))
        return {verdict: size / total for verdict, size in sizes.items()}


@dataclass(frozen=True)
class SettingsGrid:
    """Settings of a grid, with a finding for each.

    Args:
        metrics: Canonical names of the S settings, with the last axis varying fastest.
        findings: Findings. Several settings may share one.
        by: Index of each setting's finding, shape (S,).

    """

    metrics: tuple[str, ...]
    findings: tuple[RegionFinding, ...]
    by: Integers

    def finding(self, setting: int) -> RegionFinding:
        """Return the finding for one setting."""
        return self.findings[int(self.by[setting])]


@dataclass(frozen=True)
class Region:
    """Verdicts on an axiom over parameter ranges.

    Args:
        axiom: Name of the axiom.
        metric: Canonical name of the metric.
        reading: Regime and domain.
        subject: Name of the metric without the varied parameters.
        axes: Varied parameters.
        parts: One part per cutoff if k is varied without a grid; otherwise a single part.
        grid: Settings of the grid; None if no grid was decided.
        notes: Further information for the reader.

    """

    axiom: str
    metric: str
    reading: Reading
    subject: str
    axes: tuple[Axis, ...]
    parts: tuple[RegionPart, ...]
    grid: SettingsGrid | None = None
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title with the axiom, the metric and the varied parameters."""
        return f"{self.axiom} of {self.subject} over {' and '.join(axis.text for axis in self.axes)}"

    @property
    def reading_text(self) -> str:
        """Regime, followed by the domain unless it is the default."""
        domain = "" if self.reading.domain is Domain.GRADED else f", {self.reading.domain} domain"
        return f"{self.reading.regime} regime{domain}"

    @property
    def real_axes(self) -> tuple[Axis, ...]:
        """Axes for real parameters."""
        return tuple(axis for axis in self.axes if not axis.whole)

    @property
    def findings(self) -> tuple[RegionFinding, ...]:
        """Findings of all pieces and cells, in order."""
        return tuple(area.finding for part in self.parts for area in part.areas)

    def boxes(self) -> Iterator[tuple[RegionFinding, dict[str, tuple[Fraction, Fraction]]]]:
        """Yield the finding and the endpoints on every axis for each piece and cell."""
        for part in self.parts:
            cut = {} if part.cutoff is None else {CUTOFF: (Fraction(part.cutoff),) * 2}
            for piece in part.pieces:
                yield piece.finding, {**cut, self.real_axes[0].name: (piece.low.middle, piece.high.middle)}
            for cell in part.cells:
                yield cell.finding, {**cut, **{name: (low, high) for name, low, high in cell.box}}

    @property
    def witnesses(self) -> tuple[AnyWitness, ...]:
        """Distinct counterexamples of the findings."""
        found: list[AnyWitness] = []
        for finding in self.findings:
            if finding.witness is not None and finding.witness not in found:
                found.append(finding.witness)
        return tuple(found)

    @property
    def interrupted(self) -> bool:
        """True if the user interrupted the work, so that some grid settings are undecided."""
        return self.grid is not None and any(finding.how == INTERRUPTED for finding in self.grid.findings)

    def shares(self) -> dict[Verdict, Fraction]:
        """Return each verdict's share of the region, from 0 to 1; all cutoffs have the same weight."""
        each = [part.shares() for part in self.parts]
        return {verdict: sum((s[verdict] for s in each), Fraction(0)) / len(each) for verdict in each[0]}

    @property
    def decided(self) -> bool:
        """True if all pieces and cells are decided."""
        return all(finding.verdict.decided for finding in self.findings)

    @property
    def contradicts_axiomcheck(self) -> bool:
        """True if two parts of axiomcheck contradict each other for some setting, which is a bug."""
        return self.grid is not None and any(finding.contradicts_axiomcheck for finding in self.grid.findings)

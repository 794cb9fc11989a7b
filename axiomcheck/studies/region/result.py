"""Data types of regions, for intervals with exact or certified ends, boxes, and settings of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from axiomcheck.core.domain import Domain, Reading
from axiomcheck.core.typing import Integers
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.studies.region.axes import Axis


@dataclass(frozen=True)
class RegionFinding:
    """A verdict on a set of parameter values, with its explanation.

    Args:
        verdict: `Verdict.PROVED`, `REFUTED` or `UNDECIDED` for an interval or box; any verdict for a setting.
        how: Explanation of the verdict.
        metric: Setting that was decided, which implies the verdict on the others; empty for an interval or box.
        witness: Counterexample, or None.
        contradicts_axiomcheck: Whether two parts of axiomcheck contradict each other about a setting.

    """

    verdict: Verdict
    how: str
    metric: str = ""
    witness: AnyWitness | None = None
    contradicts_axiomcheck: bool = False


@dataclass(frozen=True)
class End:
    """An end of an interval.

    Args:
        low, high: Rationals that enclose the end; equal if the end is rational.
        decimal: Decimal expansion of the end, truncated.
        polynomial: Irreducible polynomial whose only root in [low, high] is the end. None for a rational end, or for an
            end that is known only by its enclosure.
        tied: Values of n for which the two rankings tie exactly at the end.

    """

    low: Fraction
    high: Fraction
    decimal: str
    polynomial: str | None = None
    tied: tuple[int, ...] = ()

    @classmethod
    def at(cls, value: Fraction, tied: tuple[int, ...] = ()) -> End:
        """Return a rational end."""
        return cls(value, value, str(value), None, tied)

    @property
    def rational(self) -> bool:
        """Return whether the end is a rational number."""
        return self.low == self.high

    @property
    def middle(self) -> Fraction:
        """A rational number at the end or next to it."""
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class RegionPiece:
    """An interval of one parameter with one verdict, or a single point.

    Args:
        low, high: Ends of the interval.
        low_in, high_in: Whether each end belongs to the interval.
        finding: Verdict on the interval.

    """

    low: End
    high: End
    low_in: bool
    high_in: bool
    finding: RegionFinding

    @property
    def length(self) -> Fraction:
        """Length of the interval, up to the width of its ends' enclosures."""
        return self.high.middle - self.low.middle


@dataclass(frozen=True)
class RegionCell:
    """A closed box of parameter values with one verdict.

    Args:
        box: Sides as tuples (name, low, high). For a grid, low and high are the lowest and the highest value.
        finding: Verdict on the box; for a grid, the finding of its first setting.
        settings: Number of a grid's settings in the box; None if the verdict is about all points inside.

    """

    box: tuple[tuple[str, Fraction, Fraction], ...]
    finding: RegionFinding
    settings: int | None = None

    @property
    def size(self) -> Fraction:
        """Number of settings in the box or, without a grid, the product of its sides."""
        if self.settings is not None:
            return Fraction(self.settings)
        return prod((high - low for _, low, high in self.box), start=Fraction(1))


@dataclass(frozen=True)
class RegionPart:
    """The pieces or cells at one cutoff.

    Args:
        cutoff: Cutoff if k is varied; None for the metric's own cutoff.
        pieces: Pieces along a single real parameter, in order.
        cells: Rectangles of two parameters, or the boxes of a grid.

    """

    cutoff: int | None
    pieces: tuple[RegionPiece, ...] = ()
    cells: tuple[RegionCell, ...] = ()

    @property
    def verdicts(self) -> frozenset[Verdict]:
        """Verdicts of the part's pieces and cells."""
        return frozenset([p.finding.verdict for p in self.pieces] + [c.finding.verdict for c in self.cells])

    def shares(self) -> dict[Verdict, Fraction]:
        """Return each verdict's share of the length, area or number of settings.

        Lengths are measured to the middle of an end's enclosure.
        """
        sizes = dict.fromkeys(Verdict, Fraction(0))
        for piece in self.pieces:
            sizes[piece.finding.verdict] += piece.length
        for cell in self.cells:
            sizes[cell.finding.verdict] += cell.size
        total = sum(sizes.values(), Fraction(0))
        return {verdict: size / total for verdict, size in sizes.items()}


@dataclass(frozen=True)
class SettingsGrid:
    """The settings of a grid, with a finding for each.

    Args:
        metrics: Canonical names of the settings; the last axis changes fastest.
        findings: Findings, which several settings may share.
        by: Index of each setting's finding, shape (S,).

    """

    metrics: tuple[str, ...]
    findings: tuple[RegionFinding, ...]
    by: Integers

    def finding(self, setting: int) -> RegionFinding:
        """Return the finding of one setting."""
        return self.findings[int(self.by[setting])]


@dataclass(frozen=True)
class Region:
    """Verdicts of an axiom over ranges of parameters.

    Args:
        axiom, metric: Name of the axiom, and canonical name of the metric.
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
        """Axes of real parameters."""
        return tuple(axis for axis in self.axes if not axis.whole)

    @property
    def findings(self) -> tuple[RegionFinding, ...]:
        """Findings of all pieces and cells, in order."""
        found: list[RegionFinding] = []
        for part in self.parts:
            found += [piece.finding for piece in part.pieces]
            found += [cell.finding for cell in part.cells]
        return tuple(found)

    @property
    def witnesses(self) -> tuple[AnyWitness, ...]:
        """Distinct counterexamples of the findings."""
        found: list[AnyWitness] = []
        for finding in self.findings:
            if finding.witness is not None and finding.witness not in found:
                found.append(finding.witness)
        return tuple(found)

    def shares(self) -> dict[Verdict, Fraction]:
        """Return each verdict's share of the whole region, with equal weight for every cutoff."""
        each = [part.shares() for part in self.parts]
        return {verdict: sum((s[verdict] for s in each), Fraction(0)) / len(each) for verdict in each[0]}

    @property
    def decided(self) -> bool:
        """Return whether all pieces and cells are decided."""
        return all(finding.verdict.decided for finding in self.findings)

    @property
    def contradicts_axiomcheck(self) -> bool:
        """Return whether two parts of axiomcheck contradict each other about a setting."""
        return self.grid is not None and any(finding.contradicts_axiomcheck for finding in self.grid.findings)

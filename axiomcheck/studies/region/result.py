"""Data of regions: intervals with exact or certified ends, boxes, and the settings of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from axiomcheck.core.domain import Domain, Reading
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.studies.region.axes import Axis


@dataclass(frozen=True)
class RegionFinding:
    """A verdict on parameters, and how it was shown.

    Args:
        verdict: `Verdict.PROVED`, `REFUTED` or `UNDECIDED` of an interval or box; any of a setting.
        how: how it was shown.
        metric: the setting that was decided, where others follow from it; empty of an interval or box.
        witness: the counterexample.
        contradicts_axiomcheck: whether two parts of axiomcheck contradict each other about a setting.

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
        """Return whether the end is a rational number."""
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
    """A closed box of parameters with one verdict.

    Args:
        box: (name, low, high) of each side; of a grid the lowest and the highest value.
        finding: what is known of it; of a grid what is known of its first setting.
        settings: how many settings of a grid are in it; None where all that is inside the box is meant.

    """

    box: tuple[tuple[str, Fraction, Fraction], ...]
    finding: RegionFinding
    settings: int | None = None

    @property
    def size(self) -> Fraction:
        """The number of its settings; without a grid the product of its sides."""
        if self.settings is not None:
            return Fraction(self.settings)
        return prod((high - low for _, low, high in self.box), start=Fraction(1))


@dataclass(frozen=True)
class RegionPart:
    """Holds what is known at one cutoff, or at the metric's own (None).

    Args:
        cutoff: where k is varied.
        pieces: along the one real parameter, in order.
        cells: rectangles where there are two, or the boxes of a grid.

    """

    cutoff: int | None
    pieces: tuple[RegionPiece, ...] = ()
    cells: tuple[RegionCell, ...] = ()

    @property
    def verdicts(self) -> frozenset[Verdict]:
        """Those of its pieces and cells."""
        return frozenset([p.finding.verdict for p in self.pieces] + [c.finding.verdict for c in self.cells])

    def shares(self) -> dict[Verdict, Fraction]:
        """The share of length, to the middle of an end's enclosure, of area or of settings that each verdict has."""
        sizes = dict.fromkeys(Verdict, Fraction(0))
        for piece in self.pieces:
            sizes[piece.finding.verdict] += piece.length
        for cell in self.cells:
            sizes[cell.finding.verdict] += cell.size
        total = sum(sizes.values(), Fraction(0))
        return {verdict: size / total for verdict, size in sizes.items()}


@dataclass(frozen=True)
class SettingsGrid:
    """The settings of a grid, one by one.

    Args:
        metrics: their canonical names, the last axis changing fastest.
        findings: what was found.
        by: (S,) of each setting, the number of the finding that speaks for it.
        reversed: (S,) of each setting, the share of the sampled instances on which floats have the worse ranking
            clearly ahead; not a number where none were compared.
        compared: how many comparisons of instances by settings there were, in floats.

    """

    metrics: tuple[str, ...]
    findings: tuple[RegionFinding, ...]
    by: Integers
    reversed: Reals
    compared: int

    def finding(self, setting: int) -> RegionFinding:
        """Return what is known of one setting."""
        return self.findings[int(self.by[setting])]


@dataclass(frozen=True)
class Region:
    """Verdicts of an axiom over ranges of parameters.

    Args:
        axiom, metric: of what, the metric by its canonical name.
        reading: regime and domain.
        subject: the metric without what was varied.
        axes: what was varied.
        parts: one per cutoff where k was varied without a grid, else one.
        grid: the settings, where a grid was decided.
        notes: what else the reader has to know.

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
        """The question: the axiom, the metric and what was varied."""
        return f"{self.axiom} of {self.subject} over {' and '.join(axis.text for axis in self.axes)}"

    @property
    def reading_text(self) -> str:
        """The regime, and the domain where it is not the usual one."""
        domain = "" if self.reading.domain is Domain.GRADED else f", {self.reading.domain} domain"
        return f"{self.reading.regime} regime{domain}"

    @property
    def real_axes(self) -> tuple[Axis, ...]:
        """The axes that are not whole numbers."""
        return tuple(axis for axis in self.axes if not axis.whole)

    @property
    def findings(self) -> tuple[RegionFinding, ...]:
        """Return what is known of each piece and cell, in order."""
        found: list[RegionFinding] = []
        for part in self.parts:
            found += [piece.finding for piece in part.pieces]
            found += [cell.finding for cell in part.cells]
        return tuple(found)

    @property
    def witnesses(self) -> tuple[AnyWitness, ...]:
        """The counterexamples of the findings, each once."""
        found: list[AnyWitness] = []
        for finding in self.findings:
            if finding.witness is not None and finding.witness not in found:
                found.append(finding.witness)
        return tuple(found)

    def shares(self) -> dict[Verdict, Fraction]:
        """The share of the whole region that each verdict has; every cutoff counts alike."""
        each = [part.shares() for part in self.parts]
        return {verdict: sum((s[verdict] for s in each), Fraction(0)) / len(each) for verdict in each[0]}

    @property
    def decided(self) -> bool:
        """Return whether no cell and no interval is undecided."""
        return all(finding.verdict.decided for finding in self.findings)

    @property
    def contradicts_axiomcheck(self) -> bool:
        """Return whether two parts of axiomcheck contradict each other about a setting."""
        return self.grid is not None and any(finding.contradicts_axiomcheck for finding in self.grid.findings)

"""Write regions as a page: the map, what is known of every part of it, its ends, and the counterexamples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.axioms import Axiom, about_blocks, about_pairs, find_axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.witnesses import PairWitness, ThresholdWitness
from axiomcheck.reports.html.cells import ShownThreshold, ShownWitness, replay_command, shown_threshold, shown_witness
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.html.plot import Scale, path_of_rectangles
from axiomcheck.reports.region_map import axis_label, limits, rectangles, sides
from axiomcheck.reports.region_report import (
    box_text,
    enclosure,
    finding_text,
    interval_text,
    irrational_ends,
    region_findings,
)
from axiomcheck.sources.names import catalogue_metric
from axiomcheck.studies.region.result import End, Region, RegionCell, RegionFinding

_LEFT, _RIGHT, _TOP = 62, 16, 12
_WIDTH = 640
_HEIGHTS = (64, 400)
"""Of the map itself, with one axis and with two."""
_POINT = 4
"""Pixels; so wide is a single point, which is drawn over what is beside it."""


@dataclass(frozen=True)
class RegionMap:
    """What a map is drawn from, in pixels.

    Args:
        width, height: of the map, without its axes.
        left, top: of the map, in the picture.
        paths: by verdict, the path of its rectangles; of the verdicts that occur.
        points: (verdict, path) of single points of the one parameter that is varied.
        x, y: the axes; None for y where one thing is varied.
        x_label, y_label: what is written beside them.
        named: (x, y) of the metric as it was named; None where it has no such value within the map.

    """

    width: int
    height: int
    left: int
    top: int
    paths: dict[Verdict, str]
    points: tuple[tuple[Verdict, str], ...]
    x: Scale
    y: Scale | None
    x_label: str
    y_label: str
    named: tuple[float | None, float | None]


@dataclass(frozen=True)
class RegionLine:
    """One verdict with one reason: on which interval, or on how many rectangles.

    Args:
        cutoff: of the part; None where k is not varied.
        where: the interval, the cutoffs, or how many rectangles.
        verdict: what is known.
        how: how it is known.
        witness: the number of the counterexample that shows it; None without one.
        share: of the part.

    """

    cutoff: int | None
    where: str
    verdict: Verdict
    how: str
    witness: int | None
    share: float


@dataclass(frozen=True)
class RegionEnd:
    """An end that is not rational, by its name, what it lies between, and its polynomial as (text, exponent)s."""

    cutoff: int | None
    name: str
    end: End
    between: tuple[str, str]
    polynomial: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RegionView:
    """One region as the page shows it; `findings` and the like are what its template names."""

    region: Region
    axiom: Axiom
    findings: list[str]
    map: RegionMap | None
    shares: dict[Verdict, float]
    lines: list[RegionLine]
    cutoffs: bool
    ends: list[RegionEnd]
    polynomials: bool
    tied: bool
    witnesses: list[ShownWitness | ShownThreshold]
    replay: str


def regions_page(regions: Sequence[Region], command: str) -> str:
    """Return the page of regions of one metric.

    Args:
        regions: one or more.
        command: what makes the page again.

    """
    several = f"{counted(len(regions), 'axiom')} of {regions[0].subject}"
    return render_page(
        "region.html.j2",
        styles=("cell.css", "tables.css", "plots.css"),
        scripts=("copy.js", "sort.js"),
        title=regions[0].title if len(regions) == 1 else several,
        views=[_view(region) for region in regions],
        command=command,
    )


def _view(region: Region) -> RegionView:
    ends = list(_ends(region))
    return RegionView(
        region=region,
        axiom=find_axiom(region.axiom),
        findings=region_findings(region),
        map=_map(region) if len(region.axes) <= 2 else None,
        shares={verdict: 100 * float(share) for verdict, share in region.shares().items()},
        lines=list(_lines(region)),
        cutoffs=any(part.cutoff is not None for part in region.parts) and bool(region.real_axes),
        ends=ends,
        polynomials=any(one.polynomial for one in ends),
        tied=any(one.end.tied for one in ends),
        witnesses=_witnesses(region),
        replay=replay_command(region.metric),
    )


def _map(region: Region) -> RegionMap:
    across, up = sides(region)
    height = _HEIGHTS[up is not None]
    whole = {axis.name: axis.whole for axis in region.axes}
    x = Scale(*limits(region, across), _LEFT, _LEFT + _WIDTH, whole[across])
    y = None if up is None else Scale(*limits(region, up), _TOP + height, _TOP, whole[up])
    paths: dict[Verdict, str] = {}
    points = []
    for verdict, boxes in rectangles(region).items():
        pixels = []
        for left, bottom, wide, high in boxes:
            place, top = x.at(left), _TOP if y is None else y.at(bottom + high)
            tall = height if y is None else round(y.at(bottom) - top, 2)
            if wide:
                pixels.append((place, top, round(x.at(left + wide) - place, 2), tall))
            else:
                start = min(max(place - _POINT / 2, _LEFT), _LEFT + _WIDTH - _POINT)
                points.append((verdict, path_of_rectangles([(start, top, _POINT, tall)])))
        paths[verdict] = path_of_rectangles(pixels)
    defaults = {axis.name: axis.default for axis in region.axes}
    named = tuple(
        scale.at(float(value)) if scale is not None and value is not None and scale.low <= value <= scale.high else None
        for scale, value in ((x, defaults[across]), (y, None if up is None else defaults[up]))
    )
    labels = axis_label(across), "" if up is None else axis_label(up)
    return RegionMap(_WIDTH, height, _LEFT, _TOP, paths, tuple(points), x, y, *labels, (named[0], named[1]))


def _lines(region: Region) -> Iterator[RegionLine]:
    for part in region.parts:
        for piece in part.pieces:
            where = interval_text(region, part, piece, short=True)
            total = region.real_axes[0].high - region.real_axes[0].low
            yield _line(region, part.cutoff, where, piece.finding, piece.length / total)
        whole = sum((cell.size for cell in part.cells), Fraction(0))
        if region.grid is not None:
            for cell in part.cells:
                yield _line(region, None, box_text(region, cell), cell.finding, cell.size / whole)
            continue
        by_finding: dict[tuple[Verdict, str], list[RegionCell]] = {}
        for cell in part.cells:
            by_finding.setdefault((cell.finding.verdict, cell.finding.how), []).append(cell)
        for cells in by_finding.values():
            count = counted(len(cells), "rectangle") if region.real_axes else f"k = {part.cutoff}"
            share = sum((cell.size for cell in cells), Fraction(0)) / whole
            yield _line(region, part.cutoff, count, cells[0].finding, share)


def _line(region: Region, cutoff: int | None, where: str, finding: RegionFinding, share: Fraction) -> RegionLine:
    number = None if finding.witness is None else region.witnesses.index(finding.witness) + 1
    how = finding_text(region, finding)
    if finding.metric and not finding.verdict.decided:
        how = finding.how
    elif finding.metric:
        how = f"{finding.metric}: {how}"
    return RegionLine(cutoff, where, finding.verdict, how, number, 100 * float(share))


def _ends(region: Region) -> Iterator[RegionEnd]:
    for part in region.parts:
        found = irrational_ends(part)
        for number, end in enumerate(found, start=1):
            name = f"{region.real_axes[0].name}{'' if len(found) == 1 else number}*"
            yield RegionEnd(part.cutoff, name, end, enclosure(end), tuple(_pieces(end.polynomial or "")))


def _pieces(polynomial: str) -> Iterator[tuple[str, str]]:
    """A polynomial such as ``3*p**2 - 1`` as (text, exponent of what it ends with)."""
    for text, exponent in re.findall(r"((?:[^*]|\*(?!\*))+)(?:\*\*([0-9]+))?", polynomial):
        yield text.replace("*", " "), exponent


def _witnesses(region: Region) -> list[ShownWitness | ShownThreshold]:
    axiom = find_axiom(region.axiom)
    shown: list[ShownWitness | ShownThreshold] = []
    for number, witness in enumerate(region.witnesses, start=1):
        metric, file = catalogue_metric(witness.metric), f"witness-{number}"
        if isinstance(witness, ThresholdWitness) and about_blocks(axiom):
            shown.append(shown_threshold(witness, axiom, metric, file))
        elif isinstance(witness, PairWitness) and about_pairs(axiom):
            shown.append(shown_witness(witness, axiom, metric, "Counterexample", f"{file}.json", axiom.binary))
    return shown

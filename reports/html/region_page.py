"""A region as a page: the map, what is known of every part of it, its ends, and the counterexamples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.axioms import about_pairs, find_axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import read
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.html.cells import ShownWitness, replay_command, shown_witness
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.html.plot import Scale, path_of_rectangles
from axiomcheck.reports.region_map import axis_label, limits, rectangles, sides
from axiomcheck.reports.region_report import enclosure, interval_text, irrational_ends, region_findings, region_title
from axiomcheck.sources.families import catalogue_metric
from axiomcheck.studies.region.result import End, Region, RegionFinding

_LEFT, _RIGHT, _TOP = 62, 16, 12
_WIDTH = 640
_HEIGHTS = (64, 400)
"""Of the map itself, with one axis and with two."""
_POINT = 4
"""Pixels; so wide is a single point, which is drawn over what is beside it."""

WORDS = {
    "holds": "holds, certified on the whole of each part",
    "fails": "fails, certified on the whole of each part",
    "undecided": "undecided",
}


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
    paths: dict[str, str]
    points: tuple[tuple[str, str], ...]
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
        verdict: holds, fails or undecided.
        how: how it is known.
        witness: the number of the counterexample that shows it; None without one.
        share: of the part.

    """

    cutoff: int | None
    where: str
    verdict: str
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


def region_page(region: Region, command: str) -> str:
    """The page.

    Args:
        region: with one or two axes.
        command: what makes the page again.

    """
    shares, ends = region.shares(), list(_ends(region))
    return render_page(
        "region.html.j2",
        styles=("cell.css", "tables.css", "plots.css"),
        scripts=("copy.js", "sort.js"),
        title=region_title(region),
        region=region,
        axiom=find_axiom(region.axiom),
        findings=region_findings(region),
        map=_map(region),
        shares={verdict: 100 * float(shares[verdict]) for verdict in WORDS},
        verdict_words=WORDS,
        lines=list(_lines(region)),
        cutoffs=any(part.cutoff is not None for part in region.parts) and bool(region.real_axes),
        ends=ends,
        polynomials=any(one.polynomial for one in ends),
        tied=any(one.end.tied for one in ends),
        witnesses=_witnesses(region),
        replay=replay_command(region.metric),
        command=command,
    )


def _map(region: Region) -> RegionMap:
    across, up = sides(region)
    height = _HEIGHTS[up is not None]
    whole = {axis.name: axis.whole for axis in region.axes}
    x = Scale(*limits(region, across), _LEFT, _LEFT + _WIDTH, whole[across])
    y = None if up is None else Scale(*limits(region, up), _TOP + height, _TOP, whole[up])
    paths, points = {}, []
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
        if boxes:
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
            yield _line(part.cutoff, where, piece.finding, piece.length / total)
        by_finding: dict[RegionFinding, list[Fraction]] = {}
        for cell in part.cells:
            by_finding.setdefault(cell.finding, []).append(cell.area)
        whole = sum((cell.area for cell in part.cells), Fraction(0))
        for finding, areas in by_finding.items():
            count = counted(len(areas), "rectangle") if region.real_axes else f"k = {part.cutoff}"
            yield _line(part.cutoff, count, finding, sum(areas, Fraction(0)) / whole)


def _line(cutoff: int | None, where: str, finding: RegionFinding, share: Fraction) -> RegionLine:
    found = re.search(r"witness ([0-9]+)$", finding.how)
    return RegionLine(cutoff, where, finding.verdict, finding.how, int(found[1]) if found else None, 100 * float(share))


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


def _witnesses(region: Region) -> list[ShownWitness]:
    axiom = find_axiom(region.axiom)
    shown = []
    for number, document in enumerate(region.witnesses, start=1):
        assert about_pairs(axiom)  # of others there are none
        witness = read(PairWitness, document, "witness")
        metric = catalogue_metric(witness.metric)
        file = f"witness-{number}.json"
        shown.append(shown_witness(witness, axiom, metric, "Counterexample", file, axiom.binary))
    return shown

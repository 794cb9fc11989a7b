"""Render parameter regions (`axiomcheck.studies.region`) in words, as tables, a map, CSV and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.sentences import counterexample_sentence
from axiomcheck.records.witnesses import AnyWitness, PairWitness
from axiomcheck.reports.plot import Areas, Mark, Plot, PlotAxis, Point, Rule
from axiomcheck.reports.replay_report import witness_sections
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, table_csv
from axiomcheck.reports.words import WORDS_EXPLAINED
from axiomcheck.studies.region.axes import CUTOFF, Axis
from axiomcheck.studies.region.result import (
    End,
    Region,
    RegionCell,
    RegionFinding,
    RegionPart,
    RegionPiece,
    SettingsGrid,
)

SCHEMA = "axiomcheck/region"
VERSION = 3

COLUMNS = ("metric", "axiom", "verdict", "shown by")
"""Columns of the CSV, which has one line per setting."""

_ORDER = (Verdict.PROVED, Verdict.REFUTED, Verdict.UNDECIDED)
"""Possible verdicts of exact regions, in display order."""

_MOST_BOXES = 4
"""Maximum number of boxes per verdict that are described in words."""

_INVISIBLE = 1e-6
"""Share of the map up to which a verdict is too small to see, and has no legend entry."""

_LONGEST_NAME = 60


def regions_report(regions: Sequence[Region]) -> Report:
    """Return a report on regions in words. Pages also show maps, the evidence of each part, and witnesses."""
    several = f"{counted(len(regions), 'axiom')} of {regions[0].subject}"
    sections = [section for region in regions for section in _sections(region)]
    return Report(several if len(regions) > 1 else regions[0].title, [], [*sections, WORDS_EXPLAINED])


def _sections(region: Region) -> list[Section]:
    lines = [*region_findings(region), *region.notes]
    undecided = region.shares()[Verdict.UNDECIDED]
    if undecided > 10**-6 and region.grid is None:
        lines.append(f"undecided: {100 * float(undecided):.3g}% of the range")
    sections = [Section(f"{region.title} ({region.reading_text})", lines)]
    sections += [Section(plot=region_plot(region), place="page")] if len(region.axes) <= 2 else []
    sections.append(Section("Certain verdicts, with reasons", table=_certain(region), place="page"))
    for witness in region.witnesses:
        sections += [replace(section, place="page") for section in witness_sections(witness)]
    return sections


def region_findings(region: Region) -> list[str]:
    """Return lines on each verdict: the parameter values for which it holds, or its share if two parameters vary."""
    if region.grid is not None:
        return _of_grid(region, region.grid)
    if len(region.real_axes) == 2:
        lines = []
        for part in region.parts:
            at = "" if part.cutoff is None else f"k = {part.cutoff}: "
            shares, found = part.shares(), Counter(cell.finding.verdict for cell in part.cells)
            shown = [f"{v} on {100 * float(shares[v]):.4g}% ({counted(found[v], 'cell')})" for v in _ORDER if found[v]]
            lines.append(at + ", ".join(shown))
        return lines
    if len(region.parts) > 1 or region.parts[0].cutoff is not None:
        return [f"k = {part.cutoff}: {_sentence(region, part, short=True)}" for part in region.parts]
    return _of_line(region, region.parts[0])


def _of_grid(region: Region, grid: SettingsGrid) -> list[str]:
    """Return two lines per verdict: the settings of a grid that have it, and the finding that decides most of them."""
    by = grid.by.tolist()
    verdicts = [grid.findings[number].verdict for number in by]
    lines = []
    for verdict in (verdict for verdict in Verdict if verdict in verdicts):
        count = verdicts.count(verdict)
        boxes = [cell for cell in region.parts[0].cells if cell.finding.verdict is verdict]
        boxes.sort(key=lambda cell: -cell.size)
        where = "; ".join(box_text(region, cell) for cell in boxes[:_MOST_BOXES])
        more = f"; and {counted(len(boxes) - _MOST_BOXES, 'smaller box')}" if len(boxes) > _MOST_BOXES else ""
        share = "every setting" if count == len(by) else f"{count:,} of {counted(len(by), 'setting')}: {where}{more}"
        lines += [f"{SYMBOLS[verdict]} {verdict} for {share}", f"    {_because(region, grid, verdict)}"]
    return lines


def box_text(region: Region, cell: RegionCell) -> str:
    """Describe a box by its parameter ranges, such as ``p = 0.5 to 0.9``, omitting parameters with full ranges."""
    sides = []
    for axis, (name, low, high) in zip(region.axes, cell.box, strict=True):
        if (low, high) != (axis.values[0], axis.values[-1]):
            sides.append(f"{name} = {float(low):.6g}" + (f" to {float(high):.6g}" if low < high else ""))
    return ", ".join(sides) or "every setting"


def _because(region: Region, grid: SettingsGrid, verdict: Verdict) -> str:
    by = grid.by.tolist()
    numbers = [number for number, finding in enumerate(grid.findings) if finding.verdict is verdict]
    if verdict is Verdict.NOT_APPLICABLE:
        return grid.findings[numbers[-1]].how  # if the cutoff varies, the largest cutoff that is too short
    most = max(numbers, key=lambda number: (by.count(number), -number))
    finding = grid.findings[most]
    count = by.count(most)
    others = f", and {counted(sum(map(by.count, numbers)) - count, 'more setting')}" if len(numbers) > 1 else ""
    return f"{finding.metric}, for {counted(count, 'setting')}{others}: {finding_text(region, finding)}"


def finding_text(region: Region, finding: RegionFinding) -> str:
    """Return the counterexample of a finding in a sentence; if there is none, its reason."""
    if isinstance(finding.witness, PairWitness):
        return counterexample_sentence(region.axiom, finding.witness)
    return finding.how.split("; ")[0] if finding.metric else finding.how


def interval_text(region: Region, part: RegionPart, piece: RegionPiece, short: bool) -> str:
    """Format an interval of one parameter, or a single point in braces, as text.

    Args:
        region: Region with one real axis.
        part: Part of the region.
        piece: Interval or point of that part.
        short: Whether irrational endpoints are shown as decimals rather than names.

    """
    names = _end_names(region, part)

    def named(end: End) -> str:
        if end.rational:
            return str(end.low)
        return f"{end.decimal[:14]}..." if short else names[end]

    if piece.low == piece.high:
        return f"{{{named(piece.low)}}}"
    return f"{'[' if piece.low_in else '('}{named(piece.low)}, {named(piece.high)}{']' if piece.high_in else ')'}"


def _end_names(region: Region, part: RegionPart) -> dict[End, str]:
    """Name the irrational endpoints in a part: ``p*`` if there is only one, else ``p1*``, ``p2*``, ... in order."""
    (axis,) = region.real_axes
    seen = [end for piece in part.pieces for end in (piece.low, piece.high) if not end.rational]
    ends = [end for end, _ in groupby(seen)]
    return {end: f"{axis.name}*" if len(ends) == 1 else f"{axis.name}{n}*" for n, end in enumerate(ends, 1)}


def _sentence(region: Region, part: RegionPart, short: bool) -> str:
    (axis,) = region.real_axes
    said = []
    for verdict in _ORDER:
        pieces = [piece for piece in part.pieces if piece.finding.verdict is verdict]
        if pieces:
            intervals = " and ".join(interval_text(region, part, piece, short) for piece in pieces)
            said.append(f"{verdict} for {axis.name} in {intervals}")
    return ", ".join(said)


def _of_line(region: Region, part: RegionPart) -> list[str]:
    (axis,) = region.real_axes
    lines = [_sentence(region, part, short=False)]
    for end, name in _end_names(region, part).items():
        if end.polynomial is None:
            lines.append(f"{name} = {end.decimal}... (certified: between {' and '.join(enclosure(end))})")
        else:
            lines.append(f"{name} = {end.decimal}..., the root of {end.polynomial} in ({end.low}, {end.high})")
        lines += _ties(name, end)
    inner = [piece.high for piece in part.pieces[:-1] if piece.high.rational and piece.high.tied]
    for end in dict.fromkeys(inner):
        lines += _ties(f"{axis.name} = {end.low}", end)
    for verdict in _ORDER[:2]:
        hows = dict.fromkeys(p.finding.how for p in part.pieces if p.finding.verdict is verdict)
        lines += [f"{verdict}: {how}" for how in list(hows)[:3]]
    return lines


def _ties(name: str, end: End) -> list[str]:
    if not end.tied:
        return []
    shown = ", ".join(map(str, end.tied[:5])) + (", ..." if len(end.tied) > 5 else "")
    return [f"at {name} the two rankings tie exactly at n = {shown}"]


def enclosure(end: End) -> tuple[str, str]:
    """Return lower and upper bounds on an endpoint: rationals for a root of a polynomial, else 20-digit decimals."""
    if end.polynomial is not None:
        return str(end.low), str(end.high)
    low, high = (f"{int(x * 10**20):021d}" for x in (end.low, end.high))
    return f"{low[:-20]}.{low[-20:]}", f"{high[:-20]}.{high[-20:]}"


def _certain(region: Region) -> Table:
    """Return a table of a region's intervals or boxes, with their verdicts, shares of the region and reasons."""
    cutoffs = any(part.cutoff is not None for part in region.parts)
    columns = (Column("Where"), Column("Verdict"), Column("Share", ".4g"), Column("Reason"))
    rows = [[*row, cutoff] if cutoffs else row for cutoff, row in _known(region)]
    return Table((*columns, *([Column("k", "d", "ascending")] if cutoffs else [])), rows)


def _known(region: Region) -> Iterator[tuple[int | None, list[Value]]]:
    """Yield (cutoff, row of the table) for each interval or box. Rectangles of equal verdict and reason share a row."""
    for part in region.parts:
        for piece in part.pieces:
            total = region.real_axes[0].high - region.real_axes[0].low
            where = interval_text(region, part, piece, short=True)
            yield part.cutoff, _known_row(region, where, piece.finding, piece.size / total)
        whole = sum((cell.size for cell in part.cells), Fraction(0))
        if region.grid is not None:
            for cell in part.cells:
                yield None, _known_row(region, box_text(region, cell), cell.finding, cell.size / whole)
            continue
        by_finding: dict[tuple[Verdict, str], list[RegionCell]] = {}
        for cell in part.cells:
            by_finding.setdefault((cell.finding.verdict, cell.finding.how), []).append(cell)
        for cells in by_finding.values():
            count = counted(len(cells), "rectangle")
            share = sum((cell.size for cell in cells), Fraction(0)) / whole
            yield part.cutoff, _known_row(region, count, cells[0].finding, share)


def _known_row(region: Region, where: str, finding: RegionFinding, share: Fraction) -> list[Value]:
    how = finding_text(region, finding)
    if finding.metric and not finding.verdict.decided:
        how = finding.how
    elif finding.metric:
        how = f"{finding.metric}: {how}"
    percent = 100 * float(share)
    verdict = f"{SYMBOLS[finding.verdict]} {finding.verdict}"
    return [where, verdict, TableEntry(f"{percent:.4g}%", percent), how]


def region_plot(region: Region) -> Plot:
    """Return a map of a region with one or two axes. A second axis of integers is drawn horizontally."""
    names = [axis.name for axis in region.axes]
    if len(names) == 2 and region.axes[1].whole:
        names.reverse()
    axes = {axis.name: axis for axis in region.axes}
    x, y = axes[names[0]], axes[names[1]] if len(names) == 2 else None
    boxes: dict[Verdict, list[tuple[float, float, float, float]]] = {}
    for finding, box in region.boxes():
        (left, right), (bottom, top) = (
            (0.0, 1.0) if axis is None else _side(axis, *box[axis.name], region.grid is not None) for axis in (x, y)
        )
        boxes.setdefault(finding.verdict, []).append((left, bottom, right - left, top - bottom))
    marks: list[Mark] = []
    for verdict, share in region.shares().items():
        if verdict in boxes:
            label = _legend(region, verdict, share) if share > _INVISIBLE else ""
            marks.append(Areas(boxes[verdict], f"fill-{verdict}", label))
    defaults = {name: axis.default for name, axis in axes.items()}
    at = {
        name: float(value)
        for name, value in defaults.items()
        if value is not None and axes[name].low <= value <= axes[name].high
    }
    label = "the metric as named: " + ", ".join(f"{name} = {value:g}" for name, value in at.items())
    if y is not None and len(at) == 2:
        marks.append(Point(at[x.name], at[y.name], label))
    elif x.name in at:
        marks.append(Rule(label, x=at[x.name]))
    elif y is not None and y.name in at:
        marks.append(Rule(label, y=at[y.name]))
    title = f"{region.axiom} of {printable(region.subject, _LONGEST_NAME)}, {region.reading_text}"
    up = PlotAxis("", 0.0, 1.0, named=False) if y is None else _axis(y)
    return Plot(title, _axis(x), up, marks, (640, 64 if y is None else 400))


def _legend(region: Region, verdict: Verdict, share: Fraction) -> str:
    where = "at these settings" if region.grid is not None else "on the whole of each part"
    certain = f" {where}" if verdict.satisfied or verdict is Verdict.REFUTED else ""
    return f"{verdict}{certain}, {100 * float(share):.3g}%"


def _axis(axis: Axis) -> PlotAxis:
    """Return the plot axis for a parameter. Integers are strips of width 1, so the axis extends by 1/2 at both ends."""
    margin = 0.5 if axis.whole else 0.0
    label = "cutoff k" if axis.cutoff else {"rc": "grade of relevant documents, rc"}.get(axis.name, axis.name)
    return PlotAxis(label, float(axis.low) - margin, float(axis.high) + margin, axis.whole)


def _side(axis: Axis, low: Fraction, high: Fraction, settings: bool) -> tuple[float, float]:
    """Return the drawn ends of a box. Integers are strips of width 1; settings extend halfway to their neighbours."""
    if axis.whole:
        return float(low) - 0.5, float(high) + 0.5
    return axis.around(low, high) if settings else (float(low), float(high))


def regions_csv(regions: Sequence[Region]) -> str:
    """Return regions that were decided on a grid as CSV, with a line per setting and axiom.

    Raises:
        InvalidInput: A region has exact boundaries instead of a grid of settings.

    """
    rows = []
    for region in regions:
        grid = region.grid
        if grid is None:
            raise InvalidInput(
                f"{region.title} has exact boundaries and no settings; CSV needs a number of values, such as "
                f"p=0.5:0.99:20"
            )
        for number, metric in enumerate(grid.metrics):
            finding = grid.finding(number)
            rows.append([metric, region.axiom, finding.verdict.value, finding.metric])
    return table_csv(COLUMNS, rows)


def regions_json(regions: Sequence[Region]) -> dict[str, Any]:
    """Return regions as a JSON document. The same command always gives the same document."""
    return {"schema": SCHEMA, "version": VERSION, "regions": [_region_json(region) for region in regions]}


def _region_json(region: Region) -> dict[str, Any]:
    witnesses = region.witnesses
    document: dict[str, Any] = {
        "axiom": region.axiom,
        "metric": region.metric,
        "reading": {"regime": region.reading.regime.value, "domain": region.reading.domain.value},
        "over": [
            {
                "name": axis.name,
                "low": str(axis.low),
                "high": str(axis.high),
                "low_open": axis.low_open,
                "high_open": axis.high_open,
                "whole": axis.whole,
                "count": None if region.grid is None else len(axis.values),
            }
            for axis in region.axes
        ],
        "shares": {v.value: float(f"{float(share):.6g}") for v, share in region.shares().items() if share},
        "decided": region.decided,
        "parts": [_part_json(part, witnesses) for part in region.parts],
    }
    if witnesses:
        document["witnesses"] = [document_of(witness) for witness in witnesses]
    if region.notes:
        document["notes"] = list(region.notes)
    return document


def _part_json(part: RegionPart, witnesses: Sequence[AnyWitness]) -> dict[str, Any]:
    out: dict[str, Any] = {} if part.cutoff is None else {CUTOFF: part.cutoff}
    if part.pieces:
        out["intervals"] = [
            {
                "low": _end_json(piece.low),
                "high": _end_json(piece.high),
                "low_included": piece.low_in,
                "high_included": piece.high_in,
                **_finding_json(piece.finding, witnesses),
            }
            for piece in part.pieces
        ]
    if part.cells:
        out["boxes"] = [
            {
                **{name: [str(low), str(high)] for name, low, high in cell.box},
                **_finding_json(cell.finding, witnesses),
                **({} if cell.settings is None else {"settings": cell.settings}),
            }
            for cell in part.cells
        ]
    return out


def _finding_json(finding: RegionFinding, witnesses: Sequence[AnyWitness]) -> dict[str, Any]:
    """Return a finding as JSON, which refers to its counterexample by its number in the document's ``witnesses``."""
    out: dict[str, Any] = {"verdict": finding.verdict.value, "certified": finding.how}
    if finding.metric:
        out["metric"] = finding.metric
    return out | ({} if finding.witness is None else {"witness": witnesses.index(finding.witness) + 1})


def _end_json(end: End) -> dict[str, Any]:
    interval = [str(end.low), str(end.high)]
    if end.rational:
        return {"value": str(end.low)}
    if end.polynomial is None:
        return {"enclosure": interval, "decimal": end.decimal}
    return {"polynomial": end.polynomial, "interval": interval, "decimal": end.decimal, "tied": list(end.tied)}

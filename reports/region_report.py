"""A region in words, for the terminal, and as JSON."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from axiomcheck.core.counting import counted
from axiomcheck.studies.region.axes import CUTOFF
from axiomcheck.studies.region.result import End, Region, RegionPart, RegionPiece, runs

SCHEMA = "axiomcheck/region"
VERSION = 1

_ORDER = ("holds", "fails", "undecided")
_NAMES = {"holds": "holds", "fails": "fails", "undecided": "undecided"}


def region_text(region: Region) -> str:
    """The region, in lines of text that end with a line break."""
    lines = [f"{region_title(region)} ({region.regime} regime)", *region_findings(region)]
    shares = region.shares()
    if shares["undecided"] > 10**-6:
        lines.append(f"undecided: {100 * float(shares['undecided']):.3g}% of the range")
    if region.witnesses:
        lines.append(f"counterexamples used: {len(region.witnesses)} (in the JSON report, -f json)")
    lines += region.notes
    return "".join(f"{line}\n" for line in lines)


def region_title(region: Region) -> str:
    """What was asked: the axiom, the metric and what was varied."""
    return f"{region.axiom} of {region.subject} over {' and '.join(axis.text for axis in region.axes)}"


def region_findings(region: Region) -> list[str]:
    """Where it holds and fails, and why, a line each."""
    if not region.real_axes:
        return _of_cutoffs(region)
    if len(region.real_axes) == 2:
        return _of_plane(region)
    if len(region.parts) > 1 or region.parts[0].cutoff is not None:
        return [f"k = {part.cutoff}: {_sentence(region, part, short=True)}" for part in region.parts]
    return _of_line(region, region.parts[0])


def _of_cutoffs(region: Region) -> list[str]:
    lines = []
    for finding, cutoffs in runs(region.parts):
        which = f"{cutoffs[0]}" if len(cutoffs) == 1 else f"{cutoffs[0]} to {cutoffs[-1]}"
        lines.append(f"{finding.verdict} for k = {which}")
    return lines


def _of_plane(region: Region) -> list[str]:
    lines = []
    for part in region.parts:
        at = "" if part.cutoff is None else f"k = {part.cutoff}: "
        shares = part.shares()
        counts = {v: sum(c.finding.verdict == v for c in part.cells) for v in _ORDER}
        shown = [f"{v} on {100 * float(shares[v]):.4g}% ({counted(counts[v], 'cell')})" for v in _ORDER if counts[v]]
        lines.append(at + ", ".join(shown))
    return lines


def irrational_ends(part: RegionPart) -> list[End]:
    """The ends that are not rational, from left to right."""
    seen = [end for piece in part.pieces for end in (piece.low, piece.high) if not end.rational]
    return [end for end, _ in groupby(seen)]


def interval_text(region: Region, part: RegionPart, piece: RegionPiece, short: bool) -> str:
    """An interval of one parameter, or a single point in braces.

    Args:
        region: with one real axis.
        part: of it.
        piece: of that part.
        short: whether ends that are not rational are decimals rather than names.

    """
    (axis,) = region.real_axes
    ends = irrational_ends(part)

    def named(end: End) -> str:
        if end.rational:
            return str(end.low)
        if short:
            return f"{end.decimal[:14]}..."
        return f"{axis.name}*" if len(ends) == 1 else f"{axis.name}{ends.index(end) + 1}*"

    if piece.low == piece.high:
        return f"{{{named(piece.low)}}}"
    return f"{'[' if piece.low_in else '('}{named(piece.low)}, {named(piece.high)}{']' if piece.high_in else ')'}"


def _sentence(region: Region, part: RegionPart, short: bool) -> str:
    (axis,) = region.real_axes
    said = []
    for verdict in _ORDER:
        pieces = [piece for piece in part.pieces if piece.finding.verdict == verdict]
        if pieces:
            intervals = " and ".join(interval_text(region, part, piece, short) for piece in pieces)
            said.append(f"{_NAMES[verdict]} for {axis.name} in {intervals}")
    return ", ".join(said)


def _of_line(region: Region, part: RegionPart) -> list[str]:
    (axis,) = region.real_axes
    lines = [_sentence(region, part, short=False)]
    ends = irrational_ends(part)
    for number, end in enumerate(ends, start=1):
        name = f"{axis.name}*" if len(ends) == 1 else f"{axis.name}{number}*"
        if end.polynomial is None:
            lines.append(f"{name} = {end.decimal}... (certified: between {' and '.join(enclosure(end))})")
        else:
            lines.append(f"{name} = {end.decimal}..., the root of {end.polynomial} in ({end.low}, {end.high})")
        lines += _ties(name, end)
    inner = [piece.high for piece in part.pieces[:-1] if piece.high.rational and piece.high.tied]
    for end in dict.fromkeys(inner):
        lines += _ties(f"{axis.name} = {end.low}", end)
    for verdict in _ORDER[:2]:
        hows = dict.fromkeys(p.finding.how for p in part.pieces if p.finding.verdict == verdict)
        lines += [f"{verdict}: {how}" for how in list(hows)[:3]]
    return lines


def _ties(name: str, end: End) -> list[str]:
    if not end.tied:
        return []
    shown = ", ".join(map(str, end.tied[:5])) + (", ..." if len(end.tied) > 5 else "")
    return [f"at {name} the two rankings tie exactly at n = {shown}"]


def enclosure(end: End) -> tuple[str, str]:
    """What an end lies between: rationals where it is a root, twenty digits where only its enclosure is known."""
    return (_decimal(end, 0), _decimal(end, 1)) if end.polynomial is None else (str(end.low), str(end.high))


def _decimal(end: End, side: int) -> str:
    value = (end.low, end.high)[side] * 10**20
    digits = f"{int(value):021d}"
    return f"{digits[:-20]}.{digits[-20:]}"


def region_json(region: Region) -> dict[str, Any]:
    """The region as a JSON document, the same for the same question."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "axiom": region.axiom,
        "metric": region.metric,
        "regime": region.regime,
        "over": [
            {
                "name": axis.name,
                "low": str(axis.low),
                "high": str(axis.high),
                "low_open": axis.low_open,
                "high_open": axis.high_open,
                "whole": axis.whole,
            }
            for axis in region.axes
        ],
        "shares": {verdict: float(f"{float(share):.6g}") for verdict, share in region.shares().items()},
        "decided": region.decided,
        "parts": [_part_json(part) for part in region.parts],
    }
    if region.witnesses:
        document["witnesses"] = list(region.witnesses)
    if region.notes:
        document["notes"] = list(region.notes)
    return document


def _part_json(part: RegionPart) -> dict[str, Any]:
    out: dict[str, Any] = {} if part.cutoff is None else {CUTOFF: part.cutoff}
    if part.pieces:
        out["intervals"] = [
            {
                "low": _end_json(piece.low),
                "high": _end_json(piece.high),
                "low_included": piece.low_in,
                "high_included": piece.high_in,
                "verdict": piece.finding.verdict,
                "certified": piece.finding.how,
            }
            for piece in part.pieces
        ]
    if part.cells:
        out["boxes"] = [
            {
                **{name: [str(low), str(high)] for name, low, high in cell.box},
                "verdict": cell.finding.verdict,
                "certified": cell.finding.how,
            }
            for cell in part.cells
        ]
    return out


def _end_json(end: End) -> dict[str, Any]:
    interval = [str(end.low), str(end.high)]
    if end.rational:
        return {"value": str(end.low)}
    if end.polynomial is None:
        return {"enclosure": interval, "decimal": end.decimal}
    return {"polynomial": end.polynomial, "interval": interval, "decimal": end.decimal, "tied": list(end.tied)}

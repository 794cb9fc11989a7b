"""Grids of settings of one metric, which are decided axiom by axiom in parts and cached in a ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, product
from math import prod
from typing import Any

import numpy as np

from axiomcheck.axioms import AXIOMS, Axiom
from axiomcheck.core.documents import document_of, read
from axiomcheck.core.domain import Reading
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.budgets import Settings
from axiomcheck.engine.events import Interrupted
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.metrics import Metric
from axiomcheck.records.witnesses import witness_kind
from axiomcheck.runs.pieces import finished
from axiomcheck.sources.provenance import is_genuine
from axiomcheck.sources.resolve import resolve
from axiomcheck.studies.region.axes import CUTOFF, Axis
from axiomcheck.studies.region.carried import decide_column
from axiomcheck.studies.region.result import RegionCell, RegionFinding, RegionPart, SettingsGrid

_MOST_SETTINGS = 500
"""Maximum number of settings per part. Settings share findings only within a part."""

INTERRUPTED = "interrupted before it was decided"

Ranges = tuple[tuple[int, int], ...]
"""Indices of the first and last value on each axis."""


@dataclass(frozen=True)
class GridStudy:
    """The grids of several axioms.

    Args:
        parts: Boxes of settings and single settings, for each axiom.
        interrupted: Whether Ctrl-C ended the work and left some settings undecided.
        remembered: Number of parts that were loaded from the ledger.

    """

    parts: tuple[tuple[RegionPart, SettingsGrid], ...]
    interrupted: bool
    remembered: int


@dataclass(frozen=True)
class _Common:
    metric: Metric | str
    axes: tuple[Axis, ...]
    axioms: tuple[Axiom, ...]
    reading: Reading
    settings: Settings


@dataclass(frozen=True)
class _Piece:
    """Piece of work: the index of an axiom, and the indices of the settings to decide for it."""

    axiom: int
    numbers: tuple[int, ...]


def settings_of(metric: Metric, axes: Sequence[Axis]) -> list[Metric]:
    """Return the metric at every combination of values; the last axis changes fastest.

    Raises:
        InvalidInput: The metric does not allow one of the combinations.

    """
    found = []
    for point in product(*(axis.values for axis in axes)):
        given: dict[str, Any] = dict(zip((axis.name for axis in axes), point, strict=True))
        cutoff = int(given.pop(CUTOFF)) if any(axis.cutoff for axis in axes) else metric.cutoff
        found.append(metric.remade(cutoff, metric.values | given))
    return found


def study_grid(
    metric: Metric,
    axes: Sequence[Axis],
    axioms: Sequence[Axiom],
    reading: Reading,
    settings: Settings,
    jobs: int = 1,
    listen: Callable[[float, str], None] = lambda share, doing: None,
    ledger: LedgerFile | None = None,
) -> GridStudy:
    """Decide for every setting of a metric which axioms it satisfies.

    Args:
        metric: Metric. If it is not in the catalogue, the work is done in this process and not cached.
        axes: Axes with values.
        axioms: Axioms in report order.
        reading: Regime and domain.
        settings: Seed and budgets.
        jobs: Number of worker processes; 1 means this process.
        listen: Callback for the share of the work that is done and the axiom of the part that was finished last.
        ledger: Cache of decided parts, which the caller closes.

    Returns:
        The verdicts. After a KeyboardInterrupt, settings without a verdict are undecided.

    Raises:
        InvalidInput: The metric does not allow a setting.
        InternalDisagreement: Two parts of axiomcheck contradict each other.
        OverLimit: A worker was killed.

    """
    metrics = settings_of(metric, axes)
    genuine = is_genuine(metric)
    common = _Common(metric.canonical if genuine else metric, tuple(axes), tuple(axioms), reading, settings)
    pieces = _pieces(metrics, axioms)
    keys = [_key(metrics, common, piece) if genuine else None for piece in pieces]
    found: dict[int, SettingsGrid] = {}
    interrupted, remembered = False, 0
    try:
        work = finished(_decide, common, pieces, keys, kind="grid", jobs=jobs if genuine else 1, kept=ledger)
        for number, document, kept in work:
            axiom, names = axioms[pieces[number].axiom], [metrics[k].canonical for k in pieces[number].numbers]
            found[number] = _read(document, axiom, names)
            remembered += kept
            listen(len(found) / len(pieces), axiom.name)
    except (KeyboardInterrupt, Interrupted):  # `Interrupted` comes from runs of single cells in this process
        interrupted = True
    parts = []
    for number in range(len(axioms)):
        column = _column(metrics, [(p, found.get(k)) for k, p in enumerate(pieces) if p.axiom == number])
        parts.append((_boxes(column, axes), column))
    return GridStudy(tuple(parts), interrupted, remembered)


def _decide(common: _Common, piece: _Piece) -> dict[str, Any]:
    metric = resolve(common.metric) if isinstance(common.metric, str) else common.metric
    metrics = settings_of(metric, common.axes)
    part = [metrics[k] for k in piece.numbers]
    return _written(decide_column(common.axioms[piece.axiom], part, common.reading, common.settings))


def _written(part: SettingsGrid) -> dict[str, Any]:
    """Convert a part to JSON, with null for a share that is NaN."""
    findings = [
        asdict(finding) | {"witness": finding.witness and document_of(finding.witness)} for finding in part.findings
    ]
    shares = [None if np.isnan(share) else share for share in part.reversed.tolist()]
    return {"findings": findings, "by": part.by.tolist(), "reversed": shares, "compared": part.compared}


def _read(document: dict[str, Any], axiom: Axiom, names: Sequence[str]) -> SettingsGrid:
    """Read a part that `_written` converted."""
    findings = tuple(
        RegionFinding(
            **finding
            | {
                "verdict": Verdict(finding["verdict"]),
                "witness": finding["witness"] and read(witness_kind(axiom), finding["witness"], "witness"),
            }
        )
        for finding in document["findings"]
    )
    shares = np.array([np.nan if share is None else share for share in document["reversed"]], dtype=np.float64)
    return SettingsGrid(tuple(names), findings, np.array(document["by"], dtype=np.int64), shares, document["compared"])


def _key(metrics: Sequence[Metric], common: _Common, piece: _Piece) -> str | None:
    """Return the cache key of a part; None for an axiom outside the ten, which is not identified by its name."""
    axiom = common.axioms[piece.axiom]
    if AXIOMS.get(axiom.name) is not axiom:
        return None
    return key_of(
        what="grid",
        metrics=[metrics[number].canonical for number in piece.numbers],
        axiom=axiom.name,
        reading=asdict(common.reading),
        settings=asdict(common.settings),
    )


def _pieces(metrics: Sequence[Metric], axioms: Sequence[Axiom]) -> list[_Piece]:
    """Return the pieces of work, longest first.

    A threshold axiom takes longest, since it is decided setting by setting.
    """
    found = []
    cutoffs = [metric.cutoff or 0 for metric in metrics]
    by_cutoff = sorted(range(len(metrics)), key=cutoffs.__getitem__)
    for axiom in sorted(range(len(axioms)), key=lambda number: axioms[number].drawn):
        for _, group in groupby(by_cutoff, key=cutoffs.__getitem__):
            numbers = list(group)
            starts = range(0, len(numbers), _MOST_SETTINGS)
            found += [_Piece(axiom, tuple(numbers[start : start + _MOST_SETTINGS])) for start in starts]
    return found


def _column(metrics: Sequence[Metric], parts: Sequence[tuple[_Piece, SettingsGrid | None]]) -> SettingsGrid:
    """Combine the parts of one axiom into one grid."""
    findings: list[RegionFinding] = []
    by = np.zeros(len(metrics), dtype=np.int64)
    reversed_ = np.full(len(metrics), np.nan)
    compared = 0
    for piece, found in parts:
        numbers = list(piece.numbers)
        if found is None:
            by[numbers] = len(findings)
            findings.append(RegionFinding(Verdict.UNDECIDED, INTERRUPTED, metrics[numbers[0]].canonical))
            continue
        by[numbers] = found.by + len(findings)
        findings += found.findings
        reversed_[numbers] = found.reversed
        compared += found.compared
    return SettingsGrid(tuple(metric.canonical for metric in metrics), tuple(findings), by, reversed_, compared)


def _boxes(grid: SettingsGrid, axes: Sequence[Axis]) -> RegionPart:
    """Return boxes of neighbouring settings with one verdict, which together fill the grid."""
    shape = [len(axis.values) for axis in axes]
    cells = []
    for ranges, _ in boxes_of([grid.findings[number].verdict for number in grid.by], shape):
        sides = tuple(
            (axis.name, axis.values[low], axis.values[high]) for axis, (low, high) in zip(axes, ranges, strict=True)
        )
        first = int(np.ravel_multi_index([low for low, _ in ranges], shape))
        cells.append(RegionCell(sides, grid.finding(first), prod(high - low + 1 for low, high in ranges)))
    return RegionPart(None, (), tuple(cells))


def boxes_of(verdicts: Sequence[Verdict], shape: Sequence[int]) -> list[tuple[Ranges, Verdict]]:
    """Return boxes that fill a grid without overlap.

    A box extends along the first axis as long as the boxes of the other axes stay the same.

    Args:
        verdicts: Verdict of every setting; the last axis changes fastest.
        shape: Number of values on each axis.

    """
    if not shape:
        return [((), verdicts[0])]
    step = prod(shape[1:])
    across = [boxes_of(verdicts[k : k + step], shape[1:]) for k in range(0, len(verdicts), step)]
    found: list[tuple[Ranges, Verdict]] = []
    for boxes, group in groupby(enumerate(across), key=lambda pair: pair[1]):
        same = [number for number, _ in group]
        found += [(((same[0], same[-1]), *ranges), verdict) for ranges, verdict in boxes]
    return found

"""Grids of settings of one metric, decided axiom by axiom in parts, which a ledger keeps."""

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
from axiomcheck.decide.search import Settings
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
"""The most settings of one part: what is found of a setting is carried within its part only."""

INTERRUPTED = "interrupted before it was decided"

Ranges = tuple[tuple[int, int], ...]
"""The first and the last value of each axis, by number."""


@dataclass(frozen=True)
class GridStudy:
    """The grids of several axioms.

    Args:
        parts: of each axiom, the boxes of settings and the settings one by one.
        interrupted: whether Ctrl-C ended the work, so that some settings are undecided.
        remembered: how many parts were loaded from the ledger.

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
    """Settings by one axiom, each by its number."""

    axiom: int
    numbers: tuple[int, ...]


def settings_of(metric: Metric, axes: Sequence[Axis]) -> list[Metric]:
    """Return the metric at every combination of values, the last axis changing fastest.

    Raises:
        InvalidInput: the metric does not allow one of them.

    """
    found = []
    for point in product(*(axis.values for axis in axes)):
        given: dict[str, Any] = dict(zip((axis.name for axis in axes), point, strict=True))
        cutoff = int(given.pop(CUTOFF)) if CUTOFF in given else metric.cutoff
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
    """Decide every axiom for every setting.

    Args:
        metric: one that is not the catalogue's is decided in this process, and kept in no ledger.
        axes: with values.
        axioms: in report order.
        reading: regime and domain.
        settings: seed and budgets.
        jobs: worker processes; 1 works in this one.
        listen: called with the share of the work that is done, and the axiom of what was finished last.
        ledger: where parts that are decided already are looked for, and the others kept; the caller closes it.

    Returns:
        The verdicts; on KeyboardInterrupt those that there were, the others undecided.

    Raises:
        InvalidInput: the metric does not allow a setting.
        InternalDisagreement: two parts of axiomcheck contradict each other.
        OverLimit: a worker was killed.

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
    except (KeyboardInterrupt, Interrupted):  # as runs of single cells, in this process, have it
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
    """Return a part as JSON has it; null for a share that is not a number."""
    findings = [
        asdict(finding) | {"witness": finding.witness and document_of(finding.witness)} for finding in part.findings
    ]
    shares = [None if np.isnan(share) else share for share in part.reversed.tolist()]
    return {"findings": findings, "by": part.by.tolist(), "reversed": shares, "compared": part.compared}


def _read(document: dict[str, Any], axiom: Axiom, names: Sequence[str]) -> SettingsGrid:
    """Return what `_written` made of a part."""
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
    """Return the key of a part; None for an axiom that is not one of the ten, which its name does not tell."""
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
    """Return the parts, the longest first: axioms on long blocks are decided setting by setting."""
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
    """Return the settings of one axiom, of its parts."""
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
    """Return the boxes of neighbouring settings of one verdict, which fill a grid."""
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
    """Return boxes that fill a grid without overlap: along the first axis as far as all across it stays the same.

    Args:
        verdicts: of every setting, the last axis changing fastest.
        shape: how many values each axis has.

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

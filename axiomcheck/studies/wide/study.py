"""Grids of settings by axioms, decided in parts; what is kept of them does not grow with what is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np

from axiomcheck.axioms import AXIOMS, Axiom, about_blocks
from axiomcheck.core.domain import Reading
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.events import Interrupted
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.runs.pieces import finished
from axiomcheck.studies.wide.column import ColumnFound, ColumnPart, SettingFinding, decide_column
from axiomcheck.studies.wide.grids import SettingsGrid, read_grid
from axiomcheck.studies.wide.regions import SettingsRegion, regions_of

_MOST_SETTINGS = 500
"""Of one part: what is found of a setting is carried within its part only."""

INTERRUPTED = "interrupted before it was decided"


@dataclass(frozen=True)
class GridColumn:
    """One axiom for every setting of a grid.

    Args:
        axiom: its name.
        findings: what was found.
        by: (S,) of each setting, the number of the finding that speaks for it.
        reversed: (S,) of each setting, the share of the sampled instances on which floats have the worse ranking
            clearly ahead; not a number where none were compared.
        compared: how many comparisons of instances by settings there were, in floats.
        regions: boxes of neighbouring settings of one verdict, which fill the grid.

    """

    axiom: str
    findings: tuple[SettingFinding, ...]
    by: Integers
    reversed: Reals
    compared: int
    regions: tuple[SettingsRegion, ...]

    def verdict(self, setting: int) -> Verdict:
        """The verdict of one setting."""
        return self.findings[int(self.by[setting])].verdict

    def counts(self) -> dict[Verdict, int]:
        """Verdict -> how many settings have it, in the order of `Verdict`."""
        found = [self.verdict(setting) for setting in range(len(self.by))]
        return {verdict: found.count(verdict) for verdict in Verdict if verdict in found}


@dataclass(frozen=True)
class GridStudy:
    """Grids by axioms.

    Args:
        grids: with their columns, in the order of axioms.
        reading, settings: as asked.
        interrupted: whether Ctrl-C ended the work, so that some settings are undecided.
        remembered: how many parts were loaded from the ledger.

    """

    grids: tuple[tuple[SettingsGrid, tuple[GridColumn, ...]], ...]
    reading: Reading
    settings: Settings
    interrupted: bool = False
    remembered: int = field(default=0, compare=False)

    @property
    def columns(self) -> Iterator[GridColumn]:
        """Of all grids."""
        return (column for _, columns in self.grids for column in columns)


@dataclass(frozen=True)
class _Common:
    texts: tuple[str, ...]
    axioms: tuple[Axiom, ...]
    reading: Reading
    settings: Settings


@dataclass(frozen=True)
class _Piece:
    """Settings of one grid by one axiom."""

    grid: int
    axiom: int
    numbers: tuple[int, ...]


def study_grids(
    texts: Sequence[str],
    axioms: Sequence[Axiom],
    reading: Reading,
    settings: Settings,
    jobs: int = 1,
    listen: Callable[[float, str], None] = lambda share, doing: None,
    ledger: LedgerFile | None = None,
) -> GridStudy:
    """Decides every axiom for every setting.

    Args:
        texts: as `axiomcheck.studies.wide.grids.read_grid` takes them.
        axioms: in report order.
        reading: regime and domain.
        settings: seed and budgets.
        jobs: worker processes; 1 works in this one.
        listen: called with the share of the work that is done, and the axiom of what was finished last.
        ledger: where parts that are decided already are looked for, and the others kept; the caller closes it.

    Returns:
        The verdicts; on KeyboardInterrupt those that there were, the others undecided.

    Raises:
        InvalidInput: a text is no grid.
        InternalDisagreement: two parts of axiomcheck contradict each other.
        OverLimit: a worker was killed.

    """
    grids = [_grid(text) for text in texts]
    common = _Common(tuple(texts), tuple(axioms), reading, settings)
    pieces = _pieces(grids, axioms)
    keys = [_key(grids, common, piece) for piece in pieces]
    columns: dict[int, ColumnFound] = {}
    interrupted, remembered = False, 0
    try:
        for number, found, kept in finished(_decide, common, pieces, keys, kind="grid", jobs=jobs, kept=ledger):
            axiom = axioms[pieces[number].axiom]
            columns[number] = ColumnFound.of(found, axiom)
            remembered += kept
            listen(len(columns) / len(pieces), axiom.name)
    except (KeyboardInterrupt, Interrupted):  # as runs of single cells, in this process, have it
        interrupted = True
    decided = tuple(
        (
            grid,
            tuple(
                _column(
                    grid,
                    axiom.name,
                    [(p, columns.get(k)) for k, p in enumerate(pieces) if (p.grid, p.axiom) == (g, a)],
                )
                for a, axiom in enumerate(axioms)
            ),
        )
        for g, grid in enumerate(grids)
    )
    return GridStudy(decided, reading, settings, interrupted, remembered)


_grid = lru_cache(maxsize=64)(read_grid)


def _decide(common: _Common, piece: _Piece) -> dict[str, Any]:
    metrics = _grid(common.texts[piece.grid]).metrics
    part = tuple(metrics[k] for k in piece.numbers)
    return decide_column(ColumnPart(common.axioms[piece.axiom], part, common.reading, common.settings)).document()


def _key(grids: Sequence[SettingsGrid], common: _Common, piece: _Piece) -> str | None:
    """Return the key of a part; None for an axiom that is not one of the ten, which its name does not tell."""
    axiom = common.axioms[piece.axiom]
    if AXIOMS.get(axiom.name) is not axiom:
        return None
    return key_of(
        what="grid",
        metrics=[grids[piece.grid].metrics[number].canonical for number in piece.numbers],
        axiom=axiom.name,
        reading=asdict(common.reading),
        settings=asdict(common.settings),
    )


def _pieces(grids: Sequence[SettingsGrid], axioms: Sequence[Axiom]) -> list[_Piece]:
    """The longest first: axioms on long blocks are decided setting by setting."""
    found = []
    for a in sorted(range(len(axioms)), key=lambda a: not about_blocks(axioms[a])):
        for g, grid in enumerate(grids):
            cutoffs = [metric.cutoff or 0 for metric in grid.metrics]
            by_cutoff = sorted(range(grid.size), key=cutoffs.__getitem__)
            for _, group in groupby(by_cutoff, key=cutoffs.__getitem__):
                numbers = list(group)
                starts = range(0, len(numbers), _MOST_SETTINGS)
                found += [_Piece(g, a, tuple(numbers[k : k + _MOST_SETTINGS])) for k in starts]
    return found


def _column(grid: SettingsGrid, axiom: str, parts: Sequence[tuple[_Piece, ColumnFound | None]]) -> GridColumn:
    """A column of its parts."""
    findings: list[SettingFinding] = []
    by = np.zeros(grid.size, dtype=np.int64)
    reversed_ = np.full(grid.size, np.nan)
    compared = 0
    for piece, found in parts:
        numbers = list(piece.numbers)
        if found is None:
            by[numbers] = len(findings)
            name = grid.metrics[numbers[0]].canonical
            findings.append(SettingFinding(name, Verdict.UNDECIDED, INTERRUPTED))
            continue
        by[numbers] = found.by + len(findings)
        findings += found.findings
        reversed_[numbers] = found.reversed
        compared += found.compared
    verdicts = [findings[k].verdict for k in by]
    regions = tuple(regions_of(verdicts, grid.shape))
    return GridColumn(axiom, tuple(findings), by, reversed_, compared, regions)

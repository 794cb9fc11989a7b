"""The order in which a run with a limit on its time goes on: the cells of which least is known come first."""

from __future__ import annotations

from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell


def least_known(cell: Cell | None) -> tuple[int, int]:
    """Return how much is known of a cell: the least is first.

    A cell without an answer comes before one that is undecided, that before one that only a search speaks for, that
    before one with a proof of some sizes, and a refuted one, which may be refuted more simply, is last. Among equals
    the one with the fewest distinct instances is first.
    """
    if cell is None:
        return 0, 0
    standing = {Verdict.UNDECIDED: 1, Verdict.REFUTED: 4}.get(cell.verdict, 2)
    if standing == 2 and cell.certificate is not None:
        standing = 3
    return standing, cell.instances

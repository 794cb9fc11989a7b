"""The clock beside the queue of a run with a limit on its time: how much the next block of a cell may have.

A cell's first block is as large as its share of the time seems to allow, and further ones add instances to it. Each
comes to its end or to nothing, so that no answer is cut short: what speed decides is how many instances there were,
which the evidence says.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from axiomcheck.core.errors import OverLimit
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import BLOCK, Settings, of_few
from axiomcheck.engine.blocks import Block
from axiomcheck.engine.external import Measured, seconds_of_calls
from axiomcheck.engine.tasks import Deadline, Found, Key
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell

FEWEST = 15
"""Instances of the smallest block: a few of every kind, in a second or two of a metric of 10 ms a call."""

_CALLS, _CALLS_OF_ONE = 300, 10
"""Rankings that are scored of every cell, and for every example; the fastest metrics have fewer."""

_OF_THE_FIRST, _OF_LATER = 0.4, 0.75
"""The part of its share of the time that a block is planned to take: one that takes more may come to nothing."""

_CONTRACT_CALLS = 6_000
"""More than the contract checks make of a metric that is called ranking by ranking."""

_FEW_CASES = 500
"""The fewest cases that the contract checks have, as a metric's most examples."""


@dataclass
class _Pace:
    """The blocks of a cell so far.

    Args:
        tried: examples of those that are part of its answer.
        few: examples of the last one.
        rate: seconds that the last one took for each, with what comes before a search; 0 before any came to its end.
        lost: seconds that the last one had which came to nothing.
        why: it did.

    """

    tried: int = 0
    few: int = 0
    rate: float = 0.0
    lost: float = 0.0
    why: str = "it had none of it"


class Budget:
    """Shares the time that is left among the cells that are open.

    Args:
        deadline: the end of all of it.
        settings: the examples that no cell has more of.
        places: how many blocks are searched at a time.
        limit: the most seconds of one block.

    Attributes:
        measured: how fast external metrics are, by name; those that are not there are the catalogue's, which are quick.

    """

    def __init__(
        self,
        deadline: Deadline,
        settings: Settings,
        places: int,
        limit: float,
    ) -> None:
        self._deadline, self._examples, self._places, self._limit = deadline, settings.examples, places, limit
        self.measured: dict[str, Measured] = {}
        self._paces: dict[Key, _Pace] = defaultdict(_Pace)

    def block(self, key: Key, is_first: bool, open_cells: int) -> Block | None:
        """Return what the next block of a cell may have; None where there is no time for one.

        Args:
            key: of the cell.
            is_first: whether it has no answer that the block adds to.
            open_cells: how many cells share the time.

        """
        left = self._deadline.left_for_work()
        if not left:
            return None
        pace, most = self._paces[key], self._most(key)
        share = min(left, left * self._places / open_cells)
        seconds = min(left, self._limit, 2 * share)
        if pace.rate:
            least = 2 * pace.few if is_first else max(FEWEST, pace.tried // 2)
            least = min(least, most - pace.tried)
            if least * pace.rate > _OF_LATER * left:
                return None
            size = min(max(least, int(_OF_LATER * share / pace.rate)), most - pace.tried)
            seconds = max(seconds, min(left, self._limit, size * pace.rate / _OF_LATER))
        elif pace.lost:
            size = FEWEST
            if pace.few <= FEWEST and seconds < 1.5 * pace.lost:
                return None
        else:
            size = self._first_size(key, share)
        if is_first and size >= most:
            return Block(min(self._examples, BLOCK), seconds=seconds)
        return Block(min(size, BLOCK), min(size, BLOCK), seconds)

    def _first_size(self, key: Key, share: float) -> int:
        """Return the examples of a cell's first block, by how long its metric took for a ranking."""
        known = self.measured.get(key[0])
        if known is None:  # the catalogue's, which are quick
            return self._most(key)
        return max(FEWEST, int((_OF_THE_FIRST * share / known.seconds - _CALLS) / _CALLS_OF_ONE))

    def _most(self, key: Key) -> int:
        """Return how many examples a cell may have in all."""
        known = self.measured.get(key[0])
        slowest = known.most_examples if known is not None else None
        return self._examples if slowest is None else min(self._examples, slowest)

    def counts(self, found: Found) -> bool:
        """Take how a block ended; false for one to which no other can add, in whose place the next one is."""
        pace, cell, task = self._paces[found.key], found.cell, found.task
        pace.few = task.few or self._most(found.key)
        if cell.failure is Failure.LIMIT:
            pace.lost, pace.why = task.seconds or 0.0, cell.reason
            pace.rate *= 2
            return False
        pace.rate = max(found.seconds, 1e-3) / max(1, pace.few)
        if task.few is not None and not task.block and cell.verdict is Verdict.UNDECIDED and cell.pairs is not None:
            return False
        pace.tried += pace.few
        return True

    def has_more(self, key: Key) -> bool:
        """Tell whether a cell may have more examples than it had."""
        return self._paces[key].tried < self._most(key)

    def no_answer(self, key: Key) -> OverLimit:
        """Return why a cell has no answer."""
        return OverLimit(f"no answer within the budget of {self._deadline.seconds:g} s: {self._paces[key].why}")


def cut_short(cell: Cell) -> bool:
    """Tell whether a budget of time left a cell fewer instances than there are, or none."""
    if cell.pairs is not None:
        return bool(cell.pairs.few)
    return cell.failure is Failure.LIMIT


def for_contract(metric: Metric, seconds: float | None) -> Metric:
    """Return a metric as the contract checks are to try it: on fewer cases where so many seconds are too few."""
    if seconds is None or seconds_of_calls(metric) * _CONTRACT_CALLS < seconds:
        return metric
    return of_few(metric, _FEW_CASES)

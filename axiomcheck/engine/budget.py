"""The clock beside the queue of a run with a limit on its time: how much the next block of a cell may have.

An external metric is asked about few instances of every cell first. By how long that takes, a cell then has all at once
that a run without a limit tries of it, or else blocks that add instances to its answer. Each comes to its end or to
nothing, so that no answer is cut short: what speed decides is how many instances there were, which the evidence says.
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
"""Instances of the first block: a few of every kind, in a second or two of a metric of 10 ms a call."""

_CALLS_OF_ONE, _SECONDS_OF_ONE = 10, 5e-5
"""For every example, the rankings that are scored at most, and the seconds that a search takes besides."""

_QUICK = 3.0
"""The seconds that a cell of a catalogue metric takes with a block of all instances."""

_CAREFUL = 0.75
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
        begins: seconds that the first one took, most of them before its search.
        of_one: seconds of each further example, as far as is known.
        lost: seconds that a block had which came to nothing.
        why: it did.

    """

    tried: int = 0
    few: int = 0
    begins: float = 0.0
    of_one: float = _SECONDS_OF_ONE
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

    def __init__(self, deadline: Deadline, settings: Settings, places: int, limit: float) -> None:
        self._deadline, self._places, self._limit = deadline, places, limit
        self._examples, self._proofs = settings.examples, settings.proofs
        self.measured: dict[str, Measured] = {}
        self._paces: dict[Key, _Pace] = defaultdict(_Pace)

    def block(self, key: Key, answer: Cell | None, is_added: bool, peers: int) -> Block | None:
        """Return what the next block of a cell may have; None where there is no time for one that tells more.

        Args:
            key: of the cell.
            answer: the cell so far.
            is_added: whether the block adds to that; else it is in the place of those before it.
            peers: how many cells of which as much is known share the time, with this one.

        """
        left = self._deadline.left_for_work()
        if not left:
            return None
        pace, most, whole = self._paces[key], self._most(key), min(self._examples, BLOCK)
        share = min(left, left * self._places / peers)
        seconds = min(left, self._limit, 2 * share)
        if answer is None:
            seconds = min(self._limit, max(seconds, 2 * pace.lost))
            if seconds > left:
                return None
            is_quick = key[0] not in self.measured and share > _QUICK
            is_whole = not pace.lost and (is_quick or most <= FEWEST)
            return Block(whole, seconds=seconds) if is_whole else Block(FEWEST, FEWEST, seconds)
        size = int((_CAREFUL * share - pace.begins) / pace.of_one)
        # Examples decide nothing of thresholds, of which all is little more.
        if pace.tried <= FEWEST and (size >= most or (not answer.pairs and 2 * pace.begins < left)):
            return Block(whole, seconds=min(left, self._limit, max(seconds, 2 * pace.begins)))
        if not is_added and not (answer.pairs and answer.verdict is Verdict.UNDECIDED):
            return None
        least = min(most - pace.tried, max(FEWEST, pace.tried // 2) if is_added else 2 * pace.few)
        needed = pace.begins + least * pace.of_one
        if least <= 0 or needed > _CAREFUL * left:
            return None
        size = min(max(least, size), most - pace.tried, BLOCK)
        return Block(size, size, min(left, self._limit, max(seconds, needed / _CAREFUL)))

    def _most(self, key: Key) -> int:
        """Return how many examples a cell may have in all."""
        known = self.measured.get(key[0])
        slowest = known.most_examples if known is not None else None
        return self._examples if slowest is None else min(self._examples, slowest)

    def counts(self, found: Found) -> bool:
        """Take how a block ended; false for one that others cannot add to, in whose place the next one is."""
        pace, cell, task = self._paces[found.key], found.cell, found.task
        known = self.measured.get(found.key[0])
        pace.few = task.few or self._most(found.key)
        if cell.failure is Failure.LIMIT:
            pace.lost, pace.why = task.seconds or 0.0, cell.reason
            pace.of_one *= 4
            return False
        if not pace.begins:
            pace.begins = found.seconds
            pace.of_one = _SECONDS_OF_ONE + _CALLS_OF_ONE * known.seconds if known else _QUICK / BLOCK
        else:
            pace.of_one = max(_SECONDS_OF_ONE / 10, (found.seconds - pace.begins) / max(1, pace.few))
        if task.few is not None and not task.block and not (cell.pairs and cell.verdict.satisfied):
            return not self._proofs and not cell.pairs
        pace.tried = pace.few + (pace.tried if task.block else 0)
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
